package engine

import (
	"context"
	"slices"
	"strings"

	"ltm/memory"
	"ltm/memory/api"
	"ltm/store"
	"ltm/text/search"
)

// Realias adds aliases to a memory and removes others, written in any case. One to remove that the
// memory does not have is an error, and nothing is changed. It does not count as an access.
func (e *Engine) Realias(ctx context.Context, id string, add, remove []string) (api.Aliases, error) {
	parsed, err := memory.ParseID(id)
	if err != nil {
		return api.Aliases{}, err
	}
	if add, err = memory.NormalizeAliases(add); err != nil {
		return api.Aliases{}, err
	}
	var answer api.Aliases
	err = e.update(ctx, func(tx *changing) error {
		learned, was, err := unlearn(tx, parsed, remove)
		if err != nil {
			return err
		}
		p, err := e.planAliases(tx, parsed, add, remove, was)
		if err != nil {
			return err
		}
		if p.data != nil {
			if err := tx.WriteMemory(p.ID, p.data); err != nil {
				return err
			}
			state, err := tolerate(tx.State())
			if err != nil {
				return err
			}
			tx.note(e.sessions.Find(state, ""), memory.Event{Action: memory.ActionUpdated, ID: p.ID, Topic: p.Topic,
				Why: "aliases"})
		}
		answer = e.aliasesOf(tx.View, p.Memory, learned)
		return nil
	})
	return answer, err
}

// Aliases returns the aliases of an active memory. It does not count as an access.
func (e *Engine) Aliases(ctx context.Context, id string) (api.Aliases, error) {
	parsed, err := memory.ParseID(id)
	if err != nil {
		return api.Aliases{}, err
	}
	var answer api.Aliases
	err = e.store.View(func(v *store.View) error {
		file, err := readActive(v, parsed)
		if err != nil {
			return err
		}
		stats, err := tolerate(v.Stats())
		if err != nil {
			return err
		}
		answer = e.aliasesOf(v, file.Memory, stats[parsed].Questions())
		return nil
	})
	return answer, err
}

// unlearn removes learned aliases of a memory. It returns those that are left, and what reports whether one was there.
func unlearn(tx *changing, id memory.ID, remove []string) (left []string, was func(string) bool, err error) {
	u, _, err := usage(tx.View)
	if err != nil {
		return nil, nil, err
	}
	before := u.stats[id].Questions()
	left = slices.DeleteFunc(slices.Clone(before), func(a string) bool {
		return slices.ContainsFunc(remove, func(r string) bool { return strings.EqualFold(a, flat(r)) })
	})
	if len(left) < len(before) {
		u.stats[id] = u.of(id).WithQuestions(left)
		tx.SetStats(u.stats)
	}
	return left, func(alias string) bool { return memory.HasAlias(before, flat(alias)) }, nil
}

func (e *Engine) aliasesOf(v *store.View, m memory.Memory, learned []string) api.Aliases {
	all := api.Aliases{ID: m.ID, Topic: m.Topic, Aliases: m.Aliases, Learned: learned}
	if all.Aliases == nil {
		all.Aliases = []string{}
	}
	if all.Learned == nil {
		all.Learned = []string{}
	}
	all.Scope, all.Foreign = scope(v), e.markerIn(v).look(m.ID, false)
	return all
}

// planAliases returns a memory with other written aliases. One to remove may have been learned.
func (e *Engine) planAliases(tx *changing, id memory.ID, add, remove []string,
	learned func(string) bool) (pin, error) {
	file, err := readActive(tx.View, id)
	if err != nil {
		return pin{}, err
	}
	before := file.Memory
	if err := e.admit(tx.View, id, file.Bytes()); err != nil {
		return pin{}, err
	}
	m := before
	m.Aliases = slices.Clone(file.AllAliases())
	for _, alias := range remove {
		same := func(a string) bool { return strings.EqualFold(a, flat(alias)) }
		if !slices.ContainsFunc(m.Aliases, same) && !learned(alias) {
			return pin{}, memory.NewError(memory.CodeNotFound, memory.KindAliasUnknown, string(id),
				"%s has no alias %s", id, memory.Quote(alias, memory.MaxAliasChars))
		}
		m.Aliases = slices.DeleteFunc(m.Aliases, same)
	}
	if len(add) == 0 && len(m.Aliases) == len(file.AllAliases()) { // of a file there may be too many
		return pin{before, nil}, nil
	}
	if slices.ContainsFunc(m.Aliases, isTooLong) {
		return pin{}, memory.NewError(memory.CodeInvalid, memory.KindAliasTooLong, string(id),
			"%s has an alias in its file that is not one line of at most %d characters; remove it, or edit the file",
			id, memory.MaxAliasChars)
	}
	if m.Aliases, err = memory.NormalizeAliases(append(m.Aliases, add...)); err != nil {
		return pin{}, err
	}
	if slices.Equal(m.Aliases, before.Aliases) {
		return pin{before, nil}, nil
	}
	m.OddAliases = false
	if _, err := screen(&m, before, false); err != nil {
		return pin{}, err
	}
	data, err := file.With(m)
	return pin{m, data}, err
}

func isTooLong(alias string) bool {
	_, err := memory.NormalizeAlias(alias)
	return err != nil
}

// nameMatching gives a hit the aliases that the query matched best, if the answer is to be explained. Archives are not
// found by learned ones.
func (a asking) nameMatching(hit *api.Hit, m memory.Memory, archived bool, pick func() search.Snippets) {
	if !a.Explain {
		return
	}
	hit.Alias = pick().Alias(m.Aliases)
	if a.u.settings.LearnAliases && !archived {
		hit.Learned = pick().Alias(a.u.stats[m.ID].Questions())
	}
}
