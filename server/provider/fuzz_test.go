package provider_test

import (
	"math"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/require"

	"ltm/server/provider"
	"ltm/text/secrets"
)

// FuzzVectors holds that vectors are as many as the texts, of one size, and comparable.
func FuzzVectors(f *testing.F) {
	f.Fuzz(func(t *testing.T, body string, n, dimension uint8) {
		got, err := provider.ParseVectors([]byte(body), int(n), int(dimension))
		if err != nil {
			require.Nil(t, got)
			require.Equal(t, provider.BadAnswer, provider.KindOf(err))
			return
		}
		require.Len(t, got, int(n))
		for _, v := range got {
			require.Len(t, v.Values, v.Dimension)
			require.Equal(t, got[0].Dimension, v.Dimension)
			if dimension > 0 {
				require.Equal(t, int(dimension), v.Dimension)
			}
			length := 0.0
			for _, x := range v.Values {
				length += float64(x) * float64(x)
			}
			require.Positive(t, length)
			require.False(t, math.IsInf(length, 0))
		}
	})
}

// FuzzReply holds that a reply is text that can be stored, and not too much of it.
func FuzzReply(f *testing.F) {
	f.Fuzz(func(t *testing.T, body string) {
		text, err := provider.ParseReply([]byte(body))
		if err != nil {
			require.Empty(t, text)
			require.NotEmpty(t, provider.KindOf(err))
			return
		}
		require.NotEmpty(t, strings.TrimSpace(text))
		require.True(t, utf8.ValidString(text))
		require.NotContains(t, text, "\x00")
		require.LessOrEqual(t, len(text), 64<<10)
	})
}

// FuzzClaims holds that claims have only what was asked for, and evidence that exists.
func FuzzClaims(f *testing.F) {
	ids := []string{"e-one", "e-two"}
	f.Fuzz(func(t *testing.T, text string) {
		got, err := provider.ParseClaims(text, ids, buckets())
		if err != nil {
			require.Equal(t, provider.BadAnswer, provider.KindOf(err))
			require.Empty(t, got)
			return
		}
		require.LessOrEqual(t, len(got.Claims), 32)
		require.LessOrEqual(t, len(got.Claims)+len(got.Dropped), 64)
		for _, claim := range got.Claims {
			require.NotEmpty(t, claim.Text)
			require.LessOrEqual(t, utf8.RuneCountInString(claim.Text), 500)
			require.NotContains(t, claim.Text, "\n")
			require.Empty(t, secrets.Find(claim.Text))
			require.Contains(t, buckets(), claim.Bucket)
			require.GreaterOrEqual(t, claim.Confidence, 0.0)
			require.LessOrEqual(t, claim.Confidence, 1.0)
			require.NotEmpty(t, claim.Events)
			require.Subset(t, ids, claim.Events)
		}
		for _, reason := range got.Dropped {
			require.Less(t, len(reason), 100, "a reason has nothing of the answer")
		}
	})
}

// FuzzErrors holds that what an error quotes is a short name, and nothing of the key.
func FuzzErrors(f *testing.F) {
	f.Fuzz(func(t *testing.T, body string) {
		code, ok := provider.ErrorIn([]byte(body), testKey)
		if !ok {
			require.Empty(t, code)
		}
		require.LessOrEqual(t, len(code), 64)
		require.NotContains(t, strings.ToLower(code), testKey)
		require.False(t, strings.ContainsAny(code, " \n\x1b\"<>/:@"))
	})
}
