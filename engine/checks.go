package engine

import (
	"context"

	"ltm/engine/audit"
	"ltm/engine/settings"
	"ltm/memory"
	"ltm/memory/api"
	"ltm/store"
)

// Check examines the store and reports what is inconsistent or damaged. It changes nothing.
func (e *Engine) Check(ctx context.Context) (api.CheckReport, error) {
	var report api.CheckReport
	err := e.store.View(func(v *store.View) (err error) {
		report, err = e.check(ctx, v)
		return err
	})
	e.lookAround()
	return report, err
}

func (e *Engine) examine(ctx context.Context, v *store.View) (*audit.Survey, error) {
	g, err := e.strictGuard(v)
	if err != nil {
		return nil, err
	}
	state, err := tolerate(v.State())
	if err != nil { // of a newer version, which the survey reports
		return audit.Examine(ctx, v, signatures{guard: g}, e.history())
	}
	return audit.Examine(ctx, v, signatures{g, settingsOf(v, state).Sign == settings.SignRequire}, e.history())
}

func (e *Engine) history() audit.History { return audit.History{Dir: e.store.Dir(), Past: e.past} }

func (e *Engine) check(ctx context.Context, v *store.View) (api.CheckReport, error) {
	s, err := e.examine(ctx, v)
	if err != nil {
		return api.CheckReport{}, err
	}
	var warnings []memory.Note
	if g, err := e.toModel(v); err == nil { // settings that cannot be read are among the problems
		if warnings, err = e.criticalWarnings(v, g.free(s.Active, v.ReadRaw)); err != nil {
			return s.Report(nil), err
		}
	}
	return s.Report(warnings), nil
}

// CheckSecrets is [Engine.Check], and also scans the bytes of every memory and archive for
// credentials. It changes nothing.
func (e *Engine) CheckSecrets(ctx context.Context) (api.SecretsReport, error) {
	var report api.SecretsReport
	err := e.store.View(func(v *store.View) error {
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
	if o.DryRun || !e.store.Exists() {
		err := e.store.View(func(v *store.View) error {
			plan, err := e.planFix(ctx, v, o)
			report = plan.FixReport
			return err
		})
		return report, err
	}
	err := e.update(ctx, func(tx *changing) error {
		plan, err := e.planFix(ctx, tx.View, o)
		if report = plan.FixReport; err != nil {
			return err
		}
		if o.Plan != "" && report.Fingerprint() != o.Plan {
			return memory.NewError(memory.CodeConflict, memory.KindPlanMeanwhile, "",
				"the store has changed since the plan was made, so that nothing was repaired")
		}
		e.logRepair(tx, plan.Actions)
		return plan.CarryOut(tx.Tx, tx.now)
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
