package main

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestClientFolder(t *testing.T) {
	long := "/" + strings.Repeat("a/", 120)
	for path, want := range map[string]string{
		"/home/ana/my_app.v2": "-home-ana-my-app-v2",
		"/home/ana/日本/é😀":     "-home-ana-------",
		`C:\work\app`:         "C--work-app",
		long:                  "-" + strings.Repeat("a-", 99) + "a-nkcon3",
	} {
		require.Equal(t, want, clientFolder(path), path)
	}
}

func TestShellWord(t *testing.T) {
	for path, want := range map[string]string{
		"/home/ana/.claude/x": "/home/ana/.claude/x", "a b": "'a b'", "it's": `'it'\''s'`, "$(x)": "'$(x)'", "-x": "'-x'",
		"": "''", "é": "'é'",
	} {
		require.Equal(t, want, shellWord(path))
	}
}
