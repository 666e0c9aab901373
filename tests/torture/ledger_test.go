package torture_test

import (
	"slices"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"ltm/memory"
	"ltm/memory/api"
)

// ledger records what was acknowledged, and what was in progress when a process was killed, which
// may or may not have happened.
type ledger struct {
	mu          sync.Mutex
	memories    map[memory.ID]*entry
	unsure      map[string]string // texts by topic of stores in progress
	sessions    map[string]*tally
	compactions tally
	inherited   counters // from a predecessor
	busy        int      // commands that gave up on the lock
}

// entry is one memory.
type entry struct {
	texts    []string // all that were acknowledged
	maybe    []string // those in progress when a process was killed
	now      []string // the memory has one of these, in full
	accesses int      // the minimum that must have been counted
	foreign  bool     // it existed before this clone's own files

	forgotten, erased answer // as acknowledged
}

// answer is yes, no, or unknown if a process was killed.
type answer int

const (
	no answer = iota
	yes
	unknown
)

// tally counts the events reported to a hook.
type tally struct{ successes, failures, unsure int }

func newLedger() *ledger {
	return &ledger{memories: map[memory.ID]*entry{}, unsure: map[string]string{}, sessions: map[string]*tally{}}
}

func newEntry(text string) *entry { return &entry{texts: []string{text}, now: []string{text}} }

// do changes the ledger under its lock.
func (l *ledger) do(change func()) {
	l.mu.Lock()
	defer l.mu.Unlock()
	change()
}

func (l *ledger) session(id string) *tally {
	if l.sessions[id] == nil {
		l.sessions[id] = &tally{}
	}
	return l.sessions[id]
}

// wrote records a text that a memory was given; done if it was acknowledged.
func (e *entry) wrote(text string, done bool) {
	if done {
		e.texts, e.now = append(e.texts, text), []string{text}
		return
	}
	e.maybe, e.now = append(e.maybe, text), append(e.now, text)
}

// tookBack records that the last change of a memory was undone, or may have been: the memory has
// any of its earlier texts, or is archived.
func (e *entry) tookBack() {
	e.now, e.forgotten = slices.Concat(e.texts, e.maybe), unknown
}

// verify compares a project with the ledger while no process works in it.
func (l *ledger) verify(t *testing.T, p project) {
	t.Helper()
	l.mu.Lock()
	defer l.mu.Unlock()
	now := readFacts(t, p)
	counts, _ := counted(t, p)
	require.Empty(t, now.bare, "stubs without their text")
	for name := range now.paths {
		require.True(t, isKnownFile(name) || isTemp(name) || olderFiles()[name], "%s is in the store's directory", name)
	}
	for id, e := range l.memories {
		topic, there := now.topics[id]
		require.True(t, there, "the file of %s is gone", id)
		m := now.memories[topic]
		l.verifyTexts(t, id, e, m, now.full[id])
		require.False(t, e.forgotten == yes && m.Phase != memory.Removed, "%s was forgotten", id)
		require.False(t, e.forgotten == no && e.erased == no && m.Phase == memory.Removed &&
			m.Reason != memory.ReasonEvicted, "%s was not forgotten", id)
		require.GreaterOrEqual(t, counts.Memories[id].Count, e.accesses, "accesses of %s", id)
	}
	for id, topic := range now.topics {
		if l.memories[id] == nil && now.memories[topic].Reason != memory.ReasonErased {
			text, known := l.unsure[topic]
			require.True(t, known && slices.Contains(now.full[id], text), "%s, which was not stored: %q", id,
				now.memories[topic].Content)
		}
	}
	l.verifyTrust(t, now)
	l.verifyCounters(t, p)
}

// olderFiles are what a predecessor leaves next to the memories.
func olderFiles() map[string]bool {
	return map[string]bool{"stats.json": true, "state.json": true}
}

// verifyTexts requires that every acknowledged text is complete in memories/ or archives/, and that
// the memory has the last one.
func (l *ledger) verifyTexts(t *testing.T, id memory.ID, e *entry, m text, full []string) {
	t.Helper()
	if e.erased == yes {
		require.Empty(t, full, "%s was erased", id)
	}
	if e.erased != no {
		return
	}
	for _, text := range e.texts {
		require.Contains(t, full, text, "a text of %s is lost", id)
	}
	for _, text := range full {
		require.True(t, slices.Contains(e.texts, text) || slices.Contains(e.maybe, text), "%s never said %q", id, text)
	}
	if m.Phase == memory.Full {
		require.Contains(t, e.now, m.Content, "%s", id)
		e.now = []string{m.Content} // no longer in doubt
		if slices.Contains(e.maybe, m.Content) && !slices.Contains(e.texts, m.Content) {
			e.texts = append(e.texts, m.Content)
		}
	}
}

// verifyTrust requires that nothing written here counts as foreign.
func (l *ledger) verifyTrust(t *testing.T, now facts) {
	t.Helper()
	inherited := map[string]bool{}
	for id, e := range l.memories {
		if e.foreign {
			inherited[now.topics[id]] = true
		}
	}
	for name := range now.foreign {
		require.True(t, inherited[topicOf(name)], "%s was written here and counts as foreign", name)
	}
}

func (l *ledger) verifyCounters(t *testing.T, p project) {
	t.Helper()
	_, c := counted(t, p)
	least := 0
	for id, want := range l.sessions {
		if want.successes+want.failures > 0 {
			least++
		}
		got, kept := c.Session[id]
		if !kept {
			continue // only the last twenty are kept
		}
		require.GreaterOrEqual(t, got.Successes, want.successes, id)
		require.GreaterOrEqual(t, got.Failures, want.failures, id)
		require.LessOrEqual(t, got.Successes+got.Failures, want.successes+want.failures+want.unsure, id)
	}
	require.GreaterOrEqual(t, c.Sessions, l.inherited.Sessions+least)
	require.LessOrEqual(t, c.Sessions, l.inherited.Sessions+len(l.sessions))
	require.GreaterOrEqual(t, c.Compactions, l.inherited.Compactions+l.compactions.successes)
	require.LessOrEqual(t, c.Compactions, l.inherited.Compactions+l.compactions.successes+l.compactions.unsure)
	for key, value := range l.inherited.Config {
		require.Equal(t, string(value), string(c.Config[key]), key)
	}
}

// requireOrder requires that a project is in order after another write.
func (l *ledger) requireOrder(t *testing.T, p project) {
	t.Helper()
	ageCache(t, p)
	id := p.remember("the last one", "It was stored when all was quiet.")
	l.do(func() { l.memories[id] = newEntry("It was stored when all was quiet.") })
	require.Empty(t, temps(t, p))
	var check api.CheckReport
	p.json(&check, "check")
	require.True(t, check.OK, check.Summary)
	l.verify(t, p)
	now := readFacts(t, p)
	requireServed(t, p, now)
	requireCleanTree(t, p, facts{paths: olderFiles()}, facts{})
	var trust api.TrustReport
	p.json(&trust, "trust")
	for _, foreign := range trust.Foreign {
		require.True(t, l.memories[foreign.ID] != nil && l.memories[foreign.ID].foreign, "%v", foreign)
	}
}
