package shelf_test

import (
	"crypto/rand"
	"crypto/sha256"
	"fmt"
	"io/fs"
	"log/slog"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"ltm/engine"
	"ltm/engine/locate"
	"ltm/engine/person"
	"ltm/engine/settings"
	"ltm/internal/emulated"
	"ltm/memory"
	"ltm/memory/api"
	"ltm/server/shelf"
	"ltm/server/threads"
	"ltm/store"
)

// project is a store that a person writes to, and what an application sees of it.
type project struct {
	*engine.Engine
	t      *testing.T
	top    string // the directory of all files
	dir    string // of the store
	places store.Places
	see    *shelf.Shelves
	log    *strings.Builder
}

// newProject returns a project in git with a store in it.
func newProject(t *testing.T) *project {
	t.Helper()
	emulated.SkipUnderWine(t, "no git is installed there")
	top, err := filepath.EvalSymlinks(t.TempDir())
	require.NoError(t, err)
	cmd := exec.Command("git", "init", "-q", top)
	cmd.Env = append(os.Environ(), "GIT_CONFIG_GLOBAL="+os.DevNull, "GIT_CONFIG_NOSYSTEM=1")
	require.NoError(t, cmd.Run())
	return open(t, top, locate.Places(filepath.Join(top, filepath.FromSlash(store.Folder)), ""))
}

func open(t *testing.T, top string, places store.Places) *project {
	p := &project{t: t, top: top, dir: places.Store, places: places, log: &strings.Builder{}}
	p.Engine = engine.New(engine.Options{Store: store.New(places, time.Now), Now: time.Now, Random: rand.Reader,
		LockWait: 10 * time.Second})
	p.see = shelf.New(shelf.Options{Now: time.Now, Log: slog.New(slog.NewTextHandler(p.log, nil))})
	return p
}

func (p *project) remember(d api.Draft) memory.ID {
	p.t.Helper()
	r, err := p.Remember(p.t.Context(), d)
	require.NoError(p.t, err)
	return r.ID
}

// topics returns what an application finds, in order, with the marks.
func (p *project) topics(words string) string {
	p.t.Helper()
	got, err := p.see.Consult(p.t.Context(), p.dir, words, 10, 0)
	require.NoError(p.t, err)
	var all []string
	for _, m := range got.Memories {
		topic := m.Topic
		if m.Foreign {
			topic += " (foreign)"
		}
		if m.Disputed {
			topic += " (disputed)"
		}
		all = append(all, topic)
	}
	return strings.Join(append(all, got.Notes...), ", ")
}

// hash returns a hash of all files and directories below the project: names, modes, times and contents.
func (p *project) hash() string {
	p.t.Helper()
	sum := sha256.New()
	require.NoError(p.t, filepath.WalkDir(p.top, func(path string, d fs.DirEntry, err error) error {
		require.NoError(p.t, err)
		info, err := d.Info()
		require.NoError(p.t, err)
		fmt.Fprintln(sum, path, info.Mode(), info.ModTime().UnixNano(), info.Size())
		if info.Mode().IsRegular() {
			data, err := os.ReadFile(path)
			require.NoError(p.t, err)
			sum.Write(data)
		}
		return nil
	}))
	return fmt.Sprintf("%x", sum.Sum(nil))
}

const question = "how many connections does the database pool hold?"

// TestConsult asks what a model may see, and what it may not.
func TestConsult(t *testing.T) {
	p := newProject(t)
	pool := p.remember(api.Draft{Topic: "Database pool", Content: "The database pool holds 50 connections."})
	old := p.remember(api.Draft{Topic: "Old pool", Content: "The database pool holds 5 connections."})
	gone := p.remember(api.Draft{Topic: "Forgotten pool", Content: "The database pool holds 7 connections."})
	p.remember(api.Draft{Topic: "Reviewer's pool", Content: "The database pool holds 8 connections.",
		Agent: "reviewer"})
	_, err := p.Forget(t.Context(), string(gone))
	require.NoError(t, err)
	alone := person.NewShelves(p.Engine, nil, nil)
	_, err = alone.StartSession(t.Context(), api.SessionStart{Session: "s", Source: "startup", Agent: "reviewer"})
	require.NoError(t, err)
	require.Equal(t, "Database pool, Old pool", p.topics(question), "not of an agent, although its session runs")

	got, err := p.see.Consult(t.Context(), p.dir, question, 1, 0)
	require.NoError(t, err)
	require.Equal(t, 2, got.Total)
	m := got.Memories[0]
	require.Positive(t, m.Score)
	m.Score, m.CreatedAt = 0, time.Time{}
	require.Equal(t, threads.Memory{ID: string(pool), Path: "memories/" + pool.File(), Topic: "Database pool",
		Text: "The database pool holds 50 connections."}, m)
	got, err = p.see.Consult(t.Context(), p.dir, question, 10, 0.99)
	require.NoError(t, err)
	require.Empty(t, got.Memories, "none scores as much")

	p.remember(api.Draft{Topic: "New pool", Content: "The database pool holds 60 connections.",
		Disputes: []string{string(pool)}, Supersedes: []string{string(old)}})
	require.Equal(t, "Database pool (disputed), New pool (disputed)", p.topics(question),
		"changes are followed; what was superseded is archived")
	require.Empty(t, p.log.String())
}

