package main

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// picked returns what was printed behind the question of a numbered list, without the echo of what was typed, which
// is there or before the list.
func picked(t *testing.T, out, typed string) string {
	t.Helper()
	_, after, ok := strings.Cut(out, "): ")
	require.True(t, ok, "%q", out)
	return strings.TrimPrefix(after, typed)
}

// idIn returns the id of the memory with that topic.
func (p project) idIn(topic string) string {
	p.t.Helper()
	found := regexp.MustCompile(`(mem_[0-9a-f]{8})\t.*\t` + topic + `\n`).FindStringSubmatch(p.run("", "list", "--all"))
	require.NotNil(p.t, found, topic)
	return found[1]
}

func TestPick(t *testing.T) {
	p := newProject(t)
	for _, topic := range []string{"Pool size", "Pool timeout", "Port", "Old"} {
		p.run("", "remember", topic, "What is known of "+strings.ToLower(topic)+".", "--tag", "net")
	}
	size, timeout, old := p.idIn("Pool size"), p.idIn("Pool timeout"), p.idIn("Old")
	p.run("", "forget", old)
	before := p.run("", "list", "--json")
	env := []string{"PATH=" + filepath.Dir(p.program())} // without fzf

	out := p.typed("1\n", 120, env, "pick", "SIZE", "pool")
	require.Equal(t, size+"\n", picked(t, out, "1\n"))
	require.Contains(t, out, "  1  "+size+"  Pool size  [net]\nNumbers, ")
	require.ElementsMatch(t, []string{size, timeout}, strings.Fields(picked(t,
		p.typed("2 1\n", 80, env, "pick", "--own", "pool"), "2 1\n")))
	require.Equal(t, old+"\n", picked(t, p.typed("1\n", 80, env, "pick", "--archives"), "1\n"))
	require.Equal(t, old+"\n", picked(t, p.typed("1\n", 80, env, "pick", "--all", "--tag", "net", "old"), "1\n"))
	require.Contains(t, p.typed("3\n", 30, env, "pick", "--tag", "net"), "…\n", "no wider than the terminal")
	require.Equal(t, before, p.run("", "list", "--json"), "picking is not an access")

	for typed, want := range map[string]string{"\n": "", "x\n": `"x" is not in the list; give numbers from 1 to 3`,
		"0\n": `"0" is not in the list`, "1 4\n": `"4" is not in the list`} {
		t.Run(typed, func(t *testing.T) {
			out, failed := p.leaves(typed, env, "pick")
			require.True(t, failed)
			require.Contains(t, picked(t, out, typed), want)
			require.NotContains(t, picked(t, out, typed), "mem_")
		})
	}
	out, failed := p.leaves("", env, "pick", "zebra")
	require.True(t, failed)
	require.Equal(t, "no memories match\n", out)
	out, failed = p.leaves("", env, "pick", "--tag", "zebra")
	require.True(t, failed)
	require.Equal(t, "no memories\n", out)
	_, err := p.try("", "pick")
	require.ErrorContains(t, err, "picking takes a terminal; ltm list and ltm recall find memories without one")
}

// TestPickWithFzf uses a program of that name in the place of fzf, which takes the second
// line and shows what it was told.
func TestPickWithFzf(t *testing.T) {
	p := newProject(t)
	for _, topic := range []string{"Pool size", "Port"} {
		p.run("", "remember", topic, "What is known of it.")
	}
	bin := t.TempDir()
	script(t, bin, "fzf", `for a in "$@"; do echo "ARG $a" >&2; done; grep Port
for a in "$@"; do
	case "$a" in --preview=*) sh -c "$(echo "${a#--preview=}" | sed "s/{1}/$(cat "`+bin+`/id")/")" >&2;; esac
done`)
	require.NoError(t, os.WriteFile(filepath.Join(bin, "id"), []byte(p.idIn("Pool size")), 0o644))
	path := "PATH=" + bin + ":" + os.Getenv("PATH")
	out := p.onTerminal(200, []string{path}, "pick", "some", "query")
	require.Contains(t, out, "ARG --query=some query\n")
	require.Contains(t, out, "ARG --multi\n")
	require.Contains(t, out, "What is known of it.")
	require.Regexp(t, "(?m)^"+p.idIn("Port")+"$", out)
	require.NotContains(t, out, "Numbers")

	script(t, bin, "fzf", "exit 130")
	out, failed := p.leaves("", []string{path}, "pick")
	require.True(t, failed)
	require.Empty(t, out)
	script(t, bin, "fzf", "exit 2")
	out, _ = p.leaves("", []string{path}, "pick")
	require.Contains(t, out, "ltm: fzf failed: exit status 2; --own does without it\n")

	inside := filepath.Join(p.dir, "bin")
	script(t, inside, "fzf", "echo TRAP >&2")
	out = p.typed("1\n", 80, []string{"PATH=" + inside + ":" + filepath.Dir(p.program())}, "pick")
	require.NotContains(t, out, "TRAP", "never a program of the repository")
	require.Contains(t, out, "Numbers")
}
