package store_test

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"ltm/memory"
	"ltm/store"
)

// trusted says which of these ids the record holds with their content.
func trusted(t *testing.T, s *store.Store, ids []memory.ID) (held []memory.ID) {
	t.Helper()
	require.NoError(t, s.View(func(v *store.View) error {
		record, err := v.Trust()
		for _, id := range ids {
			if record.Holds(id, fileOf(id, "topic "+string(id))) {
				require.True(t, record.Knows(id))
				held = append(held, id)
			}
			require.False(t, record.Holds(id, fileOf(id, "another")))
		}
		return err
	}))
	return held
}

// TestTheRecordOfTrustIsLookedInto finds each entry of records of many sizes, and
// no other, without decoding them.
func TestTheRecordOfTrustIsLookedInto(t *testing.T) {
	for _, n := range []int{1, 2, 3, 100} {
		t.Run(fmt.Sprint(n), func(t *testing.T) {
			f := newStore(t)
			var written, others []memory.ID
			for i := range n {
				written = append(written, memory.ID(fmt.Sprintf("mem_%08x", 2*i+1)))
				others = append(others, memory.ID(fmt.Sprintf("mem_%08x", 2*i)))
			}
			others = append(others, "mem_ffffffff")
			require.NoError(t, f.update(func(tx *store.Tx) error {
				for _, id := range written {
					if err := tx.WriteMemory(id, fileOf(id, "topic "+string(id))); err != nil {
						return err
					}
				}
				return nil
			}))
			require.Equal(t, written, trusted(t, f.Store, written))
			require.Empty(t, trusted(t, f.Store, others))

			// Another layout of the same is decoded.
			data, err := os.ReadFile(f.path(".trust.json"))
			require.NoError(t, err)
			f.write(".trust.json", string(data)+"\n")
			require.Equal(t, written, trusted(t, f.Store, written))

			// A change in between leaves the others as they are.
			require.NoError(t, f.update(func(tx *store.Tx) error { return tx.Revoke(written[0]) }))
			require.Equal(t, written[1:], append([]memory.ID{}, trusted(t, f.Store, written)...))
		})
	}
}

// TestTheRecordOfTrustBelongsToItsFolder does not believe one that was copied.
func TestTheRecordOfTrustBelongsToItsFolder(t *testing.T) {
	f := newStore(t)
	f.put("mem_00000001", "topic mem_00000001")
	data, err := os.ReadFile(f.path(".trust.json"))
	require.NoError(t, err)
	g := newStore(t)
	g.put("mem_00000002", "two")
	require.NoError(t, os.WriteFile(filepath.Join(g.Dir(), ".trust.json"), data, 0o644))
	require.NoError(t, g.View(func(v *store.View) error {
		record, err := v.Trust()
		require.Equal(t, memory.CodeUnreadable, memory.CodeOf(err))
		require.False(t, record.Holds("mem_00000001", fileOf("mem_00000001", "topic mem_00000001")))
		return nil
	}))
}
