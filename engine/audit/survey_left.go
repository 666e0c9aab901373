package audit

import (
	"context"
	"path/filepath"
	"strings"
	"time"

	"ltm/internal/plural"
	"ltm/memory"
	"ltm/memory/memfile"
	"ltm/store"
)

// maxAsked is about how many copies git is asked: each time it walks the whole history.
const maxAsked = 50

// leftBehind adds a finding for each removed work tree that left memories which no commit of any branch has.
func (s *Survey) leftBehind(ctx context.Context, h History) {
	for i, l := range s.view.Left() {
		if i < maxAsked && h.has(ctx, l) {
			s.spent = append(s.spent, l)
		} else {
			s.left = append(s.left, l)
		}
	}
	for rest := s.left; len(rest) > 0; {
		n := 1
		for n < len(rest) && rest[n].Tree == rest[0].Tree {
			n++
		}
		var ids []string
		for _, l := range rest[:min(n, maxNamed)] {
			ids = append(ids, string(l.ID))
		}
		if n > maxNamed {
			ids = append(ids, "…")
		}
		s.add(finding{kind: kindLeft, where: rest[0].Tree, action: actionBringBack,
			reason: plural.Of(n, "memory", "memories") + " in no commit: " + strings.Join(ids, ", ")})
		rest = rest[n:]
	}
}

// has reports whether a commit has what a work tree left.
func (h History) has(ctx context.Context, l store.Left) (found bool) {
	if h.Past == nil {
		return false
	}
	_ = h.Past.Versions(ctx, []string{filepath.Join(h.Dir, "memories", l.ID.File())}, func(data []byte) bool {
		found = memfile.Same(data, l.Data)
		return !found
	})
	return found
}

func (p Plan) bringBack(tx *store.Tx, now time.Time, tree string) error {
	for _, l := range p.left {
		if l.Tree != tree {
			continue
		}
		if err := tx.BringBack(l); err != nil {
			return err
		}
		if file, err := memfile.Parse(l.Data); err == nil {
			tx.Log(memory.Event{Time: now.UTC().Truncate(time.Second), Action: memory.ActionRestored, ID: l.ID,
				Topic: file.Memory.Topic, Why: "left by " + tree})
		}
	}
	return nil
}
