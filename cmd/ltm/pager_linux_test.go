package main

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
)

// script writes a program and returns its path.
func script(t *testing.T, dir, name, text string) string {
	t.Helper()
	path := filepath.Join(dir, name)
	require.NoError(t, os.MkdirAll(dir, 0o755))
	require.NoError(t, os.WriteFile(path, []byte("#!/bin/sh\n"+text+"\n"), 0o755))
	return path
}

func TestPager(t *testing.T) {
	p := newProject(t)
	p.run("", "remember", "Connection pool", "The pool was exhausted.", "--tag", "db")
	mark := script(t, t.TempDir(), "mark pages", `echo "PAGED $* $LESS"; sed 's/^/| /'; echo END`)
	named := "LTM_PAGER='" + mark + "' a b"
	plain := p.onTerminal(80, nil, "list")
	require.NotContains(t, plain, "PAGED")

	for _, args := range [][]string{{"list"}, {"recall", "pool"}, {"log"}, {"check"}, {"tag", "list"}, {"ls"},
		{"archives", "list", "--all"}} {
		require.Regexp(t, `(?s)^PAGED a b FRX\n\| .*\nEND\n$`, p.onTerminal(80, []string{named, "LESS="}, args...),
			"%v", args)
	}
	list := p.onTerminal(80, []string{named, "LESS=R"}, "list", "--color", "always")
	require.Contains(t, list, "PAGED a b R\n| "+"\x1b[2mID ", "laid out for the terminal behind it")

	for _, c := range []struct {
		name string
		env  []string
		args []string
	}{
		{"JSON", []string{named}, []string{"list", "--json"}},
		{"a flag", []string{named}, []string{"list", "--no-pager"}},
		{"what changes something", []string{named}, []string{"pin", "--as", "important", p.onlyID()}},
		{"a terminal without a cursor", []string{named, "TERM=dumb"}, []string{"list"}},
		{"nothing on standard output", []string{named}, []string{"recall", "zebra"}},
		{"cat", []string{"LTM_PAGER=cat", "PAGER=" + mark}, []string{"list"}},
		{"a help", []string{named}, []string{"list", "--help"}},
	} {
		t.Run(c.name, func(t *testing.T) { require.NotContains(t, p.onTerminal(80, c.env, c.args...), "PAGED") })
	}
	p.env = []string{named}
	require.NotContains(t, p.run("", "list"), "PAGED", "a pipe")
}

// TestPagerIsThePersons offers pagers in several places: the person's first choice is
// taken, and never a program of the repository.
func TestPagerIsThePersons(t *testing.T) {
	p := newProject(t)
	p.run("", "remember", "Connection pool", "The pool was exhausted.")
	bin := t.TempDir()
	script(t, bin, "less", "echo LESS; cat")
	script(t, bin, "most", "echo MOST; cat")
	trap := script(t, filepath.Join(p.dir, "bin"), "less", "echo TRAP; cat")
	script(t, filepath.Join(p.dir, "bin"), "own", "echo TRAP; cat")
	require.NoError(t, os.Symlink(trap, filepath.Join(bin, "linked")))
	path := "PATH=" + filepath.Join(p.dir, "bin") + ":bin:.:" + bin + ":" + os.Getenv("PATH")
	for _, c := range []struct {
		name string
		env  []string
		want string
	}{
		{"less, when there is nothing else", []string{"LTM_PAGER=", "PAGER="}, "LESS\n"},
		{"PAGER", []string{"LTM_PAGER=", "PAGER=most"}, "MOST\n"},
		{"LTM_PAGER before it", []string{"LTM_PAGER=most", "PAGER=less"}, "MOST\n"},
		{"a path in the repository", []string{"LTM_PAGER=" + trap}, "was not found outside the project"},
		{"a relative path", []string{"LTM_PAGER=bin/less"}, "was not found outside the project"},
		{"a name in the repository", []string{"LTM_PAGER=own"}, "was not found outside the project"},
		{"a link into it", []string{"LTM_PAGER=linked"}, "was not found outside the project"},
		{"one that is not there", []string{"LTM_PAGER=no-such-program"}, `the pager "no-such-program" was not found`},
	} {
		t.Run(c.name, func(t *testing.T) {
			out := p.onTerminal(80, append(c.env, path), "list")
			require.Contains(t, out, c.want)
			require.Contains(t, out, "Connection pool")
			require.NotContains(t, out, "TRAP")
		})
	}
	broken := filepath.Join(bin, "broken")
	require.NoError(t, os.WriteFile(broken, []byte("\x7fELF"), 0o755))
	out := p.onTerminal(80, []string{"LTM_PAGER=" + broken}, "list")
	require.Contains(t, out, "ltm: cannot start the pager")
	require.Contains(t, out, "Connection pool", "shown all the same")
}

// TestPagerThatEndsEarly leaves the pager before all of the text: that is not a failure,
// and what is said beside the text comes in it.
func TestPagerThatEndsEarly(t *testing.T) {
	p := newProject(t)
	for _, topic := range []string{"One", "Two"} {
		p.run("", "remember", topic, "Its text.")
	}
	bin := t.TempDir()
	require.Equal(t, "GONE\n", p.onTerminal(80, []string{"LTM_PAGER=" + script(t, bin, "gone", "exec 0<&-; echo GONE")},
		"list", "--limit", "1"))
	out := p.onTerminal(80, []string{"LTM_PAGER=" + script(t, bin, "mark", "sed 's/^/| /'")}, "list", "--limit", "1")
	require.Contains(t, out, "| 1 of 2; --offset shows more\n")
}
