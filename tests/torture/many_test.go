package torture_test

import (
	"fmt"
	"math/rand/v2"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"ltm/memory"
	"ltm/memory/api"
)

// TestSixteenProcessesAtOnce runs four servers, the hooks of eight sessions and four hands in one
// project. No process is killed, so every counter must be exact, each session's its own, and every
// memory must have its last version.
func TestSixteenProcessesAtOnce(t *testing.T) {
	const servers, sessions, hands = 4, 8, 4
	steps := 12
	if _, full := rounds(t); full {
		steps = 100
	}
	p := newProject(t)
	p.run("", "config", "max_memories", "100000")
	c := newCrew(p)
	var workers []worker
	var hooks []*hook
	for i := range servers {
		workers = append(workers, &client{crew: c, name: fmt.Sprintf("server %d", i)})
	}
	for i := range sessions {
		hooks = append(hooks, &hook{crew: c, name: fmt.Sprintf("session %d", i), forever: true})
		workers = append(workers, hooks[i])
	}
	for i := range hands {
		workers = append(workers, &hand{crew: c, name: fmt.Sprintf("hand %d", i)})
	}
	var work sync.WaitGroup
	for i, w := range workers {
		dice := rand.New(rand.NewPCG(uint64(i), 0))
		work.Go(func() {
			for range steps {
				if err := w.step(dice); err != nil {
					t.Error(err)
					return
				}
			}
		})
	}
	stop := make(chan struct{})
	var reader sync.WaitGroup
	reader.Go(func() { readUntil(t, p, stop) })
	work.Wait()
	close(stop)
	reader.Wait()
	require.False(t, t.Failed())

	c.l.verify(t, p)
	requireExact(t, p, c.l, hooks)
	for _, w := range workers {
		require.NoError(t, w.stop())
	}
	c.l.requireOrder(t, p)
	t.Logf("%d memories; %d gave up on the lock", len(c.l.memories), c.l.busy)
}

// requireExact requires that counters and memories are exactly those acknowledged.
func requireExact(t *testing.T, p project, l *ledger, hooks []*hook) {
	t.Helper()
	_, now := counted(t, p)
	for _, h := range hooks {
		id := h.name + "-0"
		want := l.session(id)
		require.Equal(t, want.successes, now.Session[id].Successes, id)
		require.Equal(t, want.failures, now.Session[id].Failures, id)
	}
	require.Equal(t, len(hooks), now.Sessions)
	require.Equal(t, l.compactions.successes, now.Compactions)
	f := readFacts(t, p)
	for id, e := range l.memories {
		m := f.memories[f.topics[id]]
		switch gone := e.forgotten == yes || e.erased == yes; {
		case m.Phase == memory.Removed:
			require.True(t, gone || e.forgotten == unknown, "%s is gone", id)
		default:
			require.False(t, gone, "%s was forgotten", id)
			require.Contains(t, e.now, m.Content)
		}
	}
	require.Len(t, f.topics, len(l.memories))
}

// readUntil reads continuously: no reader may see a broken file.
func readUntil(t *testing.T, p project, stop chan struct{}) {
	for {
		select {
		case <-stop:
			return
		default:
		}
		var check api.CheckReport
		p.json(&check, "check")
		if len(check.UnreadableFiles) > 0 {
			t.Errorf("a reader saw %v", check.UnreadableFiles)
			return
		}
	}
}
