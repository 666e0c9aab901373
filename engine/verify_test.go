package engine_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"ltm/engine"
	"ltm/engine/worktree"
	"ltm/memory"
	"ltm/memory/api"
	"ltm/store"
)

// inWorkTree returns an engine whose memories can refer to files, and the directory of these.
func (f *fixture) inWorkTree() (*engine.Engine, string) {
	f.t.Helper()
	project, err := filepath.EvalSymlinks(f.t.TempDir())
	require.NoError(f.t, err)
	return f.over(project, false, &history{}), project
}

// over returns the engine of a process, with files of a directory. That of a hook is in a hurry.
func (f *fixture) over(project string, hurried bool, git worktree.Git) *engine.Engine {
	clock := func() time.Time { return f.now }
	place := func() worktree.Place { return worktree.Place{Top: project} }
	return engine.New(engine.Options{Store: store.New(f.places, clock), Now: clock, Random: new(counter),
		LockWait: patience, Hurried: hurried, Files: &worktree.Files{Git: git, Place: place}})
}

// TestVerifyIsOfAllOrOfNone verifies a memory together with one that cannot be changed.
func TestVerifyIsOfAllOrOfNone(t *testing.T) {
	f := newEngine(t)
	e, project := f.inWorkTree()
	var ids []string
	for _, name := range []string{"a.go", "b.go"} {
		require.NoError(t, os.WriteFile(filepath.Join(project, name), []byte("old "+name), 0o644))
		r, err := e.Remember(f.ctx, api.Draft{Topic: "About " + name, Content: "See " + name + "."})
		require.NoError(t, err)
		ids = append(ids, string(r.ID))
		require.NoError(t, os.WriteFile(filepath.Join(project, name), []byte("new "+name), 0o644))
	}
	stale := func() (n int) {
		found, err := e.Stale(f.ctx, api.StaleQuery{})
		require.NoError(t, err)
		return len(found.Memories)
	}
	require.Equal(t, 2, stale())
	before := f.text(memory.ID(ids[0]))
	original := f.text(memory.ID(ids[1]))
	f.put(memory.ID(ids[1]), original+"<<<<<<< HEAD\na\n=======\nb\n>>>>>>> other\n")
	_, err := e.Verify(f.ctx, api.VerifyRequest{IDs: ids})
	require.Equal(t, memory.KindMergeUnresolved, memory.KindOf(err))
	require.Equal(t, before, f.text(memory.ID(ids[0])))

	f.put(memory.ID(ids[1]), original)
	done, err := e.Verify(f.ctx, api.VerifyRequest{IDs: append(ids, ids[0])})
	require.NoError(t, err)
	require.Equal(t, "verified 2 memories, 2 of them stale", done.Message.String())
	require.Zero(t, stale())
	require.Equal(t, f.use(memory.ID(ids[1])).AccessCount, f.use(memory.ID(ids[0])).AccessCount, "each counts once")
}

// TestEditedTextTakesItsFiles edits the file of a memory that is stale. New text takes the files as they are now,
// unless the person changed the references.
func TestEditedTextTakesItsFiles(t *testing.T) {
	f := newEngine(t)
	e, project := f.inWorkTree()
	write := func(name, text string) {
		require.NoError(t, os.WriteFile(filepath.Join(project, name), []byte(text), 0o644))
	}
	write("a.go", "20")
	write("b.go", "b")
	r, err := e.Remember(f.ctx, api.Draft{Topic: "Pool", Content: "It is 20 in a.go."})
	require.NoError(t, err)
	write("a.go", "the pool has 50")
	original := f.text(r.ID)
	refs := func(changes ...string) (names []string, stale int) {
		t.Helper()
		f.put(r.ID, original)
		after := strings.NewReplacer(changes...).Replace(original)
		_, err := e.EditFile(f.ctx, r.ID, []byte(original), []byte(after))
		require.NoError(t, err)
		m, err := e.Peek(f.ctx, string(r.ID))
		require.NoError(t, err)
		for _, ref := range m.Refs {
			names = append(names, ref.String())
		}
		return names, len(m.Stale)
	}
	for _, c := range []struct {
		changes []string
		want    []string
		stale   int
	}{
		{[]string{"tags:", "tags: [db]"}, []string{"a.go"}, 1},
		{[]string{"20 in", "50 in"}, []string{"a.go"}, 0},
		{[]string{"It is 20 in a.go", "It is 50 in b.go"}, []string{"b.go"}, 0},
		{[]string{"20 in", "50 in", "- {path: \"a.go\"", "- {path: \"b.go\"}\n  - {path: \"a.go\""},
			[]string{"b.go", "a.go"}, 1},
	} {
		names, stale := refs(c.changes...)
		require.Equal(t, c.want, names, c.changes)
		require.Equal(t, c.stale, stale, c.changes)
	}
	_, _ = refs("20 in", "50 in")
	changed := strings.NewReplacer("20 in", "50 in").Replace(original)
	require.Equal(t, without(changed, "refs:"), without(f.text(r.ID), "refs:"), "nothing else is changed")
}

