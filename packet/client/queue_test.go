package client_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"ltm/memory"
	"ltm/packet/client"
)

func waiting(id, team string, hour int) client.Waiting {
	return client.Waiting{ID: id, Host: "https://one.example", Team: team,
		At: time.Date(2026, 8, 28, hour, 0, 0, 0, time.UTC)}
}

func queued(t testing.TB, q client.Queue) []client.Waiting {
	list, err := q.List()
	require.NoError(t, err)
	return list
}

func TestQueue(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "queue")
	q := client.NewQueue(dir)
	require.Empty(t, queued(t, q))
	require.NoDirExists(t, dir)
	for _, w := range []client.Waiting{waiting("packet-two", "", 2), waiting("packet-one", "", 1),
		waiting("packet-one", "a", 3), waiting("packet-one", "", 4)} {
		require.NoError(t, q.Add(w))
	}
	list := queued(t, q)
	require.Len(t, list, 3, "one for each id, team and server")
	require.Equal(t, []string{"packet-one", "packet-two", "packet-one"}, []string{list[0].ID, list[1].ID, list[2].ID})

	taken, ok, err := q.Take(list[0])
	require.NoError(t, err)
	require.True(t, ok)
	_, ok, err = q.Take(list[0])
	require.NoError(t, err)
	require.False(t, ok)
	require.True(t, queued(t, q)[0].Sending)
	require.NoError(t, taken.Return())
	taken, ok, err = q.Take(queued(t, q)[0])
	require.NoError(t, err)
	require.True(t, ok)
	require.NoError(t, taken.Sent())
	require.Len(t, queued(t, q), 2)

	taken, ok, err = q.Take(queued(t, q)[0])
	require.NoError(t, err)
	require.True(t, ok)
	require.NoError(t, taken.Refuse(strings.Repeat("ü", 5000)))
	refused := queued(t, q)[0]
	require.Equal(t, strings.Repeat("ü", 1000), refused.Refused)
	refused.At = waiting("", "", 5).At
	require.NoError(t, q.Add(refused))
	again := queued(t, q)[1]
	require.Equal(t, "packet-two", again.ID, "it waits since it is asked for again")
	require.Empty(t, again.Refused)
	n, err := q.Remove("packet-two", "https://one.example", "a")
	require.NoError(t, err)
	require.Zero(t, n, "it waits for no team")
	n, err = q.Remove("packet-two", "", "")
	require.NoError(t, err)
	require.Equal(t, 1, n)
	require.Len(t, queued(t, q), 1)
}

func TestNoPlaceForAQueue(t *testing.T) {
	t.Chdir(t.TempDir())
	q := client.NewQueue("")
	require.Empty(t, queued(t, q))
	require.Equal(t, memory.KindRemotePlace, memory.KindOf(q.Add(waiting("packet-one", "", 1))))
	n, err := q.Remove("packet-one", "", "")
	require.NoError(t, err)
	require.Zero(t, n)
	require.NoDirExists(t, "queue")
}

// TestQueueKeepsAPacket is about one that is in no store.
func TestQueueKeepsAPacket(t *testing.T) {
	q := client.NewQueue(t.TempDir())
	p := sample()
	data, err := p.Canonical()
	require.NoError(t, err)
	w := waiting(p.ID, "", 1)
	w.Packet = data
	require.NoError(t, q.Add(w))
	require.Equal(t, json.RawMessage(data), queued(t, q)[0].Packet)
}

// TestQueueTakesANewVersion adds another text under the id of a packet that waits: what is sent must
// be what its writer gave last.
func TestQueueTakesANewVersion(t *testing.T) {
	q := client.NewQueue(t.TempDir())
	for i, text := range []string{`{"goal":"a <b>"}`, `{"goal":"a <b>"}`, `{"goal":"c"}`} {
		w := waiting("packet-one", "", i+1)
		w.Packet = json.RawMessage(text)
		require.NoError(t, q.Add(w))
		list := queued(t, q)
		require.Len(t, list, 1)
		require.JSONEq(t, text, string(list[0].Packet))
		require.Equal(t, []int{1, 1, 3}[i], list[0].At.Hour(), "the same one stays as it is")
	}

	listed := queued(t, q)[0]
	w := waiting("packet-one", "", 4)
	w.Packet = json.RawMessage(`{"goal":"d"}`)
	require.NoError(t, q.Add(w))
	_, ok, err := q.Take(listed)
	require.NoError(t, err)
	require.False(t, ok, "what was listed is not what waits now")
	list := queued(t, q)
	require.JSONEq(t, `{"goal":"d"}`, string(list[0].Packet))
	taken, ok, err := q.Take(list[0])
	require.NoError(t, err)
	require.True(t, ok)
	require.NoError(t, taken.Sent())
	require.Empty(t, queued(t, q))

	for i, end := range []func(*client.Taken) error{(*client.Taken).Return,
		func(t *client.Taken) error { return t.Refuse("no") }} {
		require.NoError(t, q.Add(w))
		taken, ok, err := q.Take(queued(t, q)[0])
		require.NoError(t, err)
		require.True(t, ok)
		next := waiting("packet-one", "", 5)
		next.Packet = json.RawMessage(`{"goal":"e"}`)
		require.NoError(t, q.Add(next), "while the other one is sent")
		require.NoError(t, end(taken))
		list := queued(t, q)
		require.Len(t, list, 1)
		require.JSONEq(t, `{"goal":"e"}`, string(list[0].Packet), i)
		require.Empty(t, list[0].Refused)
		_, err = q.Remove("packet-one", "", "")
		require.NoError(t, err)
	}
}

