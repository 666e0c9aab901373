package person

import (
	"context"

	"ltm/engine/change"
	"ltm/engine/transfer"
)

// Import is [tell.Engine.Import] for the store of each entry: the project's, or the person's for entries
// of its scope. With a scope in the options, all entries go there. Each store takes all of its
// entries or none, and neither takes any if the other's plan cannot be carried out.
func (s *Shelves) Import(ctx context.Context, i change.Import) (transfer.Plan, error) {
	if scope := i.Options.Force; scope != "" {
		e := s.project
		if scope == transfer.ScopeUser {
			var err error
			if e, err = s.own(); err != nil {
				return transfer.Plan{}, err
			}
		}
		i.Options.Scope = scope
		return e.Import(ctx, i)
	}
	i.Options.Scope = transfer.ScopeProject
	others, own := i.Split()
	if len(own.Reading.Items) == 0 || s.person == nil { // then the plan refuses its entries
		return s.project.Import(ctx, i)
	}
	if len(others.Reading.Items) == 0 {
		own.Reading.Remarks = i.Reading.Remarks
		return s.person.Import(ctx, own)
	}
	plan, err := s.planBoth(ctx, others, own)
	if err != nil || i.DryRun {
		return plan, err
	}
	personal, err := s.person.Import(ctx, own)
	if err != nil {
		return personal, err
	}
	plan, err = s.project.Import(ctx, others)
	return transfer.Join(plan, personal), err
}

func (s *Shelves) planBoth(ctx context.Context, others, own change.Import) (transfer.Plan, error) {
	others.DryRun, own.DryRun = true, true
	plan, err := s.project.Import(ctx, others)
	personal, ownErr := s.person.Import(ctx, own)
	plan = transfer.Join(plan, personal)
	switch {
	case ownErr != nil && len(personal.Steps) == 0: // not because of its entries
		return plan, ownErr
	case err == nil || len(plan.Steps) > len(personal.Steps):
		err = plan.Err()
	}
	return plan, err
}
