package engine

import (
	"context"
	"time"

	"ltm/eviction"
	"ltm/memory"
	"ltm/store"
)

// Evict reduces the least important memories by one phase each when there are
// more than max_memories. With dryRun it only says what it would do.
func (e *Engine) Evict(ctx context.Context, dryRun bool) (memory.EvictionReport, error) {
	return e.evict(ctx, dryRun, time.Time{})
}

// evict is [Engine.Evict]; it stops at the deadline, unless that is zero.
func (e *Engine) evict(ctx context.Context, dryRun bool, deadline time.Time) (memory.EvictionReport, error) {
	var report memory.EvictionReport
	err := e.store.View(func(v *store.View) (err error) {
		report, _, err = planEviction(v)
		return err
	})
	report.DryRun = dryRun
	if err != nil || dryRun || len(report.Steps) == 0 {
		return report, err
	}
	err = e.update(ctx, func(tx *store.Tx) error {
		plan, state, err := planEviction(&tx.View) // again: the lock is held now
		if err != nil {
			return err
		}
		report = plan
		report.Steps = []memory.EvictionStep{}
		for _, step := range plan.Steps {
			if !deadline.IsZero() && e.now().After(deadline) {
				report.Reason += "; the rest is left for the next session's end"
				break
			}
			if err := e.reduce(tx, step); err != nil {
				return err
			}
			e.logEviction(tx, state, step, !deadline.IsZero())
			report.Steps = append(report.Steps, step)
		}
		now := e.now().UTC().Truncate(time.Second)
		state.LastEviction = &now
		tx.SetState(state)
		return nil
	})
	return report, err
}

func planEviction(v *store.View) (memory.EvictionReport, *store.State, error) {
	snapshot, err := v.Memories()
	if err != nil {
		return memory.EvictionReport{}, nil, err
	}
	u, state, err := usage(v)
	if err != nil {
		return memory.EvictionReport{}, nil, err
	}
	candidates := make([]eviction.Candidate, 0, len(snapshot.Records))
	for _, r := range snapshot.Records {
		if r.Conflicted {
			continue // people settle it first
		}
		p, _ := u.priority(r.Memory)
		candidates = append(candidates, eviction.Candidate{ID: r.ID, Topic: r.Topic, Phase: r.Phase, Priority: p, Importance: r.Importance()})
	}
	settings := settingsOf(v, state)
	plan := eviction.Plan(candidates, eviction.Policy{MaxMemories: settings.MaxMemories, BatchSize: settings.EvictionBatchSize})
	report := memory.EvictionReport{Active: plan.Active, Max: settings.MaxMemories, Reason: plan.Reason, Steps: []memory.EvictionStep{}}
	for _, s := range plan.Steps {
		s.Priority = memory.Round2(s.Priority)
		report.Steps = append(report.Steps, s)
	}
	return report, state, nil
}

// reduce carries out one step: archive before reduce, reduce before remove. A
// memory that went away or cannot be read meanwhile is passed over.
func (e *Engine) reduce(tx *store.Tx, step memory.EvictionStep) error {
	file, err := tx.Read(step.ID)
	if isMissing(err) || memory.CodeOf(err) == memory.CodeUnreadable {
		return nil
	}
	if err != nil || file.Memory.Conflicted {
		return err
	}
	if err := e.keep(tx, file, memory.ReasonEvicted); err != nil {
		return err
	}
	if step.To == memory.Removed {
		if err := tx.RemoveMemory(step.ID); err != nil {
			return err
		}
		return dropStats(tx, step.ID)
	}
	reduced, err := eviction.Reduce(file.Memory, step.To)
	if err != nil {
		return err
	}
	data, err := file.With(reduced)
	if err != nil {
		return err
	}
	return tx.WriteMemory(step.ID, data)
}
