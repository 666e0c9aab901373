package threads

import (
	"context"
	"errors"
	"math"
	"slices"
	"strings"
	"time"

	"ltm/server/conversation"
	"ltm/text/secrets"
)

// writtenLines returns the lines of what a model wrote, as a context shows them, and the prefix of each.
func (s Summary) writtenLines() (lines []conversation.Line, bullets []string) {
	for line := range strings.Lines(s.Written) {
		text := strings.TrimLeft(line, " -*\t")
		bullets = append(bullets, line[:len(line)-len(text)])
		lines = append(lines, conversation.Line{Event: s.ID, Text: strings.TrimSpace(text)})
	}
	return lines, bullets
}

// told returns a summary of a subject as it is told now: each of its lines as a context would show it. What is stored
// stays as it was written, because what holds changes. Without an index at hand, one is made only if something does not
// hold, because that takes seconds for a long memory.
func (s *Service) told(v View, who Subject, sum Summary) (Summary, error) {
	if sum.Written == "" && len(sum.Lines) == 0 {
		return sum, nil
	}
	at := s.now()
	if !s.indexes.holds(who) {
		claims, err := v.Claims(ClaimQuery{})
		if err != nil {
			return Summary{}, err
		}
		if !slices.ContainsFunc(claims, func(c Claim) bool {
			return c.State != conversation.Suggested && !until(c).Shown(at)
		}) {
			return sum.recounted(conversation.Know(nil), at), nil
		}
	}
	err := s.indexes.at(v, who, func(e *entry) error {
		sum.Lines = e.answering(sum.Lines)
		sum = sum.recounted(e.known, at)
		return nil
	})
	return sum, err
}

// recounted returns a summary as it is told at a time.
func (s Summary) recounted(known *conversation.Known, at time.Time) Summary {
	if s.Written == "" {
		s.Lines = known.Recount(s.Lines, at)
		for i := range s.Lines {
			s.Lines[i].Answered = ""
		}
		s.Lines = slices.DeleteFunc(s.Lines, func(l conversation.Line) bool { return l.Text == "" })
		return s
	}
	s.Written, _ = secrets.RedactTalk(s.Written) // a key has several lines
	lines, bullets := s.writtenLines()
	told := known.Recount(lines, at)
	if slices.EqualFunc(lines, told, func(a, b conversation.Line) bool { return a.Text == b.Text }) {
		return s
	}
	s.Lines, s.Written = nil, "" // its sentences do not take the place of what a model wrote of them
	for i, l := range told {
		if l.Text != "" {
			s.Written += bullets[i] + l.Text + "\n"
		}
	}
	return s
}

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
