package conversation

// State is the state of a claim.
type State string

// The states. Only active claims enter a context.
const (
	Unknown    State = "" // no claim yet, or none any more
	Suggested  State = "suggested"
	Active     State = "active"
	Superseded State = "superseded" // it was true until another claim took its place
	Deprecated State = "deprecated" // it was true
	Conflicted State = "conflicted" // it contradicts another claim, undecided
	Rejected   State = "rejected"   // it was never true; it is never suggested again
)

// States lists all states of claims.
func States() []State {
	return []State{Suggested, Active, Superseded, Deprecated, Conflicted, Rejected}
}

// Verb is the action of an act.
type Verb string

// The verbs. Undo names an act, all others a claim.
const (
	Suggests   Verb = "suggest"
	Adds       Verb = "add"
	Confirms   Verb = "confirm"
	Rejects    Verb = "reject"
	Supersedes Verb = "supersede" // of a claim by Act.Other, which is active
	Deprecates Verb = "deprecate"
	Disputes   Verb = "dispute" // of a claim with Act.Other, which is active or conflicted
	Ends       Verb = "end"     // proposes to deprecate a claim, because an event says that it is over; changes nothing
	Forgets    Verb = "forget"  // as if the claim had never been stated; it is not suggested again either
	Undoes     Verb = "undo"    // as if the act Act.Undone had never been
)

// Next returns the state of a claim after an act, and whether the act is allowed in that state. The effect on other
// claims of the act is in [Derive]. Being mentioned again revives nothing: only a confirmation does.
func Next(s State, v Verb) (State, bool) {
	next, ok := transitions()[s][v]
	return next, ok
}

// transitions is the table of the states, the acts that are allowed in them, and where those lead.
func transitions() map[State]map[Verb]State {
	// A supersession, a dispute and a deprecation say something about a claim that counted as true.
	// A rejection is allowed without a claim, because it holds when the text that made the suggestion is deleted.
	return map[State]map[Verb]State{
		Unknown:   {Suggests: Suggested, Adds: Active, Rejects: Rejected},
		Suggested: {Suggests: Suggested, Adds: Active, Confirms: Active, Rejects: Rejected},
		Active: {Suggests: Active, Adds: Active, Rejects: Rejected, Supersedes: Superseded,
			Deprecates: Deprecated, Disputes: Conflicted},
		Superseded: {Suggests: Superseded, Confirms: Active, Rejects: Rejected},
		Deprecated: {Suggests: Deprecated, Confirms: Active, Rejects: Rejected},
		Conflicted: {Suggests: Conflicted, Confirms: Active, Rejects: Rejected, Supersedes: Superseded,
			Deprecates: Deprecated, Disputes: Conflicted},
		Rejected: {Confirms: Active},
	}
}
