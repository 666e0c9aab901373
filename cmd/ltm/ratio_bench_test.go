package main

import (
	"crypto/sha256"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"ltm/internal/hookguard"
)

// rounds keeps how long commands took, each once a round: what else the machine does
// meets all of them alike, so that their medians can be compared.
type rounds map[string][]time.Duration

func (r rounds) time(name string, op func()) {
	begin := time.Now()
	op()
	r[name] = append(r[name], time.Since(begin))
}

func (r rounds) median(name string) float64 {
	all := slices.Sorted(slices.Values(r[name]))
	return float64(all[len(all)/2])
}

// BenchmarkProcessRatios is what whole processes take, beside an empty Go program and
// one durable file. Hooks run in a project in which nothing else happens; what is
// stored is in another one.
func BenchmarkProcessRatios(b *testing.B) {
	bin := b.TempDir()
	empty, ltm, source := filepath.Join(bin, "empty"), filepath.Join(bin, "ltm"), filepath.Join(bin, "empty.go")
	require.NoError(b, os.WriteFile(source, []byte("package main\n\nfunc main() {}\n"), 0o644))
	build(b, empty, source, "")
	build(b, ltm, ".", hookguard.LinkFlags(runtime.GOOS, runtime.GOARCH))
	sizes := []int{10, 1000, 10000}
	quiet, stored := map[int]string{}, map[int]string{}
	for _, n := range sizes {
		quiet[n], stored[n] = benchStore(b, ltm, n), benchStore(b, ltm, n)
	}
	r, i := rounds{}, 0
	for b.Loop() {
		i++
		r.time("durable", func() { durableFile(b, bin, fmt.Sprint("file", i)) })
		r.time("empty", func() { runOnce(b, bin, "", empty) })
		r.time("version", func() { runOnce(b, bin, "", ltm, "version") })
		for _, n := range sizes {
			r.time(fmt.Sprint("tool-", n), func() {
				runOnce(b, quiet[n], `{"session_id":"bench","tool_response":"output"}`, ltm, "hook", "PostToolUse")
			})
			r.time(fmt.Sprint("start-", n), func() {
				runOnce(b, quiet[n], `{"session_id":"bench","source":"startup"}`, ltm, "hook", "SessionStart")
			})
			r.time(fmt.Sprint("prompt-", n), func() {
				runOnce(b, quiet[n], `{"session_id":"bench","prompt":"why does the scheduler drop the last job of a batch?"}`, ltm, "hook", "UserPromptSubmit")
			})
			r.time(fmt.Sprint("store-", n), func() {
				runOnce(b, stored[n], lessonText(i), ltm, "remember", fmt.Sprint("What came of lesson ", i), "-")
			})
		}
	}
	r.report(b)
}

// report prints medians, and the ratios for which there is a target. What a process
// takes to begin, whatever it does, is not part of a store.
func (r rounds) report(b *testing.B) {
	for name := range r {
		b.ReportMetric(r.median(name)/1e6, name+"-ms")
	}
	for _, pair := range [][2]string{{"tool-1000", "empty"}, {"start-1000", "start-10"}, {"prompt-1000", "prompt-10"}, {"store-1000", "store-10"}, {"store-10000", "store-10"}} {
		b.ReportMetric(r.median(pair[0])/r.median(pair[1]), pair[0]+"/"+pair[1])
	}
	b.ReportMetric((r.median("store-10")-r.median("version"))/r.median("durable"), "(store-10-version)/durable")
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

// durableFile writes a file as safely as a memory is written.
func durableFile(b *testing.B, dir, name string) {
	b.Helper()
	path := filepath.Join(dir, name)
	f, err := os.Create(path + ".tmp")
	require.NoError(b, err)
	_, err = f.WriteString(lessonText(0))
	require.NoError(b, err)
	require.NoError(b, f.Sync())
	require.NoError(b, f.Close())
	require.NoError(b, os.Rename(path+".tmp", path))
	d, err := os.Open(dir)
	require.NoError(b, err)
	require.NoError(b, d.Sync())
	require.NoError(b, d.Close())
}