// TestQueueAfterAKill gives a packet back that a process took long ago, and not one that a process
// has now.
func TestQueueAfterAKill(t *testing.T) {
	dir := t.TempDir()
	q := client.NewQueue(dir)
	require.NoError(t, q.Add(waiting("packet-one", "", 1)))
	killed, ok, err := q.Take(queued(t, q)[0])
	require.NoError(t, err)
	require.True(t, ok)
	t.Cleanup(func() { _ = killed.Sent() }) // closes what the end of a process closes
	require.True(t, queued(t, q)[0].Sending)
	files, err := filepath.Glob(filepath.Join(dir, "*.taken"))
	require.NoError(t, err)
	require.Len(t, files, 1)
	long := time.Now().Add(-time.Hour)
	require.NoError(t, os.Chtimes(files[0], long, long))
	list := queued(t, q)
	require.False(t, list[0].Sending)
	taken, ok, err := q.Take(list[0])
	require.NoError(t, err)
	require.True(t, ok)
	require.NoError(t, taken.Sent())
}

// TestQueueAtOnce has every packet taken once, whoever is first.
func TestQueueAtOnce(t *testing.T) {
	q := client.NewQueue(t.TempDir())
	for i := range 10 {
		require.NoError(t, q.Add(waiting("packet-number-"+string(rune('a'+i)), "", i)))
	}
	var sent atomic.Int64
	var all sync.WaitGroup
	for range 8 {
		all.Go(func() {
			for _, w := range queued(t, q) {
				taken, ok, err := q.Take(w)
				require.NoError(t, err)
				if ok {
					sent.Add(1)
					require.NoError(t, taken.Sent())
				}
			}
		})
	}
	all.Wait()
	require.Equal(t, int64(10), sent.Load())
	require.Empty(t, queued(t, q))
}

// TestDamagedQueue names what cannot be read, and never sends it.
func TestDamagedQueue(t *testing.T) {
	for name, change := range map[string]func(string) string{
		"empty": func(string) string { return "" },
		"half":  func(s string) string { return s[:len(s)/2] },
		"newer": func(s string) string { return strings.Replace(s, `"version":1`, `"version":2`, 1) },
		"another server": func(s string) string {
			return strings.Replace(s, "https://one.example", "https://evil.example", 1)
		},
		"another team": func(s string) string { return strings.Replace(s, `"host"`, `"team":"evil","host"`, 1) },
		"a path":       func(s string) string { return strings.Replace(s, "packet-one", "../../../x", 1) },
		"huge":         func(s string) string { return s + strings.Repeat(" ", 1<<20) },
	} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			q := client.NewQueue(dir)
			require.NoError(t, q.Add(waiting("packet-one", "", 1)))
			require.NoError(t, q.Add(waiting("packet-two", "", 2)))
			files, err := filepath.Glob(filepath.Join(dir, "*.json"))
			require.NoError(t, err)
			for _, file := range files {
				text, err := os.ReadFile(file)
				require.NoError(t, err)
				if strings.Contains(string(text), "packet-one") {
					require.NoError(t, os.WriteFile(file, []byte(change(string(text))), 0o600))
				}
			}
			list := queued(t, q)
			require.Len(t, list, 2)
			require.NoError(t, list[0].Err)
			require.Error(t, list[1].Err)
			_, ok, err := q.Take(list[1])
			require.NoError(t, err)
			require.False(t, ok)
			require.Len(t, queued(t, q), 2)
		})
	}
}
