package engine_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"ltm/engine/find"
	"ltm/memory/api"
)

// TestRecallOfABeginning asks for a word that no memory holds: passages and marks
// show the words that were found in its place, in each directory its own.
func TestRecallOfABeginning(t *testing.T) {
	f := newEngine(t)
	rest := "\n\n" + strings.Repeat("It took the team a week to see that nothing else was wrong with it. ", 8)
	f.remember("Storage", "The first thing we tried did not help.\n\n"+
		strings.Repeat("Nothing of it mattered much in the end. ", 8)+
		"\n\nThe database ran out of connections, and its date was wrong."+rest, 0.5)
	gone := f.remember("Import", "The dataset is read twice."+rest, 0.5)
	f.forget(gone)
	mark := func(r api.Recall, text string) string {
		var b strings.Builder
		at := 0
		for _, part := range find.Marker("data", r.Taken)(text) {
			b.WriteString(text[at:part[0]] + "[" + text[part[0]:part[1]] + "]")
			at = part[1]
		}
		return b.String() + text[at:]
	}

	r, err := f.Recall(f.ctx, api.Query{Text: "data", Explain: true})
	require.NoError(t, err)
	require.Len(t, r.Memories, 1)
	require.Equal(t, map[string][]string{"data": {"date", "database"}}, r.Taken)
	require.Contains(t, r.Memories[0].Summary, "The database ran out")
	require.Contains(t, mark(r, r.Memories[0].Summary), "The [database] ran out of connections, and its [date] was")
	require.Contains(t, r.Memories[0].Explanation, "as the beginning of database")
	require.Equal(t, "a dataset", mark(r, "a dataset"), "no memory in sight has it")

	r, err = f.Recall(f.ctx, api.Query{Text: "data", Include: api.IncludeAll})
	require.NoError(t, err)
	require.Len(t, r.Memories, 2)
	require.Equal(t, "a [database] and a [dataset]", mark(r, "a database and a dataset"))

	archived, err := f.SearchArchives(f.ctx, "data", 0)
	require.NoError(t, err)
	require.Len(t, archived.Archives, 1)
	require.Contains(t, archived.Archives[0].Summary, "The dataset is read twice.")
}
