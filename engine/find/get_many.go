package find

import (
	"context"
	"slices"
	"time"

	"ltm/engine/base"
	"ltm/memory"
	"ltm/memory/api"
	"ltm/store"
)

const (
	// maxTogether bounds how many memories one call returns.
	maxTogether = 20

	// TogetherBytes bounds the total size of their texts, because clients cut longer answers. The
	// first memory is returned whole whatever its size.
	TogetherBytes = 64 << 10
)

// GetMany returns several memories in the order of the ids, each once, and counts the accesses in one change. A memory
// that cannot be returned has its own error. A malformed id fails the whole call.
func (e *Engine) GetMany(ctx context.Context, ids []string) ([]api.Got, error) {
	e.LearnFrom(nil, ids...)
	return e.getMany(ctx, ids, false)
}

// PeekArchives is [Engine.GetMany] for the texts in the archives, as [Engine.PeekArchive] returns
// them. It counts no access.
func (e *Engine) PeekArchives(ctx context.Context, ids []string) ([]api.Got, error) {
	return e.getMany(ctx, ids, true)
}

func (e *Engine) getMany(ctx context.Context, ids []string, archived bool) ([]api.Got, error) {
	parsed, err := askedFor(ids)
	if err != nil {
		return nil, err
	}
	found := make([]api.Got, 0, len(parsed))
	read := e.archivedDetail
	if !archived {
		read = func(v *store.View, id memory.ID) (api.Detail, error) {
			d, _, err := e.open(v, id, e.fetch, time.Time{})
			return d, err
		}
	}
	err = e.Store.View(func(v *store.View) error {
		size := 0
		for _, id := range parsed {
			g := api.Got{ID: id}
			g.Detail, g.Err = read(v, id)
			if n := len(g.Detail.Content) + len(g.Detail.Summary); g.Err == nil && size > 0 && size+n > TogetherBytes {
				g = api.Got{ID: id, Err: TooLongTogether(id)}
			} else {
				size += n
			}
			found = append(found, g)
		}
		return nil
	})
	if err == nil && !archived {
		_ = e.touchAll(ctx, found) // the answer does not depend on the count
	}
	return found, err
}

func TooLongTogether(id memory.ID) error {
	return memory.NewError(memory.CodeInvalid, memory.KindTooLongTogether, string(id),
		"%s is too long to be shown together with the others", id)
}

// askedFor parses the ids, and checks how many there are.
func askedFor(ids []string) ([]memory.ID, error) {
	parsed, err := base.ParseIDs(ids)
	switch {
	case err != nil:
		return nil, err
	case len(parsed) == 0:
		return nil, memory.NewError(memory.CodeInvalid, memory.KindIDsNone, "ids",
			"no ids were given; 1 to %d are allowed", maxTogether)
	case len(parsed) > maxTogether:
		return nil, memory.NewError(memory.CodeInvalid, memory.KindIDsTooMany, "ids",
			"%d ids were given; at most %d are allowed", len(ids), maxTogether)
	}
	return parsed, nil
}

// touchAll counts an access of each memory that was found, and updates the details in found.
func (e *Engine) touchAll(ctx context.Context, found []api.Got) error {
	if !slices.ContainsFunc(found, func(g api.Got) bool { return g.Err == nil }) {
		return nil
	}
	for _, g := range found {
		if g.Err == nil {
			e.Show(g.ID)
		}
	}
	return e.ChangeAside(ctx, func(tx *base.Tx) error {
		u, _, err := e.Usage(tx.View)
		if err != nil {
			return err
		}
		for i, g := range found {
			if g.Err != nil {
				continue
			}
			file, err := tx.Read(g.ID)
			if err != nil || e.Admit(tx.View, g.ID, file.Bytes()) != nil {
				continue // it was removed or replaced in the meantime
			}
			u.Touch(file.Memory, tx.Now)
			found[i].Detail = e.detailOf(tx.View, file, u)
		}
		tx.SetStats(u.Stats)
		return nil
	})
}
