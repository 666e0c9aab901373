package gitstore

import (
	"bytes"
	"context"
	"slices"
	"strconv"
	"strings"
	"time"

	"ltm/internal/git/gitcmd"
	"ltm/memory/refs"
)

// Files answers questions about the files of a work tree that a memory refers to. Paths are relative
// to the top. It implements [ltm/engine/worktree.Git].
type Files struct{ Store }

const (
	// filesWait bounds how long git is waited for: answers without it are only less exact.
	filesWait = time.Second

	// maxRenames bounds how often a file is followed to another name.
	maxRenames = 8

	// maxSubject is how much of a commit's subject is asked for, in columns.
	maxSubject = 100
)

// Ignored returns those of some paths that git does not track and ignores.
func (f Files) Ignored(ctx context.Context, paths []string) (map[string]bool, error) {
	ctx, cancel := context.WithTimeout(ctx, filesWait)
	defer cancel()
	tree, _, err := f.open()
	if err != nil {
		return nil, err
	}
	out, err := tree.Filter(ctx, []byte(strings.Join(paths, "\x00")+"\x00"), "check-ignore", "-z", "--stdin")
	if gitcmd.Status(err) == 1 {
		err = nil // none is ignored
	}
	ignored := map[string]bool{}
	for name := range strings.SplitSeq(string(out), "\x00") {
		ignored[name] = name != ""
	}
	return ignored, err
}

// Attributes returns how git converts files.
func (f Files) Attributes(ctx context.Context, paths []string) (map[string]refs.Attributes, error) {
	ctx, cancel := context.WithTimeout(ctx, filesWait)
	defer cancel()
	tree, _, err := f.open()
	if err != nil {
		return nil, err
	}
	out, err := tree.Filter(ctx, []byte(strings.Join(paths, "\x00")+"\x00"), "check-attr", "-z", "--stdin", "text",
		"eol", "crlf", "filter", "ident", "working-tree-encoding")
	if err != nil {
		return nil, err
	}
	auto, err := autoCRLF(ctx, tree)
	if err != nil {
		return nil, err
	}
	all := map[string]refs.Attributes{}
	for _, name := range paths {
		all[name] = refs.Attributes{AutoCRLF: auto}
	}
	for part := strings.Split(string(out), "\x00"); len(part) > 3; part = part[3:] {
		a := all[part[0]]
		setAttribute(&a, part[1], part[2])
		all[part[0]] = a
	}
	return all, nil
}

// autoCRLF returns core.autocrlf: "true", "false" or "input". Git knows more words for the first two.
func autoCRLF(ctx context.Context, tree *gitcmd.Tree) (string, error) {
	out, err := tree.Output(ctx, "config", "--type=bool", "--get", "core.autocrlf")
	switch {
	case err == nil:
		return strings.TrimSpace(string(out)), nil
	case gitcmd.Status(err) == 1:
		return "false", nil // it is not set
	}
	out, err = tree.Output(ctx, "config", "--get", "core.autocrlf")
	return strings.ToLower(strings.TrimSpace(string(out))), err
}

// setAttribute adds one attribute, as git prints it.
func setAttribute(a *refs.Attributes, name, value string) {
	if value == "unspecified" {
		return
	}
	switch {
	case name == "text" && (value == "set" || value == "unset" || value == "auto"):
		a.Text = value
	case name == "eol" && (value == "lf" || value == "crlf"):
		a.EOL = value
	case name == "crlf" && a.Text == "": // the attribute's old name
		switch value {
		case "set", "unset":
			a.Text = value
		case "input":
			a.EOL = "lf"
		}
	case name == "filter" && value != "unset" && value != "set":
		a.Filter = value
	case (name == "ident" || name == "working-tree-encoding") && value != "unset":
		a.Other = true
	}
}

// Digits returns the number of digits of ids in the repository.
func (f Files) Digits(ctx context.Context) int {
	if f.says(ctx, filesWait, "rev-parse", "--show-object-format") == "sha256" {
		return 64
	}
	return 40
}

