package refs_test

import (
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"ltm/memory/refs"
)

func TestFind(t *testing.T) {
	for text, want := range map[string]string{
		"see db/pool.go":                                             "db/pool.go",
		"(`db/pool.go:120`), then x":                                 "db/pool.go:120",
		"lines a/b.go:10-20.":                                        "a/b.go:10-20",
		"a/b.go#Pool.Open, a/b.go#L7 and a/b.go#L7-L9":               "a/b.go#Pool.Open a/b.go:7 a/b.go:7-9",
		"a/b.go:12:5: undefined: x":                                  "a/b.go:12",
		"db/pool.go and db/pool.go:3":                                "db/pool.go:3",
		"`MaxOpenConns` in `db/pool.go` is 5":                        "db/pool.go#MaxOpenConns",
		"MaxOpenConns in db/pool.go":                                 "db/pool.go",
		"/repo/top/db/pool.go:9 and /repo/top2/x.go":                 "db/pool.go:9",
		"the Makefile, go.mod and README.md":                         "Makefile go.mod README.md",
		"https://example.com/a/b.go v1.26 etc.":                      "",
		"../x.go ../../etc/passwd /etc/passwd .git/config C:/x/y.go": "",
		`src\win\a.cs`:                                               "src/win/a.cs",
		"and/or":                                                     "and/or",
		"see [x](docs/a.md).":                                        "docs/a.md",
		"-o/x.go --out=a/b.go":                                       "a/b.go",
		"über/straße.go":                                             "über/straße.go",
		"a.go a.go\na.go":                                            "a.go",
		strings.Repeat("x/", 400):                                    "",
		"`docs/my file.md:3`":                                        "docs/my file.md:3 docs/my file.md:3",
		"\"a b.go\" and “ü/x y.go#Z”":                                "a b.go b.go ü/x y.go#Z ü/x y.go#Z",
		"`Open` in `db/my pool.go`":                                  "db/my pool.go#Open db/my pool.go",
		"`app/[id]/page.tsx` and `(group)/a.ts`":                     "app/[id]/page.tsx (group)/a.ts",
		"(app/[id]/page.tsx:7), [x](app/(group)/layout.tsx).":        "app/[id]/page.tsx:7 app/(group)/layout.tsx",
		"run `go test ./db`":                                         "go test ./db",
		"an odd ` or \" and x/y.go":                                  "x/y.go",
		"`a/b\nc.go`":                                                "a/b c.go",
		"in db/pool.go—it is":                                        "db/pool.go db/pool.go—it",
		"a/b.go:10–20":                                               "a/b.go:10",
		"a.go→b.go":                                                  "a.go b.go a.go→b.go",
		"见a/b.go。":                                                   "a/b.go 见a/b.go。",
		"サーバーはa/b.go:7を使う":                                           "a/b.go:7",
		"db/pool.go에서":                                               "db/pool.go db/pool.go에서",
		"文档/说明.md":                                                   "文档/说明.md",
		"`Open` in @db/pool.go":                                      "db/pool.go#Open @db/pool.go#Open",
		"`Open` in src/サーバー.go":                                      "src/サーバー.go#Open",
		"`Open` in a.go—which":                                       "a.go#Open a.go—which#Open",
		"https://例え.jp/a/b.go":                                       "",
	} {
		var got []string
		for _, r := range refs.Find(text, nil, "/repo/top") {
			require.True(t, r.IsNormal())
			got = append(got, r.String())
		}
		require.Equal(t, want, strings.Join(got, " "), text)
	}
	require.Len(t, refs.Find(numbered(10_000), nil), 200)
}

func numbered(n int) string {
	var b strings.Builder
	for i := range n {
		b.WriteString("f/")
		b.WriteString(strings.Repeat("x", i%50+1))
		b.WriteString(string(rune('a' + i%26)))
		b.WriteString("/y" + strings.Repeat("z", i/1300) + ".go ")
	}
	return b.String()
}

// FuzzFind reads any text: whatever is found stays in the work tree.
func FuzzFind(f *testing.F) {
	f.Fuzz(func(t *testing.T, text string) {
		all := refs.Find(text, nil, "/top")
		require.LessOrEqual(t, len(all), 200)
		for _, r := range all {
			require.True(t, r.IsNormal(), r)
		}
	})
}

// TestBelow compares directories in several spellings, also where these differ in length.
func TestBelow(t *testing.T) {
	for _, c := range []struct {
		name, dir string
		fold      func(string) string
		want      string
	}{
		{"/repo/top/a.go", "/repo/top", nil, "a.go"},
		{"/repo/top/a.go", "/repo/top/", nil, "a.go"},
		{"/Repo/Top/a.go", "/repo/top", nil, ""},
		{"/Repo/Top/A.go", "/repo/top", strings.ToLower, "A.go"},
		{"C:/Repo/Top/A.go", "c:/repo/top", strings.ToLower, "A.go"},
		{"/repo/top2/a.go", "/repo/top", strings.ToLower, ""},
		{"/repo", "/repo/top", strings.ToLower, ""},
		{"/wor\u212a/Ka.go", "/work", strings.ToLower, "Ka.go"}, // the sign of kelvin has three bytes
	} {
		below, ok := refs.Below(c.name, c.dir, c.fold)
		require.Equal(t, c.want != "", ok, c.name)
		if ok {
			require.Equal(t, c.want, below)
		}
	}
}

// BenchmarkFindInALongLine has lines of quoted texts. A text takes about as long in a line that is eight times as long.
func BenchmarkFindInALongLine(b *testing.B) {
	for _, pairs := range []int{10_000, 80_000} {
		b.Run(strconv.Itoa(pairs), func(b *testing.B) {
			line := strings.Repeat("`a` ", pairs)
			for b.Loop() {
				if found := refs.Find(line, nil); len(found) > 0 {
					b.Fatal(found)
				}
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*pairs), "ns/text")
		})
	}
}
