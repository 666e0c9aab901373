package engine_test

import (
	"crypto/sha256"
	"fmt"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"ltm/engine"
	"ltm/internal/fs/atomicfile"
	"ltm/internal/stopwatch"
	"ltm/memory/api"
	"ltm/store"
)

// reportRatios prints the median of each operation in microseconds, and ratios of medians.
func reportRatios(b *testing.B, s stopwatch.Stopwatch, ratios [][2]string) {
	for name := range s {
		b.ReportMetric(s.Median(name)/1000, name+"-us")
	}
	for _, r := range ratios {
		b.ReportMetric(s.Ratio(r[0], r[1]), r[0]+"/"+r[1])
	}
}

// server is an engine as the MCP server has it: on the real clock, and
// with everything that a first question makes ready.
func (f *fixture) server(b *testing.B) *engine.Engine {
	b.Helper()
	s := store.New(f.places, time.Now)
	s.Serve()
	ids := new(counter)
	*ids = 1 << 20
	e := engine.New(engine.Options{Store: s, Version: "test", Now: time.Now, Random: ids, LockWait: patience,
		ToModel: true})
	require.NoError(b, e.Warm(f.ctx))
	return e
}

// lesson is a memory unlike any other.
func lesson(i int) api.Draft {
	var text strings.Builder
	for j := range 60 {
		sum := sha256.Sum256(fmt.Append(nil, i, " ", j))
		fmt.Fprintf(&text, "%x ", sum[:2+sum[2]%4])
	}
	return api.Draft{Topic: fmt.Sprint("What came of lesson ", i), Content: text.String()}
}

// BenchmarkServerRatios measures a running server, in relation to one durable file. Every round
// does each operation once.
func BenchmarkServerRatios(b *testing.B) {
	servers := map[int]*engine.Engine{}
	var f *fixture
	for _, n := range []int{10, 1000, 10000} {
		f = filled(b, n)
		servers[n] = f.server(b)
	}
	root, err := os.OpenRoot(b.TempDir())
	require.NoError(b, err)
	defer root.Close()
	data := []byte("Some content of it, as long as a memory with its header is. Some content of it, as long as that.")
	s := stopwatch.Stopwatch{}
	i := 0
	for b.Loop() {
		i++
		s.Time("durable", func() { require.NoError(b, atomicfile.Replace(root, fmt.Sprint(i), data)) })
		for n, e := range servers {
			s.Time(fmt.Sprint("store-", n), func() {
				_, err := e.Remember(f.ctx, lesson(i))
				require.NoError(b, err)
			})
			// the question after a store looks at what it wrote
			s.Time(fmt.Sprint("after-store-", n), func() { askServer(b, f, e, "zebra") })
			s.Time(fmt.Sprint("get-", n), func() {
				_, err := e.Get(f.ctx, "mem_00000001")
				require.NoError(b, err)
			})
			s.Time(fmt.Sprint("rare-", n), func() { askServer(b, f, e, "makes") })
			s.Time(fmt.Sprint("three-", n), func() { askServer(b, f, e, "learned about detail") })
		}
	}
	reportRatios(b, s, [][2]string{{"store-10", "durable"}, {"store-1000", "store-10"}, {"store-10000", "store-10"},
		{"get-1000", "rare-1000"}, {"three-1000", "get-1000"}})
}

func askServer(b *testing.B, f *fixture, e *engine.Engine, text string) {
	_, err := e.Recall(f.ctx, api.Query{Text: text})
	require.NoError(b, err)
}
