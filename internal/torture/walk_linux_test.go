//go:build amd64 || arm64

package torture_test

import (
	"fmt"
	"os"
	"path"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"

	"ltm/memory"
)

// operation is something that changes files, and the project that it is done in.
type operation struct {
	name    string
	prepare func(project) (stdin string, args []string)

	// What a second run may end with when the first was done already.
	again []int
	// The second run of an operation counts or evicts once more.
	adds bool
	// What tells that it did all: a session's end leaves an eviction to the next
	// one when it takes too long, as on a busy machine.
	complete func(after facts) bool
}

// furnish makes a project with memories, an archive, stats and an open session.
func furnish(p project) (first memory.ID) {
	p.run(payload("old", `"source":"startup"`), "config", "max_memories", "50")
	first = p.remember("one about pools", long("pools"), "--difficulty", "0.7")
	p.remember("two about queues", long("queues"), "--difficulty", "0.5", "--tag", "tracked")
	gone := p.remember("three about caches", long("caches"))
	p.run("", "forget", string(gone))
	p.run("", "show", string(first))
	p.run(payload("s1", `"source":"startup"`), "hook", "SessionStart")
	p.run(payload("s1", `"tool_response":"some output"`), "hook", "PostToolUse")
	p.run(payload("s1", `"error":"x"`), "hook", "PostToolUseFailure")
	return first
}

// crowd makes a project in which an eviction takes one memory from each phase to
// the next, the last one out.
func crowd(p project) {
	for i, about := range []string{"alpha", "beta", "gamma", "delta", "epsilon"} {
		p.remember("memory "+about, long(about), "--difficulty", fmt.Sprint(0.1*float64(i+1)))
	}
	p.run("", "config", "max_memories", "2")
	p.run("", "config", "eviction_batch_size", "2")
	p.run("", "evict") // alpha and beta: full → hint
	p.run("", "config", "eviction_batch_size", "1")
	p.run("", "evict") // alpha: hint → abstract
	p.run("", "config", "eviction_batch_size", "3")
	p.run(payload("s1", `"source":"startup"`), "hook", "SessionStart")
}

func hookOn(event, rest string) func(project) (string, []string) {
	return func(p project) (string, []string) {
		furnish(p)
		return payload("s1", rest), []string{"hook", event}
	}
}

func operations() []operation {
	return []operation{
		{name: "remember", again: []int{4}, prepare: func(p project) (string, []string) {
			furnish(p)
			return long("stores"), []string{"remember", "a new one", "-", "--difficulty", "0.4", "--tag", "fresh"}
		}},
		{name: "first remember", again: []int{4}, prepare: func(project) (string, []string) {
			return long("stores"), []string{"remember", "the very first", "-", "--difficulty", "0.4"}
		}},
		{name: "update", adds: true, prepare: func(p project) (string, []string) {
			return "Wholly new text.", []string{"update", string(furnish(p)), "--content", "-", "--tag", "new"}
		}},
		{name: "show", adds: true, prepare: func(p project) (string, []string) {
			return "", []string{"show", string(furnish(p))}
		}},
		{name: "forget", again: []int{3}, prepare: func(p project) (string, []string) {
			return "", []string{"forget", string(furnish(p))}
		}},
		{name: "restore", again: []int{4}, prepare: func(p project) (string, []string) {
			id := furnish(p)
			p.run("", "forget", string(id))
			return "", []string{"restore", string(id), "--importance", "important"}
		}},
		{name: "restore of a reduced memory", again: []int{4}, prepare: func(p project) (string, []string) {
			crowd(p)
			var list memory.Listing
			p.json(&list, "list", "--keyword", "alpha")
			return "", []string{"restore", string(list.Memories[0].ID)}
		}},
		{name: "evict", adds: true, prepare: func(p project) (string, []string) {
			crowd(p)
			return "", []string{"evict"}
		}},
		{name: "fix", prepare: breakProject},
		{name: "config", prepare: func(p project) (string, []string) {
			furnish(p)
			return "", []string{"config", "memories_to_load", "7"}
		}},
		{name: "config for all", prepare: func(p project) (string, []string) {
			furnish(p)
			p.run("", "config", "--shared", "max_memories", "60")
			return "", []string{"config", "--shared", "memories_to_load", "7"}
		}},
		{name: "init", prepare: func(p project) (string, []string) {
			p.write("CLAUDE.md", "# Rules\n\nUse tabs.\n")
			p.write(".mcp.json", `{"mcpServers":{"other":{"command":"other"}}}`+"\n")
			return "", []string{"init"}
		}},
		{name: "init with a store", prepare: func(p project) (string, []string) {
			furnish(p)
			return "", []string{"init"}
		}},
		{name: "SessionStart", adds: true, prepare: hookOn("SessionStart", `"source":"startup"`)},
		{name: "SessionStart of a new session", adds: true, prepare: func(p project) (string, []string) {
			furnish(p)
			return payload("s2", `"source":"startup"`), []string{"hook", "SessionStart"}
		}},
		{name: "PostToolUse", adds: true, prepare: hookOn("PostToolUse", `"tool_response":"more output"`)},
		{name: "PreCompact", adds: true, prepare: hookOn("PreCompact", `"trigger":"manual"`)},
		{name: "SessionEnd", adds: true, prepare: hookOn("SessionEnd", `"reason":"other"`)},
		{name: "SessionEnd with an eviction", adds: true, complete: allEvicted, prepare: func(p project) (string, []string) {
			crowd(p)
			return payload("s1", `"reason":"other"`), []string{"hook", "SessionEnd"}
		}},
	}
}

