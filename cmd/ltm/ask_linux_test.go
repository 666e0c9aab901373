package main

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// TestQuestionsOnATerminal answers what ltm asks before it takes something out.
func TestQuestionsOnATerminal(t *testing.T) {
	p := newProject(t)
	p.run("", "remember", "Pool", "The pool is small.", "--importance", "critical")
	id := p.run("", "list")[:len("mem_00000000")]
	const question = "is pinned. Forget it anyway? [y/N] "
	require.Contains(t, p.refused("n\n", "forget", id), question)
	require.Contains(t, p.refused("n\n", "forget", id), "nothing was changed\n")
	require.Contains(t, p.typed("y\n", 200, nil, "forget", id), "forgot "+id)
	require.Contains(t, p.refused("n\n", "archives", "prune", id),
		"Permanently remove 1 of 1 archives? Git history keeps what was committed. [y/N] ")
	require.Contains(t, p.refused("n\n", "forget", "--hard", id), "Permanently remove "+id+
		" and all its archived versions? Git history keeps what was committed. [y/N] ")
	p.run("", "restore", id)
	p.run("", "forget", "--yes", id)
	require.Contains(t, p.typed("y\n", 200, nil, "archives", "prune", id), "1 of 1 archive removed")
	p.run("", "remember", "Pool", "The pool is small.")
	id = p.run("", "list")[:len("mem_00000000")]
	require.Contains(t, p.typed("y\n", 200, nil, "forget", "--hard", id), "git's history keeps what was committed")
}
