package memory

import "strings"

// What git writes around the sides of a merge that it could not settle.
const (
	markOurs   = "<<<<<<< "
	markBase   = "||||||| "
	markTheirs = "======="
	markEnd    = ">>>>>>> "
)

// HasConflict says whether text holds what git leaves of a merge that failed, in
// order and outside of code blocks.
func HasConflict(text string) bool {
	if !strings.Contains(text, markOurs) {
		return false
	}
	_, _, whole := SplitConflict(text)
	return whole
}

// HasConflictMarks says whether text holds what could be taken for the marks of
// an unsettled merge, in a code block or not.
func HasConflictMarks(text string) bool {
	for line := range strings.Lines(text) {
		line = strings.TrimLeft(line, " \t")
		if strings.HasPrefix(line, markOurs) || strings.HasPrefix(line, markEnd) || strings.HasPrefix(line, markBase) {
			return true
		}
	}
	return false
}

// SplitConflict takes an unsettled merge apart: the text as either side has it. whole
// tells that there was at least one conflict outside of code blocks, and that
// none lacks its end.
func SplitConflict(text string) (ours, theirs string, whole bool) {
	var a, b strings.Builder
	within := "" // the mark that was seen last
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

// IsFence says whether a line opens or closes a code block.
func IsFence(line string) bool {
	return strings.HasPrefix(line, "```") || strings.HasPrefix(line, "~~~")
}

// Unsettled is the error about a change to a file with an unsettled merge.
func Unsettled(id ID) *Error {
	return Errorf(CodeConflict, "settle it with "+DoResolve+", or in the file ("+DoEdit+"); "+unchanged, "%s holds a merge conflict", id.File())
}
