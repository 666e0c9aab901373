package packet_test

import (
	"fmt"
	"math/rand/v2"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"ltm/packet"
)

// links reads "b<a c<b d": b continues a, c continues b, d nothing.
func links(text string) []packet.Link {
	var all []packet.Link
	for word := range strings.FieldsSeq(text) {
		id, parent, _ := strings.Cut(word, "<")
		all = append(all, packet.Link{ID: id, ParentID: parent})
	}
	return all
}

// written writes chains: "a b c" with what is special about it.
func written(chains []packet.Chain) []string {
	var all []string
	for _, c := range chains {
		text := strings.Join(c.IDs, " ")
		if c.Missing != "" {
			text = "?" + c.Missing + " " + text
		}
		if c.Joins != "" {
			text = "+" + c.Joins + " " + text
		}
		if c.Cycle != nil {
			text = "(" + strings.Join(c.Cycle, " ") + ") " + text
		}
		all = append(all, text)
	}
	return all
}

func TestChains(t *testing.T) {
	for text, want := range map[string][]string{
		"":                            nil,
		"a":                           {"a"},
		"b<a c<b a":                   {"a b c"},
		"a b c":                       {"c", "b", "a"},
		"b<a c<a a d<b":               {"a b d", "+a c"},
		"b<x c<b":                     {"?x b c"},
		"b<x c<x":                     {"?x c", "?x b"},
		"a<a":                         {"(a) a"},
		"a<a b<a":                     {"(a) a b"},
		"a<b b<a":                     {"(a b) a b"},
		"a<b b<c c<a":                 {"(b a c) b a c"},
		"a<b b<a t<a":                 {"(b a) b a t"},
		"a<b b<a t<a u<b":             {"(a b) a b u", "+a t"},
		"a<b b<a c<d d<c e":           {"e", "(c d) c d", "(a b) a b"},
		"a<b b b<a":                   {"b a"},
		"<a b<a":                      {"?a b"},
		"z<y y<x x<w w a<w q<a r<nil": {"w x y z", "?nil r", "+w a q"},
	} {
		require.Equal(t, want, written(packet.Chains(links(text))), text)
	}
}

// TestChainOf looks parents up one by one.
func TestChainOf(t *testing.T) {
	known := map[string]string{}
	for _, l := range links("a b<a c<b d<x e<f f<e g<e") {
		known[l.ID] = l.ParentID
	}
	parent := func(id string) (string, bool) {
		p, ok := known[id]
		return p, ok
	}
	for id, want := range map[string]string{"a": "a", "c": "a b c", "d": "?x d", "g": "(f e) f e g", "e": "(f e) f e",
		"x": "?x ", "": ""} {
		require.Equal(t, []string{want}, written([]packet.Chain{packet.ChainOf(id, parent)}), id)
	}
	endless := packet.ChainOf("0", func(id string) (string, bool) {
		n, err := strconv.Atoi(id)
		return strconv.Itoa(n + 1), err == nil
	})
	require.Len(t, endless.IDs, 10_000)
	require.True(t, endless.Cut)
	require.Equal(t, "9999", endless.IDs[0])
	p := parsed(t, "valid/v02-full.json")
	require.Equal(t, packet.Link{ID: p.ID, ParentID: p.ParentID}, p.Link())
}

// TestChainsOfAnyPackets: each packet is in exactly one chain, behind the one that it continues,
// and the time grows with the number of packets.
func TestChainsOfAnyPackets(t *testing.T) {
	for seed := range uint64(200) {
		g := rand.New(rand.NewPCG(seed, 2))
		n := 1 + g.IntN(40)
		parents := map[string]string{}
		var all []packet.Link
		for i := range n {
			l := packet.Link{ID: fmt.Sprint(i)}
			if g.IntN(4) > 0 {
				l.ParentID = fmt.Sprint(g.IntN(n + 2))
			}
			parents[l.ID] = l.ParentID
			all = append(all, l)
		}
		requireChains(t, all, parents)
	}
	var long []packet.Link
	for i := range 20_000 { // one chain of 10,000, continued 10,000 times at its end
		long = append(long, packet.Link{ID: fmt.Sprint(i), ParentID: fmt.Sprint(min(i, 10_000) - 1)})
	}
	chains := packet.Chains(long)
	require.Len(t, chains, 10_000)
	require.Len(t, chains[0].IDs, 10_001)
	require.Equal(t, "9999", chains[1].Joins)
}

func requireChains(t *testing.T, all []packet.Link, parents map[string]string) {
	t.Helper()
	in := map[string]int{}
	chains := packet.Chains(all)
	for _, c := range chains {
		require.NotEmpty(t, c.IDs)
		require.False(t, c.Cut)
		for i, id := range c.IDs {
			in[id]++
			if i > 0 {
				require.Equal(t, parents[id], c.IDs[i-1])
			}
		}
		first := parents[c.IDs[0]]
		require.Equal(t, c.Missing+c.Joins+strings.Join(c.Cycle[max(0, len(c.Cycle)-1):], ""), first)
		require.Equal(t, strings.Join(c.Cycle, " "), strings.Join(c.IDs[:len(c.Cycle)], " "))
	}
	for _, l := range all {
		require.Equal(t, 1, in[l.ID], "%s in %v", l.ID, written(chains))
	}
	require.Len(t, in, len(all))
}

// FuzzChains follows any links.
func FuzzChains(f *testing.F) {
	f.Fuzz(func(t *testing.T, text string) {
		parents := map[string]string{}
		var all []packet.Link
		for _, l := range links(text) {
			if _, twice := parents[l.ID]; !twice && l.ID != "" {
				parents[l.ID] = l.ParentID
				all = append(all, l)
			}
		}
		require.Equal(t, packet.Chains(all), packet.Chains(links(text)))
		requireChains(t, all, parents)
		for id := range parents {
			c := packet.ChainOf(id, func(id string) (string, bool) { p, ok := parents[id]; return p, ok })
			require.Equal(t, id, c.IDs[len(c.IDs)-1])
			require.Empty(t, c.Joins)
		}
	})
}
