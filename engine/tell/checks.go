package tell

import (
	"context"
	"fmt"
	"slices"

	"ltm/engine/audit"
	"ltm/engine/base"
	"ltm/engine/brief"
	"ltm/engine/rank"
	"ltm/engine/settings"
	"ltm/engine/trust"
	"ltm/memory"
	"ltm/memory/api"
	"ltm/store"
	"ltm/text/safe"
)

// Check examines the store and reports what is inconsistent or damaged. It changes nothing.
func (e *Engine) Check(ctx context.Context) (api.CheckReport, error) {
	var report api.CheckReport
	err := e.Store.View(func(v *store.View) (err error) {
		report, err = e.check(ctx, v)
		return err
	})
	e.lookAround()
	return report, err
}

func (e *Engine) examine(ctx context.Context, v *store.View) (*audit.Survey, error) {
	g, err := e.StrictFilter(v)
	if err != nil {
		return nil, err
	}
	state, err := base.Tolerate(v.State())
	if err != nil { // of a newer version, which the survey reports
		return audit.Examine(ctx, v, trust.Signatures{Filter: g}, e.history())
	}
	required := base.SettingsOf(v, state).Sign == settings.SignRequire
	return audit.Examine(ctx, v, trust.Signatures{Filter: g, Required: required}, e.history())
}

func (e *Engine) history() audit.History { return audit.History{Dir: e.Store.Dir(), Past: e.Past} }

func (e *Engine) check(ctx context.Context, v *store.View) (api.CheckReport, error) {
	s, err := e.examine(ctx, v)
	if err != nil {
		return api.CheckReport{}, err
	}
	var warnings []memory.Note
	if g, err := e.ModelFilter(v); err == nil { // settings that cannot be read are among the problems
		if warnings, err = e.criticalWarnings(v, g.Free(s.Active, v.ReadRaw)); err != nil {
			return s.Report(nil), err
		}
	}
	return s.Report(warnings), nil
}

// CheckSecrets is [Engine.Check], and also scans the bytes of every memory and archive for
// credentials. It changes nothing.
func (e *Engine) CheckSecrets(ctx context.Context) (api.SecretsReport, error) {
	var report api.SecretsReport
	err := e.Store.View(func(v *store.View) error {
		check, err := e.check(ctx, v)
		if err != nil {
			return err
		}
		report, err = audit.Secrets(ctx, v, check)
		return err
	})
	return report, err
}

// Fix repairs what [Engine.Check] finds. It deletes nothing that a person may have written unless
// the options allow it, and never a readable memory. It moves an unreadable memory to the
// archives byte for byte. With DryRun it returns the same plan and changes nothing; with the
// fingerprint of such a plan, nothing else is carried out. The report lists the problems that are left.
func (e *Engine) Fix(ctx context.Context, o api.FixOptions) (api.FixReport, error) {
	var report api.FixReport
	if o.DryRun || !e.Store.Exists() {
		err := e.Store.View(func(v *store.View) error {
			plan, err := e.planFix(ctx, v, o)
			report = plan.FixReport
			return err
		})
		return report, err
	}
	err := e.Change(ctx, func(tx *base.Tx) error {
		plan, err := e.planFix(ctx, tx.View, o)
		if report = plan.FixReport; err != nil {
			return err
		}
		if o.Plan != "" && report.Fingerprint() != o.Plan {
			return memory.NewError(memory.CodeConflict, memory.KindPlanMeanwhile, "",
				"the store has changed since the plan was made, so that nothing was repaired")
		}
		e.logRepair(tx, plan.Actions)
		return plan.CarryOut(tx.Tx, tx.Now)
	})
	return report, err
}

func (e *Engine) planFix(ctx context.Context, v *store.View, o api.FixOptions) (audit.Plan, error) {
	s, err := e.examine(ctx, v)
	if err != nil {
		return audit.Plan{FixReport: api.FixReport{DryRun: o.DryRun, Actions: []api.FixAction{},
			Left: []api.Problem{}}}, err
	}
	return s.Plan(ctx, o, e.history())
}

func (e *Engine) logRepair(tx *base.Tx, actions []api.FixAction) {
	session := e.OpenNow(tx.View)
	for _, a := range actions {
		why := safe.Clip(safe.Line(fmt.Sprintf("%s %s: %s", a.Action, a.Target, a.Reason)), maxWhy)
		tx.Note(session, memory.Event{Action: memory.ActionRepaired, ID: audit.IDOf(a.Target), Why: why})
	}
}

// maxWhy bounds the reason of a repair in the log, in characters: it quotes the repaired file.
const maxWhy = 500

// criticalWarnings warns when there are more critical memories than fit into a session's start, or than max_memories
// allows: eviction never reduces them. It ignores unreadable state and stats files, which are reported elsewhere.
func (e *Engine) criticalWarnings(v *store.View, active *store.Snapshot) ([]memory.Note, error) {
	isCritical := func(r store.Record) bool { return r.Importance() == memory.Critical }
	if !slices.ContainsFunc(active.Records, isCritical) {
		return nil, nil
	}
	u, _, err := rank.UsageOf(v)
	if err != nil {
		return nil, nil
	}
	s := u.Settings
	critical := slices.DeleteFunc(rank.Places(active, u),
		func(p rank.Place) bool { return p.Importance() != memory.Critical || p.Agent != "" })
	var warnings []memory.Note
	if s.MemoriesToLoad > 0 {
		block, err := brief.Build(headers(critical), briefed{view: v, use: u}, e.limits(s, trust.Filter{}))
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
			fmt.Sprintf("%d critical memories exceed max_memories (%d), and they never fade", n, s.MaxMemories)))
	}
	return warnings, nil
}
