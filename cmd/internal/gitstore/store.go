package gitstore

import (
	"context"
	"fmt"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"ltm/engine/locate"
	"ltm/internal/git/gitcmd"
	"ltm/internal/git/gitdir"
	"ltm/store"
)

// Store is a store that may be in a git work tree.
type Store struct {
	Place   locate.Place
	Environ []string // of the process; git's environment is derived from it
}

// project returns the directory that the store belongs to, and that of the store.
func (s Store) project() (project, dir string) {
	dir = s.Place.Store
	if real, err := filepath.EvalSymlinks(dir); err == nil {
		dir = real
	}
	if above, ok := strings.CutSuffix(filepath.ToSlash(dir), "/"+store.Folder); ok {
		return filepath.FromSlash(above + "/"), dir
	}
	if s.Place.Own {
		return dir, dir // a repository of its own, or none
	}
	return filepath.Dir(dir), dir
}

// open opens the work tree of the store, and returns the store's path in it, with a slash at the end.
func (s Store) open() (tree *gitcmd.Tree, prefix string, err error) {
	project, dir := s.project()
	tree, err = gitcmd.Open(project, dir, s.Environ)
	if err != nil {
		return nil, "", err
	}
	prefix, err = tree.Rel(dir)
	return tree, prefix + "/", err
}

// Person returns the person's name as git knows it (user.name), or "".
func (s Store) Person(ctx context.Context) string {
	return s.says(ctx, workWait, "config", "--get", "user.name")
}

// says returns what a command of git prints within a time, or "".
func (s Store) says(ctx context.Context, wait time.Duration, command ...string) string {
	ctx, cancel := context.WithTimeout(ctx, wait)
	defer cancel()
	tree, _, err := s.open()
	if err != nil {
		return ""
	}
	out, err := tree.Output(ctx, command...)
	if err != nil {
		return ""
	}
	return strings.TrimSpace(string(out))
}

// PathSetting returns git's setting of a path, "" if it is not set, and the top of the work tree.
func (s Store) PathSetting(ctx context.Context, key string) (path, top string, err error) {
	tree, _, err := s.open()
	if err != nil {
		return "", "", err
	}
	out, err := tree.Output(ctx, "config", "--get", "--type=path", "--", key)
	if gitcmd.Status(err) == 1 {
		err = nil
	}
	return strings.TrimSuffix(string(out), "\n"), tree.Top(), err
}

// Has reports whether the clone has a commit. It reads git's own files and starts no process.
func (s Store) Has(commit string) bool {
	project, _ := s.project()
	clone, ok := gitdir.Find(project)
	return ok && clone.Has(commit)
}

// Roots returns the root commits of what is checked out, sorted, or none if they are not known: outside
// of git, before the first commit, and in a shallow clone, which does not have them.
func (s Store) Roots(ctx context.Context) []string {
	tree, _, err := s.open()
	if err != nil {
		return nil
	}
	clone, ok := gitdir.Find(tree.Top())
	if !ok {
		return nil
	}
	if _, err := os.Lstat(filepath.Join(clone.Common, "shallow")); err == nil {
		return nil
	}
	out, err := tree.Output(ctx, "rev-list", "--max-parents=0", "HEAD", "--")
	if err != nil {
		return nil
	}
	return slices.Sorted(strings.FieldsSeq(string(out)))
}

// Create makes the store a repository of its own. It has to be the person's, and outside of git.
// project is the directory of the project that this process was started in.
func (s Store) Create(ctx context.Context, project string, wait time.Duration) error {
	made := func(dir string) (string, error) {
		if err := gitcmd.Create(ctx, dir, project, s.Environ); err != nil {
			return "", err
		}
		private, err := filepath.Rel(filepath.Join(dir, ".git"), locate.Places(dir, "").Clone)
		return filepath.ToSlash(private), err
	}
	return store.New(s.Place.Places, time.Now).ToRepository(ctx, store.UpdateOptions{Wait: wait, Create: true}, made)
}

// Rule is the line of a file that makes git ignore something.
type Rule struct{ Source, Line, Pattern string }

// String returns the rule's pattern, file and line.
func (r Rule) String() string { return fmt.Sprintf("%q in %s, line %s", r.Pattern, r.Source, r.Line) }

// Ignored returns the rule for each of these files that git ignores or would ignore if it did not track it. Names are
// slash-separated paths relative to the store's directory; they may lead out of it, but not out of the work tree.
func (s Store) Ignored(ctx context.Context, names ...string) (map[string]Rule, error) {
	tree, prefix, err := s.open()
	if err != nil {
		return nil, err
	}
	var in strings.Builder
	given := map[string]string{}
	for _, name := range names {
		full := path.Clean(prefix + name)
		given[full] = name
		in.WriteString(full + "\x00")
	}
	out, err := tree.Filter(ctx, []byte(in.String()), "check-ignore", "--no-index", "--verbose", "-z", "--stdin")
	if gitcmd.Status(err) == 1 {
		err = nil // none is ignored
	}
	rules := map[string]Rule{}
	for f := strings.Split(string(out), "\x00"); len(f) > 4; f = f[4:] {
		if !strings.HasPrefix(f[2], "!") {
			rules[given[f[3]]] = Rule{f[0], f[1], f[2]}
		}
	}
	return rules, err
}