// allEvicted says whether the last of what is due in a crowd was reduced.
func allEvicted(after facts) bool { return after.active["memory gamma"].Phase == memory.Hint }

// breakProject makes a project with all that fix repairs.
func breakProject(p project) (string, []string) {
	id := furnish(p)
	p.write(".claude/ltm/index.json", brokenIndex)
	p.write(".claude/ltm/memories/"+brokenFile, "---\nno header")
	stats, err := os.ReadFile(filepath.Join(p.store(), "stats.json"))
	require.NoError(p.t, err)
	p.write(".claude/ltm/stats.json", strings.Replace(string(stats), string(id), "mem_00000000", 1))
	return "", []string{"fix"}
}

func (p project) write(name, text string) {
	require.NoError(p.t, os.WriteFile(filepath.Join(p.dir, filepath.FromSlash(name)), []byte(text), 0o644))
}

// walk is an operation with the project that it is done in.
type walk struct {
	operation
	base          project
	stdin         string
	args          []string
	before, after facts
	calls         []string
}

// scene prepares an operation and does it once untouched.
func scene(t *testing.T, o operation) *walk {
	t.Helper()
	w := &walk{operation: o, base: newProject(t)}
	w.stdin, w.args = o.prepare(w.base)
	w.before = w.facts(t, w.base)
	for {
		root, err := filepath.EvalSymlinks(t.TempDir())
		require.NoError(t, err)
		p := w.base.clone(t, root)
		done := trace(t, fault{inside: p.dir}, p.command(w.stdin, w.args...))
		require.Zero(t, done.status, done.stderr)
		require.Empty(t, temps(t, p))
		w.after, w.calls = w.facts(t, p), done.calls
		require.NotEmpty(t, w.calls)
		if w.complete == nil || w.complete(w.after) {
			return w
		}
	}
}

// facts reads a project. Paths of the scratch folder are made alike.
func (w *walk) facts(t *testing.T, p project) facts {
	t.Helper()
	f := readFacts(t, p)
	for name, text := range f.others {
		f.others[name] = strings.ReplaceAll(text, p.root, "ROOT")
	}
	return f
}

// strike does the operation in a copy of its project, with a fault, and requires
// that nothing is lost. It returns false when the fault came too late.
func (w *walk) strike(t *testing.T, f fault) bool {
	t.Helper()
	root, err := filepath.EvalSymlinks(t.TempDir())
	require.NoError(t, err)
	defer os.RemoveAll(root)
	p := w.base.clone(t, root)
	f.inside = p.dir
	run := trace(t, f, p.command(w.stdin, w.args...))
	if !run.struck {
		require.Zero(t, run.status, run.stderr)
		return false
	}
	where := fmt.Sprintf("%s, %s, which is %s", w.name, f, run.calls[f.at-1])
	t.Run(where, func(t *testing.T) { w.judge(t, project{t, p.root, p.dir}, f, run) })
	return true
}

