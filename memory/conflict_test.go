package memory_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"ltm/memory"
)

func TestSplitConflict(t *testing.T) {
	for name, tt := range map[string]struct {
		text, ours, theirs string
		whole              bool
	}{
		"none":          {"a\nb\n", "a\nb\n", "a\nb\n", false},
		"one":           {"a\n<<<<<<< o\nb\n=======\nc\n>>>>>>> t\nd\n", "a\nb\nd\n", "a\nc\nd\n", true},
		"with its base": {"<<<<<<< o\nb\n||||||| base\nx\n=======\nc\n>>>>>>> t\n", "b\n", "c\n", true},
		"two": {"<<<<<<< o\na\n=======\nb\n>>>>>>> t\nm\n<<<<<<< o\nc\n=======\nd\n>>>>>>> t\n",
			"a\nm\nc\n", "b\nm\nd\n", true},
		"line ends of DOS": {"<<<<<<< o\r\na\r\n=======\r\nb\r\n>>>>>>> t\r\n", "a\r\n", "b\r\n", true},
		"without its end":  {"<<<<<<< o\na\n=======\nb\n", "a\n", "b\n", false},
		"in a code block": {"```\n<<<<<<< o\na\n=======\nb\n>>>>>>> t\n```\n",
			"```\n<<<<<<< o\na\n=======\nb\n>>>>>>> t\n```\n", "```\n<<<<<<< o\na\n=======\nb\n>>>>>>> t\n```\n",
			false},
		"an underlined head": {"Title\n=======\n", "Title\n=======\n", "Title\n=======\n", false},
	} {
		t.Run(name, func(t *testing.T) {
			ours, theirs, whole := memory.SplitConflict(tt.text)
			require.Equal(t, []any{tt.ours, tt.theirs, tt.whole}, []any{ours, theirs, whole})
			require.Equal(t, tt.whole, memory.HasConflict(tt.text))
		})
	}
}

func TestHasConflictMarks(t *testing.T) {
	for text, want := range map[string]bool{
		"<<<<<<< o": true, "  >>>>>>> t": true, "a\n\t||||||| base\n": true, "```\n<<<<<<< o\n```": true,
		"=======": false, "<<<<<<<": false, "a <<<<<<< o": false, "": false,
	} {
		require.Equal(t, want, memory.HasConflictMarks(text), "%q", text)
	}
}
