package main

import (
	"crypto/sha256"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"ltm/internal/fs/atomicfile"
	"ltm/internal/stopwatch"
)

// BenchmarkProcessRatios is what whole processes take, beside an empty Go program and
// one durable file. Hooks run in a project in which nothing else happens; what is
// stored is in another one.
func BenchmarkProcessRatios(b *testing.B) {
	bin := b.TempDir()
	empty, ltm, source := filepath.Join(bin, "empty"), filepath.Join(bin, "ltm"), filepath.Join(bin, "empty.go")
	require.NoError(b, os.WriteFile(source, []byte("package main\n\nfunc main() {}\n"), 0o644))
	installed(b, empty, source)
	installed(b, ltm, ".")
	sizes := []int{10, 1000, 10000}
	quiet, stored, own := map[int]string{}, map[int]string{}, map[int]string{}
	for _, n := range sizes {
		quiet[n], stored[n] = benchStore(b, ltm, n), benchStore(b, ltm, n)
		own[n] = benchShelf(b, ltm, stored[n])
	}
	root, err := os.OpenRoot(bin)
	require.NoError(b, err)
	defer root.Close()
	r, i := stopwatch.Stopwatch{}, 0
	for b.Loop() {
		i++
		r.Time("durable",
			func() { require.NoError(b, atomicfile.Replace(root, fmt.Sprint("file", i), []byte(lessonText(0)))) })
		r.Time("empty", func() { runOnce(b, bin, "", empty) })
		r.Time("version", func() { runOnce(b, bin, "", ltm, "version") })
		for _, n := range sizes {
			r.Time(fmt.Sprint("tool-", n), func() {
				runOnce(b, quiet[n], `{"session_id":"bench","tool_response":"output"}`, ltm, "hook", "PostToolUse")
			})
			r.Time(fmt.Sprint("start-", n), func() {
				runOnce(b, quiet[n], `{"session_id":"bench","source":"startup"}`, ltm, "hook", "SessionStart")
			})
			r.Time(fmt.Sprint("both-start-", n), func() {
				runBeside(b, own[n], quiet[n], `{"session_id":"bench","source":"startup"}`, ltm, "hook", "SessionStart")
			})
			r.Time(fmt.Sprint("both-tool-", n), func() {
				runBeside(b, own[n], quiet[n], `{"session_id":"bench","tool_response":"output"}`, ltm, "hook",
					"PostToolUse")
			})
			const prompt = `{"session_id":"bench","prompt":"why does the scheduler drop the last job of a batch?"}`
			r.Time(fmt.Sprint("prompt-", n), func() { runOnce(b, quiet[n], prompt, ltm, "hook", "UserPromptSubmit") })
			r.Time(fmt.Sprint("both-prompt-", n), func() {
				runBeside(b, own[n], quiet[n], prompt, ltm, "hook", "UserPromptSubmit")
			})
			r.Time(fmt.Sprint("store-", n), func() {
				runOnce(b, stored[n], lessonText(i), ltm, "remember", fmt.Sprint("What came of lesson ", i), "-")
			})
		}
	}
	reportRounds(b, r)
}

// reportRounds prints medians, and the ratios for which there is a target. What a process
// takes to begin, whatever it does, is not part of a store.
func reportRounds(b *testing.B, r stopwatch.Stopwatch) {
	for name := range r {
		b.ReportMetric(r.Median(name)/1e6, name+"-ms")
	}
	for _, pair := range [][2]string{{"tool-1000", "empty"}, {"start-1000", "start-10"}, {"prompt-1000", "prompt-10"},
		{"both-start-1000", "both-start-10"}, {"both-start-1000", "start-10"}, {"both-tool-1000", "empty"},
		{"both-prompt-1000", "both-prompt-10"},
		{"store-1000", "store-10"}, {"store-10000", "store-10"}} {
		b.ReportMetric(r.Ratio(pair[0], pair[1]), pair[0]+"/"+pair[1])
	}
	b.ReportMetric((r.Median("store-10")-r.Median("version"))/r.Median("durable"), "(store-10-version)/durable")
}

// benchShelf copies the memories of a project into a store of a person, and makes its caches warm.
func benchShelf(b *testing.B, ltm, project string) string {
	b.Helper()
	dir := filepath.Join(b.TempDir(), "ltm")
	require.NoError(b, os.CopyFS(filepath.Join(dir, "memories"),
		os.DirFS(filepath.Join(project, ".claude", "ltm", "memories"))))
	for range 2 {
		time.Sleep(100 * time.Millisecond) // until the stamps are stable
		for _, args := range [][]string{{"trust", "--user", "--all", "--yes"}, {"recall", "--user", "component"}} {
			runBeside(b, dir, project, "", append([]string{ltm}, args...)...)
		}
	}
	return dir
}

// runBeside is runOnce beside a store of a person.
func runBeside(b *testing.B, own, dir, stdin string, argv ...string) {
	b.Helper()
	cmd := processIn(dir, stdin, argv)
	cmd.Env = append(cmd.Env, "LTM_USER_DIR="+own, "CLAUDECODE=", "CLAUDE_CODE_SESSION_ID=")
	out, err := cmd.CombinedOutput()
	require.NoError(b, err, "%s", out)
}

func runOnce(b *testing.B, dir, stdin string, argv ...string) {
	b.Helper()
	require.NoError(b, processIn(dir, stdin, argv).Run())
}

// lessonText is a text unlike any other.
func lessonText(i int) string {
	var text strings.Builder
	for j := range 60 {
		sum := sha256.Sum256(fmt.Append(nil, i, " ", j))
		fmt.Fprintf(&text, "%x ", sum[:2+sum[2]%4])
	}
	return text.String()
}
