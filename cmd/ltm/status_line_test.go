package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestStatusLine(t *testing.T) {
	p := newProject(t)
	line := func() string {
		t.Helper()
		alone := p.run(`{"cwd":"/elsewhere"}`, "status", "--line")
		require.Equal(t, alone, p.run("", "status", "--line", "--color", "never"), "the way through the other commands")
		return alone
	}
	require.Empty(t, line(), "a project without a store")

	p.run("", "remember", "Pool", "The pool has 20 connections.")
	require.Equal(t, "ltm: 1 memory\n", line())
	p.run("", "remember", "Queue", "The queue is bounded.")
	require.Equal(t, "ltm: 2 memories\n", line())

	memories := filepath.Join(p.dir, ".claude", "ltm", "memories")
	own, err := filepath.Glob(filepath.Join(memories, "*.md"))
	require.NoError(t, err)
	data, err := os.ReadFile(own[0])
	require.NoError(t, err)
	id := strings.TrimSuffix(filepath.Base(own[0]), ".md")
	foreign := strings.ReplaceAll(string(data), id, "mem_0000abcd")
	require.NoError(t, os.WriteFile(filepath.Join(memories, "mem_0000abcd.md"), []byte(foreign), 0o644))
	require.Equal(t, "ltm: 3 memories\n", line(), "with trust mark, nothing is held back")
	p.run("", "config", "trust", "ask")
	require.Equal(t, "ltm: 2 memories, 1 held back\n", line())

	p.run("", "forget", id)
	require.Equal(t, "ltm: 1 memory, 1 held back\n", line())
}
