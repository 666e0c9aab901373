package main

import (
	"context"
	"fmt"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"ltm/memory/api"
	"ltm/server/page"
)

// doctorSays tells the fake ltm how to answer.
const doctorSays = "LTM_TEST_DOCTOR"

// standInDoctor is a fake ltm.
func standInDoctor() {
	switch os.Getenv(doctorSays) {
	case "well":
		fmt.Printf(`{"ok": false, "checks": [{"check": %q, "state": "fail", "found": "f", "do": "d"}], "more": 1}`,
			strings.Join(os.Args[1:], " "))
		os.Exit(1)
	case "nothing":
		fmt.Print(`{"ok": true, "checks": []}`)
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

func TestDoctor(t *testing.T) {
	ask := new(app).doctor(uiOptions{})
	require.NotNil(t, ask, "the program that stands in for ltm is on the PATH")
	t.Setenv(doctorSays, "well")
	for scope, args := range map[api.Scope]string{api.ScopeProject: "doctor --json",
		api.ScopeUser: "doctor --json --user"} {
		found, err := ask(t.Context(), scope)
		require.NoError(t, err)
		require.Equal(t, []page.Finding{{Check: args, State: "fail", Found: "f", Do: "d"}}, found)
	}
	found, err := new(app).doctor(uiOptions{dir: "harbor"})(t.Context(), api.ScopeProject)
	require.NoError(t, err)
	require.Equal(t, "-C . doctor --json", found[0].Check)
	for says, want := range map[string]string{"nothing": "no findings", "much": "more than 1048576 bytes",
		"": "flag provided but not defined"} {
		t.Setenv(doctorSays, says)
		_, err := ask(t.Context(), api.ScopeProject)
		require.ErrorContains(t, err, want, says)
		require.NotContains(t, err.Error(), "\x1b")
	}
	t.Setenv(doctorSays, "hang")
	ctx, cancel := context.WithCancel(t.Context())
	time.AfterFunc(100*time.Millisecond, cancel)
	_, err = ask(ctx, api.ScopeProject)
	require.ErrorIs(t, err, context.Canceled)
	t.Setenv("PATH", t.TempDir())
	require.Nil(t, new(app).doctor(uiOptions{}))
}
