package worktree_test

import (
	"bytes"
	"crypto/sha1"
	"encoding/binary"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"ltm/engine/worktree"
)

// changed returns the paths that differ from git's index.
func (p *project) changed() []string {
	return worktree.Changed(p.t.Context(), p.dir, filepath.Join(p.dir, ".git"), func(string) bool { return true })
}

// TestPathsThatLeadOutside has an index with paths that git would not write. A download can bring one.
func TestPathsThatLeadOutside(t *testing.T) {
	p := newProject(t)
	require.NoError(t, os.WriteFile(filepath.Join(filepath.Dir(p.dir), "beside"), []byte("x\n"), 0o644))
	paths := []string{"../beside", "/", "/beside", "inside", "sub/../../beside"}
	for _, mode := range []uint32{0o100644, 0o120000} {
		var b bytes.Buffer
		b.WriteString("DIRC")
		_ = binary.Write(&b, binary.BigEndian, []uint32{2, uint32(len(paths))})
		for _, name := range paths {
			_ = binary.Write(&b, binary.BigEndian, []uint32{0, 0, 0, 0, 0, 0, mode, 0, 0, 1})
			b.Write(make([]byte, sha1.Size))
			_ = binary.Write(&b, binary.BigEndian, uint16(len(name)))
			b.WriteString(name)
			b.Write(make([]byte, 8-(62+len(name))%8))
		}
		b.Write(make([]byte, sha1.Size))
		require.NoError(t, os.WriteFile(filepath.Join(p.dir, ".git", "index"), b.Bytes(), 0o644))
		require.Equal(t, []string{"inside"}, p.changed(), "%o", mode)
	}
}

// TestARepositoryAmongTrackedFiles makes a repository in a directory whose files git tracks.
func TestARepositoryAmongTrackedFiles(t *testing.T) {
	p := newProject(t)
	for _, name := range []string{"sub/same", "sub/edited", "sub/deep/same"} {
		p.write(name, "x\n", time.Hour)
	}
	p.git("add", "-A")
	p.git("init", "-q", "sub")
	p.write("sub/edited", "y\n", time.Minute)
	require.Equal(t, "sub/edited", p.git("diff", "--name-only"))
	require.Equal(t, []string{"sub/edited"}, p.changed())
}
