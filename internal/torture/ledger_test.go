package torture_test

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"ltm/memory"
)

// ledger holds what was acknowledged, and what was under way when a process was
// killed: that may have happened or not.
type ledger struct {
	mu          sync.Mutex
	memories    map[memory.ID]*entry
	unsure      map[string]string // texts by topic of stores under way
	sessions    map[string]*tally
	compactions tally
	busy        int // commands that gave up on the lock
}

// entry is one memory.
type entry struct {
	texts     []string // the acknowledged one, then those under way
	accesses  int      // that must have been counted
	forgotten bool     // acknowledged
}

// tally counts what a hook was told.
type tally struct{ successes, failures, unsure int }

func newLedger() *ledger {
	return &ledger{memories: map[memory.ID]*entry{}, unsure: map[string]string{}, sessions: map[string]*tally{}}
}

// do changes the ledger.
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

// verify compares a project with the ledger. Nobody works in it meanwhile.
func (l *ledger) verify(t *testing.T, p project) {
	t.Helper()
	l.mu.Lock()
	defer l.mu.Unlock()
	active, archived := l.files(t, p, "memories"), l.files(t, p, "archives")
	var stats struct {
		Memories map[memory.ID]struct {
			Count int `json:"access_count"`
		} `json:"memories"`
	}
	readJSON(t, filepath.Join(p.store(), "stats.json"), &stats)
	for id, e := range l.memories {
		now, isActive := active[id]
		old := archived[id]
		require.True(t, oneOf(e.texts, now.Content) >= 0 || oneOf(e.texts, old.Content) >= 0,
			"%s is lost: active %v, archived %v, acknowledged %q", id, now, old, e.texts)
		require.False(t, e.forgotten && isActive, "%s was forgotten", id)
		if isActive {
			require.GreaterOrEqual(t, stats.Memories[id].Count, e.accesses, "accesses of %s", id)
			if i := oneOf(e.texts, now.Content); i >= 0 {
				e.texts = e.texts[i : i+1] // now it is sure
			}
		}
	}
	for id, m := range active {
		if l.memories[id] == nil {
			text, known := l.unsure[m.Topic]
			require.True(t, known && (oneOf([]string{text}, m.Content) >= 0 || oneOf([]string{text}, archived[id].Content) >= 0), "%s, which nobody stored: %q", id, m.Content)
		}
	}
	l.verifyCounters(t, p)
	for _, name := range []string{"index.json", "archive_index.json"} {
		var index map[string]any
		readJSON(t, filepath.Join(p.store(), name), &index)
	}
	var check memory.CheckReport
	p.json(&check, "check")
	require.Empty(t, check.UnreadableFiles)
}

// oneOf returns which of these texts a content is, with or without a text from
// before below it, or -1.
func oneOf(texts []string, content string) int {
	return slices.IndexFunc(texts, func(text string) bool {
		return content == text || strings.HasPrefix(content, text+"\n\n## Before\n\n")
	})
}

func (l *ledger) verifyCounters(t *testing.T, p project) {
	t.Helper()
	var c counters
	readJSON(t, filepath.Join(p.store(), "state.json"), &c)
	least := 0
	for id, want := range l.sessions {
		if want.successes+want.failures > 0 {
			least++
		}
		got, kept := c.Session[id]
		if !kept {
			continue // only the last twenty are
		}
		require.GreaterOrEqual(t, got.Successes, want.successes, id)
		require.GreaterOrEqual(t, got.Failures, want.failures, id)
		require.LessOrEqual(t, got.Successes+got.Failures, want.successes+want.failures+want.unsure, id)
	}
	require.GreaterOrEqual(t, c.Sessions, least)
	require.LessOrEqual(t, c.Sessions, len(l.sessions))
	require.GreaterOrEqual(t, c.Compactions, l.compactions.successes)
	require.LessOrEqual(t, c.Compactions, l.compactions.successes+l.compactions.unsure)
}

// files reads a folder of memories. All must be whole.
func (l *ledger) files(t *testing.T, p project, folder string) map[memory.ID]memory.Memory {
	t.Helper()
	found := map[memory.ID]memory.Memory{}
	names, err := filepath.Glob(filepath.Join(p.store(), folder, "mem_*"))
	require.NoError(t, err)
	for _, name := range names {
		data, err := os.ReadFile(name)
		require.NoError(t, err)
		file, err := memory.Parse(data)
		require.NoError(t, err, "%s: %q", name, data)
		require.Equal(t, strings.TrimSuffix(filepath.Base(name), ".md"), string(file.Memory.ID))
		found[file.Memory.ID] = file.Memory
	}
	return found
}

// settle requires that a project is in order once somebody has written to it
// again.
func (l *ledger) settle(t *testing.T, p project) {
	t.Helper()
	ageCache(t, p)
	id := p.remember("the last one", "It was stored when all was quiet.")
	l.do(func() { l.memories[id] = &entry{texts: []string{"It was stored when all was quiet."}} })
	require.Empty(t, temps(t, p))
	p.run("", "fix")
	var check memory.CheckReport
	p.json(&check, "check")
	require.True(t, check.OK, check.Summary)
	l.verify(t, p)
	var list memory.Listing
	p.json(&list, "list", "--limit", "1000")
	require.Len(t, l.files(t, p, "memories"), list.Total)
}
