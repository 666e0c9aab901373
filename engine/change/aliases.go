package change

import (
	"context"
	"slices"
	"strings"

	"ltm/engine/base"
	"ltm/engine/rank"
	"ltm/engine/trust"
	"ltm/memory"
	"ltm/memory/api"
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
	err = e.Change(ctx, func(tx *base.Tx) error {
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
			state, err := base.Tolerate(tx.State())
			if err != nil {
				return err
			}
			tx.Note(e.Sessions.Find(state, ""), memory.Event{Action: memory.ActionUpdated, ID: p.ID, Topic: p.Topic,
				Why: "aliases"})
		}
		answer = e.AliasesOf(tx.View, p.Memory, learned)
		return nil
	})
	return answer, err
}

// unlearn removes learned aliases of a memory. It returns those that are left, and what reports whether one was there.
func unlearn(tx *base.Tx, id memory.ID, remove []string) (left []string, was func(string) bool, err error) {
	u, _, err := rank.UsageOf(tx.View)
	if err != nil {
		return nil, nil, err
	}
	before := u.Stats[id].Questions()
	left = slices.DeleteFunc(slices.Clone(before), func(a string) bool {
		return slices.ContainsFunc(remove, func(r string) bool { return strings.EqualFold(a, rank.Flat(r)) })
	})
	if len(left) < len(before) {
		u.Stats[id] = u.Of(id).WithQuestions(left)
		tx.SetStats(u.Stats)
	}
	return left, func(alias string) bool { return memory.HasAlias(before, rank.Flat(alias)) }, nil
}

// planAliases returns a memory with other written aliases. One to remove may have been learned.
func (e *Engine) planAliases(tx *base.Tx, id memory.ID, add, remove []string,
	learned func(string) bool) (pin, error) {
	file, err := base.ReadActive(tx.View, id)
	if err != nil {
		return pin{}, err
	}
	before := file.Memory
	if err := e.Admit(tx.View, id, file.Bytes()); err != nil {
		return pin{}, err
	}
	m := before
	m.Aliases = slices.Clone(file.AllAliases())
	for _, alias := range remove {
		same := func(a string) bool { return strings.EqualFold(a, rank.Flat(alias)) }
		if !slices.ContainsFunc(m.Aliases, same) && !learned(alias) {
			return pin{}, memory.NewError(memory.CodeNotFound, memory.KindAliasUnknown, string(id),
				"%s has no alias %s", id, memory.Quote(alias, memory.MaxAliasChars))
		}
		m.Aliases = slices.DeleteFunc(m.Aliases, same)
	}
	if len(add) == 0 && len(m.Aliases) == len(file.AllAliases()) { // of a file there may be too many
		return pin{before, nil}, nil
	}
	isTooLong := func(alias string) bool {
		_, err := memory.NormalizeAlias(alias)
		return err != nil
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
	if _, err := trust.Screen(&m, before, false); err != nil {
		return pin{}, err
	}
	data, err := file.With(m)
	return pin{m, data}, err
}
