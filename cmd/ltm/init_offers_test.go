package main

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestShellWord(t *testing.T) {
	for path, want := range map[string]string{
		"/home/ana/.claude/x": "/home/ana/.claude/x", "a b": "'a b'", "it's": `'it'\''s'`, "$(x)": "'$(x)'", "-x": "'-x'",
		"": "''", "é": "'é'",
	} {
		require.Equal(t, want, shellWord(path))
	}
}
