package memory

import (
	"strings"
	"unicode/utf8"
)

// FirstParagraph returns the first run of lines of text that is not a heading,
// as one line of at most [MaxSummaryChars] characters. It is the summary of a
// file that has none.
func FirstParagraph(text string) string {
	for para := range strings.SplitSeq(UnixLines(text), "\n\n") {
		p := strings.TrimSpace(para)
		if p == "" || (strings.HasPrefix(p, "#") && !strings.Contains(p, "\n")) {
			continue
		}
		p = strings.Join(strings.Fields(p), " ")
		if utf8.RuneCountInString(p) > MaxSummaryChars {
			p = Clip(p, MaxSummaryChars-1)
		}
		return p
	}
	return ""
}
