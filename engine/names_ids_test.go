package engine_test

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"ltm/memory"
	"ltm/memory/memfile"
)

func TestFindIDs(t *testing.T) {
	f := newEngine(t)
	f.remember("Topic", "Text.", 0.5)
	ids := make([]memory.ID, 0, 12)
	for i := range 12 {
		id := memory.ID(fmt.Sprintf("mem_ab%06x", i))
		ids = append(ids, id)
		m := memory.Memory{ID: id, Topic: fmt.Sprint("Topic ", i), Summary: "s", Content: "c"}
		require.NoError(t, os.WriteFile(f.memoryFile(id), memfile.Format(m), 0o644))
	}
	require.NoError(t, os.WriteFile(filepath.Join(f.dir, "memories", "mem_cd000001.md"), []byte("---\ntopic: [\n"),
		0o644))

	found, err := f.FindIDs(f.ctx, []string{"ab000001", "mem_ab00000b", "MEM_AB000001", "cd"})
	require.NoError(t, err, "a file that is not a memory has an id, too")
	require.Equal(t, []memory.ID{ids[1], ids[11], "mem_cd000001"}, found)

	_, err = f.FindIDs(f.ctx, []string{"ab"})
	require.Equal(t, memory.CodeInvalid, memory.CodeOf(err))
	require.ErrorContains(t, err, "12 ids begin with \"mem_ab\"\n  mem_ab000000 (from elsewhere)  \"Topic 0\"\n")
	require.ErrorContains(t, err, "\n  and 2 more")
	require.NotContains(t, err.Error(), ids[10])

	_, err = f.FindIDs(f.ctx, []string{"ab", "mem_ab0000000"})
	require.Error(t, err)
	_, err = f.FindIDs(f.ctx, []string{"mem_dc000001"})
	require.Equal(t, memory.CodeNotFound, memory.CodeOf(err))
	require.ErrorContains(t, err, "there is no memory mem_dc000001\n  mem_cd000001")
}
