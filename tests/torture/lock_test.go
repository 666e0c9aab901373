package torture_test

import (
	"errors"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/gofrs/flock"
	"github.com/stretchr/testify/require"
)

// patience is the time limit while the lock is held. The real deadlines are 2 s, and 500 ms in
// hooks; the tests only assert that nothing waits forever, because the machine may be busy.
const patience = 20 * time.Second

// TestLockedForever has another process hold the lock and never release it.
func TestLockedForever(t *testing.T) {
	p := newProject(t)
	first := p.remember("kept", "This was acknowledged.")
	other := p.remember("archived", "This too.")
	p.run("", "forget", string(other))
	p.run(payload("s", `"source":"startup"`), "hook", "SessionStart")
	p.remember("one too many", "An eviction is due.")
	p.run("", "config", "max_memories", "1")
	before := readFacts(t, p)
	lock := flock.New(filepath.Join(p.own(), "lock"))
	held, err := lock.TryLock()
	require.NoError(t, err)
	require.True(t, held)

	t.Run("while it is held", func(t *testing.T) { whileLocked(t, p, string(first), string(other)) })
	require.Equal(t, before, readFacts(t, p))

	require.NoError(t, lock.Close())
	p.run("", "update", string(first), "--content", "Changed afterwards.")
	require.Equal(t, "Changed afterwards.", readFacts(t, p).memories["kept"].Content)
}

// try is an attempt while the lock is held, and its result.
type try struct {
	name    string
	run     func() outcome
	judge   func(*testing.T, outcome)
	outcome outcome
	took    time.Duration
}

// whileLocked tries everything concurrently, since most of it waits.
func whileLocked(t *testing.T, p project, id, archived string) {
	tries := slices.Concat(lockedWrites(p, id, archived), lockedHooks(p), lockedReads(p, id), lockedTools(p, id))
	var all sync.WaitGroup
	for i := range tries {
		all.Go(func() {
			begun := time.Now()
			tries[i].outcome = tries[i].run()
			tries[i].took = time.Since(begun)
		})
	}
	all.Wait()
	for _, c := range tries {
		t.Run(c.name, func(t *testing.T) {
			require.Less(t, c.took, patience)
			require.LessOrEqual(t, strings.Count(c.outcome.stderr, "\n"), 1, c.outcome.stderr)
			c.judge(t, c.outcome)
		})
	}
}

func lockedWrites(p project, id, archived string) (tries []try) {
	for _, args := range [][]string{
		{"remember", "another", "text"}, {"update", id, "--content", "text"}, {"pin", id}, {"unpin", id},
		{"forget", id}, {"forget", "--hard", "--yes", id}, {"restore", archived}, {"undo"}, {"undo", id},
		{"evict"}, {"fade", "--write"}, {"fix"}, {"archives", "prune", "--older-than", "1h", "--yes"},
		{"trust", id}, {"trust", "--revoke", id},
		{"config", "max_memories", "5"}, {"config", "--shared", "max_memories", "5"},
		{"config", "--reset", "max_memories"},
	} {
		tries = append(tries, try{name: strings.Join(args, " "), run: func() outcome { return p.try("", args...) },
			judge: func(t *testing.T, o outcome) {
				require.Equal(t, 4, o.status, o.stderr)
				require.Equal(t,
					"ltm: another process has held the lock of the store for more than 2s; try again; "+
						"nothing was changed\n", o.stderr)
				require.Empty(t, o.stdout)
			}})
	}
	return tries
}

func lockedHooks(p project) (tries []try) {
	for event, rest := range map[string]string{
		"PostToolUse": `"tool_response":"x"`, "PostToolUseFailure": `"error":"x"`, "PreCompact": `"trigger":"auto"`,
		"SessionEnd": `"reason":"other"`, "SessionStart": `"source":"startup"`,
		"UserPromptSubmit": `"prompt":"what was acknowledged?"`,
	} {
		tries = append(tries, try{name: event, run: func() outcome { return p.try(payload("s2", rest), "hook", event) },
			judge: func(t *testing.T, o outcome) {
				if event == "UserPromptSubmit" { // it reads, and records what it showed (best effort)
					require.LessOrEqual(t, o.status, 1)
					return
				}
				require.Equal(t, 1, o.status)
				require.Equal(t,
					"ltm hook: another process has held the lock of the store for more than 500ms; "+
						"the next event tries again\n", o.stderr)
				require.Equal(t, event == "SessionStart", strings.Contains(o.stdout, "This was acknowledged."))
			}})
	}
	return tries
}

func lockedReads(p project, id string) (tries []try) {
	for _, args := range [][]string{
		{"list"}, {"recall", "acknowledged"}, {"show", id}, {"status"}, {"archives"}, {"evict", "--dry-run"}, {"log"},
		{"config"}, {"fix", "--dry-run"}, {"undo", "--list"}, {"fade", "--dry-run"}, {"trust"}, {"check"}, {"why", id},
		{"archives", "prune", "--older-than", "1h", "--dry-run"},
	} {
		tries = append(tries, try{name: strings.Join(args, " "), run: func() outcome { return p.try("", args...) },
			judge: func(t *testing.T, o outcome) {
				require.Zero(t, o.status, o.stderr)
				require.NotEmpty(t, o.stdout)
			}})
	}
	return tries
}

func lockedTools(p project, id string) (tries []try) {
	for tool, arguments := range map[string]map[string]any{
		"get_memory": {"id": id}, "recall": {"query": "acknowledged"},
		"store_memory": {"topic": "another", "content": "text"},
	} {
		tries = append(tries, try{name: tool, run: func() outcome { return callOnce(p, tool, arguments) },
			judge: func(t *testing.T, o outcome) {
				require.Empty(t, o.stderr)
				if tool == "store_memory" {
					require.Equal(t, 1, o.status)
					require.Contains(t, o.stdout, "held the lock")
					return
				}
				require.Zero(t, o.status)
				require.Contains(t, o.stdout, "This was acknowledged.")
			}})
	}
	return tries
}

// callOnce calls a tool of a new server. The status is 1 if the tool returns an error.
func callOnce(p project, tool string, arguments map[string]any) outcome {
	s, err := newCrew(p).serve("s")
	if err != nil {
		return outcome{stderr: err.Error()}
	}
	_, err = s.greet()
	r, _, callErr := s.call(tool, arguments)
	if err = errors.Join(err, callErr, s.close()); err != nil {
		return outcome{stderr: err.Error()}
	}
	o := outcome{stdout: r.text()}
	if r.IsError {
		o.status = 1
	}
	return o
}
