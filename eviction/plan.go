package eviction

import (
	"cmp"
	"fmt"
	"slices"
	"time"

	"ltm/memory"
)

// Candidate is what [Plan] needs to know about a memory.
type Candidate struct {
	ID         memory.ID
	Topic      string
	Phase      memory.Phase
	Priority   float64 // 0 to 1; values out of range are clamped
	Importance memory.Importance
	Used       time.Time // when it was created or last opened, whichever is later; zero if unknown
	Faded      time.Time // when it last lost a phase; zero if never
}

// Policy bounds a plan.
type Policy struct {
	MaxMemories int       // the limit on active memories; 0 or less: no limit
	BatchSize   int       // the most steps in one plan; 0 or less: no steps
	Ages        Ages      // the zero value: age does not count
	Now         time.Time // what ages are measured to
}

// Result is a plan: what to reduce, in which order, and why.
type Result struct {
	Active int                   // active memories among the candidates
	Steps  []memory.EvictionStep // never nil
	Reason memory.Note           // explains the number of steps
}

// Plan chooses the memories that lose a phase. It changes nothing; [Reduce] carries out a step.
//
// A plan has one step for each active memory over the limit, up to the batch size. Each step takes one memory one phase
// further: the lowest priority first, ties by ID. Only the last phase makes a memory inactive, so a store that is one
// over its limit is back at it after three plans, and one that gains a memory in each session stays two over. This is
// deliberate: a memory fades over several sessions, in each of which an access can still save it. A store that gains
// more than a third of a batch per session outgrows its limit; raise the batch size then.
//
// Critical memories are never chosen. Important ones are chosen only if no less important memory is
// active; as long as one is, the plan has fewer steps instead.
//
// With [Policy].Ages, what is left of the batch goes to the memories that were not opened for long;
// see [Ages]. They never take the place of a step that the limit asks for.
func Plan(candidates []Candidate, p Policy) Result {
	g := group(candidates)
	r := pressure(g, p)
	if !p.Ages.Off() {
		decay(&r, g, p)
	}
	return r
}

// pressure plans the steps that the limit asks for.
func pressure(g groups, p Policy) Result {
	r := Result{Active: g.active(), Steps: []memory.EvictionStep{}}
	excess := r.Active - p.MaxMemories
	switch {
	case p.MaxMemories <= 0:
		r.Reason = memory.Say(memories(r.Active) + ", no limit: nothing to reduce")
		return r
	case excess <= 0:
		r.Reason = memory.Say(fmt.Sprintf("%s, within the limit of %d: nothing to reduce", memories(r.Active),
			p.MaxMemories))
		return r
	}
	choice := g.normal
	if len(choice) == 0 {
		choice = g.important
	}
	count := min(excess, max(0, p.BatchSize), len(choice))
	for i, c := range choice[:count] {
		r.Steps = append(r.Steps, step(c, i+1, len(choice)))
	}
	r.Reason = explain(r, p, g, excess)
	return r
}

// groups are the active candidates by importance, each in the order in which they are reduced.
type groups struct {
	normal, important []Candidate
	critical          int
}

func (g groups) active() int { return len(g.normal) + len(g.important) + g.critical }

func group(candidates []Candidate) groups {
	var g groups
	for _, c := range candidates {
		c.Priority = memory.Clamp01(c.Priority)
		switch {
		case !c.Phase.Active():
		case c.Importance == memory.Critical:
			g.critical++
		case c.Importance == memory.Important:
			g.important = append(g.important, c)
		default:
			g.normal = append(g.normal, c)
		}
	}
	slices.SortFunc(g.normal, order)
	slices.SortFunc(g.important, order)
	return g
}

func order(a, b Candidate) int {
	return cmp.Or(cmp.Compare(a.Priority, b.Priority), cmp.Compare(a.ID, b.ID))
}

func step(c Candidate, rank, of int) memory.EvictionStep {
	reason := fmt.Sprintf("priority %.2f, candidate %d of %d (lowest first)", c.Priority, rank, of)
	if c.Importance == memory.Important {
		reason = "important, but nothing else is left; " + reason
	}
	return memory.EvictionStep{ID: c.ID, Topic: c.Topic, From: c.Phase, To: c.Phase + 1, Priority: c.Priority,
		Reason: reason}
}

// explain returns why a plan over the limit has as many steps as it has.
func explain(r Result, p Policy, g groups, excess int) memory.Note {
	steps := len(r.Steps)
	if g.critical == r.Active {
		return memory.Advise(memory.KindAllCritical, "",
			fmt.Sprintf("%s, %d over the limit of %d: nothing can fade because all are critical",
				memories(r.Active), excess, p.MaxMemories))
	}
	parts := []string{fmt.Sprintf("%s, %d over the limit of %d: %d to fade by one phase", memories(r.Active), excess,
		p.MaxMemories, steps)}
	if steps < excess && steps == max(0, p.BatchSize) {
		parts = append(parts, fmt.Sprintf("at most %d at once", steps))
	}
	if g.critical > 0 {
		parts = append(parts, fmt.Sprintf("%d critical excluded", g.critical))
	}
	if n := len(g.important); n > 0 && len(g.normal) > 0 {
		parts = append(parts, fmt.Sprintf("%d important excluded while others are left", n))
	}
	return memory.Say(parts...)
}

func memories(n int) string {
	if n == 1 {
		return "1 memory"
	}
	return fmt.Sprintf("%d memories", n)
}
