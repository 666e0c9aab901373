package threads

import (
	"context"
	"errors"
	"math"
)

// Rederive derives all claims and summaries of a subject again, as after rows were deleted behind the service's back:
// by repeating what was erased after a backup was restored.
func (s *Service) Rederive(ctx context.Context, who Subject) error {
	all, err := view(ctx, s, who, func(v View) ([]Thread, error) { return v.Threads(ThreadQuery{}) })
	if err != nil {
		return err
	}
	for _, t := range all {
		err := s.change(ctx, who, func(w *work) error {
			t, err := w.Thread(t.ID)
			if errors.Is(err, ErrNotFound) {
				return nil
			}
			if err != nil {
				return err
			}
			e, err := w.reopen(t, 0)
			if err != nil {
				return err
			}
			e.first, e.last = 1, math.MaxInt64 // what models wrote may be about what is gone
			_, err = e.derive()
			return err
		})
		if err != nil {
			return err
		}
	}
	return s.change(ctx, who, func(w *work) error {
		l, err := w.openLedger()
		if err != nil {
			return err
		}
		return w.PutClaims(l.claims)
	})
}
