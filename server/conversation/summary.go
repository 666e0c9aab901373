package conversation

import (
	"errors"
	"slices"
	"strings"

	"ltm/text/search"
)

const (
	// Batch is the number of meaningful turns that make a summary: fewer than a screen of conversation is read faster
	// than its summary.
	Batch = 12
	// Window is the number of events that one step looks at, so that a step takes bounded time: ten for each turn
	// of a batch.
	Window = 120
	// maxLines is the number of lines in a summary: what it is about, and as many as a reader takes in at a glance.
	maxLines = 8
	// lineLength is the length of a line in characters: a long sentence.
	lineLength = 220
	// maxTerms bounds what a summary remembers of the words of its sources: about forty turns of a dozen words.
	maxTerms = 500
	// sameTopic is the share of the words of new turns that the episode must have used for them to be on its topic. A
	// conversation that goes on repeats at least its subject; TestTopicShift has the pairs by which it was chosen.
	sameTopic = 0.12
)

// Reason is why a summary was written.
type Reason string

// The reasons.
const (
	Init  Reason = "init"           // the first of the thread
	Roll  Reason = "rolling_update" // the same topic goes on
	Shift Reason = "topic_shift"    // a new episode
)

// Line is a sentence of a summary, with the event that has it.
type Line struct {
	Event  string
	Role   Role
	Text   string // one line of at most 220 characters, without credentials
	Weight int    // lines with less are left out first
}

// Summary is an episode of a thread: sentences of its events, in their order.
type Summary struct {
	From, To string // the first and last event that it covers
	Reason   Reason
	Turns    int // meaningful turns that it covers
	Lines    []Line
	Terms    []string // words of all its turns, the newest last; what new turns are compared with
}

// Text returns the summary as a list with at most 8 lines.
func (s Summary) Text() string {
	var b strings.Builder
	for _, l := range s.Lines {
		b.WriteString("- ")
		if l.Role == Assistant {
			b.WriteString("assistant: ")
		}
		b.WriteString(l.Text + "\n")
	}
	return b.String()
}

// Thread is how far the summaries of a thread are. The zero value is a new thread.
type Thread struct {
	Cursor   string    // the last event that was looked at
	Episodes []Summary // oldest first; the last one is active
}

// Plan is the next step of a thread. To carry it out, write Summary, which replaces the active one if its reason is
// [Roll], and is added otherwise, before the cursor is moved and an old episode is closed.
type Plan struct {
	Base    string   // the cursor that it was made at
	Cursor  string   // the cursor after it
	Summary *Summary // nil if the events had nothing for a summary
}

// ErrMoved is returned for a plan that was made before another step was applied.
var ErrMoved = errors.New("the thread has moved on since this was planned")

// Next plans the next step, given the events behind the cursor in their order, of which it looks at the first
// [Window]. It reports false if there is nothing to do yet: fewer than [Batch] meaningful turns, and the window
// is not full. A full window is always left behind, with a summary of what it has, or without one.
func (t Thread) Next(events []Event) (Plan, bool) {
	full := len(events) >= Window
	events = events[:min(len(events), Window)]
	var kept []Turn
	end := 0
	for _, turn := range turns(events, full) {
		if !Meaningful(turn.Turn) {
			continue
		}
		if kept = append(kept, turn.Turn); len(kept) == Batch {
			end = turn.end
			break
		}
	}
	switch {
	case end == 0 && !full:
		return Plan{}, false
	case end == 0:
		end = len(events)
	}
	plan := Plan{Base: t.Cursor, Cursor: events[end-1].ID}
	if len(kept) > 0 {
		plan.Summary = t.summarize(events[:end], kept)
	}
	return plan, true
}

// Force plans a step over events that are too few for [Thread.Next], because someone asked for a summary. It covers the
// meaningful turns of the first [Window] events, or all turns if none of them is meaningful, and goes on with the
// active episode whatever its topic is. It reports false if there is no turn at all.
func (t Thread) Force(events []Event) (Plan, bool) {
	events = events[:min(len(events), Window)]
	var all, kept []Turn
	for _, turn := range turns(events, true) {
		all = append(all, turn.Turn)
		if Meaningful(turn.Turn) {
			kept = append(kept, turn.Turn)
		}
	}
	if len(kept) == 0 {
		kept = all
	}
	if len(kept) == 0 {
		return Plan{}, false
	}
	var s Summary
	if n := len(t.Episodes); n > 0 {
		s = t.Episodes[n-1]
	}
	s = s.with(events, kept, termsOf(kept))
	return Plan{Base: t.Cursor, Cursor: s.To, Summary: &s}, true
}

// summarize returns the summary of meaningful turns, as the first of an episode or together with the active one.
func (t Thread) summarize(covered []Event, kept []Turn) *Summary {
	terms := termsOf(kept)
	var s Summary
	if n := len(t.Episodes); n > 0 {
		if active := t.Episodes[n-1]; SameTopic(active.Terms, terms) {
			s = active
		}
	}
	s = s.with(covered, kept, terms)
	if s.Reason == Init && len(t.Episodes) > 0 {
		s.Reason = Shift
	}
	return &s
}

// with returns an episode with more turns, and with their words; the zero value begins one.
func (s Summary) with(covered []Event, kept []Turn, terms []string) Summary {
	s.Reason = Roll
	if s.From == "" {
		s.From, s.Reason = covered[0].ID, Init
	}
	s.To = covered[len(covered)-1].ID
	s.Turns += len(kept)
	s.Lines = choose(s.Lines, kept)
	s.Terms = newest(slices.Concat(s.Terms, terms), maxTerms)
	return s
}

// newest returns the last n distinct strings in their order, each where it was last.
func newest(all []string, n int) []string {
	seen := map[string]bool{}
	var kept []string
	for _, s := range slices.Backward(all) {
		if !seen[s] && len(kept) < n {
			seen[s] = true
			kept = append(kept, s)
		}
	}
	slices.Reverse(kept)
	return kept
}

// termsOf returns the words that turns are about, inflections reduced, each once.
func termsOf(kept []Turn) []string {
	var all []string
	for _, t := range kept {
		user, assistant := t.said()
		all = append(all, search.TermsOf(user)...)
		all = append(all, search.TermsOf(clip(oneLine(assistant), lineLength))...)
	}
	return newest(all, maxTerms)
}

// SameTopic reports whether new words go on with the topic of an episode. It compares with the words of the episode's
// sources and not with its summary, which has few of them. Without words there is nothing to tell, and no shift.
func SameTopic(episode, fresh []string) bool {
	if len(episode) == 0 || len(fresh) == 0 {
		return true
	}
	known := map[string]bool{}
	for _, t := range episode {
		known[t] = true
	}
	shared := 0
	for _, t := range fresh {
		if known[t] {
			shared++
		}
	}
	return float64(shared) >= sameTopic*float64(len(fresh))
}
