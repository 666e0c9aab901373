package gitstore

import (
	"context"
	"errors"
	"io/fs"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"ltm/engine/worktree"
	"ltm/internal/fs/regular"
	"ltm/internal/git/gitcmd"
	"ltm/internal/git/gitdir"
	"ltm/store"
)

// workWait bounds each question about the state of the work. The answers are an extra: a slow disk
// or a huge repository must not keep a person from what they asked for.
const workWait = 2 * time.Second

// Head returns the branch that is checked out, the full id of its commit, and the repository as host/owner/repo. It
// reads git's own small files and starts no process, unless git keeps them in a form of its own.
func (s Store) Head(ctx context.Context) (branch, commit, origin string) {
	project, _ := s.project()
	clone, ok := gitdir.Find(project)
	if !ok {
		return "", "", ""
	}
	head := clone.Head()
	if head.Elsewhere {
		head = s.askHead(ctx)
	}
	return head.Branch, head.Commit, originOf(clone.Remotes())
}

// askHead asks git what is checked out.
func (s Store) askHead(ctx context.Context) (head gitdir.Head) {
	full := s.says(ctx, workWait, "rev-parse", "--symbolic-full-name", "HEAD")
	if name, ok := strings.CutPrefix(full, "refs/heads/"); ok && gitdir.IsBranch(name) {
		head.Branch = name
	}
	if id := s.says(ctx, workWait, "rev-parse", "--quiet", "--verify", "HEAD^{commit}"); gitdir.IsObjectID(id) {
		head.Commit = id
	}
	return head
}

// originOf returns the address of the remote "origin", or that of the only remote.
func originOf(remotes []gitdir.Remote) string {
	for _, r := range remotes {
		if r.Name == "origin" {
			return Origin(r.URL)
		}
	}
	if len(remotes) == 1 {
		return Origin(remotes[0].URL)
	}
	return ""
}

// Dirty returns up to most paths, relative to the top of the work tree and sorted, with changes that
// were not committed: in the index, in the work tree, or new. Files of the store, new ones of an init and those
// that git ignores are left out. A new directory is one path with a slash at its end.
//
// Git itself would run the repository's filters to say what changed, and these are programs. So
// files whose size or time differ from those in the index are compared here: a file is unchanged if
// it has the bytes that git has, or has them with other line endings.
func (s Store) Dirty(ctx context.Context, most int) []string {
	ctx, cancel := context.WithTimeout(ctx, workWait)
	defer cancel()
	tree, prefix, err := s.open()
	if err != nil {
		return nil
	}
	var found []string
	if out, err := tree.Output(ctx, "diff-index", "--cached", "-z", "--name-only", "HEAD", "--"); err == nil {
		found = append(found, records(out)...)
	}
	others := []string{"ls-files", "-z", "--others", "--exclude-standard", "--directory", "--no-empty-directory",
		"--exclude=" + literal(prefix)}
	for _, name := range installed() {
		others = append(others, "--exclude="+literal(strings.TrimSuffix(prefix, store.Folder+"/")+name))
	}
	if out, err := tree.Output(ctx, others...); err == nil {
		found = append(found, records(out)...)
	}
	project, _ := s.project()
	if clone, ok := gitdir.Find(project); ok {
		found = append(found, worktree.Changed(ctx, tree.Top(), clone.Dir, func(string) bool { return true })...)
	}
	return selected(found, prefix, most)
}

// Differ returns how many files differ from those in git's index. It starts no process, and hooks wait for it. known is
// false if one is not in the index, or there was no time for all of them.
func (s Store) Differ(ctx context.Context, paths []string) (n int, known bool) {
	ctx, cancel := context.WithTimeout(ctx, 100*time.Millisecond)
	defer cancel()
	project, _ := s.project()
	clone, _ := gitdir.Find(project)
	tracked := 0
	n = len(worktree.Changed(ctx, clone.Top, clone.Dir, func(path string) bool {
		wanted := slices.Contains(paths, path)
		if wanted {
			tracked++
		}
		return wanted
	}))
	return n, tracked == len(paths) && ctx.Err() == nil
}

