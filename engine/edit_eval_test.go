package engine_test

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"ltm/engine"
	"ltm/engine/worktree"
	"ltm/internal/emulated"
	"ltm/memory"
	"ltm/memory/api"
	"ltm/store"
)

// edits are the files of a project, the memories of it, what became of the files since, and edits, each with the
// memories that should be named there.
type edits struct {
	Files         []string
	Moved         map[string]string
	Gone, Changed []string
	Memories      []struct {
		Key, Topic, Content string
		Refs                []string
		Pin                 bool
	}
	Edits []struct {
		File, Text string
		Want       []string
	}
}

// project is a work tree of git with a store outside of it.
type project struct {
	*fixture
	dir string
}

// newProject makes a project with these files, and an engine that looks at them.
func newProject(t *testing.T, set edits, fold func(string) string) *project {
	t.Helper()
	emulated.SkipUnderWine(t, "no git is installed there")
	dir, err := filepath.EvalSymlinks(t.TempDir())
	require.NoError(t, err)
	p := &project{newEngine(t), dir}
	p.git("init", "-q", "-b", "main")
	for _, name := range set.Files {
		var b strings.Builder
		fmt.Fprintf(&b, "%s\n", name)
		for _, e := range set.Edits {
			if e.File == name {
				fmt.Fprintf(&b, "%s\n", e.Text)
			}
		}
		for i := range 50 {
			fmt.Fprintf(&b, "%s %d\n", name, i)
		}
		p.write(name, b.String())
	}
	p.git("add", "-A")
	p.git("commit", "-q", "-m", "all")
	clock := func() time.Time { return p.now }
	p.Engine = engine.New(engine.Options{Store: store.New(p.places, clock), Now: clock, Random: new(counter),
		LockWait: patience, Files: &worktree.Files{Fold: fold, Place: func() worktree.Place {
			return worktree.Place{Top: dir, GitDir: filepath.Join(dir, ".git")}
		}}})
	return p
}

func (p *project) git(args ...string) {
	p.t.Helper()
	cmd := exec.Command("git", append([]string{"-C", p.dir, "-c", "user.name=a", "-c", "user.email=a@b"}, args...)...)
	cmd.Env = append(os.Environ(), "GIT_CONFIG_GLOBAL="+os.DevNull, "GIT_CONFIG_NOSYSTEM=1")
	out, err := cmd.CombinedOutput()
	require.NoError(p.t, err, "%s", out)
}

// write writes a file that is older than the clock's resolution, so that its stamp can be believed.
func (p *project) write(name, text string) {
	p.t.Helper()
	file := filepath.Join(p.dir, filepath.FromSlash(name))
	require.NoError(p.t, os.MkdirAll(filepath.Dir(file), 0o755))
	require.NoError(p.t, os.WriteFile(file, []byte(text), 0o644))
	at := time.Now().Add(-time.Hour)
	require.NoError(p.t, os.Chtimes(file, at, at))
}

// live stores the memories and lets the files change. It returns the keys of the memories.
func (p *project) live(set edits) map[memory.ID]string {
	p.t.Helper()
	keys := map[memory.ID]string{}
	for _, m := range set.Memories {
		r, err := p.Remember(p.ctx, api.Draft{Topic: m.Topic, Content: m.Content, Refs: m.Refs})
		require.NoError(p.t, err)
		keys[r.ID] = m.Key
		if m.Pin {
			_, err := p.Pin(p.ctx, []string{string(r.ID)}, memory.Critical)
			require.NoError(p.t, err)
		}
	}
	for from, to := range set.Moved {
		require.NoError(p.t, os.MkdirAll(filepath.Dir(filepath.Join(p.dir, to)), 0o755))
		p.git("mv", from, to)
	}
	for _, name := range set.Gone {
		p.git("rm", "-q", name)
	}
	for _, name := range set.Changed {
		p.write(name, "Changed.\n")
	}
	p.git("add", "-A")
	p.git("commit", "-q", "-m", "more")
	p.start("the first")
	require.NoError(p.t, p.EndSession(p.ctx, "the first"))
	return keys
}

// edit returns the keys of the memories that a session is told of when it edits a file.
func (p *project) edit(session, file, text string, keys map[memory.ID]string) (shown []string) {
	p.t.Helper()
	input, err := json.Marshal(map[string]string{"file_path": filepath.Join(p.dir, file), "old_string": text,
		"new_string": text + " "})
	require.NoError(p.t, err)
	block, err := p.RecordTool(p.ctx, api.ToolUse{Session: session, Tool: "Edit", Input: input})
	require.NoError(p.t, err)
	for _, id := range regexp.MustCompile(`mem_[0-9a-f]{8}`).FindAllString(block, -1) {
		shown = append(shown, keys[memory.ID(id)])
	}
	return shown
}

