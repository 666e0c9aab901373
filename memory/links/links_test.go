package links_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"ltm/memory"
	"ltm/memory/links"
)

// id returns the id that tests write as a letter.
func id(letter string) memory.ID { return memory.ID("mem_0000000" + letter) }

func ids(letters string) []memory.ID {
	var out []memory.ID
	for _, l := range strings.Fields(letters) {
		out = append(out, id(l))
	}
	return out
}

// of makes memories of lines such as "b > a" (b supersedes a), "b ! a" (disputes) and "b - a" (is
// related). Those with a "*" behind them are archived, and those with a "?" have an unresolved merge.
func of(lines ...string) []memory.Memory {
	var all []memory.Memory
	for _, line := range lines {
		words := strings.Fields(line)
		name := words[0]
		m := memory.Memory{ID: id(name[:1]), Conflicted: strings.HasSuffix(name, "?")}
		if strings.HasSuffix(name, "*") {
			m.Phase = memory.Removed
		}
		to := &m.Supersedes
		for _, word := range words[1:] {
			switch word {
			case ">":
				to = &m.Supersedes
			case "!":
				to = &m.Disputes
			case "-":
				to = &m.Related
			default:
				*to = append(*to, id(word))
			}
		}
		all = append(all, m)
	}
	return all
}

func graphOf(all []memory.Memory) *links.Graph {
	return links.New(func(yield func(*memory.Memory) bool) {
		for i := range all {
			if !yield(&all[i]) {
				return
			}
		}
	})
}

func TestBothDirections(t *testing.T) {
	g := graphOf(of("a*", "b > a a b", "c > a - b ! d e", "d", "f - c"))
	require.Equal(t, ids("b c"), g.SupersededBy(id("a")))
	require.Equal(t, ids("a"), g.Supersedes(id("b")), "each once, and not itself")
	require.Empty(t, g.SupersededBy(id("b")))
	require.Equal(t, ids("c"), g.Disputes(id("d")))
	require.Equal(t, ids("d e"), g.Disputes(id("c")))
	require.Equal(t, ids("b f"), g.Related(id("c")))
	require.Equal(t, ids("c"), g.Related(id("f")))
	require.Equal(t, ids("e"), g.Unknown(id("c")))
	require.Empty(t, g.Unknown(id("9")))
	require.True(t, g.NamesItself(id("b")))
	require.False(t, g.NamesItself(id("c")))
	require.Equal(t, ids("a b c d f"), g.IDs())
	require.True(t, g.Memory(id("a")).IsStub())
	require.Nil(t, g.Memory(id("e")))
}

func TestNoLinks(t *testing.T) {
	g := graphOf(of("a", "b*"))
	require.True(t, g.IsEmpty())
	require.Empty(t, g.SupersededBy(id("a")))
	require.Empty(t, g.Disputes(id("a")))
	require.Empty(t, g.Newer(id("a")))
	require.Empty(t, g.Cycles())
	require.False(t, g.Ruling(nil).Superseded(id("a")))
	require.False(t, graphOf(of("a ! b")).IsEmpty())
}

// TestRelatedIsALink has no other links.
func TestRelatedIsALink(t *testing.T) {
	g := graphOf(of("a - b", "b", "c - 9 c"))
	require.Equal(t, ids("a b c"), g.IDs())
	require.NotNil(t, g.Memory(id("b")), "it is only named")
	require.Equal(t, ids("9"), g.Unknown(id("c")))
	require.True(t, g.NamesItself(id("c")))
	require.False(t, g.NamesItself(id("a")))
}

func TestChains(t *testing.T) {
	g := graphOf(of("a*", "b* > a", "c > b", "d > b", "e > d 9"))
	require.Equal(t, ids("b c d e"), g.Newer(id("a")))
}

func TestCycles(t *testing.T) {
	g := graphOf(of("a > b", "b > c", "c > a", "d > a", "e > d", "f > f", "8 > 9", "9 > 8"))
	require.Equal(t, [][]memory.ID{ids("8 9"), ids("a b c")}, g.Cycles())
	require.Equal(t, ids("c d b e"), g.Newer(id("a")), "walked once")
	require.True(t, g.InCycle(id("a"), id("c")))
	require.True(t, g.InCycle(id("a"), id("a")))
	require.False(t, g.InCycle(id("a"), id("d")))
	require.False(t, g.InCycle(id("7"), id("6")))
	require.True(t, g.InCycle(id("7"), id("7")), "also if nothing is known of it")
}

