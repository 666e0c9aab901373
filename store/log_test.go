package store_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"ltm/memory"
	"ltm/store"
)

const logName = "clone/log.jsonl"

func logEvents(s *store.Store, events ...memory.Event) error {
	return s.Update(context.Background(), store.UpdateOptions{Wait: patience, Create: true},
		func(tx *store.Tx) error {
			for _, e := range events {
				tx.Log(e)
			}
			return nil
		})
}

func readLog(t testing.TB, s *store.Store, limit int) (events []memory.Event) {
	t.Helper()
	require.NoError(t, s.View(func(v *store.View) (err error) {
		events, err = v.Log("", limit)
		return err
	}))
	return events
}

func numbered(i int) memory.Event {
	return memory.Event{Action: memory.ActionStored, Topic: fmt.Sprint(i), Why: "because"}
}

// TestLogOfManyWriters logs from several stores at once. Every event must be
// there, in the order of its writer, and every line whole.
func TestLogOfManyWriters(t *testing.T) {
	const writers, rounds = 8, 25
	f := newStore(t)
	require.NoError(t, logEvents(f.Store, numbered(-1)))
	var wait sync.WaitGroup
	for w := range writers {
		wait.Go(func() {
			s := f.reopen()
			for i := range rounds {
				if err := logEvents(s, numbered(w*rounds+i)); err != nil {
					t.Error(err)
				}
			}
		})
	}
	wait.Wait()
	data, err := os.ReadFile(f.path(logName))
	require.NoError(t, err)
	require.Equal(t, writers*rounds+1, strings.Count(string(data), "\n"))
	next := make([]int, writers)
	for line := range bytes.Lines(data[bytes.IndexByte(data, '\n')+1:]) {
		var e memory.Event
		require.NoError(t, json.Unmarshal(line, &e))
		var n int
		_, err := fmt.Sscan(e.Topic, &n)
		require.NoError(t, err)
		require.Equal(t, next[n/rounds], n%rounds)
		next[n/rounds]++
	}
}

// TestLogIsBounded logs more than the log may hold. The newest events stay, and
// nothing but the log is left.
func TestLogIsBounded(t *testing.T) {
	const limit = 256 << 10
	f := newStore(t)
	s := f.Store
	n, trimmed := 0, 0
	var before int64
	for range 60 {
		var events []memory.Event
		for range 100 {
			events = append(events, numbered(n))
			n++
		}
		require.NoError(t, logEvents(s, events...))
		info, err := os.Stat(f.path(logName))
		require.NoError(t, err)
		require.LessOrEqual(t, info.Size(), int64(limit))
		if info.Size() < before {
			trimmed++
			require.Greater(t, info.Size(), int64(limit/2-200), "half of it stays")
		}
		before = info.Size()
	}
	require.Positive(t, trimmed)
	events := readLog(t, s, 1<<20)
	require.Greater(t, len(events), 1000)
	for i, e := range events {
		require.Equal(t, fmt.Sprint(n-1-i), e.Topic)
	}
	require.Len(t, readLog(t, s, 3), 3)
	names, err := filepath.Glob(f.path("clone/.log*"))
	require.NoError(t, err)
	require.Empty(t, names)
}

// TestLogAfterAKilledWriter begins a new line after half of one, and does not
// fail where the log cannot be written.
func TestLogAfterAKilledWriter(t *testing.T) {
	f := newStore(t)
	s := f.Store
	require.NoError(t, logEvents(s, numbered(1)))
	path := f.path(logName)
	data, err := os.ReadFile(path)
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(path, append(data, data[:20]...), 0o644))
	require.NoError(t, logEvents(s, numbered(2)))
	require.Equal(t, []memory.Event{numbered(2), numbered(1)}, readLog(t, s, 10))

	require.NoError(t, os.Remove(path))
	require.NoError(t, os.Mkdir(path, 0o755))
	require.NoError(t, logEvents(s, numbered(3)))
	require.NoError(t, os.Remove(path))
	require.NoError(t, logEvents(s))
	_, err = os.Lstat(path)
	require.ErrorIs(t, err, os.ErrNotExist, "a change without an event leaves no log")
}

// TestKeepAside keeps every text under a name of its own, where no repository has
// it.
func TestKeepAside(t *testing.T) {
	f := newStore(t)
	require.NoError(t, os.MkdirAll(f.dir, 0o755))
	require.NoError(t, f.View(func(v *store.View) error {
		for _, want := range []string{"mem_00000001.md", "mem_00000001.2.md", "mem_00000001.3.md"} {
			path, err := v.KeepAside("mem_00000001", []byte(want))
			require.NoError(t, err)
			require.Equal(t, f.path("clone/rejected/"+want), path)
			data, err := os.ReadFile(path)
			require.NoError(t, err)
			require.Equal(t, want, string(data))
		}
		return nil
	}))
}

func BenchmarkLog(b *testing.B) {
	s := store.New(placesIn(b.TempDir()), time.Now)
	for _, c := range []struct {
		name   string
		events []memory.Event
	}{{"without", nil}, {"one", []memory.Event{numbered(1)}}} {
		b.Run(c.name, func(b *testing.B) {
			for b.Loop() {
				require.NoError(b, logEvents(s, c.events...))
			}
		})
	}
}
