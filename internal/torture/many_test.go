package torture_test

import (
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"ltm/memory"
)

// TestSixteenProcessesAtOnce lets four servers, the hooks of eight sessions and
// four hands work in one project. Nobody is killed, so that every counter must be
// exact, each session's its own, and every memory there in its last version.
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
	c.l.settle(t, p)
	t.Logf("%d memories; %d gave up on the lock", len(c.l.memories), c.l.busy)
}

// requireExact requires that counters and memories are those acknowledged, no
// more and no fewer.
func requireExact(t *testing.T, p project, l *ledger, hooks []*hook) {
	t.Helper()
	var now counters
	readJSON(t, filepath.Join(p.store(), "state.json"), &now)
	for _, h := range hooks {
		id := h.name + "-0"
		want := l.session(id)
		require.Equal(t, want.successes, now.Session[id].Successes, id)
		require.Equal(t, want.failures, now.Session[id].Failures, id)
	}
	require.Equal(t, len(hooks), now.Sessions)
	require.Equal(t, l.compactions.successes, now.Compactions)
	active := l.files(t, p, "memories")
	kept := 0
	for id, e := range l.memories {
		if e.forgotten {
			continue
		}
		kept++
		require.Equal(t, e.texts, []string{active[id].Content})
	}
	require.Len(t, active, kept)
}

// readUntil reads as fast as it can: no reader may see a broken file.
func readUntil(t *testing.T, p project, stop chan struct{}) {
	for {
		select {
		case <-stop:
			return
		default:
		}
		var check memory.CheckReport
		p.json(&check, "check")
		if len(check.UnreadableFiles) > 0 {
			t.Errorf("a reader saw %v", check.UnreadableFiles)
			return
		}
	}
}