// installed lists the files that an init makes beside the store: as new ones, they are not of the work.
func installed() []string {
	names := []string{".mcp.json", "CLAUDE.md", ".claude/settings.local.json"}
	for _, command := range strings.Fields("correct forget handoff ltm recall remember resume-packet") {
		names = append(names, ".claude/commands/"+command+".md")
	}
	return names
}

// Since returns how many commits there are from a commit to the present one, and up to most paths,
// sorted, that differ between them, without those of the store. known is false if the clone does not
// have the commit, or git does not answer in time.
func (s Store) Since(ctx context.Context, commit string, most int) (commits int, paths []string, known bool) {
	if !gitdir.IsObjectID(commit) {
		return 0, nil, false
	}
	ctx, cancel := context.WithTimeout(ctx, workWait)
	defer cancel()
	tree, prefix, err := s.open()
	if err != nil {
		return 0, nil, false
	}
	out, err := tree.Output(ctx, "rev-list", "--count", commit+"..HEAD", "--")
	if err != nil {
		return 0, nil, false
	}
	if commits, err = strconv.Atoi(strings.TrimSpace(string(out))); err != nil {
		return 0, nil, false
	}
	out, err = tree.Output(ctx, "diff-tree", "-r", "-z", "--name-only", commit, "HEAD", "--")
	if err != nil {
		return commits, nil, true
	}
	return commits, selected(records(out), prefix, most), true
}

// HasBranch reports whether the clone has a branch of this name, its own or one of a remote, and whether that is known.
func (s Store) HasBranch(ctx context.Context, name string) (has, known bool) {
	if !gitdir.IsBranch(name) {
		return false, name != "" // no repository has one
	}
	ctx, cancel := context.WithTimeout(ctx, workWait)
	defer cancel()
	tree, _, err := s.open()
	if err != nil {
		return false, false
	}
	project, _ := s.project()
	refs := []string{"refs/heads/" + name}
	if clone, ok := gitdir.Find(project); ok {
		for _, r := range clone.Remotes() {
			if gitdir.IsBranch(r.Name) {
				refs = append(refs, "refs/remotes/"+r.Name+"/"+name)
			}
		}
	}
	for _, ref := range refs[:min(len(refs), maxRemotes)] {
		_, err := tree.Output(ctx, "rev-parse", "--quiet", "--verify", ref)
		switch {
		case err == nil:
			return true, true
		case gitcmd.Status(err) == 0:
			return false, false
		}
	}
	return false, true
}

// HasFile reports whether the work tree has a file of this path, relative to its top, and whether that is known.
func (s Store) HasFile(_ context.Context, path string) (has, known bool) {
	tree, _, err := s.open()
	if err != nil {
		return false, false
	}
	root, err := regular.OpenPath(tree.Top())
	if err != nil {
		return false, false
	}
	defer root.Close()
	_, err = root.Lstat(filepath.FromSlash(path))
	return err == nil, err == nil || errors.Is(err, fs.ErrNotExist)
}

// maxRemotes bounds how many refs are asked for.
const maxRemotes = 10

// records splits what git prints with -z.
func records(out []byte) []string {
	return strings.FieldsFunc(string(out), func(r rune) bool { return r == 0 })
}

// literal returns the pattern of gitignore(5) that is one path at the top.
func literal(path string) string {
	return "/" + strings.NewReplacer(`\`, `\\`, "*", `\*`, "?", `\?`, "[", `\[`, " ", `\ `).Replace(path)
}

// selected returns up to most paths outside of the store, each once.
func selected(paths []string, prefix string, most int) []string {
	paths = slices.DeleteFunc(paths, func(path string) bool { return strings.HasPrefix(path, prefix) })
	slices.Sort(paths)
	paths = slices.Compact(paths)
	return paths[:min(len(paths), max(0, most))]
}
