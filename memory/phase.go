package memory

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

// RemovedDigit is how a stub's header spells [Removed].
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

// Active reports whether sessions see memories of this phase.
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
	return 0, NewError(CodeInvalid, KindPhaseUnknown, s,
		"%s is not a phase; allowed: 0 (full), 1 (hint), 2 (abstract)", Quote(s, 40))
}
