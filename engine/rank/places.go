package rank

import (
	"cmp"
	"slices"
	"strings"
	"time"

	"ltm/engine/base"
	"ltm/engine/finder"
	"ltm/engine/trust"
	"ltm/memory"
	"ltm/memory/api"
	"ltm/store"
)

// Ranked is a memory's header and where it stands as of now.
type Ranked struct {
	memory.Memory
	order
	Archive *store.Archival // nil: in sight
	Faded   bool            // out of sight in the view of this clone alone
	Used    time.Time       // zero: never
}

func (r *Ranked) State() string {
	if r.Archive == nil {
		return r.Phase.String()
	}
	return memory.State(r.Phase, true, r.Archive.Reason)
}

// Place is a memory's header, with the phase in the view of this clone, and its priority.
type Place struct {
	*memory.Memory
	order
}

// Places returns the memories in sight in order, the highest priority first. One that was superseded and restored comes
// behind its correction.
func Places(s *store.Snapshot, u Usage) []Place {
	all := make([]Place, 0, len(s.Records))
	for _, r := range s.Records {
		m := r.Memory
		phase := u.PhaseOf(m.ID, m.Phase, u.Stats[m.ID])
		if !phase.Active() {
			continue
		}
		if phase != m.Phase {
			header := *m
			header.Phase = phase
			m = &header
		}
		all = append(all, Place{m, u.OrderOf(m)})
	}
	return u.inOrder(all)
}

func (u Usage) inOrder(all []Place) []Place {
	slices.SortFunc(all, func(a, b Place) int {
		if c := a.order.compare(b.order); c != 0 {
			return c
		}
		return strings.Compare(string(a.ID), string(b.ID))
	})
	return Behind(all, func(p Place) memory.ID { return p.ID }, u.Standings.Get().Corrections())
}

// SortedMemories returns the memories in sight as places orders them.
func SortedMemories(s *store.Snapshot, u Usage) []Ranked {
	all := Places(s, u)
	out := make([]Ranked, len(all))
	for i, p := range all {
		out[i].Memory, out[i].order = *p.Memory, p.order
	}
	return out
}

// SortRanked sorts as a listing asks, and what is equal then in the order of rank.
func SortRanked(all []Ranked, by api.Order) {
	type keyed struct {
		Listed
		at int
	}
	keys := make([]keyed, len(all)) // memories are large
	for i := range all {
		r := &all[i]
		keys[i] = keyed{Listed{r.order, r.ID, r.Topic, r.CreatedAt, r.Used}, i}
	}
	if by == api.ByPriority {
		by = ""
	}
	slices.SortFunc(keys, func(a, b keyed) int {
		return cmp.Or(a.CompareBy(&b.Listed, by), a.order.compare(b.order),
			strings.Compare(string(a.Key), string(b.Key)))
	})
	sorted := make([]Ranked, len(all))
	for i, k := range keys {
		sorted[i] = all[k.at]
	}
	copy(all, sorted)
}

// OutOfSight lists the archives of memories that were archived or whose files are reduced, and
// the memories that have faded completely in this clone.
func OutOfSight(v *store.View, u Usage) ([]Ranked, error) {
	active, archives, how, err := BothDirectories(v)
	if err != nil {
		return nil, err
	}
	var out []Ranked
	for _, r := range archives.Records {
		if finder.OnlyArchived(active, r.ID) {
			a := how[r.ID]
			a.Reason = ArchivedReason(active, r.ID, a)
			out = append(out, Ranked{Memory: *r.Memory, order: u.OrderOf(r.Memory), Archive: &a})
		}
	}
	for _, r := range active.Records {
		if !u.InSight(*r.Memory) {
			m := *r.Memory
			m.Phase = memory.Removed
			out = append(out, Ranked{Memory: m, order: u.OrderOf(r.Memory), Faded: true,
				Archive: &store.Archival{Reason: u.OutOfSightReason(m.ID)}})
		}
	}
	return out, nil
}

// ArchivedReason returns why a memory has an archive that is its full text.
func ArchivedReason(active *store.Snapshot, id memory.ID, how store.Archival) string {
	if _, ok := active.Find(id); ok {
		return memory.ReasonFading
	}
	return how.Reason
}

// RanksIn returns the memories that a listing includes, by priority. With [api.IncludeAll], a
// memory that is in sight and has an archive is listed once, as active.
func RanksIn(v *store.View, include api.Include, u Usage) ([]Ranked, error) {
	include, err := api.ParseInclude(string(include))
	if err != nil {
		return nil, err
	}
	active, err := v.Memories()
	if err != nil {
		return nil, err
	}
	if include == api.IncludeActive {
		return SortedMemories(active, u), nil
	}
	out, err := OutOfSight(v, u)
	if err != nil {
		return nil, err
	}
	if include == api.IncludeAll {
		out = slices.DeleteFunc(out, func(r Ranked) bool {
			m, ok := active.Find(r.ID)
			return ok && u.InSight(*m.Memory)
		})
		out = append(out, SortedMemories(active, u)...)
	}
	SortRanked(out, "")
	return out, nil
}

// BothDirectories returns what is in memories/ and the texts out of sight, and when and why the latter were archived.
func BothDirectories(v *store.View) (active, archives *store.Snapshot, how map[memory.ID]store.Archival, err error) {
	if active, err = v.Memories(); err != nil {
		return nil, nil, nil, err
	}
	if archives, err = v.ArchivedTexts(); err != nil {
		return nil, nil, nil, err
	}
	how, err = v.Archivals(archives)
	return active, archives, how, err
}

// HeldBack returns how many of the included memories are held back. The number must not depend on
// the query: a count of matches held back would leak what they say.
func HeldBack(g trust.Filter, include api.Include) (int, error) {
	if !g.HoldsBack() {
		return 0, nil
	}
	all, err := RanksIn(g.View, include, Usage{})
	if err != nil {
		return 0, err
	}
	fromElsewhere := ForeignIn(g)
	return len(slices.DeleteFunc(all, func(r Ranked) bool { return !fromElsewhere(r) })), nil
}

// ForeignIn returns what reports whether a memory of a listing comes from elsewhere, in the directory that it was
// listed from.
func ForeignIn(g trust.Filter) func(Ranked) bool {
	return func(r Ranked) bool {
		if r.Archive != nil && !r.Faded {
			return g.ForeignMemory(r.Memory, base.BytesOf(g.View.ReadArchive))
		}
		return g.ForeignMemory(r.Memory, g.View.ReadRaw)
	}
}
