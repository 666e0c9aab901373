package forms_test

import (
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/require"

	"ltm/engine/transfer"
	"ltm/engine/transfer/forms"
)

// files splits a text into files: a line "-- NAME --" begins each.
func files(text string) transfer.Source {
	s := map[string]string{}
	name := ""
	for line := range strings.Lines(text) {
		if next, ok := strings.CutPrefix(line, "-- "); ok && strings.HasSuffix(next, " --\n") {
			name = strings.TrimSuffix(next, " --\n")
			continue
		}
		s[name] += line
	}
	return directory(s)
}

// fuzz reads documents with a form.
func fuzz(f *testing.F, form transfer.Form, source func(text string) transfer.Source) {
	f.Fuzz(func(t *testing.T, data string) {
		s := source(data)
		form.Recognize(s)
		r, err := form.Read(s, here)
		if err != nil {
			return
		}
		check(t, r)
		size := 0
		for _, item := range r.Items {
			size += len(item.Memory.Content)
			if item.Err == nil && utf8.ValidString(data) {
				require.True(t, utf8.ValidString(item.Memory.Topic+item.Memory.Content))
			}
		}
		require.Less(t, size, 8*len(data)+100, "nothing is multiplied")
		again, err := form.Read(source(data), here)
		require.NoError(t, err)
		require.Equal(t, r, again)
	})
}

func FuzzAutoMemory(f *testing.F)  { fuzz(f, forms.AutoMemory{}, files) }
func FuzzMarkdown(f *testing.F)    { fuzz(f, forms.Markdown{}, files) }
func FuzzPredecessor(f *testing.F) { fuzz(f, forms.Predecessor{}, files) }

func FuzzClaudeMD(f *testing.F) {
	fuzz(f, forms.ClaudeMD{Sections: []string{"A"}},
		func(text string) transfer.Source { return document("CLAUDE.md", text) })
}

func FuzzServerMemory(f *testing.F) {
	fuzz(f, forms.ServerMemory{}, func(text string) transfer.Source { return document("memory.jsonl", text) })
}

func FuzzEngram(f *testing.F) {
	fuzz(f, forms.Engram{}, func(text string) transfer.Source { return document("engram.json", text) })
}