func TestSuperseded(t *testing.T) {
	for name, c := range map[string]struct {
		all  []memory.Memory
		over string // that are superseded, among a to f
	}{
		"directly":                  {of("a", "b > a"), "a"},
		"not by an archived one":    {of("a", "b* > a"), ""},
		"through an archived one":   {of("a", "b* > a", "c > b"), "a b"},
		"through two of them":       {of("a", "b* > a", "c* > b", "d > c"), "a b c"},
		"not with a merge":          {of("a", "b? > a"), ""},
		"not by itself":             {of("a > a"), ""},
		"nobody in a cycle":         {of("a > b", "b > a"), ""},
		"nobody in a longer cycle":  {of("a > b", "b > c", "c > a"), ""},
		"a cycle from outside":      {of("a > b", "b > a", "c > a"), "a b"},
		"by a cycle":                {of("a", "b > a c", "c > b"), "a"},
		"by a cycle of archives":    {of("a", "b* > a c", "c* > b"), ""},
		"above a cycle of archives": {of("a", "b* > a c", "c* > b", "d > c"), "a b c"},
		"a fork":                    {of("a", "b > a", "c > a"), "a"},
		"by what does not exist":    {of("a > 9"), ""},
		"only a dispute":            {of("a", "b ! a - a"), ""},
	} {
		t.Run(name, func(t *testing.T) {
			r := graphOf(c.all).Ruling(func(memory.ID) bool { return true })
			var over []string
			for _, letter := range []string{"a", "b", "c", "d", "e", "f"} {
				if r.Superseded(id(letter)) {
					over = append(over, letter)
				}
			}
			require.Equal(t, c.over, strings.Join(over, " "))
		})
	}
}

// TestWhoCounts checks that every link on the way must be believed, and that only those are asked
// about that decide.
func TestWhoCounts(t *testing.T) {
	g := graphOf(of("a", "b* > a", "c > b", "d > 9", "e* > 8"))
	for _, not := range []string{"b", "c"} {
		r := g.Ruling(func(m memory.ID) bool { return m != id(not) })
		require.False(t, r.Superseded(id("a")), not)
	}
	var asked []memory.ID
	r := g.Ruling(func(m memory.ID) bool { asked = append(asked, m); return true })
	for range 3 {
		require.True(t, r.Superseded(id("a")))
		require.False(t, r.Superseded(id("c")))
		require.False(t, r.Superseded(id("d")))
	}
	require.ElementsMatch(t, ids("b c"), asked)
}

// TestLongAndWide checks that hostile graphs take no more than linear time and no deep stack.
func TestLongAndWide(t *testing.T) {
	const n = 20_000
	number := func(i int) memory.ID { return memory.ID(fmt.Sprintf("mem_%08x", i)) }
	believed := func(memory.ID) bool { return true }
	chain, ring, star := make([]memory.Memory, n), make([]memory.Memory, n), make([]memory.Memory, n)
	for i := range n {
		chain[i] = memory.Memory{ID: number(i), Phase: memory.Removed}
		if i > 0 {
			chain[i].Supersedes = []memory.ID{number(i - 1)}
		}
		ring[i] = memory.Memory{ID: number(i), Supersedes: []memory.ID{number((i + 1) % n)}}
		star[i] = memory.Memory{ID: number(i), Supersedes: []memory.ID{number(0)}, Phase: memory.Removed}
	}
	g := graphOf(chain)
	require.False(t, g.Ruling(believed).Superseded(number(0)))
	require.Len(t, g.Newer(number(0)), n-1)
	chain[n-1].Phase = memory.Full
	r := graphOf(chain).Ruling(believed)
	for i := range n - 1 {
		require.True(t, r.Superseded(number(i)))
	}

	g = graphOf(ring)
	require.Len(t, g.Cycles(), 1)
	require.False(t, g.Ruling(believed).Superseded(number(5)))

	g = graphOf(star)
	require.False(t, g.Ruling(believed).Superseded(number(0)))
}

// TestOrderDoesNotMatter checks that the answers do not depend on the order of the memories.
func TestOrderDoesNotMatter(t *testing.T) {
	all := of("a > b", "b > c", "c > a", "d* > c e", "e > d", "f > e ! a - b")
	want := graphOf(all)
	for range len(all) {
		all = append(all[1:], all[0])
		g := graphOf(all)
		require.Equal(t, want.Cycles(), g.Cycles())
		for _, at := range want.IDs() {
			require.Equal(t, want.Newer(at), g.Newer(at))
			require.Equal(t, want.Disputes(at), g.Disputes(at))
			yes := func(memory.ID) bool { return true }
			require.Equal(t, want.Ruling(yes).Superseded(at), g.Ruling(yes).Superseded(at))
		}
	}
}
