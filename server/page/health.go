package page

import (
	"context"
	"net/http"

	"ltm/internal/plural"
	"ltm/memory"
	"ltm/memory/api"
	"ltm/text/safe"
)

// healthPage is whether a store is as it should be.
type healthPage struct {
	shelf
	Report    api.SecretsReport
	Plan      api.FixReport
	Conflicts int // files with an unresolved merge
	Status    api.Status
	Shown     string // the fingerprint of the plan, which the button carries out
	Error     string // why a repair did nothing

	// Doctor holds the results of the installation checks, if a visitor asked for them, and Ill how many failed.
	CanDoctor bool
	Doctor    []Finding
	Ill       int
	Failed    string // why there is nothing

	// More is how many of each sort are not shown.
	More struct{ Problems, Actions, Secrets, Warnings, Remarks int }
}

// Finding is the result of one check of the installation.
type Finding struct {
	Check string `json:"check"`
	State string `json:"state"` // ok, warn or fail
	Found string `json:"found"`
	Do    string `json:"do"` // what to do about it; "" if it is fine
}

// mostFaults is how many rows a table of the page has.
const mostFaults = 200

const healthPath = "/health"

func healthView() view {
	return view{path: healthPath, under: reviewName, page: "health", load: loadHealth, still: asksDoctor}
}

// asksDoctor reports whether a visitor asks for the checks of the installation, which start a program.
func asksDoctor(r *http.Request) bool { return r.URL.Query().Get("doctor") != "" }

func loadHealth(ctx context.Context, s *Site, r *http.Request) (string, any, error) {
	k, which, err := s.keeper(r)
	if err != nil {
		return "", nil, err
	}
	p, err := healthOf(ctx, k, which)
	p.CanDoctor = s.options.Doctor != nil
	if err == nil && p.CanDoctor && asksDoctor(r) {
		p.examine(ctx, s)
	}
	return "Health", p, err
}

// examine has the installation checked. That it cannot be is no reason to show nothing else.
func (p *healthPage) examine(ctx context.Context, s *Site) {
	found, err := s.options.Doctor(ctx, p.Scope)
	if err != nil {
		s.options.Log.Error("the installation cannot be checked", "error", err)
		p.Failed = "The installation could not be checked: " + safe.ClipLine(err.Error(), 300)
	}
	for _, f := range found {
		if f.Do != "" {
			p.Ill++
		}
	}
	p.Doctor = found
}

func healthOf(ctx context.Context, k Keeper, which shelf) (p healthPage, err error) {
	p.shelf = which
	if p.Report, err = k.CheckSecrets(ctx); err != nil {
		return p, err
	}
	if p.Plan, err = k.Fix(ctx, api.FixOptions{DryRun: true}); err != nil {
		return p, err
	}
	p.Shown = p.Plan.Fingerprint()
	p.Report.Problems, p.More.Problems = first(p.Report.Problems)
	p.Report.Secrets, p.More.Secrets = first(p.Report.Secrets)
	p.Report.Warnings, p.More.Warnings = first(p.Report.Warnings)
	p.Report.Remarks, p.More.Remarks = first(p.Report.Remarks)
	p.Plan.Actions, p.More.Actions = first(p.Plan.Actions)
	p.Conflicts = len(p.Report.Conflicts)
	p.Status, err = k.Status(ctx)
	return p, err
}

func fixAction() action { return action{path: "/fix", do: repair} }

// repair carries out the plan that was shown. If it is another one by now, that is shown instead.
func repair(ctx context.Context, s *Site, r *http.Request) (reply, error) {
	scope, err := api.ParseScope(r.PostForm.Get("scope"))
	if err != nil {
		return reply{}, err
	}
	c, err := s.options.Changer(scope)
	if err != nil {
		return reply{}, err
	}
	shown := r.PostForm.Get("plan")
	if shown == "" {
		return reply{}, &refusal{http.StatusUnprocessableEntity, "the form does not say what was shown"}
	}
	report, err := c.Fix(ctx, api.FixOptions{Plan: shown})
	if memory.KindOf(err) == memory.KindPlanMeanwhile {
		return changedPlan(ctx, s, r, scope)
	}
	if err != nil {
		return reply{}, err
	}
	text := "repaired in " + plural.Of(len(report.Actions), "step", "steps")
	return reply{next: s.after(backOf(r, "fix", nil), []doneBar{{Text: text}})}, nil
}

// changedPlan shows the plan of now, after another one was to be carried out.
func changedPlan(ctx context.Context, s *Site, r *http.Request, scope api.Scope) (reply, error) {
	k, err := s.options.Keeper(scope)
	if err != nil {
		return reply{}, err
	}
	p, err := healthOf(ctx, k, s.shelf(r, scope, healthPath))
	p.Error = "The store has changed since this page showed the plan, so nothing was repaired. "
	if len(p.Plan.Actions) > 0 {
		p.Error += "Below is what a repair would do now; the button carries that out."
	} else {
		p.Error += "There is nothing to repair any more."
	}
	return reply{page: "health", title: "Health", data: p, status: http.StatusConflict}, err
}

// first returns the rows that are shown, and how many more there are.
func first[T any](rows []T) (shown []T, more int) {
	n := min(len(rows), mostFaults)
	return rows[:n], len(rows) - n
}
