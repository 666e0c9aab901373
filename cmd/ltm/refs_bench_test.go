package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"ltm/internal/stopwatch"
	"ltm/memory/refs"
)

// BenchmarkRefs is what whole hooks take in a project whose 1,000 memories have three refs each, to 600
// files, beside one whose memories have none, and beside an empty Go program.
func BenchmarkRefs(b *testing.B) {
	bin := b.TempDir()
	empty, ltm, source := filepath.Join(bin, "empty"), filepath.Join(bin, "ltm"), filepath.Join(bin, "empty.go")
	require.NoError(b, os.WriteFile(source, []byte("package main\n\nfunc main() {}\n"), 0o644))
	installed(b, empty, source)
	installed(b, ltm, ".")
	const n = 1000
	without, with, told := benchStore(b, ltm, n), benchStore(b, ltm, n), benchStore(b, ltm, n)
	warm(b, ltm, without)
	addRefs(b, ltm, with)
	named := addRefs(b, ltm, told)
	r, i := stopwatch.Stopwatch{}, 0
	for b.Loop() {
		i++
		const start = `{"session_id":"bench","source":"startup"}`
		const tool = `{"session_id":"bench%d","tool_name":"Edit","tool_input":{"file_path":%q},"tool_response":"output"}`
		r.Time("empty", func() { runOnce(b, bin, "", empty) })
		r.Time("start", func() { runOnce(b, without, start, ltm, "hook", "SessionStart") })
		r.Time("start-refs", func() { runOnce(b, with, start, ltm, "hook", "SessionStart") })
		r.Time("edit", func() {
			runOnce(b, without, fmt.Sprintf(tool, 0, filepath.Join(without, "none.go")), ltm, "hook", "PostToolUse")
		})
		r.Time("edit-other", func() {
			runOnce(b, with, fmt.Sprintf(tool, 0, filepath.Join(with, "none.go")), ltm, "hook", "PostToolUse")
		})
		r.Time("edit-named", func() { // each time in another session, which is told of the memories
			runOnce(b, told, fmt.Sprintf(tool, i, named), ltm, "hook", "PostToolUse")
		})
	}
	for name := range r {
		b.ReportMetric(r.Median(name)/1e6, name+"-ms")
	}
	for _, pair := range [][2]string{{"start-refs", "start"}, {"edit", "empty"}, {"edit-other", "empty"},
		{"edit-named", "empty"}} {
		b.ReportMetric(r.Ratio(pair[0], pair[1]), pair[0]+"/"+pair[1])
	}
}

// addRefs gives each memory of a project three refs, and makes its caches warm. It returns a file that
// memories name.
func addRefs(b *testing.B, ltm, dir string) string {
	b.Helper()
	const files = 600
	name := func(i int) string { return fmt.Sprintf("pkg%d/sub%d/file%d.go", i%20, i%60, i%files) }
	text := func(i int) []byte { return []byte(strings.Repeat(fmt.Sprintf("line of file %d\n", i%files), 200)) }
	for i := range files {
		path := filepath.Join(dir, filepath.FromSlash(name(i)))
		require.NoError(b, os.MkdirAll(filepath.Dir(path), 0o755))
		require.NoError(b, os.WriteFile(path, text(i), 0o644))
	}
	memories, err := filepath.Glob(filepath.Join(dir, ".claude", "ltm", "memories", "mem_*.md"))
	require.NoError(b, err)
	for i, path := range memories {
		data, err := os.ReadFile(path)
		require.NoError(b, err)
		list := "refs:\n"
		for j := 3 * i; j < 3*i+3; j++ {
			list += fmt.Sprintf("  - {path: %q, blob: %q}\n", name(j), refs.Blob(text(j), 40))
		}
		changed := strings.Replace(string(data), "\n---\n", "\n"+list+"---\n", 1)
		require.NoError(b, os.WriteFile(path, []byte(changed), 0o644))
	}
	require.NoError(b, os.RemoveAll(filepath.Join(dir, ".git", "ltm", "cache"))) // which has what was there before
	require.NoError(b, os.RemoveAll(filepath.Join(dir, ".claude", "ltm", ".local", "cache")))
	warm(b, ltm, dir)
	return filepath.Join(dir, filepath.FromSlash(name(0)))
}

// warm approves the memories of a project, as if they had been written there, and makes its caches warm. The texts of
// memories that were are compared with the record at each start.
func warm(b *testing.B, ltm, dir string) {
	b.Helper()
	for range 3 {
		time.Sleep(100 * time.Millisecond) // until the stamps are stable
		for _, args := range [][]string{{"trust", "--all", "--yes"}, {"check"}, {"recall", "component"}} {
			runOnce(b, dir, "", append([]string{ltm}, args...)...)
		}
	}
}
