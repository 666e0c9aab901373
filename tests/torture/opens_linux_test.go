//go:build amd64 || arm64

package torture_test

import (
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"ltm/memory"
)

// countOpen counts that a file is opened. Temporary files of one directory, whose names are random,
// count as one.
func (tr *tracer) countOpen(name string) {
	rest, ok := strings.CutPrefix(name, tr.fault.inside+"/")
	if !ok {
		return
	}
	if isTemp(rest) && !strings.HasPrefix(path.Base(rest), ".git") && !strings.HasPrefix(path.Base(rest), ".claude") {
		rest = path.Join(path.Dir(rest), "TEMPORARY")
	}
	if tr.result.opens == nil {
		tr.result.opens = map[string]int{}
	}
	tr.result.opens[rest]++
}

// manyMemories is the number of memories in the store of these tests: more than a prompt quotes and
// a session starts with.
const manyMemories = 40

// stocked returns a project whose memories were written long ago, with all caches.
func stocked(t *testing.T) (p project, ids []memory.ID) {
	t.Helper()
	p = newProject(t)
	for i := range manyMemories {
		ids = append(ids, p.remember(fmt.Sprintf("Component %d of the build", i),
			fmt.Sprintf("What was learned of part%d: it takes the lock of part%d.", i, i+1)))
	}
	age(t, p)
	p.run("", "recall", "component")
	p.run("", "recall", "component") // the first one's files are final now
	return p, ids
}

// age makes all memories old enough for their timestamps to be trusted.
func age(t *testing.T, p project) {
	t.Helper()
	folder := filepath.Join(p.store(), "memories")
	entries, err := os.ReadDir(folder)
	require.NoError(t, err)
	old := time.Now().Add(-time.Hour)
	for _, e := range entries {
		if info, err := e.Info(); err == nil && info.ModTime().After(old) {
			require.NoError(t, os.Chtimes(filepath.Join(folder, e.Name()), old, old))
		}
	}
	require.NoError(t, os.Chtimes(folder, old, old))
}

// opened runs a command and returns what it opened, except files that only locate the store.
func opened(t *testing.T, p project, stdin string, args ...string) traced {
	t.Helper()
	run := trace(t, fault{inside: p.root, opens: true}, p.command(stdin, args...))
	require.Zero(t, run.status, run.stderr)
	return run
}

// In the bounds of requireOpens, anyFolder means all directories together, and anyMemory each
// memory's file.
const (
	anyFolder = "directories"
	anyMemory = "a memory"
)

// requireOpens requires that each file was opened at most as often as its bound, and files without
// a bound not at all.
func requireOpens(t *testing.T, p project, opens, bounds map[string]int) {
	t.Helper()
	folders := 0
	for _, name := range slices.Sorted(maps.Keys(opens)) {
		what := strings.TrimPrefix(strings.TrimPrefix(name, "project/"), ".git/ltm/")
		if info, err := os.Stat(filepath.Join(p.root, name)); err == nil && info.IsDir() ||
			path.Base(name) == "archives" {
			folders += opens[name]
			continue
		}
		if _, _, ok := memory.ParseArchiveName(path.Base(name)); ok {
			what = anyMemory
		}
		require.LessOrEqual(t, opens[name], bounds[what], "%s was opened %d times, of %v", name, opens[name], opens)
	}
	require.LessOrEqual(t, folders, bounds[anyFolder], "directories, of %v", opens)
}

// memoriesIn returns how many memory files were opened.
func memoriesIn(opens map[string]int) (n int) {
	for name := range opens {
		if _, _, ok := memory.ParseArchiveName(path.Base(name)); ok {
			n++
		}
	}
	return n
}

func countCalls(calls []string, name string) (n int) {
	for _, call := range calls {
		if strings.HasPrefix(call, name+" ") {
			n++
		}
	}
	return n
}

// TestAStoreOpensEachFileOnce stores a memory in a new process. It reads again under the lock what
// it read before it; it opens the journal, the trust record and the lock once to read or create
// them and once to write. It waits for the disk twice: for the file and for its name.
func TestAStoreOpensEachFileOnce(t *testing.T) {
	p, _ := stocked(t)
	run := opened(t, p, "A text of its own.", "remember", "Something else", "-")
	requireOpens(t, p, run.opens, map[string]int{
		".claude/ltm/memories/TEMPORARY": 1, "lock": 2, "log.jsonl": 1, "undo.jsonl": 2, "trust": 2, "trust.key": 1,
		"cache/memories.bin": 1, "cache/search-memories.bin": 1, ".git/config": 1, ".git/worktrees": 1, anyFolder: 28,
	})
	require.Equal(t, 2, countCalls(run.calls, "fsync"), "%v", run.calls)
}

