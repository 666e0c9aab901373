package main

import (
	"cmp"
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"ltm/server/storagetest"
)

// BenchmarkServe measures a server in a process of its own, on an empty file of SQLite and on one with as many events
// as LTM_BENCH_MEMORY says, such as "1000,1000,100000" for 1,000 users of 1,000 and one of 100,000: how long it is from
// its start to its first answer and to its first new event (which may wait for a purge), and, on Linux, how much memory
// it has after its start, a second later and after 1,000 requests. "restore-s" is how long that memory took to be
// restored.
func BenchmarkServe(b *testing.B) {
	b.Run("empty", func(b *testing.B) {
		db, _ := initialized(b)
		command(b, "app", "create", "app", "--db", db)
		measureStarts(b, db, nil)
	})
	given := cmp.Or(os.Getenv("LTM_BENCH_MEMORY"), "100,100,10000")
	size, err := storagetest.ParseMemorySize(given)
	require.NoError(b, err)
	dir := b.TempDir()
	db, dump := filepath.Join(dir, "ltm.db"), filepath.Join(dir, "dump")
	file, err := os.Create(dump)
	require.NoError(b, err)
	require.NoError(b, size.Dump(file))
	require.NoError(b, file.Close())
	began := time.Now()
	command(b, "restore", dump, "--db", db)
	restored := time.Since(began)
	require.NoError(b, os.Remove(dump))
	command(b, "init", "--db", db)
	b.Run(given, func(b *testing.B) {
		measureStarts(b, db, func(n int) (user, thread string) { return storagetest.MemoryUser(n % (size.Users + 1)) })
		b.ReportMetric(restored.Seconds(), "restore-s")
	})
}

// measureStarts starts servers. who says which user and thread the nth request is about; without it, there are none.
func measureStarts(b *testing.B, db string, who func(n int) (user, thread string)) {
	key := strings.TrimSpace(command(b, "key", "issue", "--app", "app", "--db", db))
	var answers []time.Duration
	var first *process
	for b.Loop() {
		began := time.Now()
		s := start(b, serving(db)...)
		require.Equal(b, http.StatusOK, ask(http.DefaultClient, http.MethodGet, s.url+"/v1/healthz", "", "").status)
		answers = append(answers, time.Since(began))
		b.StopTimer()
		if first != nil {
			require.Zero(b, first.stop(b), first.log())
		}
		first = s
		b.StartTimer()
	}
	slices.Sort(answers)
	b.ReportMetric(0, "ns/op") // stopping is not a part of it
	b.ReportMetric(float64(answers[len(answers)/2].Microseconds())/1000, "first-answer-ms")
	require.Zero(b, first.stop(b), first.log())
	measureMemory(b, start(b, serving(db)...), key, who)
}

// measureMemory sends 1,000 requests to a server that was just started.
func measureMemory(b *testing.B, s *process, key string, who func(n int) (user, thread string)) {
	defer func() { require.Zero(b, s.stop(b), s.log()) }()
	report := func(name string) {
		if mb := resident(s.cmd.Process.Pid); mb > 0 {
			b.ReportMetric(mb, name)
		}
	}
	report("started-MB")
	post := func(path, body string) []byte {
		a := ask(http.DefaultClient, http.MethodPost, s.url+path, key, body)
		require.Equal(b, http.StatusOK, a.status, "%s: %s", path, a.body)
		return a.body
	}
	if who == nil {
		var made struct {
			Thread string `json:"thread_id"`
		}
		require.NoError(b, json.Unmarshal(post("/v1/threads", `{"user_id":"ann"}`), &made))
		who = func(int) (user, thread string) { return "ann", made.Thread }
	}
	one := func(n int) {
		name, thread := who(n)
		switch n % 3 {
		case 0:
			post("/v1/threads/"+thread+"/events", `{"actor":"user","content":"The gauge was read by Ann today."}`)
		case 1:
			a := ask(http.DefaultClient, http.MethodGet, s.url+"/v1/threads/"+thread+"/events?limit=30", key, "")
			require.Equal(b, http.StatusOK, a.status)
		default:
			post("/v1/retrieve", fmt.Sprintf(`{"user_id":%q,"query":"who read the tide gauge?"}`, name))
		}
	}
	began := time.Now()
	one(0)
	b.ReportMetric(float64(time.Since(began).Microseconds())/1000, "first-event-ms")
	time.Sleep(time.Second)
	report("idle-MB")
	for n := range 1000 {
		one(n)
	}
	report("after-1000-MB")
}

// resident returns the megabytes that a process has in memory: 0 where the system does not say.
func resident(pid int) float64 {
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", pid))
	if err != nil {
		return 0
	}
	_, after, _ := strings.Cut(string(text), "\nVmRSS:")
	var kib float64
	if _, err := fmt.Sscan(after, &kib); err != nil {
		return 0
	}
	return kib / 1024
}
