package provider_test

import (
	"context"
	"errors"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"ltm/server/provider"
)

// TestAModelThatKnowsWords is told from one that compares letters, and from one that gives all texts the same vector.
func TestAModelThatKnowsWords(t *testing.T) {
	topics := [][]string{{"live", "flat"}, {"job", "employed"}, {"pets", "dog"}, {"foods", "allergic"},
		{"sport", "tennis"}, {"wedding", "married"}}
	for name, c := range map[string]struct {
		vector func(text string) []float32
		useful bool
	}{
		"meaning": {func(text string) []float32 {
			v := []float32{0.1, 0.1, 0.1, 0.1, 0.1, 0.1}
			for i, words := range topics {
				if strings.Contains(text, words[0]) || strings.Contains(text, words[1]) {
					v[i] = 1
				}
			}
			return v
		}, true},
		"letters": {func(text string) []float32 {
			v := make([]float32, 128)
			for _, r := range strings.ToLower(text) {
				v[r%128]++
			}
			return v
		}, false},
		"nothing": {func(string) []float32 { return []float32{1, 2, 3} }, false},
	} {
		t.Run(name, func(t *testing.T) {
			found, of, err := provider.Knows(t.Context(), func(_ context.Context, app string, texts []string) (
				out []provider.Vector, err error) {
				require.Equal(t, "app", app)
				for _, text := range texts {
					out = append(out, provider.Vector{Values: c.vector(text)})
				}
				return out, nil
			}, "app")
			require.NoError(t, err)
			require.Equal(t, 6, of)
			require.Equal(t, c.useful, found >= provider.EnoughKnown, "%d found", found)
		})
	}
	_, _, err := provider.Knows(t.Context(), func(context.Context, string, []string) ([]provider.Vector, error) {
		return nil, errors.New("not there")
	}, "app")
	require.EqualError(t, err, "not there")
}
