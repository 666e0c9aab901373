package storagetest_test

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/require"

	"ltm/server/sqlstore"
	"ltm/server/storagetest"
	"ltm/server/threads"
)

// BenchmarkMemory measures the memory of an application, of the size that LTM_BENCH_MEMORY says, such as
// "1000,1000,100000". As [BenchmarkStore], it reports the median and the 99th percentile in microseconds.
func BenchmarkMemory(b *testing.B) {
	given := cmp.Or(os.Getenv("LTM_BENCH_MEMORY"), "100,100,10000")
	size, err := storagetest.ParseMemorySize(given)
	require.NoError(b, err)
	benchOnEach(b, func(b *testing.B, empty func(b *testing.B) *sqlstore.Store) {
		d := empty(b)
		require.NoError(b, d.Restore(b.Context(), memoryDump(size)))
		benchMemory(b, d.Threads(), size, given)
	})
}

// memoryDump returns the dump of a memory of a size.
func memoryDump(size storagetest.MemorySize) io.Reader {
	in, out := io.Pipe()
	go func() { _ = out.CloseWithError(size.Dump(out)) }()
	return in
}

// TestMemoryDump checks that what benchmarks are made of is a dump.
func TestMemoryDump(t *testing.T) {
	s := opened(t, newSQLite(t))
	require.NoError(t, s.Restore(t.Context(), memoryDump(storagetest.MemorySize{Users: 2, Each: 3, Largest: 5})))
	require.Contains(t, dumped(t, s), `"name":"user-1"`)
}

// benchSubject returns a user of such a memory.
func benchSubject(n int) threads.Subject {
	name, _ := storagetest.MemoryUser(n)
	return threads.Subject{App: "app", User: name}
}

// benchMemory measures one database.
func benchMemory(b *testing.B, s threads.Storage, size storagetest.MemorySize, given string) {
	var next atomic.Int64
	next.Store(1 << 30)
	add := func(ctx context.Context, user int) error {
		return s.Change(ctx, benchSubject(user), func(tx threads.Tx) error {
			e := event(int(next.Add(1)), user, strings.Repeat("Ann reads the tide gauge at the old harbor. ", 4))
			if _, err := tx.AddEvent(e); err != nil {
				return err
			}
			return tx.AddJob(threads.Job{Kind: threads.JobEmbed, Thread: e.Thread, Cause: e.ID,
				Of: threads.Ref{Kind: threads.KindEvent, ID: e.ID}, CreatedAt: start, RunAt: start})
		})
	}
	for _, op := range []struct {
		name string
		run  func(ctx context.Context, r *rand.Rand, client int) error
	}{
		{"add", func(ctx context.Context, r *rand.Rand, _ int) error { return add(ctx, 1+r.IntN(size.Users)) }},
		{"add to the largest", func(ctx context.Context, _ *rand.Rand, _ int) error { return add(ctx, 0) }},
		{"newest 30", func(ctx context.Context, r *rand.Rand, _ int) error {
			user := r.IntN(size.Users + 1)
			return s.View(ctx, benchSubject(user), func(v threads.View) error {
				_, err := v.Events(threads.EventQuery{Thread: uuid(user), Newest: true, Limit: 30})
				return err
			})
		}},
	} {
		for _, clients := range []int{1, 8, 32} {
			b.Run(fmt.Sprintf("%s/%s/clients=%d", op.name, given, clients), func(b *testing.B) {
				measure(b, clients, op.run)
			})
		}
	}
}
