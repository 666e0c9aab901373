package main

import (
	"regexp"
	"testing"

	"github.com/stretchr/testify/require"

	"ltm/memory/api"
)

// TestTidyOnATerminal answers the question about each group by its key.
func TestTidyOnATerminal(t *testing.T) {
	p := newProject(t)
	pairs := [][2]string{{"Pool size", "The connection pool of the test server has 20 connections; more exhaust it."},
		{"Queue journal", "The queue drops its jobs on restart because the worker keeps no journal of them."},
		{"Linter order", "Run the linter over generated files first, before the commit hook sees them."}}
	for _, m := range pairs {
		p.run("", "remember", m[0], m[1])
		p.run("", "remember", m[0]+" again", m[1])
	}
	groups := func() (n int) {
		var tidying api.Tidying
		p.json(&tidying, "tidy")
		return len(tidying.Groups)
	}
	require.Equal(t, 3, groups())
	env := append(p.env, "VISUAL=", "EDITOR="+script(t, t.TempDir(), "editor", `sed -i '1s/.*/Edited/' "$1"`))

	out := p.typed("q\n", 200, env, "tidy")
	require.Contains(t, out, "1 of 3: these say about the same")
	require.NotContains(t, out, "2 of 3")
	require.Equal(t, 3, groups(), "leaving changes nothing")

	p.typed("x\nM\nc\nn\n", 200, env, "tidy")
	require.Zero(t, groups())
	listed := p.listed()
	require.Len(t, listed, 4, "one of each merge and correction, and two that were told apart")
	require.Contains(t, listed, "Edited")
	p.run("", "undo")
	p.run("", "undo")
	require.Equal(t, 2, groups(), "each answer is a change of its own")
	require.Len(t, p.listed(), 6)
}

// TestADisputeIsNotToldApart: its key would change nothing, and the dispute would come again.
func TestADisputeIsNotToldApart(t *testing.T) {
	p := newProject(t)
	one := p.run("", "remember", "Pool size", "The pool has 20 connections.")
	id := regexp.MustCompile(`mem_\w+`).FindString(one)
	p.run("", "remember", "Workers", "Nightly jobs have eight of them.", "--disputes", id)
	out := p.typed("n\nq\n", 200, p.env, "tidy")
	require.Contains(t, out, "1 of 1: these dispute each other")
	require.NotContains(t, out, "ot the same")
	require.NotContains(t, out, "told apart")
}

// TestTidyIsInterrupted at a later group, and by an editor that leaves only a topic: what was decided stays, and what
// follows is left as it was.
func TestTidyIsInterrupted(t *testing.T) {
	p := newProject(t)
	pairs := [][2]string{{"Pool size", "The connection pool of the test server has 20 connections; more exhaust it."},
		{"Queue journal", "The queue drops its jobs on restart because the worker keeps no journal of them."}}
	for _, m := range pairs {
		p.run("", "remember", m[0], m[1])
		p.run("", "remember", m[0]+" again", m[1])
	}
	env := append(p.env, "VISUAL=", "EDITOR="+script(t, t.TempDir(), "editor", `echo 'Only a topic' > "$1"`),
		"TMPDIR="+t.TempDir()) // it keeps the text
	out, err := p.terminal("m\n", 200, env, "tidy")
	require.Error(t, err)
	require.Regexp(t, `the text is empty.*your text is saved in .*; ltm tidy --merge .* stores it`, out)
	require.Len(t, p.listed(), 4)

	env = append(p.env, "VISUAL=", "EDITOR=true")
	out, err = p.dialog([][2]string{{"1 of 2", "m\n"}, {"2 of 2", ctrlC}}, 200, env, "tidy")
	require.Error(t, err)
	require.Contains(t, out, "ltm: interrupted; what was answered before is done")
	require.NotContains(t, out, "nothing was changed")
	require.Len(t, p.listed(), 3)
}
