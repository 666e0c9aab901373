package change

import (
	"context"
	"time"

	"ltm/engine/base"
	"ltm/engine/rank"
	"ltm/eviction"
	"ltm/internal/plural"
	"ltm/memory"
	"ltm/memory/api"
	"ltm/store"
)

// Evict reduces the memories of lowest priority by one phase each when there are more than max_memories and, with the
// setting decay, those that were not opened for long. It does so in the view of this clone or, if the setting fading is
// "files", in their files. With DryRun it returns the plan and changes nothing.
func (e *Engine) Evict(ctx context.Context, o api.EvictOptions) (api.EvictionReport, error) {
	var report api.EvictionReport
	err := e.Store.View(func(v *store.View) (err error) {
		u, _, err := rank.UsageOf(v)
		if err == nil {
			report, err = planEviction(v, u, e.Now())
			e.markSteps(v, report.Steps)
		}
		return err
	})
	report.DryRun = o.DryRun
	if err != nil || o.DryRun || len(report.Steps) == 0 {
		return report, err
	}
	err = e.Change(ctx, func(tx *base.Tx) (err error) {
		report, err = e.EvictIn(tx, time.Time{}) // plans again, now under the lock
		e.markSteps(tx.View, report.Steps)
		return err
	})
	return report, err
}

func (e *Engine) markSteps(v *store.View, steps []memory.EvictionStep) {
	marks := e.OriginsIn(v)
	for i, step := range steps {
		steps[i].Foreign = marks.ForeignAnywhere(step.ID)
	}
}

// EvictIn plans an eviction and carries it out. It stops at the deadline, unless that is zero.
func (e *Engine) EvictIn(tx *base.Tx, deadline time.Time) (api.EvictionReport, error) {
	u, state, err := rank.UsageOf(tx.View)
	if err != nil {
		return api.EvictionReport{}, err
	}
	report, err := planEviction(tx.View, u, tx.Now)
	if err != nil || len(report.Steps) == 0 {
		return report, err
	}
	planned := report.Steps
	report.Steps = []memory.EvictionStep{}
	for _, step := range planned {
		if !deadline.IsZero() && e.Now().After(deadline) {
			report.Reason = append(report.Reason, memory.Remark{Text: "the rest is left for the next session's end"})
			break
		}
		if err := carryOutStep(tx, u, step); err != nil {
			return report, err
		}
		e.logEviction(tx, state, step, deadline)
		report.Steps = append(report.Steps, step)
	}
	now := tx.Now.UTC().Truncate(time.Second)
	state.LastEviction = &now
	tx.SetState(state)
	return report, nil
}

func planEviction(v *store.View, u rank.Usage, now time.Time) (api.EvictionReport, error) {
	snapshot, err := v.Memories()
	if err != nil {
		return api.EvictionReport{}, err
	}
	candidates := make([]eviction.Candidate, 0, len(snapshot.Records))
	for _, r := range snapshot.Records {
		if r.Conflicted {
			continue // a person resolves it first
		}
		candidates = append(candidates, u.Candidate(*r.Memory))
	}
	conf := u.Settings
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

// carryOutStep carries out one step, in the view of this clone or in the files.
func carryOutStep(tx *base.Tx, u rank.Usage, step memory.EvictionStep) error {
	st := u.Of(step.ID)
	if u.Settings.FadeFiles {
		if err := reduce(tx, step.ID, step.To); err != nil {
			return err
		}
	} else {
		st.Phase = step.To
	}
	st.FadedAt = tx.Now.UTC().Truncate(time.Second)
	u.Stats[step.ID] = st
	tx.SetStats(u.Stats)
	return nil
}

// reduce archives a memory and then writes a phase into its file, so that a crash in between
// loses nothing. It skips a memory that is gone, unreadable, or has a merge conflict.
func reduce(tx *base.Tx, id memory.ID, to memory.Phase) error {
	file, err := tx.Read(id)
	if base.IsMissing(err) || memory.CodeOf(err) == memory.CodeUnreadable {
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
	data, err := file.With(base.ReduceTo(file.Memory, to))
	if err != nil {
		return err
	}
	return tx.WriteMemory(id, data)
}

// logEviction logs a step of an eviction. Only an eviction at a session's end has a deadline, and
// that session is already closed.
func (e *Engine) logEviction(tx *base.Tx, state *store.State, step memory.EvictionStep, deadline time.Time) {
	session := e.Sessions.Find(state, "")
	if session == nil && !deadline.IsZero() {
		session = state.CurrentSession
	}
	tx.Note(session, memory.Event{Action: memory.ActionEvicted, ID: step.ID, Topic: step.Topic, From: &step.From,
		To: &step.To, Why: step.Reason})
}

// WriteFading writes the phases that memories have in the view of this clone into their files, as
// a change that a person reviews and commits. Each memory is archived before it is reduced. With
// DryRun it returns the plan and changes nothing.
func (e *Engine) WriteFading(ctx context.Context, o api.EvictOptions) (api.EvictionReport, error) {
	var report api.EvictionReport
	if o.DryRun || !e.Store.Exists() {
		err := e.Store.View(func(v *store.View) (err error) {
			report, _, err = planFading(v)
			e.markSteps(v, report.Steps)
			return err
		})
		report.DryRun = true
		return report, err
	}
	err := e.Change(ctx, func(tx *base.Tx) error {
		plan, u, err := planFading(tx.View)
		if err != nil {
			return err
		}
		report = plan
		e.markSteps(tx.View, report.Steps)
		session := e.OpenNow(tx.View)
		for _, step := range plan.Steps {
			if err := reduce(tx, step.ID, step.To); err != nil {
				return err
			}
			tx.Note(session, memory.Event{Action: memory.ActionEvicted, ID: step.ID, Topic: step.Topic,
				From: &step.From, To: &step.To, Why: step.Reason})
			st := u.Stats[step.ID]
			st.Phase = memory.Full // the file has the phase now
			u.Stats[step.ID] = st
		}
		if len(plan.Steps) > 0 {
			tx.SetStats(u.Stats)
		}
		return nil
	})
	return report, err
}

// planFading plans a step for each memory that has faded further in this clone than in its file.
func planFading(v *store.View) (api.EvictionReport, rank.Usage, error) {
	report := api.EvictionReport{Steps: []memory.EvictionStep{}}
	snapshot, err := v.Memories()
	if err != nil {
		return report, rank.Usage{}, err
	}
	u, state, err := rank.UsageOf(v)
	if err != nil {
		return report, rank.Usage{}, err
	}
	report.Max = base.SettingsOf(v, state).MaxMemories
	for _, r := range snapshot.Records {
		if u.InSight(*r.Memory) {
			report.Active++
		}
		if to := u.Faded(*r.Memory); to > r.Phase && !r.Conflicted {
			report.Steps = append(report.Steps, memory.EvictionStep{ID: r.ID, Topic: r.Topic, From: r.Phase, To: to,
				Priority: u.Rounded(*r.Memory), Reason: "faded in the view of this clone"})
		}
	}
	report.Reason = memory.Say("no memory has faded further in this clone than in its file")
	if n := len(report.Steps); n > 0 {
		report.Reason = memory.Say(plural.Of(n, "memory has", "memories have") +
			" faded further in this clone than in the files")
	}
	return report, u, nil
}