// TestUnresolvedMerge has a memory of which two branches say different things.
func TestUnresolvedMerge(t *testing.T) {
	p := newProject(t)
	id := p.remember(api.Draft{Topic: "Database pool", Content: "The database pool holds 50 connections."})
	require.NotEmpty(t, p.topics(question))
	path := filepath.Join(p.dir, "memories", id.File())
	data, err := os.ReadFile(path)
	require.NoError(t, err)
	text := strings.Replace(string(data), "## Content\n", "## Content\n<<<<<<< HEAD\nThe pool holds 3.\n=======\n"+
		"The pool holds 4.\n>>>>>>> other\n", 1)
	require.NoError(t, os.WriteFile(path, []byte(text), 0o600))
	require.Empty(t, p.topics(question))
}

// TestFaded has memories that one clone has put out of sight, and a file that says so.
func TestFaded(t *testing.T) {
	p := newProject(t)
	id := p.remember(api.Draft{Topic: "Database pool", Content: "The database pool holds 50 connections."})
	require.Equal(t, "Database pool", p.topics(question))
	require.NoError(t, store.New(p.places, time.Now).Update(t.Context(), store.UpdateOptions{Wait: time.Second},
		func(tx *store.Tx) error {
			stats, err := tx.Stats()
			of := stats[id]
			of.Phase = memory.Removed
			stats[id] = of
			tx.SetStats(stats)
			return err
		}))
	require.Empty(t, p.topics(question))
}

// TestTrust has memories that came with a clone, in a store whose settings ask, mark and let all pass.
func TestTrust(t *testing.T) {
	p := newProject(t)
	p.remember(api.Draft{Topic: "Own pool", Content: "The database pool holds 50 connections, says the owner."})
	foreign := memory.ID("mem_0000beef")
	require.NoError(t, os.WriteFile(filepath.Join(p.dir, "memories", foreign.File()),
		[]byte("---\nid: mem_0000beef\ntopic: Their pool\n---\nThe database pool holds 9 connections.\n"), 0o600))
	require.ElementsMatch(t, []string{"Their pool (foreign)", "Own pool"}, strings.Split(p.topics(question), ", "))
	set := func(value string) {
		_, err := p.SetConfig(t.Context(), "trust", value, settings.Clone)
		require.NoError(t, err)
	}
	set("ask")
	require.Equal(t, "Own pool, 1 memory from elsewhere is held back", p.topics(question))
	_, err := p.Approve(t.Context(), []string{string(foreign)})
	require.NoError(t, err)
	require.ElementsMatch(t, []string{"Their pool", "Own pool"}, strings.Split(p.topics(question), ", "))
	require.NoError(t, os.Remove(p.places.Key))
	require.Contains(t, p.topics(question), "2 memories from elsewhere are held back",
		"who cannot read the secret trusts nothing")
}

// TestReadsOnly looks at all files before and after questions: with caches that are behind, with what a killed process
// left half done, and where nothing may be written.
func TestReadsOnly(t *testing.T) {
	p := newProject(t)
	for i := range 60 {
		p.remember(api.Draft{Topic: fmt.Sprintf("Database pool %d", i),
			Content: fmt.Sprintf("The database pool of host%d holds %d connections.", i*7919, i)})
	}
	require.NoError(t, os.RemoveAll(filepath.Join(p.places.Tree, "cache")))
	require.NoError(t, os.WriteFile(filepath.Join(p.places.Tree, "batch.json"), []byte("{}"), 0o600))
	before := p.hash()
	see := func() {
		t.Helper()
		require.NotEmpty(t, p.topics("database pool of host7919"))
		_, n, err := shelf.Find(p.dir, "", time.Now)
		require.NoError(t, err)
		require.Equal(t, 60, n)
	}
	see()
	require.Equal(t, before, p.hash())

	s := store.New(p.places, time.Now)
	s.ReadOnly()
	require.Error(t, s.Update(t.Context(), store.UpdateOptions{}, func(*store.Tx) error { return nil }))
	require.Equal(t, before, p.hash(), "not even a lock")
	if runtime.GOOS == "windows" {
		return // directories have no such modes
	}
	var dirs []string
	require.NoError(t, filepath.WalkDir(p.top, func(path string, d fs.DirEntry, err error) error {
		if d.IsDir() {
			dirs = append(dirs, path)
		}
		return err
	}))
	for _, dir := range dirs {
		require.NoError(t, os.Chmod(dir, 0o555))
	}
	t.Cleanup(func() {
		for _, dir := range dirs {
			_ = os.Chmod(dir, 0o755)
		}
	})
	before = p.hash()
	p.see = shelf.New(shelf.Options{Now: time.Now, Log: slog.New(slog.DiscardHandler)})
	see()
	require.Equal(t, before, p.hash())
}

