package terminal_test

import (
	"strings"
	"testing"

	"github.com/mattn/go-runewidth"
	"github.com/stretchr/testify/require"

	"ltm/cmd/internal/terminal"
)

func TestTable(t *testing.T) {
	long := strings.Repeat("word ", 30)
	rows := [][]string{{"mem_00000001", "0.50", long, "tag"},
		{"mem_00000002", "0.05", strings.Repeat("连接", 40), strings.Repeat("tag,", 9)}}
	columns := []terminal.Column{{Title: "ID"}, {Title: "PRIO", Right: true}, {Title: "TOPIC"},
		{Title: "TAGS", Most: 10}}
	for _, width := range []int{60, 80, 100, 300} {
		for _, line := range (terminal.Screen{Rich: true, Width: width}).Table(columns, rows) {
			require.LessOrEqual(t, runewidth.StringWidth(line), width)
		}
	}
	lines := terminal.Screen{Rich: true, Color: true, Width: 46}.Table([]terminal.Column{{Title: "ID"},
		{Title: "PRIO", Right: true}, {Title: "TOPIC"}}, rows[:0])
	require.Equal(t, []string{dim + "ID  PRIO  TOPIC" + off}, lines)
	s := terminal.Screen{Rich: true, Color: true, Width: 40}
	lines = s.Table([]terminal.Column{{Title: "ID", Style: s.Dim}, {Title: "TOPIC", Style: s.Bold},
		{Title: "N", Right: true}}, [][]string{{"a", "连接", "7"}, {"bb", "pool", "10"}})
	require.Equal(t, []string{dim + "ID  TOPIC   N" + off, dim + "a" + off + "   " + bold + "连接" + off + "    7",
		dim + "bb" + off + "  " + bold + "pool" + off + "   10"}, lines)
}

// TestTableOnANarrowScreen narrows columns, leaves out spare ones from the right, and
// keeps whole ones.
func TestTableOnANarrowScreen(t *testing.T) {
	columns := []terminal.Column{{Title: "ID", Whole: true}, {Title: "PRIO", Spare: true}, {Title: "TOPIC"},
		{Title: "TAGS", Spare: true}}
	rows := [][]string{{"mem_00000001", "0.50", "a topic of 25 characters.", "tag"}}
	for _, c := range []struct {
		width int
		want  []string
	}{
		{51, []string{"ID            PRIO  TOPIC                      TAGS",
			"mem_00000001  0.50  a topic of 25 characters.  tag"}},
		{41, []string{"ID            PRIO  TOPIC            TAGS", "mem_00000001  0.50  a topic of 25 …  tag"}},
		{34, []string{"ID            PRIO  TOPIC", "mem_00000001  0.50  a topic of 25…"}},
		{30, []string{"ID            TOPIC", "mem_00000001  a topic of 25 c…"}},
		{20, []string{"ID            TOPIC", "mem_00000001  a top…"}},
	} {
		lines := terminal.Screen{Rich: true, Width: c.width}.Table(columns, rows)
		require.Equal(t, c.want, lines, "%d columns", c.width)
	}
}