// TestAGetOpensEachFileOnce shows a memory in a new process, which is not an access and writes
// nothing. One view looks up the id, another reads the memory, what others say of it from the
// cache of the last scan, and a third view looks up where its text comes from.
func TestAGetOpensEachFileOnce(t *testing.T) {
	p, ids := stocked(t)
	run := opened(t, p, "", "show", string(ids[3]))
	requireOpens(t, p, run.opens, map[string]int{
		"stats.json": 1, "state.json": 1, "cache/memories.bin": 1, "trust": 1,
		"trust.key": 1, ".git/config": 1, ".git/worktrees": 1, anyMemory: 1,
		anyFolder: 19,
	})
	require.Equal(t, 1, memoriesIn(run.opens))
	require.Empty(t, run.calls)
}

// TestAPromptOpensNoMemories runs the hook of a prompt that no memory answers: with current caches,
// and with caches that lack a few changes.
func TestAPromptOpensNoMemories(t *testing.T) {
	p, _ := stocked(t)
	prompt := payload("s", `"prompt":"please explain how the weather forecast widget works"`)
	files := map[string]int{"state.json": 1, "stats.json": 1, "cache/memories.bin": 1, "cache/search-memories.bin": 1,
		anyFolder: 10}
	run := opened(t, p, prompt, "hook", "UserPromptSubmit")
	requireOpens(t, p, run.opens, files)
	require.Empty(t, run.calls)

	const changes = 3
	for i := range changes {
		p.remember(fmt.Sprint("A later lesson ", i), fmt.Sprintf("The forecast%d is wrong.", i))
	}
	age(t, p) // so that their timestamps are trusted
	files[anyMemory], files["cache/TEMPORARY"] = 2, 1
	run = opened(t, p, prompt, "hook", "UserPromptSubmit")
	requireOpens(t, p, run.opens, files)
	require.LessOrEqual(t, memoriesIn(run.opens), changes)
}

// conversation returns the input of a server: a question, so that everything is loaded, and then n
// requests.
func conversation(t *testing.T, n int, tool string, arguments func(i int) any) string {
	t.Helper()
	var b strings.Builder
	say := func(id int, method string, params any) {
		line, err := json.Marshal(map[string]any{"jsonrpc": "2.0", "id": id, "method": method, "params": params})
		require.NoError(t, err)
		b.Write(append(line, '\n'))
	}
	call := func(id int, name string, arguments any) {
		say(id, "tools/call", map[string]any{"name": name, "arguments": arguments})
	}
	say(1, "initialize", map[string]any{"protocolVersion": "2025-11-25", "capabilities": map[string]any{},
		"clientInfo": map[string]any{"name": "test", "version": "1"}})
	b.WriteString(`{"jsonrpc":"2.0","method":"notifications/initialized"}` + "\n")
	call(2, "recall", map[string]any{"query": "component", "include": "all"})
	for i := range n {
		call(3+i, tool, arguments(i))
	}
	return b.String()
}

// perRequest returns how often a server opens each file for one more request, all memories
// together: the cost of many requests less that of one. A request may overlap the question before
// them, which costs it an additional look.
func perRequest(t *testing.T, p project, tool string, arguments func(i int) any) map[string]int {
	t.Helper()
	const more = 8
	run := func(from, n int) map[string]int {
		at := func(i int) any { return arguments(from + i) }
		o := opened(t, p, conversation(t, n, tool, at), "mcp")
		require.Equal(t, n+2, strings.Count(o.stdout, `"result"`), o.stdout)
		require.NotContains(t, o.stdout, `"isError":true`)
		counts := map[string]int{}
		for name, n := range o.opens {
			if _, _, ok := memory.ParseArchiveName(path.Base(name)); ok {
				name = anyMemory
			}
			counts[name] += n
		}
		return counts
	}
	one, many := run(0, 1), run(1, 1+more)
	found := map[string]int{}
	for name, n := range many {
		found[name] = (max(0, n-one[name]) + more/2) / more
	}
	return found
}

// TestAServerOpensEachFileOnce has a running server store a memory, and return one that it has read
// before; what says about the same is found in a view of its own. Accesses are counted after the
// answer, several at once if they come together. The server reads what it stored to list and index
// it, and reads once each memory that a new one is compared with. Memories that were stored within
// the clock's tick, as the other ones here, are read at each look.
func TestAServerOpensEachFileOnce(t *testing.T) {
	p, ids := stocked(t)
	get := perRequest(t, p, "get_memory", func(int) any { return map[string]any{"id": ids[3]} })
	requireOpens(t, p, get, map[string]int{"stats.json": 2, "TEMPORARY": 1, "lock": 2, "trust": 2,
		"trust.key": 2, anyMemory: 4, anyFolder: 34})

	stored := perRequest(t, p, "store_memory", func(i int) any {
		return map[string]any{"topic": fmt.Sprint("A lesson ", i),
			"content": fmt.Sprintf("It says that x%d is y%d.", i, i)}
	})
	requireOpens(t, p, stored, map[string]int{
		".claude/ltm/memories/TEMPORARY": 1, "lock": 2, "log.jsonl": 1, "undo.jsonl": 2, "trust": 2, "trust.key": 1,
		anyMemory: 24, anyFolder: 34,
	})
}
