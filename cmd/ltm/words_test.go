package main

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"ltm/memory"
)

// TestNamesAreThoseOfCommands looks up every name that messages get here.
func TestNamesAreThoseOfCommands(t *testing.T) {
	root := (&app{}).rootCommand()
	for _, mark := range memory.Marks() {
		name := typedNames()[mark]
		require.NotEmpty(t, name, mark)
		require.Regexp(t, `^[a-zA-Z -]+$`, name, "it stands in JSON as it is")
		words := strings.Fields(strings.TrimPrefix(name, "with "))
		require.Equal(t, "ltm", words[0], name)
		c, _, err := root.Find(words[1:2])
		require.NoError(t, err, name)
		for _, word := range words[2:] {
			if flag, ok := strings.CutPrefix(word, "--"); ok {
				require.NotNil(t, c.Flags().Lookup(flag), name)
			}
		}
	}
	require.Len(t, typedNames(), len(memory.Marks()))
	require.Equal(t, "try ltm fix, in the end", clean("try "+memory.DoFix+", in the end"))
	require.Equal(t, "show", memory.Spell(memory.DoShow, nil))
}
