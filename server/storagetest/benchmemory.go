package storagetest

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"math/rand/v2"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/require"

	"ltm/server/conversation"
	"ltm/server/threads"
)

// benchSize is how much a database has that is measured.
type benchSize struct{ users, each, largest int }

// BenchmarkMemory measures the memory of an application. "100,200,3000" is 100 users of 200 events and one of 3,000.
// As [Benchmark], it reports the median and the 99th percentile in microseconds.
func BenchmarkMemory(b *testing.B, fresh func(b *testing.B) Dumper, given string) {
	size := parseSize(b, given)
	d := fresh(b)
	require.NoError(b, d.Restore(b.Context(), filledMemory(size)))
	s := d.Threads()
	var next atomic.Int64
	next.Store(1 << 30)
	add := func(ctx context.Context, user int) error {
		return s.Change(ctx, benchSubject(user), func(tx threads.Tx) error {
			e := event(int(next.Add(1)), user, benchText)
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
		{"add", func(ctx context.Context, r *rand.Rand, _ int) error { return add(ctx, 1+r.IntN(size.users)) }},
		{"add to the largest", func(ctx context.Context, _ *rand.Rand, _ int) error { return add(ctx, 0) }},
		{"newest 30", func(ctx context.Context, r *rand.Rand, _ int) error {
			user := r.IntN(size.users + 1)
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

// parseSize reads what a benchmark was given.
func parseSize(b testing.TB, given string) (size benchSize) {
	_, err := fmt.Sscanf(given, "%d,%d,%d", &size.users, &size.each, &size.largest)
	require.NoError(b, err, "three numbers with commas between them")
	return size
}

// MemoryDump returns a dump of such a memory, in the application "app".
func MemoryDump(b testing.TB, given string) io.Reader { return filledMemory(parseSize(b, given)) }

// MemoryUser returns the name of a user in such a memory and the id of the user's thread. The largest is the first: 0.
func MemoryUser(n int) (user, thread string) { return benchSubject(n).User, uuid(n) }

// benchText is the text of each event.
var benchText = strings.Repeat("The tide gauge at the old harbor is read twice a day. ", 3)

func benchSubject(user int) threads.Subject {
	return threads.Subject{App: "app", User: fmt.Sprint("user-", user)}
}

// filledMemory returns a dump with users, each of whom has a thread, and the first of whom is the largest.
func filledMemory(size benchSize) io.Reader {
	in, out := io.Pipe()
	go func() { _ = out.CloseWithError(fillBench(out, size)) }()
	return in
}

// fillBench writes the dump.
func fillBench(out io.Writer, size benchSize) error {
	sum := sha256.New()
	w := json.NewEncoder(io.MultiWriter(out, sum))
	rows := 0
	row := func(kind string, fields map[string]any) error {
		rows++
		return w.Encode(map[string]any{kind: fields})
	}
	err := w.Encode(map[string]any{"format": "ltm-server-dump", "version": 1})
	if err == nil {
		err = row("app", map[string]any{"seq": 1, "id": "app", "name": "app", "created": 1, "deleted": nil,
			"settings": "{}"})
	}
	for user := 0; user <= size.users && err == nil; user++ {
		events := size.each
		if user == 0 {
			events = size.largest
		}
		err = fillUser(row, user, events)
	}
	if err != nil {
		return err
	}
	return json.NewEncoder(out).Encode(map[string]any{"end": map[string]any{"rows": rows,
		"sha256": hex.EncodeToString(sum.Sum(nil))}})
}

// fillUser writes the rows of a user.
func fillUser(row func(kind string, fields map[string]any) error, user, events int) error {
	at := start.UnixMicro()
	err := row("subject", map[string]any{"seq": user + 1, "app": 1, "name": benchSubject(user).User, "version": events,
		"last": events, "pruned": events, "imported": 0})
	if err == nil {
		err = row("thread", map[string]any{"app": 1, "subject": user + 1, "id": uuid(user), "agent": "", "title": "t",
			"meta": "", "core": nil, "created": at, "updated": at, "cursor": ""})
	}
	for n := 0; n < events && err == nil; n++ {
		role := []conversation.Role{conversation.User, conversation.Assistant}[n%2]
		err = row("event", map[string]any{"app": 1, "subject": user + 1, "seq": n + 1, "id": uuid(user*1_000_000 + n),
			"thread": uuid(user), "session": "", "role": role, "lang": "", "agent": "", "own_key": "", "importance": 0,
			"occurred": at, "recorded": at, "meta": "", "body": benchText})
	}
	return err
}
