package engine

import (
	"fmt"
	"slices"

	"ltm/engine/brief"
	"ltm/engine/settings"
	"ltm/memory"
	"ltm/store"
)

// ownSection returns the section with the person's memories of a block for an audience: without
// those whose topics the project has, and within the project's settings, which are nil without a
// store.
type ownSection func(topics map[string]memory.ID, project *settings.Settings, to audience) brief.Section

// sessionBrief returns the block that a session starts with, for an audience, with a section of the
// person's memories. It is empty when there is nothing to show. own may be nil.
func (e *Engine) sessionBrief(v *store.View, u use, to audience, own ownSection) (brief.Brief, error) {
	snapshot, err := v.MemoriesQuick()
	if err != nil {
		return brief.Brief{}, err
	}
	all := places(snapshot, u)
	g, err := e.guardOf(v, u.settings)
	if err != nil {
		return brief.Brief{}, err
	}
	if e.files != nil && !v.Own() {
		e.writeFiles(v, g, all)
	}
	all = to.among(all)
	all, stale := u.freshFirst(all, g)
	l := e.limits(u.settings, g)
	l.Offer = to.offer
	if !to.only { // for a session, and not for one of its agents
		l.Offer.Left = len(v.Left())
	}
	switch {
	case own != nil && v.Exists():
		l.Own = own(topicsOf(all, g), &u.settings, to)
	case own != nil:
		l.Own = own(nil, nil, to)
	}
	return brief.Build(headers(all), briefed{v, g, u, stale}, l)
}

// headers returns the memories of places, in the same order.
func headers(all []place) []*memory.Memory {
	out := make([]*memory.Memory, len(all))
	for i := range all {
		out[i] = all[i].Memory
	}
	return out
}

func (e *Engine) limits(s settings.Settings, g guard) brief.Limits {
	return brief.Limits{Tokens: s.ContextBudgetTokens, Whole: s.MemoriesToLoad,
		Compact: s.ContextStyle == settings.StyleCompact, HoldBack: g.asks(), Next: e.next}
}

// briefed reads the memories of a block from the store, through a guard.
type briefed struct {
	view  *store.View
	guard guard
	use   use
	stale map[memory.ID][]string
}

// Read implements [brief.Source].
func (b briefed) Read(header memory.Memory) (m memory.Memory, foreign, ok bool, err error) {
	file, err := b.view.Read(header.ID)
	if isMissing(err) || memory.CodeOf(err) == memory.CodeUnreadable {
		return m, false, false, nil
	}
	if err != nil {
		return m, false, false, err
	}
	return reduceTo(file.Memory, header.Phase), b.guard.foreign(header.ID, file.Bytes()), true, nil
}

// Foreign implements [brief.Source].
func (b briefed) Foreign(header memory.Memory) bool { return b.guard.look(header, b.view.ReadRaw) }

// Said implements [brief.Source].
func (b briefed) Said(id memory.ID) brief.Said {
	said := b.use.briefSaid(memory.Memory{ID: id})
	said.Stale = b.stale[id]
	return said
}

// Unrecorded implements [brief.Source].
func (b briefed) Unrecorded(m *memory.Memory) bool {
	return m.Signature == "" && b.guard.unrecorded(m.ID)
}

// Altered implements [brief.Source].
func (b briefed) Altered(id memory.ID) bool { return b.guard.altered(id) }

// criticalWarnings warns when there are more critical memories than fit into a session's start,
// or than max_memories allows: eviction never reduces them. It ignores unreadable state and stats
// files, which are reported elsewhere.
func (e *Engine) criticalWarnings(v *store.View, active *store.Snapshot) ([]memory.Note, error) {
	isCritical := func(r store.Record) bool { return r.Importance() == memory.Critical }
	if !slices.ContainsFunc(active.Records, isCritical) {
		return nil, nil
	}
	u, _, err := usage(v)
	if err != nil {
		return nil, nil
	}
	s := u.settings
	critical := slices.DeleteFunc(places(active, u),
		func(p place) bool { return p.Importance() != memory.Critical || p.Agent != "" })
	var warnings []memory.Note
	if s.MemoriesToLoad > 0 {
		block, err := brief.Build(headers(critical), briefed{view: v, use: u}, e.limits(s, guard{}))
		if err != nil {
			return nil, err
		}
		if block.Critical != "" {
			kind, raise := memory.KindCriticalBudget, "context_budget_tokens"
			switch {
			case block.ByCount:
				raise = "memories_to_load"
			case block.Limit == brief.ByClient:
				kind, raise = memory.KindCriticalClient, ""
			}
			warnings = append(warnings, memory.Advise(kind, raise, block.Critical))
		}
	}
	if n := len(critical); n > s.MaxMemories {
		warnings = append(warnings, memory.Advise(memory.KindCriticalMany, "max_memories",
			fmt.Sprintf("%d critical memories exceed max_memories (%d), and they never fade", n,
				s.MaxMemories)))
	}
	return warnings, nil
}
