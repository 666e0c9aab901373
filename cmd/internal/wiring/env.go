package wiring

import (
	"cmp"
	"os"
	"path/filepath"
	"runtime"

	"ltm/cmd/internal/gitstore"
	"ltm/engine/locate"
	"ltm/engine/records"
	"ltm/internal/git/gitdir"
	"ltm/memory"
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
	project := e.Getenv("CLAUDE_PROJECT_DIR")
	if e.Moved {
		project = ""
	}
	return locate.Where{Override: e.Getenv("LTM_DIR"), Project: project, Cwd: cwd,
		Home: filepath.Clean(e.Home()), Person: e.PersonDir()}
}

// Home returns the person's home directory, or "".
func (e Env) Home() string {
	if home := e.Getenv("HOME"); home != "" {
		return home
	}
	return e.Getenv("USERPROFILE")
}

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

// ClientConfig returns the client's own directory.
func (e Env) ClientConfig() string {
	if dir := e.Getenv("CLAUDE_CONFIG_DIR"); dir != "" {
		return dir
	}
	return filepath.Join(e.Home(), ".claude")
}

// Records returns the directories in which the client keeps its records of sessions.
func (e Env) Records() records.Dirs {
	config, err := filepath.Abs(e.ClientConfig())
	if err != nil {
		return nil
	}
	return records.Dirs{filepath.Join(config, "projects")}
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