// judge looks at what a run with a fault has left, and goes on from there.
func (w *walk) judge(t *testing.T, p project, f fault, run traced) {
	require.Equal(t, f.kill, run.killed)
	now := w.facts(t, p)
	requireBetween(t, w.before, now, w.after)
	require.Equal(t, brokenFiles(w.before), brokenFiles(now), "a file that cannot be read is gone")
	if !f.kill {
		w.judgeError(t, f, run, now)
	}
	requireServed(t, p, now)
	var check memory.CheckReport
	p.json(&check, "check")
	if w.name != "fix" {
		require.Empty(t, check.UnreadableFiles)
	}

	again := p.try(w.stdin, w.args...)
	if again.status != 0 {
		require.Contains(t, w.again, again.status, again.stderr)
	}
	last := w.facts(t, p)
	switch {
	case again.status != 0: // it was done already, but for what is counted last
		require.Equal(t, w.after.active, last.active)
		require.Equal(t, w.after.archived, last.archived)
	case !w.adds:
		requireDone(t, last, w.after)
	}
	ageCache(t, p)
	p.remember("the next one", "It was stored afterwards.")
	require.Empty(t, temps(t, p))
	requireIgnored(t, p)
	p.run("", "fix")
	p.json(&check, "check")
	require.True(t, check.OK || w.name == "fix" && strings.HasPrefix(check.Summary, "1 unreadable archive;"), check.Summary)
	now = w.facts(t, p)
	for topic, m := range w.before.active {
		if m.Phase == memory.Full && w.name != "update" {
			require.True(t, now.active[topic].Content == m.Content || now.archived[topic].Content == m.Content, "the text of %q is gone", topic)
		}
	}
	require.Contains(t, now.active, "the next one")
	requireServed(t, p, now)
}

// brokenFiles counts what cannot be read and must not vanish.
func brokenFiles(f facts) (n int) {
	for name := range f.others {
		if path.Base(name) == brokenFile {
			n++
		}
	}
	return n
}

// requireIgnored requires that git passes over what belongs to one clone.
func requireIgnored(t *testing.T, p project) {
	t.Helper()
	rules, err := os.ReadFile(filepath.Join(p.store(), ".gitignore"))
	require.NoError(t, err, "without its rules, git would track what belongs to one clone")
	require.Contains(t, string(rules), "/state.json\n")
}

// judgeError looks at how a run ended in which a call failed.
func (w *walk) judgeError(t *testing.T, f fault, run traced, now facts) {
	t.Helper()
	require.NotContains(t, run.stderr, "goroutine")
	require.NotContains(t, run.stderr, "panic")
	if run.status == 0 { // what failed was a cache, a log line or a tidying
		if w.name == "show" {
			now.accesses = w.after.accesses // the memory is what was asked for, not its count
		}
		if w.complete == nil || w.complete(now) {
			requireDone(t, now, w.after)
		}
		require.Empty(t, run.stderr)
		return
	}
	line := strings.TrimSuffix(run.stderr, "\n")
	require.NotContains(t, line, "\n")
	if w.args[0] == "hook" {
		require.Equal(t, 1, run.status)
		require.True(t, strings.HasPrefix(line, "ltm hook: "), line)
	} else {
		require.Equal(t, 5, run.status, line)
		require.True(t, strings.HasPrefix(line, "ltm: "), line)
	}
	require.Regexp(t, `cannot [a-z]+( [a-z]+)? \S+: `, line)
	require.Contains(t, line, f.errno.Error())
	if strings.Contains(line, "half-way") {
		require.NotContains(t, line, "nothing was changed")
	}
	require.NotRegexp(t, `[0-9a-f]{12}`, line, "it names a temporary file")
}

// shortStep is how many calls a short run goes on at a time.
const shortStep = 6

// TestKilledAtEveryCall kills each operation before every call that changes a
// file. Between two calls nothing changes, so that this is every moment there is.
func TestKilledAtEveryCall(t *testing.T) {
	_, full := rounds(t)
	for i, o := range operations() {
		t.Run(o.name, func(t *testing.T) {
			t.Parallel()
			w := scene(t, o)
			for n := 1; !full && (n+i)%shortStep != 0 || w.strike(t, fault{at: n, kill: true}); n++ {
			}
			t.Logf("%d calls that change files", len(w.calls))
		})
	}
}

// TestEveryCallFails makes every call that changes a file fail, once or from
// there on.
func TestEveryCallFails(t *testing.T) {
	_, full := rounds(t)
	for i, o := range operations() {
		t.Run(o.name, func(t *testing.T) {
			t.Parallel()
			w := scene(t, o)
			for n, more := 1, true; more; n++ {
				if full {
					more = w.strikeAll(t, n)
				} else if (n+i)%shortStep == 0 {
					more = w.strike(t, fault{at: n, errno: errnos()[(n/shortStep)%len(errnos())], lasts: (n/shortStep)%3 == 0})
				}
			}
		})
	}
}

// errnos lists what a disk may answer.
func errnos() []syscall.Errno {
	return []syscall.Errno{syscall.ENOSPC, syscall.EACCES, syscall.EROFS, syscall.EIO}
}

// strikeAll makes one call fail in every way.
func (w *walk) strikeAll(t *testing.T, n int) bool {
	for _, errno := range errnos() {
		for _, lasts := range []bool{false, true} {
			if !w.strike(t, fault{at: n, errno: errno, lasts: lasts}) {
				return false
			}
		}
	}
	return true
}
