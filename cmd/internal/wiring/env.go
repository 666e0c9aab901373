package wiring

import (
	"cmp"
	"crypto/rand"
	"os"
	"path/filepath"
	"runtime"
	"time"

	"ltm/clients"
	"ltm/cmd/internal/gitstore"
	"ltm/engine"
	"ltm/engine/locate"
	"ltm/engine/person"
	"ltm/engine/records"
	"ltm/internal/git/gitdir"
	"ltm/memory"
	"ltm/store"
	"ltm/store/signing/keyring"
)

// Env describes the process that a program runs in.
type Env struct {
	Getenv  func(string) string
	Moved   bool   // the program was told a directory, which takes precedence over the environment's project
	From    string // where it was started, if it was told a directory
	Version string // of the program
	Client  int    // as in [ltm/engine.Options]

	Notice func(memory.Note) // tells a person something once; may be nil
	Next   memory.Next       // the next step for the readers of a session's texts
}

// Where says where to look for stores.
func (e Env) Where() locate.Where {
	cwd, err := os.Getwd()
	if err != nil {
		cwd = "."
	}
	project := ""
	if !e.Moved {
		project = e.project(cwd)
	}
	return locate.Where{Override: e.Getenv("LTM_DIR"), Project: project, Cwd: cwd,
		Home: filepath.Clean(e.Home()), Person: e.PersonDir()}
}

// Home returns the person's home directory, or "".
func (e Env) Home() string { return cmp.Or(e.Getenv("HOME"), e.Getenv("USERPROFILE")) }

// IsHome reports whether a directory is the person's home.
func (e Env) IsHome(dir string) bool { return e.Home() != "" && gitdir.SameFile(e.Home(), dir) }

// PersonDir returns the directory for ltm's files of a person, which are shared by all projects, or "" if the
// environment does not name one.
func (e Env) PersonDir() string {
	if dir := e.Getenv("LTM_USER_DIR"); dir != "" {
		return dir
	}
	if dir := e.Getenv("XDG_DATA_HOME"); filepath.IsAbs(dir) {
		return filepath.Join(dir, "ltm")
	}
	home := e.Home()
	if home == "" {
		return ""
	}
	switch runtime.GOOS {
	case "windows":
		if dir := e.Getenv("LOCALAPPDATA"); dir != "" {
			return filepath.Join(dir, "ltm")
		}
	case "darwin":
		return filepath.Join(home, "Library", "Application Support", "ltm")
	}
	return filepath.Join(home, ".local", "share", "ltm")
}

// CacheDir returns the directory for what ltm keeps of a person only while it is of use, or "" if the environment does
// not name one. A relative path is of no use: it would be another directory in each project.
func (e Env) CacheDir() string {
	at := func(dir string, more ...string) string {
		if !filepath.IsAbs(dir) {
			return ""
		}
		return filepath.Join(append([]string{dir}, more...)...)
	}
	switch runtime.GOOS {
	case "windows":
		return at(e.Getenv("LOCALAPPDATA"), "ltm")
	case "darwin":
		return at(e.Home(), "Library", "Caches", "ltm")
	}
	return cmp.Or(at(e.Getenv("XDG_CACHE_HOME"), "ltm"), at(e.Home(), ".cache", "ltm"))
}

// ConfigDir returns the directory for ltm's configuration of a person, or "" if the environment does
// not name one. It is not the one for a person's data, which can be a repository.
func (e Env) ConfigDir() string {
	if dir := e.Getenv("XDG_CONFIG_HOME"); filepath.IsAbs(dir) {
		return filepath.Join(dir, "ltm")
	}
	home := e.Home()
	switch {
	case home == "":
		return ""
	case runtime.GOOS == "windows" && e.Getenv("APPDATA") != "":
		return filepath.Join(e.Getenv("APPDATA"), "ltm")
	}
	return filepath.Join(home, ".config", "ltm")
}

// ClientConfig returns the directory of Claude Code's own.
func (e Env) ClientConfig() string { return e.ClientDir(clients.Claude()) }

