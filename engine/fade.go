package engine

import (
	"context"

	"ltm/internal/plural"
	"ltm/memory"
	"ltm/memory/api"
	"ltm/store"
)

// WriteFading writes the phases that memories have in the view of this clone into their files, as
// a change that a person reviews and commits. Each memory is archived before it is reduced. With
// DryRun it returns the plan and changes nothing.
func (e *Engine) WriteFading(ctx context.Context, o api.EvictOptions) (api.EvictionReport, error) {
	var report api.EvictionReport
	if o.DryRun || !e.store.Exists() {
		err := e.store.View(func(v *store.View) (err error) {
			report, _, err = planFading(v)
			e.markSteps(v, report.Steps)
			return err
		})
		report.DryRun = true
		return report, err
	}
	err := e.update(ctx, func(tx *changing) error {
		plan, u, err := planFading(tx.View)
		if err != nil {
			return err
		}
		report = plan
		e.markSteps(tx.View, report.Steps)
		session := e.openNow(tx.View)
		for _, step := range plan.Steps {
			if err := reduce(tx, step.ID, step.To); err != nil {
				return err
			}
			tx.note(session, memory.Event{Action: memory.ActionEvicted, ID: step.ID, Topic: step.Topic,
				From: &step.From, To: &step.To, Why: step.Reason})
			st := u.stats[step.ID]
			st.Phase = memory.Full // the file has the phase now
			u.stats[step.ID] = st
		}
		if len(plan.Steps) > 0 {
			tx.SetStats(u.stats)
		}
		return nil
	})
	return report, err
}

// planFading plans a step for each memory that has faded further in this clone than in its file.
func planFading(v *store.View) (api.EvictionReport, use, error) {
	report := api.EvictionReport{Steps: []memory.EvictionStep{}}
	snapshot, err := v.Memories()
	if err != nil {
		return report, use{}, err
	}
	u, state, err := usage(v)
	if err != nil {
		return report, use{}, err
	}
	report.Max = settingsOf(v, state).MaxMemories
	for _, r := range snapshot.Records {
		if u.inSight(*r.Memory) {
			report.Active++
		}
		if to := u.faded(*r.Memory); to > r.Phase && !r.Conflicted {
			report.Steps = append(report.Steps, memory.EvictionStep{ID: r.ID, Topic: r.Topic, From: r.Phase, To: to,
				Priority: u.rounded(*r.Memory), Reason: "faded in the view of this clone"})
		}
	}
	report.Reason = memory.Say("no memory has faded further in this clone than in its file")
	if n := len(report.Steps); n > 0 {
		report.Reason = memory.Say(plural.Of(n, "memory has", "memories have") +
			" faded further in this clone than in the files")
	}
	return report, u, nil
}
