package memory_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"ltm/memory"
)

func TestNormalizeAliases(t *testing.T) {
	long := strings.Repeat("ä", memory.MaxAliasChars)
	full := strings.Split("a b c d e f g h", " ")
	for name, c := range map[string]struct{ given, want []string }{
		"none":     {nil, nil},
		"empty":    {[]string{"", " \n"}, nil},
		"one line": {[]string{" Why\tdoes\r\nit\x1b hang? "}, []string{"Why does it hang?"}},
		"repeated": {[]string{"Größe", "b", "GRÖSSE", "größe", "B"}, []string{"Größe", "b", "GRÖSSE"}},
		"longest":  {[]string{" " + long + " "}, []string{long}},
		"most":     {append([]string{"A", ""}, full...), []string{"A", "b", "c", "d", "e", "f", "g", "h"}},
	} {
		got, err := memory.NormalizeAliases(c.given)
		require.NoError(t, err, name)
		require.Equal(t, c.want, got, name)
		for _, alias := range got {
			require.True(t, memory.IsAlias(alias), name)
		}
	}
	for want, aliases := range map[memory.Kind][]string{
		memory.KindAliasTooLong:   {"a", long + "x"},
		memory.KindAliasesTooMany: append([]string{"x"}, full...),
		memory.KindTextNotUTF8:    {"\xff"},
		memory.KindTextNUL:        {"a\x00"},
	} {
		_, err := memory.NormalizeAliases(aliases)
		require.Equal(t, memory.CodeInvalid, memory.CodeOf(err))
		require.Equal(t, want, memory.KindOf(err))
	}
	for _, alias := range []string{"", long + "x", "a\nb", "\xff"} {
		require.False(t, memory.IsAlias(alias))
	}
}