// ClientDir returns the directory of a client's own.
func (e Env) ClientDir(c clients.Client) string {
	if dir := e.Getenv(c.DirVariable); c.DirVariable != "" && dir != "" {
		return dir
	}
	return filepath.Join(e.Home(), c.Dir)
}

// Records returns the directories in which clients keep their records of sessions.
func (e Env) Records() records.Dirs {
	config, err := filepath.Abs(e.ClientConfig())
	if err != nil {
		return nil
	}
	dirs := records.Dirs{filepath.Join(config, "projects")}
	for _, c := range clients.All() {
		if dir := e.ClientDir(c); c.Records != "" && filepath.IsAbs(dir) && c.Name != clients.Claude().Name {
			dirs = append(dirs, filepath.Join(dir, c.Records))
		}
	}
	return dirs
}

// Git answers questions about a store's files from git.
func (e Env) Git(place locate.Place) gitstore.Store {
	return gitstore.Store{Place: place, Environ: os.Environ()}
}

// Keys returns the person's keys.
func (e Env) Keys() keyring.Ring {
	dir := e.ConfigDir()
	if dir == "" {
		return keyring.None("the environment names no directory for them")
	}
	if none := e.NamedByProject(); none != "" {
		return keyring.None(none)
	}
	if none := e.misplaced(dir); none != "" {
		return keyring.None(none)
	}
	return keyring.New(filepath.Join(dir, "keys"))
}

// Open opens the store of a place, without reading it.
func Open(place locate.Place) *store.Store { return store.New(place.Places, time.Now) }

// Options returns what an engine is made with. wait is how long a change waits for other processes.
func (e Env) Options(s *store.Store, wait time.Duration, place locate.Place) engine.Options {
	s.KeepNames(e.Git(place).Tracks)
	return engine.Options{
		Store: s, Version: e.Version, Now: time.Now, Random: rand.Reader, LockWait: wait, Client: e.Client,
		Alive: alive, Signer: signer{env: e, place: place, roots: &rootCommits{}},
		Notice: e.Notice, Past: e.Git(place), ByModel: e.ByModel(), Next: e.Next,
		Records: records.Running{Dirs: e.Records(), Project: e.clientDir(), Began: time.Now()},
		Files:   e.WorkTree(place, true),
	}
}

// clientDir returns the directory in which the client was started.
func (e Env) clientDir() string {
	where := e.Where()
	return cmp.Or(where.Project, where.Cwd)
}

// ByModel reports whether Claude Code started this process, in a tool or a hook: then a model may
// have written the arguments.
func (e Env) ByModel() bool {
	return e.Getenv("CLAUDE_CODE_SESSION_ID") != "" || e.Getenv("CLAUDECODE") != ""
}

// Shelf returns where the person's own store is beside a project's, or why none is used.
func (e Env) Shelf(project locate.Place) locate.Shelf {
	shelf := locate.ShelfOf(e.Where(), project)
	if shelf.None == "" {
		shelf.None = e.NamedByProject()
	}
	return shelf
}

// ShelfError is the error that there is no place for the person's own store, or nil.
func ShelfError(shelf locate.Shelf) error {
	if shelf.None == "" {
		return nil
	}
	return memory.NewError(memory.CodeInvalid, memory.KindUserNone, shelf.Store,
		"there is no place for your own memories here: %s", shelf.None)
}

// Shelves opens the project's store, with its packets, and the person's beside it.
func (e Env) Shelves(project locate.Place, shelf locate.Shelf, wait time.Duration) *person.Shelves {
	o := e.Options(Open(project), wait, project)
	o.Packets = e.Packets(o.Store, project, wait)
	return person.NewShelves(engine.New(o), e.Person(shelf, wait), ShelfError(shelf))
}

// Person opens the person's own store, or returns nil if there is no place for it.
func (e Env) Person(shelf locate.Shelf, wait time.Duration) *engine.Engine {
	if shelf.None != "" {
		return nil
	}
	return engine.New(e.Options(Open(shelf.Place), wait, shelf.Place))
}

// ProjectName returns what a project's directory is called.
func ProjectName(place locate.Place) string {
	if place.Named {
		return filepath.Base(filepath.Dir(place.Store))
	}
	return filepath.Base(filepath.Dir(filepath.Dir(place.Store)))
}
