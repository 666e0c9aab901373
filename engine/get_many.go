package engine

import (
	"context"
	"slices"

	"ltm/api"
	"ltm/memory"
	"ltm/store"
)

const (
	// maxTogether bounds how many memories can be asked for at once.
	maxTogether = 20

	// togetherBytes bounds their texts together: a client cuts an answer that is
	// longer. The first memory is whole whatever its size.
	togetherBytes = 64 << 10
)

// GetMany returns several memories in the order of the ids, each once, and counts
// the accesses in one change. With archived set it returns their texts from the
// archives, as [Engine.PeekArchive] does, and counts none. A memory that is not
// there has a reason instead; an id that is not one fails for all.
func (e *Engine) GetMany(ctx context.Context, ids []string, archived bool) ([]api.Got, error) {
	parsed, err := askedFor(ids)
	if err != nil {
		return nil, err
	}
	found := make([]api.Got, 0, len(parsed))
	err = e.store.View(func(v *store.View) error {
		size := 0
		for _, id := range parsed {
			g := api.Got{ID: id}
			g.Detail, g.Err = e.read(v, id, archived)
			if n := len(g.Detail.Content) + len(g.Detail.Summary); g.Err == nil && size > 0 && size+n > togetherBytes {
				g = api.Got{ID: id, Err: memory.NewError(memory.CodeInvalid, memory.KindTooLongTogether, string(id),
					"%s is too long to be shown together with the others", id)}
			} else {
				size += n
			}
			found = append(found, g)
		}
		return nil
	})
	if err == nil && !archived {
		_ = e.touchAll(ctx, found) // the memories are what was asked for
	}
	return found, err
}

// askedFor reads the ids of what is asked for together.
func askedFor(ids []string) ([]memory.ID, error) {
	parsed, err := parseIDs(ids)
	switch {
	case err != nil:
		return nil, err
	case len(parsed) == 0:
		return nil, memory.NewError(memory.CodeInvalid, memory.KindIDsNone, "ids",
			"no ids were given; 1 to %d are allowed", maxTogether)
	case len(parsed) > maxTogether:
		return nil, memory.NewError(memory.CodeInvalid, memory.KindIDsTooMany, "ids",
			"%d ids were given; at most %d can be asked for together", len(ids), maxTogether)
	}
	return parsed, nil
}

// read returns one memory as it may be shown.
func (e *Engine) read(v *store.View, id memory.ID, archived bool) (api.Detail, error) {
	if archived {
		return e.archivedDetail(v, id)
	}
	file, err := readActive(v, id)
	if err != nil {
		return api.Detail{}, err
	}
	if err := e.admit(v, id, file.Bytes()); err != nil {
		return api.Detail{}, err
	}
	u, _, err := usage(v)
	if err != nil {
		return api.Detail{}, err
	}
	return detailOf(v, file.Memory, u), nil
}

// touchAll counts an access of each memory that was found, and brings what is told of
// them up to date.
func (e *Engine) touchAll(ctx context.Context, found []api.Got) error {
	if !slices.ContainsFunc(found, func(g api.Got) bool { return g.Err == nil }) {
		return nil
	}
	return e.updateAside(ctx, func(tx *changing) error {
		u, _, err := usage(tx.View)
		if err != nil {
			return err
		}
		for i, g := range found {
			if g.Err != nil {
				continue
			}
			file, err := tx.Read(g.ID)
			if err != nil || e.admit(tx.View, g.ID, file.Bytes()) != nil {
				continue // it went away meanwhile, or is another one
			}
			u.touch(file.Memory, tx.now)
			found[i].Detail = detailOf(tx.View, file.Memory, u)
		}
		tx.SetStats(u.stats)
		return nil
	})
}
