package search_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"ltm/internal/fs/cachefile"
	"ltm/text/search"
)

// queries together use every part of an index.
var queries = []string{
	"cache", "why did the cache expire", "expyred cahce", "tag:go pool", "tag:db", `"connection pool"`,
	"pool -redis", "id:d3", "id:d3 pool", "max_conns", "june 2026", "nothing of it xyzzy",
	"post", "exp dead maxc", "con",
}

// randomDoc uses few distinct words, so that documents share them.
func randomDoc(rng *rand.Rand, id int) search.Doc {
	words := strings.Fields("cache caches expired expire pool connection redis postgres maxConns max conns timeout " +
		"retry lock deadlock the a of why")
	pick := func(n int) string {
		var out []string
		for range n {
			out = append(out, words[rng.IntN(len(words))])
		}
		return strings.Join(out, " ")
	}
	some := func(n int) (out []string) {
		for range n {
			out = append(out, pick(1+rng.IntN(6)))
		}
		return out
	}
	return search.Doc{
		ID:      fmt.Sprintf("d%d", id),
		Topic:   pick(3),
		Content: pick(5 + rng.IntN(40)),
		Tags:    []string{[]string{"go", "db", "ops"}[rng.IntN(3)]},
		Aliases: some(rng.IntN(4)),
		Learned: some(max(0, rng.IntN(5)-2)),
	}
}

// requireSame checks that two indexes give the same answers, to the bit.
func requireSame(t *testing.T, want, got *search.Index) {
	t.Helper()
	require.Equal(t, want.Len(), got.Len())
	require.ElementsMatch(t, slices.Collect(want.All()), slices.Collect(got.All()))
	for _, q := range queries {
		for _, limit := range []int{0, 3} {
			a, n := want.Search(search.Parse(q), search.Options{Limit: limit, Explain: true})
			b, m := got.Search(search.Parse(q), search.Options{Limit: limit, Explain: true})
			require.Equal(t, n, m, q)
			require.Equal(t, a, b, q)
		}
	}
}

// TestHistory changes an index at random, and compares it with one built directly from its final
// documents.
func TestHistory(t *testing.T) {
	for seed := range uint64(20) {
		rng := rand.New(rand.NewPCG(seed, 0))
		x, live := search.New(), map[string]search.Doc{}
		for step := range 1200 {
			d := randomDoc(rng, rng.IntN(60))
			switch n := rng.IntN(10); {
			case n < 6:
				x.Put(d)
				live[d.ID] = d
			case n < 9:
				x.Delete(d.ID)
				delete(live, d.ID)
			case step%7 == 0:
				y, err := search.Decode(x.Encode())
				require.NoError(t, err)
				x = y
			}
		}
		want := search.New()
		for id := range x.All() {
			want.Put(live[id])
		}
		require.Len(t, live, want.Len())
		requireSame(t, want, x)
		require.Equal(t, want.Encode(), x.Encode(), "the bytes depend on the history")
	}
}

func TestEncode(t *testing.T) {
	rng := rand.New(rand.NewPCG(7, 7))
	x := search.New()
	for i := range 500 {
		x.Put(randomDoc(rng, i))
	}
	data := x.Encode()
	y, err := search.Decode(data)
	require.NoError(t, err)
	requireSame(t, x, y)
	require.Equal(t, data, y.Encode())

	empty, err := search.Decode(search.New().Encode())
	require.NoError(t, err)
	requireSame(t, search.New(), empty)
	empty.Put(search.Doc{ID: "a", Topic: "pool"})
	require.Equal(t, 1, empty.Len())
}

func TestDecodeRefuses(t *testing.T) {
	x := search.New()
	x.Put(search.Doc{ID: "a", Topic: "pool", Content: "of connections"})
	data := x.Encode()
	flip := func(i int) []byte {
		b := slices.Clone(data)
		b[i] ^= 1
		return b
	}
	tests := []struct {
		name string
		data []byte
		want string
	}{
		{"nothing", nil, "no header"},
		{"another file", []byte("# a markdown file of some length"), "no header"},
		{"another version", flip(7), "no header"},
		{"cut short", data[:len(data)-1], "wrong checksum"},
		{"longer", append(slices.Clone(data), 0), "do not add up"},
		{"a wrong bit in the middle", flip(len(data) / 2), "wrong checksum"},
		{"cut short, with the sum to match", sealed(data[:len(data)-1]), "do not add up"},
		{"longer, with the sum to match", sealed(append(slices.Clone(data), 0)), "do not add up"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			_, err := search.Decode(tt.data)
			require.ErrorIs(t, err, search.ErrDamaged)
			require.ErrorContains(t, err, tt.want)
		})
	}
}

// sealed gives data the length and the checksum that it would have been written with.
func sealed(data []byte) []byte {
	data = slices.Clone(data)
	if at := len("ltmsrch") + 1; len(data) >= at+8 {
		cachefile.End(data, at)
	}
	return data
}

// FuzzDecode gives damaged bytes a correct checksum: decoding must still check every value, because
// a panic would end the process.
func FuzzDecode(f *testing.F) {
	rng := rand.New(rand.NewPCG(3, 3))
	x := search.New()
	for i := range 6 {
		x.Put(randomDoc(rng, i))
	}
	f.Add(x.Encode())
	f.Add(search.New().Encode())
	f.Fuzz(func(t *testing.T, data []byte) {
		x, err := search.Decode(sealed(data))
		if err != nil {
			return
		}
		for _, q := range queries {
			hits, _ := x.Search(search.Parse(q), search.Options{Limit: 5, Explain: true})
			for _, h := range hits {
				require.GreaterOrEqual(t, h.Score, 0.0)
				require.LessOrEqual(t, h.Score, 1.0)
			}
		}
		x.Put(search.Doc{ID: "new", Topic: "cache pool"})
		x.Delete("d1")
		x.Search(search.Parse("cache"), search.Options{})
		x.Encode()
	})
}
