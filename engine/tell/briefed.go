package tell

import (
	"ltm/engine/base"
	"ltm/engine/brief"
	"ltm/engine/find"
	"ltm/engine/rank"
	"ltm/engine/settings"
	"ltm/engine/trust"
	"ltm/memory"
	"ltm/store"
)

// OwnSection returns the section with the person's memories of a block for an audience: without those whose topics the
// project has, and within the project's settings, which are nil without a store.
type OwnSection func(topics map[string]memory.ID, project *settings.Settings, to find.Audience) brief.Section

// sessionBrief returns the block that a session starts with, for an audience, with a section of the
// person's memories. It is empty when there is nothing to show. own may be nil.
func (e *Engine) sessionBrief(v *store.View, u rank.Usage, to find.Audience, own OwnSection) (brief.Brief, error) {
	snapshot, err := v.MemoriesQuick()
	if err != nil {
		return brief.Brief{}, err
	}
	all := rank.Places(snapshot, u)
	g, err := e.Filter(v, u.Settings)
	if err != nil {
		return brief.Brief{}, err
	}
	if e.Files != nil && !v.Own() {
		e.writeFiles(v, g, all)
	}
	all = to.Among(all)
	all, stale := u.FreshFirst(all, g)
	l := e.limits(u.Settings, g)
	l.Offer = to.Offer
	if !to.Only { // for a session, and not for one of its agents
		l.Offer.Left = len(v.Left())
	}
	switch {
	case own != nil && v.Exists():
		l.Own = own(rank.TopicsOf(all, g), &u.Settings, to)
	case own != nil:
		l.Own = own(nil, nil, to)
	}
	return brief.Build(headers(all), briefed{v, g, u, stale}, l)
}

func headers(all []rank.Place) []*memory.Memory {
	out := make([]*memory.Memory, len(all))
	for i := range all {
		out[i] = all[i].Memory
	}
	return out
}

func (e *Engine) limits(s settings.Settings, g trust.Filter) brief.Limits {
	return brief.Limits{Tokens: s.ContextBudgetTokens, Whole: s.MemoriesToLoad,
		Compact: s.ContextStyle == settings.StyleCompact, HoldBack: g.HoldsBack(), Next: e.Next}
}

// briefed reads the memories of a block from the store, through a filter.
type briefed struct {
	view   *store.View
	filter trust.Filter
	use    rank.Usage
	stale  map[memory.ID][]string
}

// Read implements [brief.Source].
func (b briefed) Read(header memory.Memory) (m memory.Memory, foreign, ok bool, err error) {
	file, err := b.view.Read(header.ID)
	if base.IsMissing(err) || memory.CodeOf(err) == memory.CodeUnreadable {
		return m, false, false, nil
	}
	if err != nil {
		return m, false, false, err
	}
	return base.ReduceTo(file.Memory, header.Phase), b.filter.Foreign(header.ID, file.Bytes()), true, nil
}

// Foreign implements [brief.Source].
func (b briefed) Foreign(header memory.Memory) bool {
	return b.filter.ForeignMemory(header, b.view.ReadRaw)
}

// Said implements [brief.Source].
func (b briefed) Said(id memory.ID) brief.Said {
	said := b.use.BriefSaid(memory.Memory{ID: id})
	said.Stale = b.stale[id]
	return said
}

// Unrecorded implements [brief.Source].
func (b briefed) Unrecorded(m *memory.Memory) bool {
	return m.Signature == "" && b.filter.Unrecorded(m.ID)
}

// Altered implements [brief.Source].
func (b briefed) Altered(id memory.ID) bool { return b.filter.Altered(id) }
