package main

import (
	"encoding/json"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"ltm/tests/golden"
)

// TestAnswersNameWhatTheirReaderHas asks every tool and every command about every
// store of testdata/broken, with what sessions could have left: no answer of a tool
// names a command, and none of a command names a tool.
func TestAnswersNameWhatTheirReaderHas(t *testing.T) {
	surface := golden.FindSurface(t)
	commands, tools := surface.Commands(t), surface.Tools(t)
	stores, err := os.ReadDir("../../testdata/broken")
	require.NoError(t, err)
	ids := []string{"mem_00000001", "mem_00000002", "mem_00000003", "mem_0000ffff", "no id"}
	for _, dir := range stores {
		if !dir.IsDir() {
			continue
		}
		t.Run(dir.Name(), func(t *testing.T) {
			t.Parallel()
			for _, trust := range []string{"mark", "ask"} {
				p := brokenProject(t, dir.Name())
				_, _ = p.try("", "config", "trust", trust) // where settings cannot be written it stays as it is
				for line := range strings.Lines(p.answers(everyCall(ids...))) {
					require.NotRegexp(t, commands, line)
					require.NotContains(t, line, "\U0010f7e1")
				}
			}
			p := brokenProject(t, dir.Name())
			for _, args := range commandsAbout(ids...) {
				said := p.says(args...)
				require.NotRegexp(t, tools, said, args)
				require.NotContains(t, said, "\U0010f7e1", args)
			}
		})
	}
}

// brokenProject is a project with a store of testdata/broken, and critical memories
// that are too many.
func brokenProject(t *testing.T, name string) project {
	t.Helper()
	from := filepath.Join("..", "..", "testdata", "broken", name)
	p := project{t: t, dir: t.TempDir(), env: []string{"LTM_USER_DIR=" + filepath.Join(t.TempDir(), "person")}}
	if _, err := os.Stat(filepath.Join(from, "dot-local")); err != nil { // else it is of a project outside of git
		p = newProject(t)
	}
	require.NoError(t, filepath.WalkDir(from, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		inside, err := filepath.Rel(from, path)
		require.NoError(t, err)
		data, err := os.ReadFile(path)
		require.NoError(t, err)
		to := filepath.Join(p.dir, ".claude", "ltm", regexp.MustCompile(`(^|[/\\\\])dot-`).ReplaceAllString(inside,
			"$1."))
		require.NoError(t, os.MkdirAll(filepath.Dir(to), 0o755))
		return os.WriteFile(to, data, 0o644)
	}))
	_, _ = p.try("", "config", "max_memories", "1")
	_, _ = p.try("", "config", "memories_to_load", "1")
	for _, topic := range []string{"One of two", "Two of two"} {
		_, _ = p.try("", "remember", topic, topic+" that matter.", "--tag", "importance:critical")
	}
	return p
}

// commandsAbout is a run of every command that says something about a store.
func commandsAbout(ids ...string) [][]string {
	all := [][]string{{"status"}, {"check"}, {"check", "--secrets"}, {"check", "--json"}, {"list"}, {"list", "--all"},
		{"archives"}, {"recall", "zebra connections"}, {"recall", "--all", "connections"}, {"evict", "--dry-run"},
		{"trust"}, {"log"}, {"undo", "--list"}, {"doctor"}, {"remember", "One of two", "One of two that matter."}}
	for _, id := range ids {
		all = append(all, []string{"show", id}, []string{"show", "--archives", id, "--json"}, []string{"why", id},
			[]string{"update", id}, []string{"update", id, "--tag", "x"}, []string{"pin", id}, []string{"forget", id},
			[]string{"restore", id})
	}
	return append(all, []string{"fix", "--dry-run"}, []string{"fix"}, []string{"check"}, []string{"evict"},
		[]string{"undo"})
}

// answers returns what the server writes.
func (p project) answers(requests string) string {
	p.t.Helper()
	out := p.run(requests, "mcp")
	told := strings.Count(out, `"method":"notifications/`)
	require.Equal(p.t, strings.Count(requests, "\n")-1, strings.Count(out, "\n")-told, "every request is answered")
	var text strings.Builder
	for line := range strings.Lines(out) {
		var v any
		require.NoError(p.t, json.Unmarshal([]byte(line), &v))
		data, err := json.Marshal(v)
		require.NoError(p.t, err)
		text.Write(append(data, '\n'))
	}
	return text.String()
}

// says returns all that a command says.
func (p project) says(args ...string) string {
	p.t.Helper()
	return (&hostile{project: p}).says("", args...)
}
