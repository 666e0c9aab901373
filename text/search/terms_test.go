package search_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"ltm/text/search"
)

func TestTerms(t *testing.T) {
	for _, c := range []struct {
		name, text string
		want       []string
	}{
		{"nothing", " .,- ", nil},
		{"inflections and repeats", "Clocks drift; the clock drifted", []string{"clock", "drift", "the"}},
		{"accents", "Café à Genève", []string{"cafe", "a", "genev"}},
		{"parts and joined", "maxOpenConns", []string{"max", "open", "conn", "maxopenconn"}},
		{"bytes that are not UTF-8", "one\xfftwo", []string{"one", "two"}},
	} {
		t.Run(c.name, func(t *testing.T) { require.ElementsMatch(t, c.want, search.Terms(c.text)) })
	}
}

func TestTermsOf(t *testing.T) {
	require.Equal(t, []string{"clock", "drift"}, search.TermsOf("how does the clock drift?"))
	require.Equal(t, []string{"the"}, search.TermsOf("the"))
	require.Empty(t, search.TermsOf("?"))
	for _, text := range []string{"maxOpenConns", "max open conns", "max_open_conns", "時計のずれ"} {
		have := search.Terms("Raise " + text + " to 40")
		for _, word := range search.TermsOf(strings.ReplaceAll(text, "maxOpen", "max_open_")) {
			require.Contains(t, have, word, text)
		}
	}
}