// Renamed returns where what is staged, or the history of the current branch, has a file now that was at a path, or "".
func (f Files) Renamed(ctx context.Context, path string) string {
	ctx, cancel := context.WithTimeout(ctx, filesWait)
	defer cancel()
	tree, _, err := f.open()
	if err != nil {
		return ""
	}
	if isTracked(ctx, tree, path) {
		return "" // what became of it is not staged, and history has only what became of an earlier file there
	}
	since := "" // the commit that gave the file its name
	for range maxRenames {
		commit, err := "", error(nil)
		if since != "" {
			commit, err = removal(ctx, tree, path, since)
		}
		switch {
		case err != nil:
			return ""
		case commit == "" && since != "" && isTracked(ctx, tree, path):
			return path
		case commit == "":
			out, err := tree.Output(ctx, "diff-index", "-M", "--diff-filter=RD", "--name-status", "-z", "HEAD")
			if next, isStaged := renamed(out, path); err != nil || isStaged || since != "" {
				return next
			}
			commit, err = removal(ctx, tree, path, "")
			if err != nil || commit == "" {
				return ""
			}
		}
		out, err := tree.Output(ctx, "diff-tree", "-r", "-M", "--diff-filter=R", "--name-status", "--no-commit-id",
			"-z", commit)
		if err != nil {
			return ""
		}
		if path, _ = renamed(out, path); path == "" {
			return ""
		}
		since = commit
	}
	return ""
}

// Tracks reports whether git tracks a file of the store, by its path in it. If that cannot be told, it reports true.
func (s Store) Tracks(path string) bool {
	if s.Place.Local {
		return false
	}
	tree, prefix, err := s.open()
	return err != nil || isTracked(context.Background(), tree, prefix+path)
}

// isTracked reports whether git tracks a file, not just files below a directory of its name.
func isTracked(ctx context.Context, tree *gitcmd.Tree, path string) bool {
	out, err := tree.Output(ctx, "ls-files", "-z", "--", path)
	return err == nil && slices.Contains(strings.Split(string(out), "\x00"), path)
}

// removal returns the first commit after another one that removed a name, or without one the last, or "". A file that
// got the name in that other commit is not the one that has it after a removal.
func removal(ctx context.Context, tree *gitcmd.Tree, path, since string) (string, error) {
	which := []string{"--max-count=1", "HEAD"}
	if since != "" {
		which = []string{since + "..HEAD"}
	}
	args := append([]string{"log", "--no-renames", "--diff-filter=D", "--format=%H"}, which...)
	out, err := tree.Output(ctx, append(args, "--", path)...)
	commits := strings.Fields(string(out)) // the newest first
	if err != nil || len(commits) == 0 {
		return "", err
	}
	return commits[len(commits)-1], nil
}

// renamed returns the new name of a file in a list of renames and deletions. It is "" for one that is deleted; ok is
// false for one that is not in the list.
func renamed(out []byte, path string) (next string, ok bool) {
	for f := bytes.Split(out, []byte{0}); len(f) >= 3; f = f[2:] {
		from := string(f[1])
		if f[0][0] == 'R' {
			next, f = string(f[2]), f[1:]
		}
		if from == path {
			return next, true
		}
		next = ""
	}
	return "", false
}

// Touched returns the newest commits of the current branch that touched a file, without their bytes.
func (f Files) Touched(ctx context.Context, path string, limit int) []Commit {
	ctx, cancel := context.WithTimeout(ctx, filesWait)
	defer cancel()
	tree, _, err := f.open()
	if err != nil {
		return nil
	}
	format := strings.TrimSuffix(logFields, "%s") + "%<(" + strconv.Itoa(maxSubject) + ",trunc)%s"
	out, err := tree.Output(ctx, "log", "-z", "--encoding=UTF-8", "--no-renames", "--format="+format,
		"--max-count="+strconv.Itoa(limit), "--", path)
	if err != nil {
		return nil
	}
	commits := parseLog(out)
	for i := range commits {
		commits[i].Subject = untruncated([]byte(commits[i].Subject))
	}
	return commits
}