// TestEditPrecision holds what sessions are told of the files that they edit to what was judged before, in a project
// that the choice was made with, and in another one.
func TestEditPrecision(t *testing.T) {
	const lines = 2
	for _, name := range []string{"press", "stations"} {
		t.Run(name, func(t *testing.T) {
			data, err := os.ReadFile(filepath.Join("..", "testdata", "edits", name+".json"))
			require.NoError(t, err)
			var set edits
			require.NoError(t, json.Unmarshal(data, &set))
			p := newProject(t, set, nil)
			keys := p.live(set)
			shown, right, wanted := 0, 0, 0
			for i, e := range set.Edits {
				session := fmt.Sprint("session ", i)
				p.start(session)
				got := p.edit(session, e.File, e.Text, keys)
				require.LessOrEqual(t, len(got), lines)
				require.Empty(t, p.edit(session, e.File, e.Text, keys), "once a session")
				hits := 0
				for _, key := range got {
					if slices.Contains(e.Want, key) {
						hits++
					}
				}
				shown, right, wanted = shown+len(got), right+hits, wanted+min(lines, len(e.Want))
				if hits < len(got) || hits < min(lines, len(e.Want)) {
					t.Logf("%s %s: %v, wanted %v", e.File, e.Text, got, e.Want)
				}
			}
			precision, recall := float64(right)/float64(shown), float64(right)/float64(wanted)
			t.Logf("%d edits: %d of %d shown are wanted, precision %.3f; %d of %d wanted are shown, recall %.3f",
				len(set.Edits), right, shown, precision, right, wanted, recall)
			require.GreaterOrEqual(t, precision, 0.9)
			require.GreaterOrEqual(t, recall, 0.9)
		})
	}
}

// TestEditInAnotherSpelling has a file system that does not tell cases apart: the memory, git and the client spell the
// file differently.
func TestEditInAnotherSpelling(t *testing.T) {
	p := newProject(t, edits{Files: []string{"db/pool.go", "db/other.go"}}, strings.ToLower)
	r, err := p.Remember(p.ctx, api.Draft{Topic: "Pool", Content: "DB/Pool.go has 5.", Refs: []string{"db/Other.go"}})
	require.NoError(t, err)
	require.NotContains(t, r.Message.String(), "not noted")
	d, err := p.Peek(p.ctx, string(r.ID))
	require.NoError(t, err)
	require.Equal(t, []string{"db/other.go", "db/pool.go"}, []string{d.Refs[0].Path, d.Refs[1].Path})
	keys := map[memory.ID]string{r.ID: "pool"}
	p.start("a")
	require.Equal(t, []string{"pool"}, p.edit("a", "db/POOL.go", "", keys))
	require.Empty(t, p.edit("a", "db/pool.go", "", keys), "it is the same file")
	require.Empty(t, p.edit("a", "db/POOL.go", "", keys))
	_, err = p.StartSession(t.Context(), api.SessionStart{Session: "a", Source: "compact"})
	require.NoError(t, err)
	require.Equal(t, []string{"pool"}, p.edit("a", "db/pool.go", "", keys), "the compaction took it away")
}

// TestANameInPassingIsReadOnce has a session that edits a file which a memory only compares with another. The memory is
// not read again at the session's next edit.
func TestANameInPassingIsReadOnce(t *testing.T) {
	p := newProject(t, edits{Files: []string{"db/pool.go", "db/cache.go"}}, nil)
	r, err := p.Remember(p.ctx, api.Draft{Topic: "The cache", Content: "Unlike db/pool.go, db/cache.go has no limit."})
	require.NoError(t, err)
	keys := map[memory.ID]string{r.ID: "cache"}
	p.start("a")
	require.Empty(t, p.edit("a", "db/pool.go", "", keys))
	topic := "The cache and db/pool.go"
	_, err = p.Update(p.ctx, string(r.ID), api.Patch{Topic: &topic})
	require.NoError(t, err)
	require.Empty(t, p.edit("a", "db/pool.go", "", keys), "it was read before")
	p.start("b")
	require.Equal(t, []string{"cache"}, p.edit("b", "db/pool.go", "", keys))
}
