//go:build amd64 || arm64

package torture_test

import (
	"fmt"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"

	"ltm/memory/api"
)

// walk is an operation and the project prepared for it.
type walk struct {
	operation
	base          project
	stdin         string
	args          []string
	before, after facts
	calls         []string
}

// scene prepares an operation and runs it once without a fault.
func scene(t *testing.T, o operation) *walk {
	t.Helper()
	w := &walk{operation: o}
	if o.plain {
		w.base = newPlainProject(t)
	} else {
		w.base = newProject(t)
	}
	w.stdin, w.args = o.prepare(w.base)
	w.before = readFacts(t, w.base)
	for {
		root, err := filepath.EvalSymlinks(t.TempDir())
		require.NoError(t, err)
		p := w.base.clone(t, root)
		done := trace(t, fault{inside: p.root}, p.command(w.stdin, w.args...))
		require.Zero(t, done.status, done.stderr)
		require.Empty(t, temps(t, p))
		w.after, w.calls = readFacts(t, p), done.calls
		require.True(t, slices.ContainsFunc(w.calls, isChange), "it changes nothing")
		if w.complete == nil || w.complete(w.after) {
			w.requireWhole(t, p)
			return w
		}
	}
}

// isChange reports whether a call changes more than a cache.
func isChange(call string) bool {
	name, file, _ := strings.Cut(call, " ")
	return (name == "write" || name == "unlinkat") && path.Base(path.Dir(file)) != "cache"
}

// requireWhole checks the operation without a fault.
func (w *walk) requireWhole(t *testing.T, p project) {
	t.Helper()
	if w.name != "trust --revoke" {
		requireOwn(t, w.before, w.after)
	}
	if !w.removes {
		requireTexts(t, w.before, w.after, w.before)
	}
	for name := range w.after.bare {
		require.Contains(t, w.before.bare, name, "a stub without its text")
	}
	w.requireErased(t, p)
	requireCleanTree(t, p, w.before, w.after)
}

// strike runs the operation with a fault, in a copy of its project, and requires that nothing is
// lost. It returns false if the operation ended before the fault.
func (w *walk) strike(t *testing.T, f fault) bool {
	t.Helper()
	root, err := filepath.EvalSymlinks(t.TempDir())
	require.NoError(t, err)
	defer os.RemoveAll(root)
	p := w.base.clone(t, root)
	f.inside = p.root
	run := trace(t, f, p.command(w.stdin, w.args...))
	if !run.struck {
		require.Zero(t, run.status, run.stderr)
		return false
	}
	where := fmt.Sprintf("%s, %s, which is %s", w.name, f, run.calls[f.at-1])
	t.Run(where, func(t *testing.T) { w.judge(t, project{t, p.root, p.dir}, f, run) })
	return true
}

// judge checks what a run with a fault left behind, and continues from there.
func (w *walk) judge(t *testing.T, p project, f fault, run traced) {
	require.Equal(t, f.kill, run.killed)
	now := readFacts(t, p)
	if f.keyless(run) {
		now.foreign = w.after.foreign
	}
	requireBetween(t, w.before, now, w.after)
	if w.whole {
		require.True(t, sameFiles(now, w.before) || sameFiles(now, w.after), "a part of it: %v", now.topics)
	}
	require.Equal(t, brokenFiles(w.before), brokenFiles(now), "a file that cannot be read is gone")
	if !f.kill {
		w.judgeError(t, f, run, now)
	}
	requireServed(t, p, now)
	var check api.CheckReport
	p.json(&check, "check")
	if !strings.HasPrefix(w.name, "fix") {
		require.Empty(t, check.UnreadableFiles)
	}

	again := p.try(w.stdin, w.args...)
	if again.status != 0 {
		require.Contains(t, w.again, again.status, again.stderr)
	}
	last := readFacts(t, p)
	done := last
	if f.keyless(run) {
		done.foreign = w.after.foreign
	}
	switch {
	case again.status != 0: // done already, except for what is counted last
		requireSameFiles(t, done, w.after)
	case !w.adds:
		requireDone(t, done, w.after)
	}
	w.goOn(t, p, last)
}

// keyless reports whether the key that identifies a person's own memories could not be saved,
// because their home directory is read-only. What is stored then counts as foreign.
func (f fault) keyless(run traced) bool {
	_, name, _ := strings.Cut(run.calls[f.at-1], " ")
	return strings.HasPrefix(name, "home/") && (f.errno == syscall.EACCES || f.errno == syscall.EROFS)
}

