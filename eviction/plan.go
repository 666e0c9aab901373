package eviction

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"ltm/memory"
)

// Candidate is a memory as far as planning needs to know it.
type Candidate struct {
	ID         memory.ID
	Topic      string
	Phase      memory.Phase
	Priority   float64 // 0 to 1; what is out of range counts as the nearest of them
	Importance memory.Importance
}

// Policy bounds a plan.
type Policy struct {
	MaxMemories int // active memories that are allowed; none or fewer: any number
	BatchSize   int // steps of one plan; none or fewer: no plan has steps
}

// Result is a plan: what to reduce, in this order, and why.
type Result struct {
	Active int                   // memories that have a file
	Steps  []memory.EvictionStep // never nil
	Reason string                // why there are as many steps as there are
}

// Plan chooses the memories that lose a phase. It decides only; see [Reduce].
//
// There are as many steps as there are active memories over the limit, at most
// a batch, and each takes one memory one phase further: the lowest priority
// first, ties in order of their ids. Only the last phase frees a place, so a
// store that is one over its limit comes back to it after three plans, and one
// that gains a memory each session stays two over it. That is on purpose: a
// memory fades over several sessions, in each of which an access can still
// save it, and no plan takes more than the excess can ask for. A store that
// gains more than a third of a batch in every session outgrows its limit; the
// batch is what to raise then.
//
// Critical memories are never chosen. Important ones are chosen only when no
// other memory is active: while one is, there are fewer steps instead.
func Plan(candidates []Candidate, p Policy) Result {
	g := group(candidates)
	r := Result{Active: g.active(), Steps: []memory.EvictionStep{}}
	excess := r.Active - p.MaxMemories
	switch {
	case p.MaxMemories <= 0:
		r.Reason = fmt.Sprintf("%s and no limit: nothing is reduced", memories(r.Active))
		return r
	case excess <= 0:
		r.Reason = fmt.Sprintf("%s, at most %d are allowed: nothing is reduced", memories(r.Active), p.MaxMemories)
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

// groups are the active candidates by what may happen to them, each in the
// order in which they go.
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
	reason := fmt.Sprintf("priority %.2f, number %d from below of %d that may be reduced", c.Priority, rank, of)
	if c.Importance == memory.Important {
		reason = "important, but nothing else is left; " + reason
	}
	return memory.EvictionStep{ID: c.ID, Topic: c.Topic, From: c.Phase, To: c.Phase + 1, Priority: c.Priority, Reason: reason}
}

// explain says why a plan for an excess has as many steps as it has.
func explain(r Result, p Policy, g groups, excess int) string {
	steps := len(r.Steps)
	if g.critical == r.Active {
		return fmt.Sprintf("%s, %d more than %d: nothing can be reduced, for all are critical; unpin some (%s) or raise max_memories %s",
			memories(r.Active), excess, p.MaxMemories, memory.DoUnpin, memory.DoConfigure)
	}
	parts := []string{fmt.Sprintf("%s, %d more than %d: %d reduced by one phase", memories(r.Active), excess, p.MaxMemories, steps)}
	if steps < excess && steps == max(0, p.BatchSize) {
		parts = append(parts, fmt.Sprintf("no more than %d at once", steps))
	}
	if g.critical > 0 {
		parts = append(parts, fmt.Sprintf("%d critical stay", g.critical))
	}
	if n := len(g.important); n > 0 && len(g.normal) > 0 {
		parts = append(parts, fmt.Sprintf("%d important stay while anything else is left", n))
	}
	return strings.Join(parts, "; ")
}

func memories(n int) string {
	if n == 1 {
		return "1 memory"
	}
	return fmt.Sprintf("%d memories", n)
}
