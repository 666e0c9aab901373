package abridge

import (
	"strings"
	"unicode"
)

// isLabel reports whether a heading introduces what a memory is kept for: a cause, a fix, a
// decision. The heading may continue after a colon.
func isLabel(s string) bool {
	label, _ := labelOf(s)
	return label || isLabelWord(s)
}

// labelOf reports whether a text begins with a label and a colon, and whether nothing follows. It
// ignores emphasis: "**Fix:** raise it".
func labelOf(s string) (label, sole bool) {
	at := strings.IndexAny(s, ":：")
	if at < 0 || at > 40 {
		return false, false
	}
	_, rest, _ := strings.Cut(strings.ReplaceAll(s[at:], "：", ":"), ":")
	return isLabelWord(s[:at]), strings.Trim(rest, "*_ ") == ""
}

// isLabelWord reports whether s is a word under which people write what they want to find again. It
// ignores numbers, emphasis, symbols and an article before the word.
func isLabelWord(s string) bool {
	if len(s) > 60 {
		return false
	}
	s = strings.ToLower(strings.TrimFunc(s, func(r rune) bool {
		return !unicode.IsLetter(r)
	}))
	s = strings.TrimPrefix(strings.TrimPrefix(s, "the "), "our ")
	switch s {
	case "fix", "fixes", "fixed", "bugfix", "solution", "solutions", "solved", "resolution", "workaround",
		"workarounds",
		"cause", "causes", "root cause", "root causes", "reason", "reasons", "why",
		"decision", "decisions", "decided", "rationale", "conclusion", "conclusions", "outcome", "result", "results",
		"finding", "findings",
		"lesson", "lessons", "lesson learned", "lessons learned", "learning", "learnings", "takeaway", "takeaways",
		"key point", "key points",
		"tl;dr", "tldr", "summary", "in short", "important", "warning", "caveat", "caveats", "gotcha", "gotchas",
		"pitfall", "pitfalls",
		"rule", "rules", "constraint", "constraints", "convention", "conventions", "next step", "next steps", "todo":
		return true
	}
	return false
}
