package main

import (
	"bytes"
	"context"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

type closed struct{}

func (closed) Write([]byte) (int, error) { return 0, errors.New("closed") }

// TestAHookThatTookOverAndFailedSaysOneLine has a client that reads no answer.
func TestAHookThatTookOverAndFailedSaysOneLine(t *testing.T) {
	dir := t.TempDir()
	at := filepath.Join(dir, ".claude", "ltm")
	require.NoError(t, os.MkdirAll(filepath.Join(at, "memories"), 0o755))
	require.NoError(t, os.WriteFile(filepath.Join(at, "state.json"), []byte(`{"version":1,"session_count":7}`), 0o644))
	home := t.TempDir()
	getenv := func(name string) string {
		return map[string]string{"LTM_DIR": at, "HOME": home, "USERPROFILE": home, "LOCALAPPDATA": home}[name]
	}
	var stderr bytes.Buffer
	payload := strings.NewReader(`{"session_id":"s","source":"startup","hook_event_name":"SessionStart"}`)
	require.Equal(t, exitFailure, run(context.Background(), []string{"hook", "SessionStart"}, payload, closed{},
		&stderr, getenv))
	require.Equal(t, "ltm hook: closed\n", stderr.String())
	state, err := os.ReadFile(filepath.Join(at, ".local", "state.json"))
	require.NoError(t, err, "it took over")
	require.Contains(t, string(state), `"session_count": 8`)
}

// TestHooksNeverExitWithTwo: the client would take it for "block".
func TestHooksNeverExitWithTwo(t *testing.T) {
	none := func(string) string { return "" }
	for _, args := range [][]string{{"hook", "SessionStart", "--client"}, {"hook", "SessionStart", "--bogus"},
		{"-C", ".", "hook", "SessionStart", "--client"}, {"-C", ".", "hook", "SessionStart", "--bogus"},
		{"--no-pager", "hook", "--client"}, {"-C", ".", "hook"}, {"-C", "missing", "hook", "SessionStart"}} {
		var stderr bytes.Buffer
		status := run(context.Background(), args, strings.NewReader("{}"), io.Discard, &stderr, none)
		require.Equal(t, exitFailure, status, args)
		require.NotEmpty(t, stderr.String(), args)
	}
}

// TestInputThatStalls is no payload: ltm without arguments goes on with its help.
func TestInputThatStalls(t *testing.T) {
	none := func(string) string { return "" }
	for _, begin := range []string{"a question", "\n\t[", ` {"session_id":`} {
		in, client := io.Pipe()
		go func() { _, _ = client.Write([]byte(begin)) }() // and never closes it
		var stderr bytes.Buffer
		require.Equal(t, exitOK, run(context.Background(), nil, in, io.Discard, &stderr, none))
		require.Contains(t, stderr.String(), "Long-term memory")
		require.NoError(t, client.Close())
	}
}
