package main

import (
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"github.com/mattn/go-runewidth"
	"github.com/stretchr/testify/require"

	"ltm/cmd/internal/terminal"
)

// requirePlain refuses what could move a terminal's cursor, change its state or
// turn the order of letters.
func requirePlain(t *testing.T, line string) {
	t.Helper()
	require.True(t, utf8.ValidString(line), "%q", line)
	require.False(t, strings.ContainsFunc(line, func(r rune) bool {
		joiner := r == 0x200c || r == 0x200d || unicode.Is(unicode.Prepended_Concatenation_Mark, r)
		return unicode.IsControl(r) || unicode.Is(unicode.Cf, r) && !joiner
	}), "%q", line)
	require.NotContains(t, strings.ToLower(line), "<system-reminder")
}

// FuzzScreen shows any text on a terminal: no line holds more than text, and
// wrapping loses nothing.
func FuzzScreen(f *testing.F) {
	f.Fuzz(func(t *testing.T, text string, width int) {
		width = terminal.MinWidth + max(0, width)%200
		s := terminal.Screen{Rich: true, Width: width}
		for _, line := range s.Markdown(clean(text)) {
			requirePlain(t, line)
		}
		shown := cell(text)
		requirePlain(t, shown)
		require.Equal(t, shown, cell(shown), "a second time changes nothing")
		cut := terminal.Truncate(shown, width)
		require.LessOrEqual(t, runewidth.StringWidth(cut), width)
		for _, line := range s.Table([]terminal.Column{{Title: "TEXT"}, {Title: "N", Right: true}},
			[][]string{{shown, "1"}}) {
			require.LessOrEqual(t, runewidth.StringWidth(line), width)
		}

		lines := terminal.Wrap(shown, width)
		require.Equal(t, strings.ReplaceAll(shown, " ", ""), strings.ReplaceAll(strings.Join(lines, ""), " ", ""))
		for _, line := range lines {
			if strings.Contains(line, " ") {
				// a word that is longer stays whole
				require.LessOrEqual(t, runewidth.StringWidth(line), width+2, "%q", line)
			}
		}
		require.NotContains(t, s.Highlight(shown, nil), "\x1b")
	})
}

// FuzzEditor splits the command of an editor: words in quotes come back whole.
func FuzzEditor(f *testing.F) {
	f.Fuzz(func(t *testing.T, command, one, other string) {
		for _, word := range splitCommand(command) {
			require.LessOrEqual(t, len(word), 3*len(command)) // what is not UTF-8 becomes three bytes
		}
		if !utf8.ValidString(one) || !utf8.ValidString(other) {
			return
		}
		if !strings.Contains(one, `"`) && !strings.Contains(other, "'") {
			require.Equal(t, []string{one, other}, splitCommand(`"`+one+`"  '`+other+"'\t"))
		}
	})
}
