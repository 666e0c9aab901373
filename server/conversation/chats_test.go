package conversation_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	. "ltm/server/conversation"
	"ltm/text/search"
)

// TestChats counts what the rules suggest in whole chats, turn by turn, against what a reader of the chat says: what is
// true of the speaker or of someone near, planned, or true until a later turn. Each chat has at least 8 of these, and
// nothing else is suggested.
func TestChats(t *testing.T) {
	names, err := filepath.Glob("testdata/chats/*.txt")
	require.NoError(t, err)
	require.Len(t, names, 15)
	for _, name := range names {
		chat, err := os.ReadFile(name)
		require.NoError(t, err)
		labels, err := os.ReadFile(strings.TrimSuffix(name, "txt") + "claims")
		require.NoError(t, err)
		asked, right := "", 0
		var wrong []string
		for _, turn := range strings.Split("\n"+string(chat), "\nUser: ")[1:] {
			said, answer, _ := strings.Cut(turn, "\nAssistant: ")
			for _, s := range SuggestAnswer(asked, said, "") {
				if labelOf(s.Text, string(labels)) {
					right++
				} else {
					wrong = append(wrong, s.Text)
				}
			}
			asked = answer
		}
		t.Logf("%s: %d right, wrong %q", filepath.Base(name), right, wrong)
		require.GreaterOrEqual(t, right, 8, name)
		require.Empty(t, wrong, name)
	}
}

// labelOf reports whether a suggestion has a third of the words of a label that is not false.
func labelOf(text, labels string) bool {
	there := " " + strings.Join(search.TermsOf(text), " ") + " "
	for line := range strings.Lines(labels) {
		columns := strings.Split(strings.TrimSpace(line), "\t")
		if len(columns) < 3 || columns[0] == "false" {
			continue
		}
		_, value, _ := strings.Cut(columns[2], ": ")
		words, n := search.TermsOf(value), 0
		for _, w := range words {
			if strings.Contains(there, " "+w+" ") {
				n++
			}
		}
		if n > 0 && 3*n >= len(words) {
			return true
		}
	}
	return false
}
