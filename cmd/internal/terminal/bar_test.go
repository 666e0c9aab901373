package terminal_test

import (
	"math"
	"testing"

	"github.com/mattn/go-runewidth"
	"github.com/stretchr/testify/require"

	"ltm/cmd/internal/terminal"
)

func TestBar(t *testing.T) {
	for _, c := range []struct {
		n, most, width int
		want           string
	}{
		{0, 10, 10, ""}, {10, 10, 4, "████"}, {5, 10, 4, "██"}, {1, 1000, 4, "▏"}, {3, 8, 1, "▍"}, {20, 10, 3, "███"},
		{-1, 10, 4, ""}, {1, 0, 4, ""}, {1, 1, 0, ""}, {7, 8, 2, "█▊"},
	} {
		require.Equal(t, c.want, terminal.Bar(c.n, c.most, c.width), c)
	}
	for n := range 100 {
		require.LessOrEqual(t, runewidth.StringWidth(terminal.Bar(n, 99, 20)), 20)
	}
	require.Empty(t, terminal.Bar(math.MinInt, 1, 1))
}
