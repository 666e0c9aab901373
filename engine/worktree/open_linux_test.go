package worktree_test

import (
	"fmt"
	"os"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"ltm/memory"
	"ltm/memory/refs"
)

// TestALookKeepsFewDirectoriesOpen because Linux lets a process with threads wait for a larger table of open files.
func TestALookKeepsFewDirectoriesOpen(t *testing.T) {
	p := newProject(t)
	var all []memory.Ref
	for i := range 200 {
		name, text := fmt.Sprintf("a%d/b/c%d/file.go", i%90, i), fmt.Sprint("text ", i)
		p.write(name, text, time.Hour)
		all = append(all, memory.Ref{Path: name, Blob: refs.Blob([]byte(text), 40)})
	}
	open, err := os.ReadDir("/proc/self/fd")
	require.NoError(t, err)
	var before syscall.Rlimit
	require.NoError(t, syscall.Getrlimit(syscall.RLIMIT_NOFILE, &before))
	few := before
	few.Cur = uint64(len(open)) + 40
	require.NoError(t, syscall.Setrlimit(syscall.RLIMIT_NOFILE, &few))
	defer func() { require.NoError(t, syscall.Setrlimit(syscall.RLIMIT_NOFILE, &before)) }()
	for i, v := range p.check(all...) {
		require.Equal(t, memory.RefFresh, v.State, all[i].Path)
	}
}
