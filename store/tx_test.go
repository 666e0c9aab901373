package store_test

import (
	"context"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"ltm/memory"
	"ltm/store"
)

// TestATransactionReadsWhatItSet sets state and stats that are not the ones it read:
// the transaction and its view return them, also where the files are damaged.
func TestATransactionReadsWhatItSet(t *testing.T) {
	for _, damaged := range []bool{false, true} {
		f := newStore(t)
		create := store.UpdateOptions{Wait: patience, Create: true}
		require.NoError(t, f.Update(context.Background(), create, func(tx *store.Tx) error {
			tx.SetState(&store.State{SessionCount: 1, Sessions: map[string]*store.Session{}})
			tx.SetStats(store.Stats{"mem_00000001": {AccessCount: 1}})
			return nil
		}))
		if damaged {
			for _, name := range []string{"state.json", "stats.json"} {
				require.NoError(t, os.WriteFile(filepath.Join(f.places.Clone, name), []byte("{"), 0o644))
			}
		}
		state, stats := &store.State{SessionCount: 7, Sessions: map[string]*store.Session{}},
			store.Stats{"mem_00000002": {AccessCount: 2}}
		require.NoError(t, f.Update(context.Background(), create, func(tx *store.Tx) error {
			if !damaged {
				before, err := tx.State()
				require.NoError(t, err)
				require.Equal(t, 1, before.SessionCount)
			}
			tx.SetState(state)
			tx.SetStats(stats)
			own, err := tx.State()
			require.NoError(t, err)
			require.Same(t, state, own)
			seen, err := tx.View.State()
			require.Equal(t, damaged, memory.CodeOf(err) == memory.CodeUnreadable)
			require.Same(t, state, seen)
			use, err := tx.View.Stats()
			require.Equal(t, damaged, memory.CodeOf(err) == memory.CodeUnreadable)
			require.Equal(t, stats, use)
			return nil
		}))
	}
}
