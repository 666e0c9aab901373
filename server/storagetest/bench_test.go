package storagetest_test

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"ltm/server"
	"ltm/server/postgres"
	"ltm/server/postgres/pgtest"
	"ltm/server/sqlite"
	"ltm/server/sqlstore"
)

// benchOnEach runs a benchmark on each kind of database, which empty opens anew.
func benchOnEach(b *testing.B, run func(b *testing.B, empty func(b *testing.B) *sqlstore.Store)) {
	for name, open := range map[string]func(b *testing.B) (*sqlstore.Store, error){
		"SQLite": func(b *testing.B) (*sqlstore.Store, error) {
			return sqlite.Open(b.Context(), filepath.Join(b.TempDir(), "ltm.db"), sqlite.Options{})
		},
		"Postgres": func(b *testing.B) (*sqlstore.Store, error) {
			return postgres.Open(b.Context(), pgtest.New(b), postgres.Options{MaxConns: 32})
		},
	} {
		b.Run(name, func(b *testing.B) {
			run(b, func(b *testing.B) *sqlstore.Store {
				store, err := open(b)
				require.NoError(b, err)
				b.Cleanup(func() { require.NoError(b, store.Close()) })
				return store
			})
		})
	}
}

// benchPackets returns how many packets to measure with, one after the other: 100 and 10,000, or the numbers of
// LTM_BENCH_PACKETS, with commas between them.
func benchPackets(b *testing.B) (all []int) {
	for size := range strings.SplitSeq(cmp.Or(os.Getenv("LTM_BENCH_PACKETS"), "100,10000"), ",") {
		packets, err := strconv.Atoi(size)
		require.NoError(b, err)
		all = append(all, packets)
	}
	return all
}

// BenchmarkStore measures a database with packets of one user, under 1, 8 and 32 clients. Each sub-benchmark reports
// the median and the 99th percentile of an operation in microseconds.
func BenchmarkStore(b *testing.B) {
	benchOnEach(b, func(b *testing.B, empty func(b *testing.B) *sqlstore.Store) {
		for _, packets := range benchPackets(b) {
			benchStore(b, empty(b), packets)
		}
	})
}

// benchStore measures one database.
func benchStore(b *testing.B, s *sqlstore.Store, packets int) {
	require.NoError(b, s.Restore(b.Context(), filled(packets)))
	var next atomic.Int64
	for _, op := range []struct {
		name string
		run  func(ctx context.Context, r *rand.Rand, client int) error
	}{
		{"put", func(ctx context.Context, r *rand.Rand, client int) error {
			p := benchPacket(r, fmt.Sprintf("new-packet-%d", next.Add(1)))
			p.Caller = benchUser(client + 1)
			_, err := s.PutPacket(ctx, p, plenty)
			return err
		}},
		{"get", func(ctx context.Context, r *rand.Rand, _ int) error {
			_, err := s.PacketOf(ctx, benchUser(0), benchID(r.IntN(packets)))
			return err
		}},
		{"list", func(ctx context.Context, r *rand.Rand, _ int) error {
			return page(ctx, s, server.PacketQuery{After: somewhere(r, packets)})
		}},
		{"tag", func(ctx context.Context, r *rand.Rand, _ int) error {
			return page(ctx, s, server.PacketQuery{Tag: "tag-" + fmt.Sprint(r.IntN(10)), After: somewhere(r, packets)})
		}},
		{"search", func(ctx context.Context, r *rand.Rand, _ int) error {
			return page(ctx, s, server.PacketQuery{Words: []string{benchWord(r.IntN(100)), benchWord(r.IntN(1000))}})
		}},
		{"authenticate", func(ctx context.Context, _ *rand.Rand, _ int) error {
			_, _, err := s.Authenticate(ctx, hash("bench"), start)
			return err
		}},
	} {
		for _, clients := range []int{1, 8, 32} {
			b.Run(fmt.Sprintf("%s/packets=%d/clients=%d", op.name, packets, clients), func(b *testing.B) {
				measure(b, clients, op.run)
			})
		}
	}
}

// measure runs an operation in several goroutines.
func measure(b *testing.B, clients int, run func(context.Context, *rand.Rand, int) error) {
	var all sync.WaitGroup
	var left atomic.Int64
	left.Store(int64(b.N))
	took, errs := make([][]time.Duration, clients), make([]error, clients)
	b.ResetTimer()
	for client := range clients {
		all.Go(func() {
			r := rand.New(rand.NewPCG(uint64(client), uint64(b.N)))
			for left.Add(-1) >= 0 && errs[client] == nil {
				began := time.Now()
				errs[client] = run(b.Context(), r, client)
				took[client] = append(took[client], time.Since(began))
			}
		})
	}
	all.Wait()
	b.StopTimer()
	for _, err := range errs {
		require.NoError(b, err)
	}
	durations := slices.Sorted(slices.Values(slices.Concat(took...)))
	for name, at := range map[string]int{"p50-µs": len(durations) / 2, "p99-µs": len(durations) * 99 / 100} {
		b.ReportMetric(float64(durations[at].Microseconds()), name)
	}
}