// TestGoneAndBack has a store whose directory goes and comes back, with other memories.
func TestGoneAndBack(t *testing.T) {
	p := newProject(t)
	p.remember(api.Draft{Topic: "Database pool", Content: "The database pool holds 50 connections."})
	require.Equal(t, "Database pool", p.topics(question))
	away := filepath.Join(p.top, "away")
	require.NoError(t, os.Rename(p.dir, away))
	for range 3 {
		_, err := p.see.Consult(t.Context(), p.dir, question, 10, 0)
		require.ErrorIs(t, err, threads.ErrGone)
	}
	require.Equal(t, 1, strings.Count(p.log.String(), "is not there"))
	require.NoError(t, os.Rename(away, p.dir))
	require.Equal(t, "Database pool", p.topics(question))
	require.Contains(t, p.log.String(), "can be read again")
	p.remember(api.Draft{Topic: "Second", Content: "The database pool of the second host holds 9."})
	require.Contains(t, p.topics(question), "Second")
}

// TestOwn reads a person's own directory, which a model writes to as well.
func TestOwn(t *testing.T) {
	dir := t.TempDir()
	place := locate.ShelfOf(locate.Where{Person: dir, Cwd: t.TempDir()}, locate.Place{})
	require.Empty(t, place.None)
	p := open(t, dir, place.Places)
	p.remember(api.Draft{Topic: "Tea", Content: "I drink green tea in the morning."})
	found, n, err := shelf.Find(dir, "", time.Now)
	require.NoError(t, err)
	require.Equal(t, []any{dir, 1}, []any{found, n})
	before := p.hash()
	require.Equal(t, "Tea", p.topics("which tea in the morning?"))
	require.Equal(t, before, p.hash())
	p.Engine = engine.New(engine.Options{Store: store.New(place.Places, time.Now), Now: time.Now, Random: rand.Reader,
		LockWait: 10 * time.Second, ByModel: true})
	p.remember(api.Draft{Topic: "Coffee", Content: "I never drink coffee in the morning."})
	require.Contains(t, p.topics("coffee in the morning"), "Coffee (foreign)", "no person has approved it")
}

// TestFind finds the store of a directory, or says what is wrong with it.
func TestFind(t *testing.T) {
	p := newProject(t)
	p.remember(api.Draft{Topic: "Database pool", Content: "The database pool holds 50 connections."})
	for _, dir := range []string{p.top, p.dir, p.dir + "/"} {
		found, n, err := shelf.Find(dir, "", time.Now)
		require.NoError(t, err)
		require.Equal(t, []any{p.dir, 1}, []any{found, n})
	}
	file := filepath.Join(p.top, "file")
	require.NoError(t, os.WriteFile(file, nil, 0o600))
	other := filepath.Join(p.top, "other")
	require.NoError(t, os.MkdirAll(filepath.Join(other, "pictures"), 0o700))
	for dir, want := range map[string]string{
		"memories":                      "is not an absolute path",
		filepath.Join(p.top, "x"):       "there is no directory",
		file:                            "is not a directory",
		filepath.Join(p.top, ".claude"): "not a store",
		other:                           "is not a store: it holds other things, and no memories",
		t.TempDir():                     "has no memories",
	} {
		_, _, err := shelf.Find(dir, "", time.Now)
		require.ErrorContains(t, err, want, dir)
	}
	if runtime.GOOS != "windows" && os.Getuid() != 0 {
		require.NoError(t, os.Chmod(p.places.Clone, 0))
		_, _, err := shelf.Find(p.dir, "", time.Now)
		require.ErrorContains(t, err, "cannot open", "what a clone knows decides what may be shown")
		_, err = p.see.Consult(t.Context(), p.dir, question, 10, 0)
		require.Error(t, err)
		require.NoError(t, os.Chmod(p.places.Clone, 0o755))
	}
}
