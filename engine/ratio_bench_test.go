package engine_test

import (
	"crypto/sha256"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"ltm/engine"
	"ltm/memory"
	"ltm/store"
)

// stopwatch keeps what operations took, so that medians of the same rounds can be
// compared: a machine that others use is slow for all of them alike.
type stopwatch map[string][]time.Duration

func (s stopwatch) time(name string, op func()) {
	begin := time.Now()
	op()
	s[name] = append(s[name], time.Since(begin))
}

func (s stopwatch) median(name string) float64 {
	all := slices.Sorted(slices.Values(s[name]))
	return float64(all[len(all)/2])
}

// report prints the median of each operation in microseconds, and ratios of medians.
func (s stopwatch) report(b *testing.B, ratios [][2]string) {
	for name := range s {
		b.ReportMetric(s.median(name)/1000, name+"-us")
	}
	for _, r := range ratios {
		b.ReportMetric(s.median(r[0])/s.median(r[1]), r[0]+"/"+r[1])
	}
}

// durableFile writes a file as safely as a memory is written: a temporary file, fsync,
// rename, fsync of the directory.
func durableFile(b *testing.B, dir, name string, data []byte) {
	b.Helper()
	path := filepath.Join(dir, name)
	f, err := os.Create(path + ".tmp")
	require.NoError(b, err)
	_, err = f.Write(data)
	require.NoError(b, err)
	require.NoError(b, f.Sync())
	require.NoError(b, f.Close())
	require.NoError(b, os.Rename(path+".tmp", path))
	d, err := os.Open(dir)
	require.NoError(b, err)
	require.NoError(b, d.Sync())
	require.NoError(b, d.Close())
}

// server is an engine as the MCP server has it: on the real clock, with a watch, and
// with everything that a first question makes ready.
func (f *fixture) server(b *testing.B) *engine.Engine {
	b.Helper()
	s := store.New(f.places, time.Now)
	s.Watch()
	ids := new(counter)
	*ids = 1 << 20
	e := engine.New(engine.Options{Store: s, Version: "test", Now: time.Now, Random: ids, LockWait: time.Second, ToModel: true})
	require.NoError(b, e.Warm(f.ctx))
	return e
}

// lesson is a memory unlike any other.
func lesson(i int) memory.Draft {
	var text strings.Builder
	for j := range 60 {
		sum := sha256.Sum256(fmt.Append(nil, i, " ", j))
		fmt.Fprintf(&text, "%x ", sum[:2+sum[2]%4])
	}
	return memory.Draft{Topic: fmt.Sprint("What came of lesson ", i), Content: text.String()}
}

// BenchmarkServerRatios is what a running server takes, beside one durable file.
// Every round does each operation once.
func BenchmarkServerRatios(b *testing.B) {
	servers := map[int]*engine.Engine{}
	var f *fixture
	for _, n := range []int{10, 1000, 10000} {
		f = filled(b, n)
		servers[n] = f.server(b)
	}
	dir, data := b.TempDir(), []byte("Some content of it, as long as a memory with its header is. Some content of it, as long as that.")
	s := stopwatch{}
	i := 0
	for b.Loop() {
		i++
		s.time("durable", func() { durableFile(b, dir, fmt.Sprint(i), data) })
		for n, e := range servers {
			s.time(fmt.Sprint("store-", n), func() {
				_, err := e.Remember(f.ctx, lesson(i))
				require.NoError(b, err)
			})
			s.time(fmt.Sprint("settle-", n), func() { askServer(b, f, e, "zebra") }) // the question after a store looks at what it wrote
			s.time(fmt.Sprint("get-", n), func() {
				_, err := e.Get(f.ctx, "mem_00000001")
				require.NoError(b, err)
			})
			s.time(fmt.Sprint("rare-", n), func() { askServer(b, f, e, "makes") })
			s.time(fmt.Sprint("three-", n), func() { askServer(b, f, e, "learned about detail") })
		}
	}
	s.report(b, [][2]string{{"store-10", "durable"}, {"store-1000", "store-10"}, {"store-10000", "store-10"},
		{"get-1000", "rare-1000"}, {"three-1000", "get-1000"}})
}

func askServer(b *testing.B, f *fixture, e *engine.Engine, text string) {
	_, err := e.Recall(f.ctx, memory.Query{Text: text})
	require.NoError(b, err)
}
