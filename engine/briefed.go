package engine

import (
	"context"
	"fmt"
	"slices"

	"ltm/engine/brief"
	"ltm/engine/settings"
	"ltm/memory"
	"ltm/store"
)

// SessionContext returns the block that a session starts with; empty when there is
// nothing to show. The ids are those of the memories that it names.
func (e *Engine) SessionContext(context.Context) (text string, shown []memory.ID, err error) {
	err = e.store.View(func(v *store.View) error {
		snapshot, err := v.MemoriesQuick()
		if err != nil {
			return err
		}
		u, _, err := usage(v)
		if err != nil {
			return err
		}
		if len(snapshot.Records) == 0 || u.settings.MemoriesToLoad == 0 {
			return nil
		}
		g, err := guardOf(v, u.settings)
		if err != nil {
			return err
		}
		block, err := brief.Build(headers(places(snapshot, u)), briefed{v, g}, e.limits(u.settings, g))
		text, shown = block.Text, block.Shown
		return err
	})
	return text, shown, err
}

// headers returns memories in their order, with their phases.
func headers(all []place) []*memory.Memory {
	out := make([]*memory.Memory, len(all))
	for i, p := range all {
		out[i] = p.memory
		if p.phase != p.memory.Phase {
			m := *p.memory
			m.Phase = p.phase
			out[i] = &m
		}
	}
	return out
}

func (e *Engine) limits(s settings.Settings, g guard) brief.Limits {
	return brief.Limits{Tokens: s.ContextBudgetTokens, Whole: s.MemoriesToLoad, Withhold: g.asks(), Next: e.next}
}

// briefed is what a block is made of: the store's files, as a guard lets them pass.
type briefed struct {
	view  *store.View
	guard guard
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
func (b briefed) Foreign(id memory.ID) bool { return b.guard.look(id, b.view.ReadRaw) }

// Unknown implements [brief.Source].
func (b briefed) Unknown(id memory.ID) bool { return b.guard.unknown(id) }

// criticalWarnings says what is wrong with the critical memories as a set: they
// can be more than a session's start has room for, and more than eviction may
// leave. A state or stats file that cannot be read is reported elsewhere.
func (e *Engine) criticalWarnings(v *store.View, active *store.Snapshot) ([]memory.Note, error) {
	if !slices.ContainsFunc(active.Records, func(r store.Record) bool { return r.Importance() == memory.Critical }) {
		return nil, nil
	}
	u, _, err := usage(v)
	if err != nil {
		return nil, nil
	}
	s := u.settings
	critical := slices.DeleteFunc(places(active, u),
		func(p place) bool { return p.memory.Importance() != memory.Critical })
	var warnings []memory.Note
	if s.MemoriesToLoad > 0 {
		block, err := brief.Build(headers(critical), briefed{view: v}, e.limits(s, guard{}))
		if err != nil {
			return nil, err
		}
		if block.Critical != "" {
			raise := "context_budget_tokens"
			if block.ByCount {
				raise = "memories_to_load"
			}
			warnings = append(warnings, memory.Advise(memory.KindCriticalBudget, raise, block.Critical))
		}
	}
	if n := len(critical); n > s.MaxMemories {
		warnings = append(warnings, memory.Advise(memory.KindCriticalMany, "max_memories",
			fmt.Sprintf("%d critical memories, and max_memories is %d: eviction cannot keep to it", n, s.MaxMemories)))
	}
	return warnings, nil
}
