package memory

// Phase says how much of a memory is left in its file. Eviction moves a memory
// one phase further; restore brings it back to [Full].
type Phase int

// The phases.
const (
	Full     Phase = iota // summary and content
	Hint                  // summary, first paragraph and key points
	Abstract              // summary alone
	Removed               // out of sight: faded to the end, or a stub whose text is in the archives
)

// RemovedDigit is [Removed] as the header of a stub has it.
const RemovedDigit = "3"

// String returns the phase's name.
func (p Phase) String() string {
	switch p {
	case Full:
		return "full"
	case Hint:
		return "hint"
	case Abstract:
		return "abstract"
	case Removed:
		return "removed"
	}
	return "unknown"
}

// Active reports whether a memory of this phase is in sight of sessions.
func (p Phase) Active() bool { return p >= Full && p < Removed }

// ParsePhase accepts a phase's number or name.
func ParsePhase(s string) (Phase, error) {
	switch s {
	case "0", "full":
		return Full, nil
	case "1", "hint":
		return Hint, nil
	case "2", "abstract":
		return Abstract, nil
	}
	return 0, Errorf(CodeInvalid, "allowed: 0 (full), 1 (hint), 2 (abstract)", "%q is not a phase", Clip(s, 40))
}