// page reads a page of the first user's list.
func page(ctx context.Context, s server.Storage, q server.PacketQuery) error {
	q.Caller, q.Limit = benchUser(0), 50
	_, err := s.ListPackets(ctx, q)
	return err
}

// somewhere returns a place in the first user's list.
func somewhere(r *rand.Rand, packets int) *server.PacketPlace {
	return &server.PacketPlace{Created: after(r.IntN(packets)), ID: "~"}
}

func benchUser(n int) string { return fmt.Sprintf("user-%d", n) }
func benchID(n int) string   { return fmt.Sprintf("packet-%020d", n) }
func benchWord(n int) string { return fmt.Sprintf("word%d", n) }

// benchPacket returns a packet of about two kilobytes with 30 words, of which some are common.
func benchPacket(r *rand.Rand, id string) server.PutPacket {
	p := server.PutPacket{ID: id, Goal: "The goal of " + id, Project: fmt.Sprint("project-", r.IntN(20)),
		Tags: []string{fmt.Sprint("tag-", r.IntN(10))}, Created: start, At: start,
		Body: []byte(strings.Repeat(id+" ", 2000/(len(id)+1)))}
	for _, among := range []int{100, 1000, 100000} {
		for range 10 {
			p.Words = append(p.Words, benchWord(r.IntN(among)))
		}
	}
	return p
}

// filled returns a dump with users, one of whom has packets.
func filled(packets int) io.Reader {
	in, out := io.Pipe()
	go func() { _ = out.CloseWithError(fillPackets(out, packets)) }()
	return in
}

// fillPackets writes a dump with users, one of whom has packets.
func fillPackets(out io.Writer, packets int) error {
	sum := sha256.New()
	w := json.NewEncoder(io.MultiWriter(out, sum))
	if err := w.Encode(map[string]any{"format": "ltm-server-dump", "version": 1}); err != nil {
		return err
	}
	packet := func(n int) server.PutPacket { return benchPacket(rand.New(rand.NewPCG(1, uint64(n))), benchID(n)) }
	size := 0
	for n := range packets {
		size += len(packet(n).Body)
	}
	var rows []map[string]any
	const users = 33
	for n := range users {
		scope := map[string]any{"seq": n + 1, "packets": 0, "bytes": 0, "deleted": nil}
		if n == 0 {
			scope["packets"], scope["bytes"] = packets, size
		}
		rows = append(rows, map[string]any{"scope": scope})
	}
	for n := range users {
		rows = append(rows, map[string]any{"user": map[string]any{"id": benchUser(n), "scope": n + 1, "name": "",
			"email": "", "display": "", "created": start.UnixMicro(), "deleted": nil}})
	}
	rows = append(rows, map[string]any{"token": map[string]any{"id": "token", "user_id": benchUser(0), "name": "",
		"created": 1, "expires": nil, "hash": fmt.Sprintf("%x", hash("bench")), "revoked": nil,
		"used": start.UnixMicro()}})
	for _, row := range rows {
		if err := w.Encode(row); err != nil {
			return err
		}
	}
	for n := range packets {
		if err := w.Encode(map[string]any{"packet": benchRow(packet(n), n)}); err != nil {
			return err
		}
	}
	end := map[string]any{"rows": len(rows) + packets, "sha256": hex.EncodeToString(sum.Sum(nil))}
	return json.NewEncoder(out).Encode(map[string]any{"end": end})
}

// benchRow returns a packet as a dump has it.
func benchRow(p server.PutPacket, n int) map[string]any {
	terms := map[string]bool{}
	for _, word := range p.Words {
		terms["w"+word] = true
	}
	terms["t"+p.Tags[0]], terms["p"+p.Project] = true, true
	var coded []byte
	for term := range terms {
		sum := sha256.Sum256([]byte(term))
		coded = append(coded, sum[:12]...)
	}
	sum := sha256.Sum256(p.Body)
	return map[string]any{"scope": 1, "id": p.ID, "author_id": benchUser(0), "parent": "",
		"version": hex.EncodeToString(sum[:16]), "goal": p.Goal, "project": p.Project, "tags": p.Tags,
		"created": after(n).UnixMicro(), "stored": start.UnixMicro(), "deleted": nil,
		"terms": base64.StdEncoding.EncodeToString(coded), "body": string(p.Body)}
}