// without returns a text without a line and the next one.
func without(text, line string) string {
	before, after, _ := strings.Cut(text, "\n"+line+"\n")
	_, after, _ = strings.Cut(after, "\n")
	return before + after
}

// TestTheStampOfWhatIsStale is another one whenever a memory becomes stale, does so in another way, or no longer is.
func TestTheStampOfWhatIsStale(t *testing.T) {
	f := newEngine(t)
	stamp := func(e *engine.Engine) uint64 {
		sum, err := e.StaleStamp(f.ctx)
		require.NoError(t, err)
		return sum
	}
	require.Zero(t, stamp(f.Engine), "there are no files")
	e, project := f.inWorkTree()
	require.Zero(t, stamp(e), "there is no store")
	write := func(name, text string) {
		require.NoError(t, os.WriteFile(filepath.Join(project, name), []byte(text), 0o644))
	}
	for _, name := range []string{"a.go", "b.go"} {
		write(name, "old")
		_, err := e.Remember(f.ctx, api.Draft{Topic: "About " + name, Content: "See " + name + "."})
		require.NoError(t, err)
	}
	require.Zero(t, stamp(e))
	write("c.go", "no memory speaks of it")
	require.Zero(t, stamp(e))
	write("a.go", "newer")
	one := stamp(e)
	require.NotZero(t, one)
	write("a.go", "the newest")
	require.Equal(t, one, stamp(e), "it was stale before")
	write("b.go", "newer")
	both := stamp(e)
	require.NotContains(t, []uint64{0, one}, both)
	require.NoError(t, os.Remove(filepath.Join(project, "b.go")))
	require.NotContains(t, []uint64{0, one, both}, stamp(e), "it is gone now")
	write("a.go", "old")
	write("b.go", "old")
	require.Zero(t, stamp(e))
}

// TestFreshBeforeStale has memories of whose priority the third is 0.04 and the fourth 0.08 less than the stale
// second one's. A fresh one comes first if it has at most 0.05 less.
func TestFreshBeforeStale(t *testing.T) {
	f := newEngine(t)
	e, project := f.inWorkTree()
	write := func(text string) {
		require.NoError(t, os.WriteFile(filepath.Join(project, "pool.go"), []byte(text), 0o644))
	}
	write("old")
	for topic, difficulty := range map[string]float64{"First": 0.9, "Stale pool.go": 0.6, "Near": 0.5, "Far": 0.4} {
		_, err := e.Remember(f.ctx, api.Draft{Topic: topic, Content: "Text.", Difficulty: &difficulty})
		require.NoError(t, err)
	}
	order := func() (listed, told []string) {
		list, err := e.List(f.ctx, api.ListFilter{})
		require.NoError(t, err)
		for _, m := range list.Memories {
			listed = append(listed, m.Topic)
		}
		start, err := alone(e).StartSession(f.ctx, api.SessionStart{Session: "s", Source: "startup"})
		require.NoError(t, err)
		for line := range strings.Lines(start) {
			if topic, ok := strings.CutPrefix(line, "> # "); ok {
				topic, _, _ = strings.Cut(topic, " [")
				told = append(told, strings.TrimSpace(topic))
			}
		}
		return listed, told
	}
	for _, c := range []struct {
		text string
		want []string
	}{{"old", []string{"First", "Stale pool.go", "Near", "Far"}},
		{"new", []string{"First", "Near", "Stale pool.go", "Far"}}} {
		write(c.text)
		listed, told := order()
		require.Equal(t, c.want, listed)
		require.Equal(t, c.want, told)
	}
}

