package search

import (
	"strings"
	"time"
)

// dateWords spells a date in the ways in which people ask for it: in words, and as the joined forms
// of 2006-01-02 and 2006-01.
func dateWords(t time.Time) string {
	if t.IsZero() {
		return ""
	}
	return t.Format("2 January 2006 20060102 200601")
}

// isoDate returns the month and the day of a joined 2006-01-02 in words, so that "in January" finds
// it. The month is empty if joined is not a date.
func isoDate(joined string) (month, day string) {
	if len(joined) != 8 || joined[:2] != "19" && joined[:2] != "20" {
		return "", ""
	}
	t, err := time.Parse("20060102", joined)
	if err != nil {
		return "", ""
	}
	return strings.ToLower(t.Month().String()), t.Format("2")
}

// isMonth reports whether "may" is the month and not the verb, judging by the words next to it.
func isMonth(tokens []token, i int) bool {
	if tokens[i].word != "may" {
		return false
	}
	if i+1 < len(tokens) && isNumber(tokens[i+1].word) {
		return true
	}
	if i == 0 {
		return false
	}
	switch before := tokens[i-1].word; before {
	case "in", "of", "since", "until", "by", "during", "before", "after", "last", "next", "early", "mid", "late":
		return true
	default:
		return isNumber(before)
	}
}

func isNumber(word string) bool {
	for i := range len(word) {
		if !isDigit(rune(word[i])) {
			return false
		}
	}
	return word != ""
}
