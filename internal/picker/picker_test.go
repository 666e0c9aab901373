package picker_test

import (
	"strings"
	"testing"

	"github.com/mattn/go-runewidth"
	"github.com/stretchr/testify/require"

	"ltm/internal/picker"
)

func TestMatch(t *testing.T) {
	for _, c := range []struct {
		query, text string
		want        int
	}{
		{"", "anything", 0},
		{"pool", "Connection pool", 120},                // 100 in a row + 20 at a word's start
		{"ool", "Connection pool", 100},                 //
		{"POOL con", "Connection pool", 240},            // each word separately
		{"cnp", "Connection pool", 71},                  // 60 - 9 others in between + 20
		{"größe", "die Größe", 120},                     // characters, not bytes
		{"pp", "a pxxp pp", 120},                        // the best place counts
		{"xz", "x" + strings.Repeat("a", 99) + "z", 21}, // at least 1
	} {
		score, ok := picker.Match(c.query, c.text)
		require.True(t, ok, c.query)
		require.Equal(t, c.want, score, c.query)
	}
	for _, query := range []string{"lp", "poolx", "con zebra"} {
		_, ok := picker.Match(query, "Connection pool")
		require.False(t, ok, query)
	}
}

func TestKeys(t *testing.T) {
	for text, want := range map[string][]picker.Key{
		"aé":           {'a', 'é'},
		"\r":           {picker.Accept},
		"\n\t\x7f":     {picker.Accept, picker.Mark, picker.Rubout},
		"\x1b":         {picker.Cancel},
		"\x03":         {picker.Cancel},
		"\x1b[A\x1bOB": {picker.Up, picker.Down},
		"\x1b[5~x":     {picker.PageUp, 'x'},
		"\x1b[1;5Cx":   {picker.Ignored, 'x'},
		"\x1bfx":       {picker.Ignored, 'x'},
		"\x1b[":        {picker.Ignored},
		"\xffa\x00":    {picker.Ignored, 'a', picker.Ignored},
		"\u202e\x1b":   {picker.Ignored, picker.Cancel},
	} {
		require.Equal(t, want, picker.Keys([]byte(text)), "%q", text)
	}
}

func press(m *picker.Model, keys ...picker.Key) (done bool) {
	for _, k := range keys {
		done = m.Press(k)
	}
	return done
}

func items(texts ...string) []picker.Item {
	var all []picker.Item
	for _, text := range texts {
		all = append(all, picker.Item{Value: "v" + text, Text: text})
	}
	return all
}

func TestModel(t *testing.T) {
	m := picker.New(items("one", "two", "three", "twelve"), "")
	require.Equal(t, []string{"vone"}, m.Picked())
	require.False(t, press(m, 't', 'w'))
	require.Equal(t, []string{"vtwo"}, m.Picked())
	require.False(t, press(m, picker.Down, picker.Down, picker.Ignored))
	require.Equal(t, []string{"vtwelve"}, m.Picked(), "the cursor stays in the list")
	press(m, picker.Up, picker.Mark, picker.Mark)
	require.Equal(t, []string{"vtwo", "vtwelve"}, m.Picked())
	press(m, picker.ClearAll, 'o', 'n', 'e', picker.Mark, picker.Rubout, picker.Rubout, picker.Rubout)
	require.Equal(t, []string{"vtwo", "vtwelve", "vone"}, m.Picked(), "marks outlive the query")
	press(m, picker.Mark)
	require.Equal(t, []string{"vtwo", "vtwelve"}, m.Picked())
	require.True(t, press(m, picker.Accept))

	m = picker.New(items("a b", "b"), " a  b ")
	press(m, picker.ClearWord, picker.ClearWord, picker.Rubout)
	item, ok := m.Current()
	require.True(t, ok)
	require.Equal(t, "a b", item.Text)
	press(m, 'z', picker.Up, picker.Mark, picker.PageDown)
	_, ok = m.Current()
	require.False(t, ok)
	require.Empty(t, m.Picked())
}

func TestView(t *testing.T) {
	m := picker.New(items("one", "two", "three"), "t")
	press(m, picker.Down, picker.Mark)
	lines, column := m.View(24, 8, []string{"a preview that is much too long", "b", "c"})
	require.Equal(t, []string{
		"> t",
		"  2/3, 1 marked   Tab m…",
		"  two",
		">*three",
		"",
		"────────────────────────",
		"a preview that is much …",
		"b",
	}, lines)
	require.Equal(t, 3, column)

	lines, _ = m.View(100, 4, []string{"first", "second", "third"})
	require.Equal(t, "  two"+strings.Repeat(" ", 45)+" │ first", lines[2])
	require.Equal(t, ">*three"+strings.Repeat(" ", 43)+" │ second", lines[3])
	require.Len(t, lines, 4)
}

// FuzzView types anything on screens of any size: every line must fit the width, and all lines the
// height.
func FuzzView(f *testing.F) {
	f.Fuzz(func(t *testing.T, typed string, width, height uint8) {
		m := picker.New(items("one", "two", "连接池 🎉", strings.Repeat("wide ", 60)), "")
		press(m, picker.Keys([]byte(typed))...)
		lines, column := m.View(int(width), int(height), []string{strings.Repeat("preview ", 50), "连接"})
		require.LessOrEqual(t, len(lines), int(height))
		require.LessOrEqual(t, column, int(width))
		for _, line := range lines {
			require.LessOrEqual(t, runewidth.StringWidth(line), int(width), "%q", line)
		}
		for _, value := range m.Picked() {
			require.True(t, strings.HasPrefix(value, "v"))
		}
	})
}
