package memfile_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"ltm/memory"
	"ltm/memory/memfile"
)

func TestRefsAreReadLiberally(t *testing.T) {
	blob := strings.Repeat("ab", 20)
	for line, want := range map[string]memory.Memory{
		"refs:":                  {},
		"refs: []":               {},
		"refs: [{path: a/b.go}]": {Refs: []memory.Ref{{Path: "a/b.go"}}},
		"refs: [a.go, 'a.go:3', 'a.go#Fn']": {
			Refs: []memory.Ref{{Path: "a.go"}, {Path: "a.go", Line: 3}, {Path: "a.go", Symbol: "Fn"}}},
		"refs: [{path: ./a//b.go, blob: " + strings.ToUpper(blob) + ", line: 4-9, more: 1}]": {
			Refs: []memory.Ref{{Path: "a/b.go", Blob: blob, Line: 4, End: 9}}},
		"refs: [{path: a.go}, {path: a.go, blob: " + blob + "}]": {Refs: []memory.Ref{{Path: "a.go"}}},
		"refs: [{path: a.go}]\nrefs: [{path: b.go}]": {
			Refs: []memory.Ref{{Path: "a.go"}, {Path: "b.go"}}, OddRefs: true},
		"refs: text":                              {OddRefs: true},
		"refs: {path: a.go}":                      {OddRefs: true},
		"refs: [{path: a.go, line: x}]":           {Refs: []memory.Ref{{Path: "a.go"}}, OddRefs: true},
		"refs: [{path: a.go, blob: 12}]":          {Refs: []memory.Ref{{Path: "a.go"}}, OddRefs: true},
		"refs: [{blob: " + blob + "}]":            {OddRefs: true},
		"refs: [[a]]":                             {OddRefs: true},
		"refs: [{path: a.go, line: 9-4}]":         {OddRefs: true},
		"refs: [{path: ../../etc/passwd}, b.go]":  {Refs: []memory.Ref{{Path: "b.go"}}, OddRefs: true},
		"refs: [/etc/passwd, c:/x, .git/config]":  {OddRefs: true},
		`refs: ["x/.GIT/config", "a/../../b", .]`: {OddRefs: true},
	} {
		text := "---\ntopic: t\n" + line + "\nowner: me\n---\nText.\n"
		for _, text := range []string{text, strings.ReplaceAll(text, "\n", "\r\n")} {
			f, err := memfile.Parse([]byte(text))
			require.NoError(t, err, line)
			require.Equal(t, want, memory.Memory{Refs: f.Memory.Refs, OddRefs: f.Memory.OddRefs}, line)

			m := f.Memory
			m.Tags = []string{"new"}
			out, err := f.With(m)
			require.NoError(t, err, line)
			require.Contains(t, string(out), line[:strings.IndexByte(line+"\n", '\n')], "its bytes stay")

			m.Refs, m.OddRefs = []memory.Ref{{Path: "new.go", Blob: blob}}, false
			out, err = f.With(m)
			require.NoError(t, err, line)
			back, err := memfile.Parse(out)
			require.NoError(t, err)
			requireSame(t, m, back.Memory)
			m.Refs = nil
			out, err = f.With(m)
			require.NoError(t, err, line)
			if back, err = memfile.Parse(out); len(want.Refs) > 0 || want.OddRefs {
				require.NotContains(t, string(out), "refs")
			}
			require.NoError(t, err)
			requireSame(t, m, back.Memory)
		}
	}
}

func TestManyRefsAreCut(t *testing.T) {
	var b strings.Builder
	for i := range 3000 {
		fmt.Fprintf(&b, "  - {path: f%d.go}\n", i)
	}
	f, err := memfile.Parse([]byte("---\ntopic: t\nrefs:\n" + b.String() + "---\nText.\n"))
	require.NoError(t, err)
	require.Len(t, f.Memory.Refs, memory.MaxRefs)
	require.True(t, f.Memory.OddRefs)
	require.Equal(t, "f19.go", f.Memory.Refs[19].Path)
}

func TestStubsHaveNoRefs(t *testing.T) {
	require.NotContains(t, string(memfile.FormatStub(doubted(), doubted().CreatedAt, memory.ReasonForgotten)), "refs")
}
