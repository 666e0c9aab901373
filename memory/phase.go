package memory

import "strconv"

// Phase is how much of a memory is left in its file. Eviction moves a memory one phase further;
// restoring it returns it to [Full].
type Phase int

// The phases.
const (
	Full     Phase = iota // summary and content
	Hint                  // summary, first paragraph and key points
	Abstract              // only the summary
	Removed               // hidden from sessions: completely faded, or a stub whose text is in the archives
)

// String returns the word for a memory's state in this phase.
func (p Phase) String() string {
	switch p {
	case Full:
		return "whole"
	case Hint:
		return "hint"
	case Abstract:
		return "abstract"
	case Removed:
		return "out of sight"
	}
	return "unknown"
}

// Active reports whether sessions see memories of this phase.
func (p Phase) Active() bool { return p >= Full && p < Removed }

// State returns the word for a memory's state, which people and models read. archived tells that it was found in the
// archives or out of sight, and reason why it is there, as far as that is known.
func State(p Phase, archived bool, reason string) string {
	switch {
	case !archived:
		return p.String()
	case reason == "" || reason == ReasonEvicted || reason == ReasonFaded:
		return Removed.String()
	case reason == ReasonFading || reason == ReasonSuperseded:
		return reason
	}
	return ReasonForgotten // also what was erased or undone
}

// PhaseNames lists the phases for people.
const PhaseNames = "0 (whole), 1 (hint), 2 (abstract), 3 (out of sight)"

// ParsePhase accepts a phase's number or name.
func ParsePhase(s string) (Phase, error) {
	for p := Full; p <= Removed; p++ {
		if s == p.String() || s == strconv.Itoa(int(p)) {
			return p, nil
		}
	}
	return 0, NewError(CodeInvalid, KindPhaseUnknown, s, "%s is not a phase; allowed: "+PhaseNames, Quote(s, 40))
}
