package terminal_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"ltm/cmd/internal/terminal"
)

func TestWrap(t *testing.T) {
	for _, c := range []struct {
		name, text string
		width      int
		want       []string
	}{
		{"nothing", "  \n ", 10, nil},
		{"one line", "two  words", 10, []string{"two words"}},
		{"at a space", "two words here", 10, []string{"two words", "here"}},
		{"exactly", "12345 7890", 10, []string{"12345 7890"}},
		{"a long word stays whole", "see https://example.org/a/long/path now", 10,
			[]string{"see", "https://example.org/a/long/path", "now"}},
		{"wide characters count twice", "连接池已耗尽", 6, []string{"连接池", "已耗尽"}},
		{"a width that no wide character fills", "连接池已", 5, []string{"连接", "池已"}},
		{"punctuation does not begin a line", "连接池。已", 6, []string{"连接", "池。已"}},
		{"scripts side by side", "Go连接 pool", 6, []string{"Go连接", "pool"}},
		{"emoji", "🎉🎉🎉", 4, []string{"🎉🎉", "🎉"}},
		{"emoji of several", "👩\u200d💻🧑🏽\u200d🤝\u200d🧑🏿👩\u200d💻", 4, []string{"👩\u200d💻🧑🏽\u200d🤝\u200d🧑🏿", "👩\u200d💻"}},
		{"marks stay with their letter", "e\u0301e\u0301 e\u0301", 3, []string{"e\u0301e\u0301", "e\u0301"}},
	} {
		t.Run(c.name, func(t *testing.T) { require.Equal(t, c.want, terminal.Wrap(c.text, c.width)) })
	}
}
