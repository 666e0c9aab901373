package search_test

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"ltm/text/search"
)

func TestParse(t *testing.T) {
	tests := []struct {
		name, in string
		want     search.Query
	}{
		{"empty", "", search.Query{}},
		{"words", "  lock \t timeout\n", search.Query{Text: "lock timeout"}},
		{"all of it", `tag:go "of the lock" -redis id:mem_1 timeout`, search.Query{
			Text: "of the lock timeout", Phrases: []string{"of the lock"}, Tags: []string{"go"}, Not: []string{"redis"},
			IDs: []string{"mem_1"},
		}},
		{"one word in quotes is a word", `"lock"`, search.Query{Text: "lock"}},
		{"quote within a word", `size 3"x"4`, search.Query{Text: `size 3"x"4`}},
		{"open quote", `say "hello world`, search.Query{Text: `say "hello world`}},
		{"empty quotes", `"" "  "`, search.Query{Text: `"" " "`}},
		{"operators in capitals", "TAG:Go ID:Mem_1", search.Query{Tags: []string{"go"}, IDs: []string{"Mem_1"}}},
		{"quoted values", `tag:"go" id:"mem_1"`, search.Query{Tags: []string{"go"}, IDs: []string{"mem_1"}}},
		{"kinds", `KIND:learn kind:"x" kind:`, search.Query{Text: "kind:", Kinds: []string{"learn", "x"}}},
		{"operators without a value", `tag: id: - tag:""`, search.Query{Text: `tag: id: - tag:""`}},
		{"flags", "-p --force -9 tar -xzf", search.Query{Text: "-p --force -9 tar", Not: []string{"xzf"}}},
		{"other colons", "error: std::vector http://x", search.Query{Text: "error: std::vector http://x"}},
		{"invalid UTF-8", "a\xffb", search.Query{Text: "a b"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) { require.Equal(t, tt.want, search.Parse(tt.in)) })
	}
}

func FuzzParse(f *testing.F) {
	for _, q := range append(queries, "“curly”", `""" -" tag:"`, "\xff\xc0", "日本語のテスト", "a'b'c++#", "it’s") {
		f.Add(q)
	}
	x := build(corpus(20))
	f.Fuzz(func(t *testing.T, in string) {
		q := search.Parse(in)
		hits, total := x.Search(q, search.Options{Limit: 3, Explain: true})
		require.LessOrEqual(t, len(hits), min(3, total))
		require.True(t, slices.IsSortedFunc(hits, func(a, b search.Hit) int {
			if a.Score > b.Score {
				return -1
			}
			return 0
		}))
		search.NewSnippets(q).Of(in, 40)
		// A document with the query as its text can be found.
		y := index(doc("d", in, in))
		if hits, _ := x.Search(search.Words(in), search.Options{}); len(hits) > 0 {
			require.Equal(t, []string{"d"}, find(y, "id:d"))
		}
	})
}