// goOn requires that a project is in order after another write.
func (w *walk) goOn(t *testing.T, p project, last facts) {
	ageCache(t, p)
	p.remember("the next one", "It was stored afterwards.")
	if _, err := os.Stat(p.keys()); err == nil {
		p.run(aSecret, "key", "import", "-") // the next change of the keys
		require.NotContains(t, p.run("", "key", "list", "--json"), "problem")
	}
	require.Empty(t, temps(t, p))
	repaired := p.try("", "fix")
	require.True(t, repaired.status == 0 || repaired.status == 1 && w.leaves != "", repaired.stderr)
	var check api.CheckReport
	p.json(&check, "check")
	require.True(t, check.OK || w.leaves != "" && strings.HasPrefix(check.Summary.String(), w.leaves), check.Summary)
	now := readFacts(t, p)
	requireTexts(t, w.before, now, w.after)
	require.Contains(t, now.memories, "the next one")
	requireOwn(t, last, now)
	require.Empty(t, now.bare)
	w.requireErased(t, p)
	requireServed(t, p, now)
	requireCleanTree(t, p, w.before, w.after)
}

// requireErased requires that no file of a project contains what was permanently forgotten.
func (w *walk) requireErased(t *testing.T, p project) {
	t.Helper()
	if w.name != "forget for good" {
		return
	}
	eachFile(t, p, func(name string) {
		data, err := os.ReadFile(filepath.Join(p.root, filepath.FromSlash(name)))
		require.NoError(t, err)
		for _, word := range []string{"pools", "Changed once"} {
			require.NotContains(t, string(data), word, name)
		}
	})
}

// brokenFiles counts the unreadable files, which must not vanish.
func brokenFiles(f facts) (n int) {
	for name := range f.others {
		if path.Base(name) == brokenFile {
			n++
		}
	}
	return n
}

// judgeError checks how a run with a failed call ended.
func (w *walk) judgeError(t *testing.T, f fault, run traced, now facts) {
	t.Helper()
	require.NotContains(t, run.stderr, "goroutine")
	require.NotContains(t, run.stderr, "panic")
	stderr := regexp.MustCompile(`^ltm: (took over|created the store) .*\n`).ReplaceAllString(run.stderr, "")
	if run.status == 0 { // a cache, a log line or a cleanup failed
		if w.complete == nil || w.complete(now) {
			requireDone(t, now, w.after)
		}
		require.Empty(t, stderr)
		w.requireErased(t, project{t, f.inside, ""})
		return
	}
	line := strings.TrimSuffix(stderr, "\n")
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
	require.NotRegexp(t, `\.[0-9a-f]{12}([^0-9a-f]|$)`, line, "it names a temporary file")
}

// shortStep is the step between the calls that a short run takes.
const shortStep = 10

// TestKilledAtEveryCall kills each operation before every call that changes a file. Nothing changes
// between two calls, so this covers every moment.
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

// TestEveryCallFails makes every call that changes a file fail, either alone or with all calls
// after it.
func TestEveryCallFails(t *testing.T) {
	kills, full := rounds(t)
	for i, o := range operations() {
		t.Run(o.name, func(t *testing.T) {
			t.Parallel()
			w := scene(t, o)
			for n, more := 1, true; more; n++ {
				switch {
				case kills >= thorough:
					more = w.strikeAll(t, n, allFailures())
				case full:
					more = w.strikeAll(t, n, inTurn(n+i))
				case (n+i)%shortStep == 0:
					more = w.strikeAll(t, n, inTurn(n / shortStep)[:1])
				}
			}
		})
	}
}

// failures are ways in which a call fails.
type failures []fault

// allFailures lists the errors of a disk, each for one call and for all calls from it on.
func allFailures() (all failures) {
	for _, errno := range []syscall.Errno{syscall.ENOSPC, syscall.EACCES, syscall.EROFS, syscall.EIO} {
		all = append(all, fault{errno: errno}, fault{errno: errno, lasts: true})
	}
	return all
}

// inTurn picks two of the failures: one of a single call, and one that lasts.
func inTurn(n int) failures {
	all := allFailures()
	once, lasting := 2*(n%4), (2*(n%4)+5)%8
	if n%3 == 0 {
		return failures{all[lasting], all[once]}
	}
	return failures{all[once], all[lasting]}
}

// strikeAll makes one call fail in each of these ways.
func (w *walk) strikeAll(t *testing.T, n int, ways failures) bool {
	for _, f := range ways {
		f.at = n
		if !w.strike(t, f) {
			return false
		}
	}
	return true
}
