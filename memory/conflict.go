package memory

import "strings"

// The markers that git writes around the sides of a merge conflict.
const (
	markOurs   = "<<<<<<< "
	markBase   = "||||||| "
	markTheirs = "======="
	markEnd    = ">>>>>>> "
)

// HasConflict reports whether text contains a complete merge conflict, with its markers in order
// and outside of code blocks.
func HasConflict(text string) bool {
	if !strings.Contains(text, markOurs) {
		return false
	}
	_, _, whole := SplitConflict(text)
	return whole
}

// HasConflictMarks reports whether any line of text looks like a conflict marker, in a code block or not.
func HasConflictMarks(text string) bool {
	for line := range strings.Lines(text) {
		line = strings.TrimLeft(line, " \t")
		if strings.HasPrefix(line, markOurs) || strings.HasPrefix(line, markEnd) || strings.HasPrefix(line, markBase) {
			return true
		}
	}
	return false
}

// SplitConflict returns the text as each side of its merge conflicts has it. whole reports whether
// there is at least one conflict outside of code blocks and every conflict is closed.
func SplitConflict(text string) (ours, theirs string, whole bool) {
	var a, b strings.Builder
	within := "" // the last marker seen
	code, found := false, false
	for line := range strings.Lines(text) {
		switch {
		case within == "" && !code && strings.HasPrefix(line, markOurs):
			within = markOurs
		case within == markOurs && strings.HasPrefix(line, markBase):
			within = markBase
		case (within == markOurs || within == markBase) && strings.TrimRight(line, "\r\n") == markTheirs:
			within = markTheirs
		case within == markTheirs && strings.HasPrefix(line, markEnd):
			within, found = "", true
		default:
			if within != markTheirs && within != markBase {
				a.WriteString(line)
				code = code != IsFence(line)
			}
			if within != markOurs && within != markBase {
				b.WriteString(line)
			}
		}
	}
	return a.String(), b.String(), found && within == ""
}

// IsFence reports whether a line opens or closes a code block.
func IsFence(line string) bool {
	return strings.HasPrefix(line, "```") || strings.HasPrefix(line, "~~~")
}

// Unresolved returns the error for a change to a file that has an unresolved merge conflict.
func Unresolved(id ID) *Error {
	return NewError(CodeConflict, KindMergeUnresolved, string(id), "%s holds a merge conflict", id.File())
}
