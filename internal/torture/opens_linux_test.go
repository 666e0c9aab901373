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

// countOpen notes that a file is opened. Temporary files of one directory, whose
// names are random, count together.
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

// manyMemories is how many memories the store of these tests has: more than a
// question quotes and a session starts with.
const manyMemories = 40

// stocked is a project whose memories were written long ago, with all caches.
func stocked(t *testing.T) (p project, ids []memory.ID) {
	t.Helper()
	p = newProject(t)
	for i := range manyMemories {
		ids = append(ids, p.remember(fmt.Sprintf("Component %d of the build", i),
			fmt.Sprintf("What was learned of part%d: it takes the lock of part%d.", i, i+1)))
	}
	age(t, p)
	p.run("", "recall", "component")
	p.run("", "recall", "component") // what the first one has written is settled
	return p, ids
}

// age makes all memories old enough for their stamps to be believed.
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

// opened runs a command and returns what it opened, less what only tells where the
// store is.
func opened(t *testing.T, p project, stdin string, args ...string) traced {
	t.Helper()
	run := trace(t, fault{inside: p.root, opens: true}, p.command(stdin, args...))
	require.Zero(t, run.status, run.stderr)
	return run
}

// anyFolder stands for all directories together in the bounds of requireOpens, and
// anyMemory for each file of a memory.
const (
	anyFolder = "directories"
	anyMemory = "a memory"
)

// requireOpens requires that nothing was opened more often than a bound says, and
// nothing at all that has none.
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

// memoriesIn returns how many files of memories were opened.
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

// TestAStoreOpensEachFileOnce has a process of its own store a memory. What it reads
// before it has the lock it reads once more under the lock; the journal, the trust
// record and the lock are opened to be read, or made, and to be written. It waits for
// the disk twice: for the file and for its name.
func TestAStoreOpensEachFileOnce(t *testing.T) {
	p, _ := stocked(t)
	run := opened(t, p, "A text of its own.", "remember", "Something else", "-")
	requireOpens(t, p, run.opens, map[string]int{
		".claude/ltm/memories/TEMPORARY": 1, "lock": 2, "log.jsonl": 1, "undo.jsonl": 2, "trust": 2, "trust.key": 1,
		"cache/memories.bin": 2, "cache/search-memories.bin": 1, anyFolder: 24,
	})
	require.Equal(t, 2, countCalls(run.calls, "fsync"), "%v", run.calls)
}

// TestAGetOpensEachFileOnce has a process of its own show a memory, which is not an
// access and writes nothing. One view looks the id up, one reads the memory.
func TestAGetOpensEachFileOnce(t *testing.T) {
	p, ids := stocked(t)
	run := opened(t, p, "", "show", string(ids[3]))
	requireOpens(t, p, run.opens, map[string]int{
		"stats.json": 1, "state.json": 1, anyMemory: 1, anyFolder: 12,
	})
	require.Equal(t, 1, memoriesIn(run.opens))
	require.Empty(t, run.calls)
}

// TestAPromptOpensNoMemories has the hook of a prompt that no memory answers: with
// the caches up to date, and when they are a few changes old.
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
	age(t, p) // so that their stamps can be believed
	files[anyMemory], files["cache/memories.bin"] = 2, 2
	run = opened(t, p, prompt, "hook", "UserPromptSubmit")
	requireOpens(t, p, run.opens, files)
	require.LessOrEqual(t, memoriesIn(run.opens), changes)
}

// conversation is what a client says to a server: a question, so that everything is
// ready, and then a request, so many times.
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

// perRequest returns how often a server opens each file for one more request, all
// memories together: what many of them take, less what one takes. Requests may meet
// the question before them, which costs one of them a look more.
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

// TestAServerOpensEachFileOnce has a running server store a memory, and return one
// that it has read before: the system tells it which ones have changed, so it reads
// the file only where it would wait for another question otherwise. The access is
// counted behind the answer, several together when they come at once. What it has stored it reads to list it and to
// index it, and it reads each memory once that a new one is compared with.
func TestAServerOpensEachFileOnce(t *testing.T) {
	p, ids := stocked(t)
	get := perRequest(t, p, "get_memory", func(int) any { return map[string]any{"id": ids[3]} })
	requireOpens(t, p, get, map[string]int{"stats.json": 2, "TEMPORARY": 1, "lock": 2, anyMemory: 1, anyFolder: 12})

	stored := perRequest(t, p, "store_memory", func(i int) any {
		return map[string]any{"topic": fmt.Sprint("A lesson ", i),
			"content": fmt.Sprintf("It says that x%d is y%d.", i, i)}
	})
	requireOpens(t, p, stored, map[string]int{
		".claude/ltm/memories/TEMPORARY": 1, "lock": 2, "log.jsonl": 1, "undo.jsonl": 2, "trust": 2, "trust.key": 1,
		anyMemory: 4, anyFolder: 30,
	})
}
