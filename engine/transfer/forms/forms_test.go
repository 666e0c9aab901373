package forms_test

import (
	"cmp"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"ltm/engine/transfer"
	"ltm/engine/transfer/forms"
	"ltm/memory"
	"ltm/tests/golden"
)

// modified is the time of all files of the samples.
var modified = time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)

// here is a machine two hours east of Greenwich.
var here = transfer.Here{Now: modified.Add(time.Hour), Zone: time.FixedZone("", 2*60*60), Project: "shop"}

// sample reads a source from testdata.
func sample(t testing.TB, name string) transfer.Source {
	t.Helper()
	root := filepath.Join("testdata", filepath.FromSlash(name))
	info, err := os.Stat(root)
	require.NoError(t, err)
	s := transfer.Source{Name: name, Dir: info.IsDir()}
	require.NoError(t, filepath.WalkDir(root, func(file string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		data, err := os.ReadFile(file)
		require.NoError(t, err)
		rel, err := filepath.Rel(root, file)
		if rel = filepath.ToSlash(rel); rel == "." {
			rel = path.Base(name)
		}
		s.Files = append(s.Files, transfer.File{Name: rel, Data: data, Modified: modified})
		return err
	}))
	slices.SortFunc(s.Files, func(a, b transfer.File) int { return cmp.Compare(a.Name, b.Name) })
	return s
}

// directory makes a source of texts by name.
func directory(files map[string]string) transfer.Source {
	s := transfer.Source{Name: "dir", Dir: true}
	for name, text := range files {
		s.Files = append(s.Files, transfer.File{Name: name, Data: []byte(text), Modified: modified})
	}
	slices.SortFunc(s.Files, func(a, b transfer.File) int { return cmp.Compare(a.Name, b.Name) })
	return s
}

// document makes a source of one text.
func document(name, text string) transfer.Source {
	return transfer.Source{Name: name, Files: []transfer.File{{Name: name, Data: []byte(text), Modified: modified}}}
}

// described shows a reading as people can compare it.
func described(r transfer.Reading) string {
	var b strings.Builder
	line := func(format string, args ...any) { fmt.Fprintf(&b, format+"\n", args...) }
	line("system %s, version %q, project %q, agent %q", r.System, r.Version, r.Project, r.Agent)
	line("remarks %s", memory.Note(r.Remarks))
	for _, item := range r.Items {
		line("\n= %s", item.Entry)
		line("key %q", item.Key)
		if item.Err != nil {
			line("error %v", item.Err)
			continue
		}
		m := item.Memory
		line("topic %s", m.Topic)
		line("tags %q", m.Tags)
		if len(m.Aliases) > 0 {
			line("aliases %q", m.Aliases)
		}
		line("created %s", m.CreatedAt.Format(time.RFC3339Nano))
		for _, f := range [][2]string{{"summary", m.Summary}, {"scope", string(item.Scope)}, {"project", item.Project},
			{"want", string(item.WantID)}, {"remarks", memory.Note(item.Remarks).String()}} {
			if f[1] != "" {
				line("%s %s", f[0], f[1])
			}
		}
		for i, keys := range [][]string{item.Related, item.Supersedes, item.Disputes} {
			if len(keys) > 0 {
				line("%s %q", []string{"related", "supersedes", "disputes"}[i], keys)
			}
		}
		if item.Archived != nil {
			line("archived %s", item.Archived.Reason)
		}
		line("| %s", strings.ReplaceAll(m.Content, "\n", "\n| "))
	}
	return b.String()
}

// samples are the samples by name, with the form that recognizes each.
func samples() map[string]string {
	return map[string]string{
		"auto-memory": "auto-memory", "auto-memory-old": "auto-memory", "CLAUDE.md": "claude-md",
		"memory.jsonl": "server-memory", "engram-0.1.0.json": "engram", "engram-0.2.0.json": "engram",
		"basic-memory": "markdown", "obsidian": "markdown", "predecessor": "predecessor",
	}
}

func TestSamples(t *testing.T) {
	for name, want := range samples() {
		t.Run(name, func(t *testing.T) {
			s := sample(t, name)
			form, err := transfer.Recognize(s, forms.All(nil))
			require.NoError(t, err)
			require.Equal(t, want, form.Name())
			if name == "CLAUDE.md" {
				form = forms.ClaudeMD{Sections: []string{"learnings"}}
			}
			r, err := form.Read(s, here)
			require.NoError(t, err)
			require.NotEmpty(t, r.Items)
			check(t, r)
			golden.Require(t, filepath.Join("testdata", "golden", name+".txt"), described(r))
			again, err := form.Read(sample(t, name), here)
			require.NoError(t, err)
			require.Equal(t, r, again, "a second import knows every entry again")
		})
	}
}

// check holds a reading to what all of them promise.
func check(t testing.TB, r transfer.Reading) {
	t.Helper()
	require.NotEmpty(t, r.System)
	keys := map[string]bool{}
	for _, item := range r.Items {
		require.NotEmpty(t, item.Entry)
		if item.Err != nil {
			require.Equal(t, memory.KindImportMalformed, memory.KindOf(item.Err), "%v", item.Err)
			continue
		}
		require.NotEmpty(t, item.Key)
		require.False(t, keys[item.Key], "two entries have the key %q", item.Key)
		keys[item.Key] = true
		require.LessOrEqual(t, len([]rune(item.Memory.Topic)), memory.MaxTopicChars)
		require.NotEmpty(t, strings.TrimSpace(item.Memory.Content), item.Entry)
		require.LessOrEqual(t, len(item.Related), memory.MaxLinks)
		require.NotContains(t, item.Related, item.Key)
		require.Empty(t, item.Memory.ID)
		require.Nil(t, item.Memory.Origin)
		_, err := memory.NormalizeTags(item.Memory.Tags)
		require.NoError(t, err)
	}
}
