package packet_test

import (
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"ltm/packet"
)

// parentsIn reads "b<a c<b d": b continues a, c continues b, d nothing.
func parentsIn(text string) map[string]string {
	parents := map[string]string{}
	for word := range strings.FieldsSeq(text) {
		id, parent, _ := strings.Cut(word, "<")
		parents[id] = parent
	}
	return parents
}

// chainIn returns the chain of a packet, whose parents are looked up one by one.
func chainIn(parents map[string]string, id string) packet.Chain {
	return packet.ChainOf(id, func(id string) (string, bool) {
		parent, known := parents[id]
		return parent, known
	})
}

// written writes a chain: "a b c" with what is special about it.
func written(c packet.Chain) string {
	text := strings.Join(c.IDs, " ")
	if c.Missing != "" {
		text = "?" + c.Missing + " " + text
	}
	if c.Cycle != nil {
		text = "(" + strings.Join(c.Cycle, " ") + ") " + text
	}
	return text
}

func TestChainOf(t *testing.T) {
	for id, want := range map[string]string{"a": "a", "c": "a b c", "d": "?x d", "g": "(f e) f e g", "e": "(f e) f e",
		"h": "(h) h", "i": "(h) h i", "x": "?x ", "": ""} {
		require.Equal(t, want, written(chainIn(parentsIn("a b<a c<b d<x e<f f<e g<e h<h i<h"), id)), id)
	}
	endless := packet.ChainOf("0", func(id string) (string, bool) {
		n, err := strconv.Atoi(id)
		return strconv.Itoa(n + 1), err == nil
	})
	require.Len(t, endless.IDs, 10_000)
	require.True(t, endless.Cut)
	require.Equal(t, "9999", endless.IDs[0])
}

// FuzzChain follows any links: a chain ends with its packet, each packet is behind the one that it continues, and
// none is there twice.
func FuzzChain(f *testing.F) {
	f.Fuzz(func(t *testing.T, text string) {
		parents := parentsIn(text)
		delete(parents, "")
		for id := range parents {
			c := chainIn(parents, id)
			require.False(t, c.Cut)
			require.Equal(t, id, c.IDs[len(c.IDs)-1])
			in := map[string]bool{}
			for i, id := range c.IDs {
				require.False(t, in[id], written(c))
				in[id] = true
				if i > 0 {
					require.Equal(t, parents[id], c.IDs[i-1])
				}
			}
			first := parents[c.IDs[0]]
			require.Equal(t, c.Missing+strings.Join(c.Cycle[max(0, len(c.Cycle)-1):], ""), first)
			require.Equal(t, strings.Join(c.Cycle, " "), strings.Join(c.IDs[:len(c.Cycle)], " "))
		}
	})
}
