package trust_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"ltm/memory"
	"ltm/store/trust"
)

// TestManyQuestionsGetTheAnswersOfOne asks one reading of a record about all memories, and another reading for each:
// many questions are answered in another way.
func TestManyQuestionsGetTheAnswersOfOne(t *testing.T) {
	root, key := clone(t)
	r := read(t, root, key)
	id := func(i int) memory.ID { return memory.ID(fmt.Sprintf("mem_%08x", i*7919)) }
	text := func(i, version int) []byte { return []byte(fmt.Sprint("text ", i, " ", version)) }
	for i := range 60 {
		for version := range i % 3 {
			require.NoError(t, r.Note(root, id(i), text(i, version)))
		}
		if i%5 == 0 {
			require.NoError(t, r.Revoke(root, id(i)))
		}
		if i%10 == 0 {
			require.NoError(t, r.Note(root, id(i), text(i, 9)))
		}
	}
	file, err := root.ReadFile(trust.File)
	require.NoError(t, err)
	odd := "\nmem_00000000\n \nno such\n" + string(id(1)) + "x y\n" + string(id(2)) + " -" // which does not end
	require.NoError(t, root.WriteFile(trust.File, append(file, odd...), 0o600))
	many := read(t, root, key)
	ask := func(about string) {
		held := 0
		for i := range 70 {
			one := read(t, root, key)
			require.Equal(t, one.Knows(id(i)), many.Knows(id(i)), "%s: %d", about, i)
			require.Equal(t, read(t, root, key).Revoked(id(i)), many.Revoked(id(i)), "%s: %d", about, i)
			for _, version := range []int{0, 1, 9} {
				holds := one.Holds(id(i), text(i, version))
				require.Equal(t, holds, many.Holds(id(i), text(i, version)), "%s: %d", about, i)
				if holds {
					held++
				}
			}
		}
		require.Greater(t, held, 20)
	}
	ask("as it was read")
	require.NoError(t, many.Note(root, id(65), text(65, 0)))
	require.NoError(t, many.Revoke(root, id(4)))
	ask("after changes")
}
