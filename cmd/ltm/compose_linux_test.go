package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestRememberInTheEditor stores what a person writes in the editor, and keeps it when it
// cannot be stored.
func TestRememberInTheEditor(t *testing.T) {
	p := newProject(t)
	bin, tmp := t.TempDir(), t.TempDir()
	editor := func(text string) []string {
		return []string{"VISUAL=", "EDITOR=" + script(t, bin, "editor", text), "TMPDIR=" + tmp}
	}
	out := p.onTerminal(80,
		editor(`grep -q '^<!-- Write what to remember above' "$1" && sed -i '1s/^/# Why\n\nIt was slow./' "$1"`),
		"remember", "Why we left Redis", "--tag", "db")
	require.Contains(t, out, "stored mem_")
	require.Contains(t, p.run("", "show", p.onlyID()), "Content\n\n# Why\n\nIt was slow.\n")
	left, err := filepath.Glob(filepath.Join(tmp, "*"))
	require.NoError(t, err)
	require.Empty(t, left)

	for name, c := range map[string]struct{ text, want string }{
		"no text":          {"true", "ltm: the text is empty; nothing was changed\n"},
		"the editor fails": {"exit 3", "failed"},
	} {
		t.Run(name, func(t *testing.T) {
			out, failed := p.fails(editor(c.text), "remember", "Another")
			require.True(t, failed)
			require.Contains(t, out, c.want)
			require.NotContains(t, out, "is saved in")
			left, err := filepath.Glob(filepath.Join(tmp, "*"))
			require.NoError(t, err)
			require.Empty(t, left)
		})
	}

	for name, c := range map[string]struct {
		text, want string
		args       []string
	}{
		"it cannot be stored":         {`echo 'It was slow.' > "$1"; printf '\0' >> "$1"`, "NUL", nil},
		"the editor fails afterwards": {`echo 'It was slow.' > "$1"; exit 1`, "failed", nil},
	} {
		t.Run(name, func(t *testing.T) {
			out, failed := p.fails(editor(c.text), append([]string{"remember", "Another"}, c.args...)...)
			require.True(t, failed)
			require.Contains(t, out, c.want)
			where := regexp.MustCompile(`your text is saved in (\S+); .*ltm remember 'Another' - < `)
			kept := where.FindStringSubmatch(out)
			require.NotNil(t, kept, out)
			data, err := os.ReadFile(kept[1])
			require.NoError(t, err)
			require.Contains(t, string(data), "It was slow.")
		})
	}
	_, err = p.try("", "remember", "Another", "--importance", "urgent")
	require.ErrorContains(t, err, "urgent", "what is wrong with flags is said before the editor opens")
	require.Len(t, p.onlyID(), 12, "nothing else was stored")
}

// fails runs ltm on a terminal and reports whether it failed.
func (p project) fails(env []string, args ...string) (out string, failed bool) {
	p.t.Helper()
	return p.leaves("", env, args...)
}

// leaves is fails for a person who types input.
func (p project) leaves(input string, env []string, args ...string) (out string, failed bool) {
	p.t.Helper()
	out, err := p.terminal(input, 200, env, args...)
	return out, err != nil
}

// program is the path of ltm.
func (p project) program() string {
	p.t.Helper()
	path, err := exec.LookPath("ltm")
	require.NoError(p.t, err)
	return path
}
