package main

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"ltm/memory"
	"ltm/memory/advice"
	"ltm/memory/api"
	"ltm/packet"
	"ltm/server/page"
)

// standInSays tells the fake ltm how to answer.
const standInSays = "LTM_TEST_STAND_IN"

// standIn is a fake ltm.
func standIn() {
	switch os.Getenv(standInSays) {
	case "well":
		fmt.Printf(`{"ok": false, "checks": [{"check": %q, "state": "fail", "found": "f", "do": "d"}], "more": 1}`,
			strings.Join(os.Args[1:], " "))
		os.Exit(1)
	case "nothing":
		fmt.Print(`{"ok": true, "checks": []}`)
	case "servers":
		fmt.Print(`{"hosts": [{"host": "https://a", "problem": "damaged"}, {"host": "https://b", "default": true,
			"display": "Mira"}]}`)
	case "sent":
		data, _ := io.ReadAll(os.Stdin)
		said := strings.Join(os.Args[1:], " ") + string(data)
		_ = json.NewEncoder(os.Stdout).Encode(map[string]string{"message": said})
	case "refused":
		fmt.Fprint(os.Stderr, `{"error": {"code": "remote", "message": "cannot reach b", "hint": "it waits"}}`)
		os.Exit(5)
	case "much":
		for {
			if _, err := fmt.Print(strings.Repeat(" ", 1<<16)); err != nil {
				os.Exit(1)
			}
		}
	case "hang":
		time.Sleep(time.Hour)
	default:
		fmt.Print("flag provided but not defined: \x1b[31m--json")
		os.Exit(2)
	}
}

// TestPost sends the packet that the page shows, and no file or other packet that has its id as a name.
func TestPost(t *testing.T) {
	c := newCLI(uiOptions{})
	t.Setenv(standInSays, "servers")
	servers, err := c.Servers(t.Context())
	require.NoError(t, err)
	require.Equal(t, []page.Server{{Host: "https://b", Display: "Mira", Default: true}}, servers)
	p := &packet.Packet{Version: packet.Version02, ID: "--drop=all", CreatedAt: "2026-01-31T09:30:00Z", Goal: "Sail",
		NextStep: "Weigh anchor"}
	t.Setenv(standInSays, "sent")
	gone, leave := context.WithCancel(t.Context())
	leave() // the visitor
	said, err := c.Send(gone, p, "https://b", "--queued")
	require.NoError(t, err)
	require.Contains(t, said, "push - --host=https://b --team=--queued --json{")
	require.Contains(t, said, `"Sail"`)
	t.Setenv(standInSays, "refused")
	_, err = c.Send(t.Context(), p, "https://b", "")
	require.Equal(t, memory.CodeRemote, memory.CodeOf(err))
	text, next := advice.Table{}.Split(err, advice.Writing)
	require.Equal(t, []string{"cannot reach b", "it waits"}, []string{text, next})
	t.Setenv(standInSays, "")
	_, err = c.Send(t.Context(), p, "https://b", "")
	require.ErrorContains(t, err, "flag provided but not defined")
}

func TestDoctor(t *testing.T) {
	c := newCLI(uiOptions{})
	require.NotNil(t, c, "the program that stands in for ltm is on the PATH")
	t.Setenv(standInSays, "well")
	for scope, args := range map[api.Scope]string{api.ScopeProject: "doctor --json",
		api.ScopeUser: "doctor --user --json"} {
		found, err := c.doctor(t.Context(), scope)
		require.NoError(t, err)
		require.Equal(t, []page.Finding{{Check: args, State: "fail", Found: "f", Do: "d"}}, found)
	}
	found, err := newCLI(uiOptions{dir: "harbor"}).doctor(t.Context(), api.ScopeProject)
	require.NoError(t, err)
	require.Equal(t, "-C . doctor --json", found[0].Check)
	for says, want := range map[string]string{"nothing": "no findings", "much": "more than 1048576 bytes",
		"": "flag provided but not defined"} {
		t.Setenv(standInSays, says)
		_, err := c.doctor(t.Context(), api.ScopeProject)
		require.ErrorContains(t, err, want, says)
		require.NotContains(t, err.Error(), "\x1b")
	}
	c.checking <- struct{}{}
	t.Setenv(standInSays, "servers")
	_, err = c.Servers(t.Context())
	require.NoError(t, err, "it does not wait for the checks")
	gone, left := context.WithCancel(t.Context())
	left()
	_, err = c.doctor(gone, api.ScopeProject)
	require.ErrorIs(t, err, context.Canceled)
	<-c.checking
	t.Setenv(standInSays, "hang")
	ctx, cancel := context.WithCancel(t.Context())
	time.AfterFunc(100*time.Millisecond, cancel)
	_, err = c.doctor(ctx, api.ScopeProject)
	require.ErrorIs(t, err, context.Canceled)
	t.Setenv("PATH", t.TempDir())
	require.Nil(t, newCLI(uiOptions{}))
}
