package provider_test

import (
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"ltm/server/provider"
)

func TestEmbedding(t *testing.T) {
	e := newEndpoint(t, embeds)
	c, _ := client(t, e, func(o *provider.Options) { o.Batch = 2; o.Dimension = 3; o.AskDimension = true })
	require.Empty(t, e.requests(), "a new client does not connect")
	got, err := c.Embed(t.Context(), "app", []string{"a", "bb", "ccc", "dddd", "eeeee"})
	require.NoError(t, err)
	require.Len(t, got, 5)
	for i, v := range got {
		require.Equal(t, provider.Vector{Values: []float32{float32(i + 1), 1, 0.5}, Dimension: 3, Model: "tiny",
			Answered: "tiny-1"}, v, "in the order of the texts, whatever the endpoint's")
	}
	sent := e.requests()
	require.Len(t, sent, 3)
	require.Equal(t, "/v1/embeddings", sent[0].path)
	require.JSONEq(t, `{"model":"tiny","input":["a","bb"],"encoding_format":"float","dimensions":3}`, sent[0].body)
	require.JSONEq(t, `{"model":"tiny","input":["eeeee"],"encoding_format":"float","dimensions":3}`, sent[2].body)
}

func TestNothingToEmbed(t *testing.T) {
	e := newEndpoint(t, embeds)
	c, _ := client(t, e, nil)
	got, err := c.Embed(t.Context(), "app", nil)
	require.NoError(t, err)
	require.Empty(t, got)
	require.Empty(t, e.requests())
}

func TestLargeTextsMakeSmallerBatches(t *testing.T) {
	e := newEndpoint(t, embeds)
	c, _ := client(t, e, nil)
	large := strings.Repeat("many words ", 15_000)
	got, err := c.Embed(t.Context(), "app", []string{large, large, "small"})
	require.NoError(t, err)
	require.Len(t, got, 3)
	require.Len(t, e.requests(), 2)
}

func TestVectorsBeforeAFailureAreKept(t *testing.T) {
	e := newEndpoint(t, embeds, says(400, ""))
	c, _ := client(t, e, func(o *provider.Options) { o.Batch = 2 })
	got, err := c.Embed(t.Context(), "app", []string{"a", "bb", "ccc"})
	require.Equal(t, provider.Refused, provider.KindOf(err))
	require.Len(t, got, 2)
	require.Equal(t, float32(2), got[1].Values[0])
}

func TestVectorsOfTwoKindsAreRefused(t *testing.T) {
	tests := map[string]struct {
		steps     []http.HandlerFunc
		dimension int
		kept      int
	}{
		"not the dimension that was asked for": {[]http.HandlerFunc{embeds}, 4, 0},
		"two dimensions in an answer": {
			[]http.HandlerFunc{says(200, vectors(`0,"embedding":[1]`, `1,"embedding":[1,2]`))}, 0, 0},
		"another dimension in the next answer": {
			[]http.HandlerFunc{embeds, says(200, vectors(`0,"embedding":[1]`))}, 0, 2},
		"another model in the next answer": {[]http.HandlerFunc{embeds,
			says(200, `{"model":"other","data":[{"index":0,"embedding":[1,2,3]}]}`)}, 0, 2},
		"an index twice": {
			[]http.HandlerFunc{says(200, vectors(`0,"embedding":[1]`, `0,"embedding":[1]`))}, 0, 0},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			c, _ := client(t, newEndpoint(t, tt.steps...), func(o *provider.Options) {
				o.Batch, o.Dimension = 2, tt.dimension
			})
			got, err := c.Embed(t.Context(), "app", []string{"a", "bb", "ccc"})
			require.Equal(t, provider.BadAnswer, provider.KindOf(err))
			require.Len(t, got, tt.kept)
		})
	}
}

func TestTextsThatCannotBeEmbedded(t *testing.T) {
	e := newEndpoint(t, embeds)
	c, _ := client(t, e, nil)
	for says, texts := range map[string][]string{
		"text 1 is blank":      {"good", " \n\t"},
		"text 0 is blank":      {"\u200b"},
		"text 0 is longer":     {strings.Repeat("x", 2<<20)},
		"10001 texts are more": make([]string, 10_001),
	} {
		_, err := c.Embed(t.Context(), "app", texts)
		require.Equal(t, provider.BadInput, provider.KindOf(err))
		require.ErrorContains(t, err, says)
	}
	for _, app := range []string{"", strings.Repeat("a", 300)} {
		_, err := c.Embed(t.Context(), app, []string{"x"})
		require.ErrorContains(t, err, "the app must be named")
	}
	require.Empty(t, e.requests())
}