// TestTheHeavyPartIsDoneAside changes a file that is too large for a hook, in a project whose files no hook has listed.
func TestTheHeavyPartIsDoneAside(t *testing.T) {
	for name, aside := range map[string]func(*fixture, *engine.Engine) error{
		"the end of a session": func(f *fixture, e *engine.Engine) error { return e.EndSession(f.ctx, "s") },
		"a check":              func(f *fixture, e *engine.Engine) error { _, err := e.Check(f.ctx); return err },
	} {
		t.Run(name, func(t *testing.T) {
			f := newEngine(t)
			e, project := f.inWorkTree()
			large := filepath.Join(project, "large.sql")
			write := func(text string) {
				require.NoError(t, os.WriteFile(large, []byte(strings.Repeat(text, 5<<20)), 0o644))
				hour := time.Now().Add(-time.Hour)
				require.NoError(t, os.Chtimes(large, hour, hour))
			}
			write("1")
			_, err := e.Remember(f.ctx, api.Draft{Topic: "Dump", Content: "See large.sql."})
			require.NoError(t, err)
			edit := func() string {
				told, err := f.over(project, true, nil).RecordTool(f.ctx, api.ToolUse{Session: "s", Tool: "Edit",
					Input: fmt.Appendf(nil, `{"file_path":%q}`, large)})
				require.NoError(t, err)
				return told
			}
			require.Empty(t, edit(), "nobody has listed the files")
			require.NoError(t, aside(f, f.over(project, true, nil)))
			require.Contains(t, edit(), "Dump")

			write("22")
			start := func() string {
				text, err := alone(f.over(project, true, nil)).StartSession(f.ctx,
					api.SessionStart{Session: "s", Source: "startup"})
				require.NoError(t, err)
				return text
			}
			require.NotContains(t, start(), "may be stale", "a hook does not read as much")
			require.NoError(t, aside(f, f.over(project, true, nil)))
			require.Contains(t, start(), "may be stale: large.sql changed")
		})
	}
}

// timedGit is a git whose time must be bounded.
type timedGit struct {
	history
	t *testing.T
}

func (p *timedGit) bounded(ctx context.Context) {
	at, is := ctx.Deadline()
	require.True(p.t, is)
	require.Less(p.t, time.Until(at), 11*time.Second)
}

func (p *timedGit) Renamed(ctx context.Context, _ string) string {
	p.bounded(ctx)
	return ""
}

func (p *timedGit) Touched(ctx context.Context, path string, limit int) []worktree.Commit {
	p.bounded(ctx)
	return p.history.Touched(ctx, path, limit)
}

// TestHistoryIsAskedOnceForEachFile has many memories of the same two files.
func TestHistoryIsAskedOnceForEachFile(t *testing.T) {
	f := newEngine(t)
	_, project := f.inWorkTree()
	git := &timedGit{t: t}
	e := f.over(project, false, git)
	write := func(text string) {
		for _, name := range []string{"a.go", "b.go"} {
			require.NoError(t, os.WriteFile(filepath.Join(project, name), []byte(text), 0o644))
		}
	}
	write("old")
	for i := range 10 {
		_, err := e.Remember(f.ctx, api.Draft{Topic: fmt.Sprint("About ", i), Content: "See a.go and b.go."})
		require.NoError(t, err)
	}
	write("new")
	require.NoError(t, os.Remove(filepath.Join(project, "b.go")))
	r, err := e.Stale(f.ctx, api.StaleQuery{})
	require.NoError(t, err)
	e.TellCommits(f.ctx, r.Memories)
	require.Len(t, r.Memories, 10)
	for _, m := range r.Memories {
		require.Len(t, m.Refs, 2)
		for _, ref := range m.Refs {
			require.Len(t, ref.Commits, 1)
		}
	}
	require.Equal(t, 2, git.asked)
}
