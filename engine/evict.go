package engine

import (
	"context"
	"time"

	"ltm/eviction"
	"ltm/memory"
	"ltm/memory/api"
	"ltm/store"
)

// Evict reduces the memories of lowest priority by one phase each when there are more than
// max_memories and, with the setting decay, those that were not opened for long. It does so in the
// view of this clone or, if the setting fading is "files", in their files. With DryRun it returns
// the plan and changes nothing.
func (e *Engine) Evict(ctx context.Context, o api.EvictOptions) (api.EvictionReport, error) {
	var report api.EvictionReport
	err := e.store.View(func(v *store.View) (err error) {
		u, _, err := usage(v)
		if err == nil {
			report, err = planEviction(v, u, e.now())
			e.markSteps(v, report.Steps)
		}
		return err
	})
	report.DryRun = o.DryRun
	if err != nil || o.DryRun || len(report.Steps) == 0 {
		return report, err
	}
	err = e.update(ctx, func(tx *changing) (err error) {
		report, err = e.evict(tx, time.Time{}) // plans again, now under the lock
		e.markSteps(tx.View, report.Steps)
		return err
	})
	return report, err
}

// markSteps marks the memories that come from elsewhere.
func (e *Engine) markSteps(v *store.View, steps []memory.EvictionStep) {
	marks := e.markerIn(v)
	for i, step := range steps {
		steps[i].Foreign = marks.anywhere(step.ID)
	}
}

// evict plans an eviction and carries it out. It stops at the deadline, unless that is zero.
func (e *Engine) evict(tx *changing, deadline time.Time) (api.EvictionReport, error) {
	u, state, err := usage(tx.View)
	if err != nil {
		return api.EvictionReport{}, err
	}
	report, err := planEviction(tx.View, u, tx.now)
	if err != nil || len(report.Steps) == 0 {
		return report, err
	}
	planned := report.Steps
	report.Steps = []memory.EvictionStep{}
	for _, step := range planned {
		if !deadline.IsZero() && e.now().After(deadline) {
			report.Reason = append(report.Reason, memory.Remark{Text: "the rest is left for the next session's end"})
			break
		}
		if err := carryOutStep(tx, u, step); err != nil {
			return report, err
		}
		e.logEviction(tx, state, step, deadline)
		report.Steps = append(report.Steps, step)
	}
	now := tx.now.UTC().Truncate(time.Second)
	state.LastEviction = &now
	tx.SetState(state)
	return report, nil
}

func planEviction(v *store.View, u use, now time.Time) (api.EvictionReport, error) {
	snapshot, err := v.Memories()
	if err != nil {
		return api.EvictionReport{}, err
	}
	candidates := make([]eviction.Candidate, 0, len(snapshot.Records))
	for _, r := range snapshot.Records {
		if r.Conflicted {
			continue // a person resolves it first
		}
		candidates = append(candidates, u.candidate(*r.Memory))
	}
	conf := u.settings
	plan := eviction.Plan(candidates, eviction.Policy{MaxMemories: conf.MaxMemories, BatchSize: conf.EvictionBatchSize,
		Ages: conf.Decay, Now: now})
	report := api.EvictionReport{Active: plan.Active, Max: conf.MaxMemories, Reason: plan.Reason,
		Steps: []memory.EvictionStep{}}
	for _, s := range plan.Steps {
		s.Priority = memory.Round2(s.Priority)
		report.Steps = append(report.Steps, s)
	}
	return report, nil
}

// candidate returns what a plan needs to know about a memory.
func (u use) candidate(m memory.Memory) eviction.Candidate {
	p, _ := u.priority(m)
	return eviction.Candidate{ID: m.ID, Topic: m.Topic, Phase: u.phase(m), Priority: p, Importance: m.Importance(),
		Used: u.usedAt(m), Faded: u.stats[m.ID].FadedAt}
}

// usedAt returns when a memory was created or last opened in this clone, whichever is later.
func (u use) usedAt(m memory.Memory) time.Time {
	if opened := u.stats[m.ID].AccessedAt; opened.After(m.CreatedAt) {
		return opened
	}
	return m.CreatedAt
}

// carryOutStep carries out one step, in the view of this clone or in the files.
func carryOutStep(tx *changing, u use, step memory.EvictionStep) error {
	st := u.of(step.ID)
	if u.settings.FadeFiles {
		if err := reduce(tx, step.ID, step.To); err != nil {
			return err
		}
	} else {
		st.Phase = step.To
	}
	st.FadedAt = tx.now.UTC().Truncate(time.Second)
	u.stats[step.ID] = st
	tx.SetStats(u.stats)
	return nil
}

// reduce archives a memory and then writes a phase into its file, so that a crash in between
// loses nothing. It skips a memory that is gone, unreadable, or has a merge conflict.
func reduce(tx *changing, id memory.ID, to memory.Phase) error {
	file, err := tx.Read(id)
	if isMissing(err) || memory.CodeOf(err) == memory.CodeUnreadable {
		return nil
	}
	if err != nil || file.Memory.Conflicted {
		return err
	}
	if to >= memory.Removed {
		return leaveStub(tx, file, memory.ReasonEvicted)
	}
	if err := archiveVersion(tx, file); err != nil {
		return err
	}
	data, err := file.With(reduceTo(file.Memory, to))
	if err != nil {
		return err
	}
	return tx.WriteMemory(id, data)
}
