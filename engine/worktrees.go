package engine

import (
	"context"

	"ltm/memory"
	"ltm/store"
)

// The setting worktrees says whether the work trees of a clone have their
// counters in common. It is not kept in the files of settings: these are among
// what it moves.
const (
	worktreesKey    = "worktrees"
	worktreesOwn    = "own"
	worktreesShared = "shared"
)

func worktrees() setting {
	return setting{
		key: worktreesKey, help: "counters and sessions of git work trees: each its own, or one for all",
		fallback: worktreesOwn, words: []string{worktreesOwn, worktreesShared},
		apply: func(*Settings, any) {},
	}
}

// worktreesSetting returns the setting as it is in effect.
func worktreesSetting(k setting, shared bool) memory.Setting {
	s := memory.Setting{Key: k.key, Value: k.fallback, Default: k.fallback, Source: sourceDefault, Help: k.help}
	if shared {
		s.Value, s.Source = worktreesShared, sourceLocal
	}
	return s
}

// setWorktrees changes the setting for this clone, of which all work trees are
// part; nobody can for others.
func (e *Engine) setWorktrees(ctx context.Context, k setting, value any, forAll bool) (memory.Setting, error) {
	if forAll {
		return memory.Setting{}, memory.Errorf(memory.CodeInvalid, "leave --shared out; nothing was changed", "%s belongs to each clone", k.key)
	}
	err := e.store.Update(ctx, store.UpdateOptions{Wait: e.lockWait, Create: true}, func(tx *store.Tx) error {
		return tx.ShareWorktrees(value == worktreesShared)
	})
	return worktreesSetting(k, value == worktreesShared), err
}
