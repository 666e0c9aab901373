package memory_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"ltm/memory"
)

func TestParseRef(t *testing.T) {
	for text, want := range map[string]memory.Ref{
		"db/pool.go":             {Path: "db/pool.go"},
		" ./db//pool.go ":        {Path: "db/pool.go"},
		`db\pool.go`:             {Path: "db/pool.go"},
		"db/x/../pool.go:120":    {Path: "db/pool.go", Line: 120},
		"a/b.go:10-20":           {Path: "a/b.go", Line: 10, End: 20},
		"a/b.go:10-10":           {Path: "a/b.go", Line: 10},
		"a/b.go#Pool.Open":       {Path: "a/b.go", Symbol: "Pool.Open"},
		".github/ci.yml":         {Path: ".github/ci.yml"},
		"a b/über.txt":           {Path: "a b/über.txt"},
		".gitignore":             {Path: ".gitignore"},
		strings.Repeat("x", 300): {Path: strings.Repeat("x", 300)},
	} {
		got, err := memory.ParseRef(text)
		require.NoError(t, err, text)
		require.Equal(t, want, got, text)
		again, err := memory.ParseRef(got.String())
		require.NoError(t, err)
		require.Equal(t, got, again)
	}
	for _, text := range []string{"", " ", ".", "/", "/etc/passwd", "../x", "a/../../x", "..", `..\x`, "C:/x", `C:\x`,
		"a.go:", "a.go:0", "a.go:-1", "a.go:1-", "a.go:20-10", "a.go:1-2000", "a.go:12345678", "a.go#",
		"a.go#a b", ".git",
		".git/config", "a/.GIT/x", "a/.git./x", "a/GIT~1/x", "a/.g\u200cit/x",
		"a\x00b", "a\nb", "a/ b", "a \u200b/../..", "a:b/c",
		strings.Repeat("x", 301), "x#" + strings.Repeat("y", 121), "\xff", "//server/share", "a.go:1:2"} {
		_, err := memory.ParseRef(text)
		require.Equal(t, memory.KindRefMalformed, memory.KindOf(err), text)
	}
}

func TestNormalizeRefs(t *testing.T) {
	blob, near := strings.Repeat("0a", 32), "0123456789abcdef"
	refs, err := memory.NormalizeRefs([]memory.Ref{{Path: "a.go", Blob: blob, Near: near}, {Path: "./a.go"},
		{Path: "a.go", Line: 3, End: 3, Near: near}})
	require.NoError(t, err)
	require.Equal(t, []memory.Ref{{Path: "a.go", Blob: blob}, {Path: "a.go", Line: 3, Near: near}}, refs)
	for _, r := range []memory.Ref{{}, {Path: "a", Line: -1}, {Path: "a", End: 3}, {Path: "a", Line: 1, Symbol: "x"},
		{Path: "a", Blob: "x"}, {Path: "a", Blob: blob[1:]}, {Path: "a", Line: 1, Near: "x"}} {
		_, err := memory.NormalizeRefs([]memory.Ref{r})
		require.Equal(t, memory.KindRefMalformed, memory.KindOf(err), r)
		require.False(t, r.IsNormal())
	}
	var many []memory.Ref
	for i := range memory.MaxRefs + 1 {
		many = append(many, memory.Ref{Path: fmt.Sprint(i)})
	}
	_, err = memory.NormalizeRefs(many)
	require.Equal(t, memory.KindRefsTooMany, memory.KindOf(err))
	m, err := memory.Normalize(memory.Memory{ID: "mem_00000001", Topic: "t", Content: "c",
		Refs: many[1:], OddRefs: true})
	require.NoError(t, err)
	require.Len(t, m.Refs, memory.MaxRefs)
	require.False(t, m.OddRefs)
}

// FuzzRef requires that no accepted reference leaves the work tree, and that its text reads as itself.
func FuzzRef(f *testing.F) {
	f.Fuzz(func(t *testing.T, text string) {
		r, err := memory.ParseRef(text)
		if err != nil {
			require.Equal(t, memory.KindRefMalformed, memory.KindOf(err))
			return
		}
		require.True(t, r.IsNormal())
		for _, part := range strings.Split(r.Path, "/") {
			require.NotContains(t, []string{"", ".", "..", ".git"}, strings.ToLower(part))
		}
		again, err := memory.ParseRef(r.String())
		require.NoError(t, err)
		require.Equal(t, r, again)
	})
}

func TestIsBlob(t *testing.T) {
	const id = "0123456789abcdef0123456789abcdef01234567"
	require.True(t, memory.IsBlob(id))
	require.False(t, memory.IsBlob(id[1:]))
	for at := range id {
		for c := range 256 {
			isDigit := c >= '0' && c <= '9' || c >= 'a' && c <= 'f'
			require.Equal(t, isDigit, memory.IsBlob(id[:at]+string([]byte{byte(c)})+id[at+1:]), "%q at %d", c, at)
		}
	}
}
