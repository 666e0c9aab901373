package api_test

import (
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/require"

	"ltm/memory"
	"ltm/memory/api"
)

// requireRefused checks the form of an error about invalid input.
func requireRefused(t *testing.T, err error) {
	t.Helper()
	require.Equal(t, memory.CodeInvalid, memory.CodeOf(err))
	require.True(t, utf8.ValidString(err.Error()))
	require.NotContains(t, err.Error(), "\n")
	require.Less(t, len(err.Error()), 1000, "the error quotes too much")
}

func FuzzAge(f *testing.F) {
	f.Fuzz(func(t *testing.T, s string) {
		age, err := api.ParseAge(s)
		if err != nil {
			requireRefused(t, err)
			return
		}
		require.Positive(t, age)
		again, err := api.ParseAge(age.String())
		require.NoError(t, err)
		require.Equal(t, age, again)
	})
}

func FuzzInclude(f *testing.F) {
	f.Fuzz(func(t *testing.T, s string) {
		include, err := api.ParseInclude(s)
		if err != nil {
			requireRefused(t, err)
			return
		}
		require.Contains(t, []api.Include{api.IncludeActive, api.IncludeArchives, api.IncludeAll}, include)
	})
}
