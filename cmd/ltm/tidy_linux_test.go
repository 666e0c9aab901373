package main

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
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
	out := p.typed("m\nq\n", 200, env, "tidy")
	require.Regexp(t, `the text is empty.*your text is saved in `, out)
	require.NotContains(t, out, "stores it", "there is no text below the topic")
	require.Contains(t, out, "2 of 2", "the questions go on")
	require.Len(t, p.listed(), 4)

	env = append(p.env, "VISUAL=", "EDITOR=true")
	out, err := p.dialog([][2]string{{"1 of 2", "m\n"}, {"2 of 2", ctrlC}}, 200, env, "tidy")
	require.Error(t, err)
	require.Contains(t, out, "ltm: interrupted; what was answered before is done")
	require.NotContains(t, out, "nothing was changed")
	require.Len(t, p.listed(), 3)
}

// TestAMemoryChangesWhileItIsMerged in the editor. The text is kept without its topic, which is in the command.
func TestAMemoryChangesWhileItIsMerged(t *testing.T) {
	p := newProject(t)
	p.run("", "remember", "Pool size", "The connection pool of the test server has 20 connections; more exhaust it.")
	id := p.onlyID()
	p.run("", "remember", "Pool's size", "The connection pool of the test server has 20 connections; more exhaust it.")
	editor := `ltm update ` + id + ` --append More. > /dev/null`
	env := append(p.env, "VISUAL=", "EDITOR="+script(t, t.TempDir(), "editor", editor), "TMPDIR="+t.TempDir())
	out := p.typed("m\n", 300, env, "tidy")
	require.Contains(t, out, "was changed in the meantime")
	said := regexp.MustCompile(`your text is saved in (\S+);.*(ltm tidy --merge mem_\w+ mem_\w+ --topic '.*' ` +
		`--text -) < `).FindStringSubmatch(out)
	require.NotNil(t, said, out)
	require.Contains(t, []string{`'Pool size'`, `'Pool'\''s size'`}, regexp.MustCompile(`'.*'`).FindString(said[2]))
	kept, err := os.ReadFile(said[1])
	require.NoError(t, err)
	require.True(t, strings.HasPrefix(string(kept), "The connection pool"), string(kept))
	require.Len(t, p.listed(), 2)
}

// TestMemoriesFromElsewhereAreMarked where a person is asked about them.
func TestMemoriesFromElsewhereAreMarked(t *testing.T) {
	p := newProject(t)
	text := "The connection pool of the test server has 20 connections; more exhaust it."
	p.run("", "remember", "Pool size", text)
	file := filepath.Join(p.dir, ".claude", "ltm", "memories", "mem_00000001.md")
	header := "---\ntopic: Theirs\ncreated_at: 2026-01-01T00:00:00Z\n---\n"
	require.NoError(t, os.WriteFile(file, []byte(header+text+"\n"), 0o644))
	out := p.typed("m\nq\n", 200, p.env, "tidy")
	require.Contains(t, out, "(from elsewhere) Theirs")
	require.Contains(t, out, "(shown 0×")
	require.Contains(t, out, "no person has approved it")
}
