package terminal_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"ltm/cmd/internal/terminal"
)

// The escape sequences that styled text begins and ends with.
const (
	bold = "\x1b[1m"
	dim  = "\x1b[2m"
	off  = "\x1b[0m"
)

func TestHighlight(t *testing.T) {
	s := terminal.Screen{Color: true}
	require.Equal(t, "a "+bold+"b"+off+" c"+bold+"d"+off, s.Highlight("a b cd", [][2]int{{2, 3}, {5, 6}}))
	require.Equal(t, "a b", terminal.Screen{}.Highlight("a b", [][2]int{{2, 3}}))
	require.Empty(t, s.Highlight("", nil))
}
