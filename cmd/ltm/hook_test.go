package main

import (
	"bytes"
	"context"
	"errors"
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
