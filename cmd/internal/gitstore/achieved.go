package gitstore

import (
	"bytes"
	"context"
	"errors"
	"slices"
	"strconv"
	"strings"
	"time"

	"ltm/engine/achievements"
	"ltm/internal/git/gitcmd"
)

const (
	// maxCommits bounds the commits that are looked at, the newest first.
	maxCommits = 100_000

	// pageCommits is how many of them git is asked for at once: each command has a limit of time.
	pageCommits = 20_000

	// subjectChars and bodyChars are how much of a commit's message is asked for, in columns. Git
	// fills shorter ones up with blanks.
	subjectChars = 250
	bodyChars    = 250

	// maxPatches bounds the time that the patch ids of all commits together may take.
	maxPatches = 60 * time.Second
)

// ErrNoEmail reports that git does not know the email address of the person.
var ErrNoEmail = errors.New("git has no user.email")

// Span selects commits.
type Span struct {
	Since    time.Time // zero: all
	Everyone bool      // not only those whose author has git's user.email
}

// History returns the commits of the current branch, the newest first, at most 100,000 merges and
// as many others, and how many there are of all authors. A repository without commits has none.
func (s Store) History(ctx context.Context, h Span) (commits []achievements.Commit, all int, err error) {
	tree, _, err := s.open()
	if err != nil {
		return nil, 0, err
	}
	own := ""
	if !h.Everyone {
		out, err := tree.Output(ctx, "config", "--get", "user.email")
		if err != nil && gitcmd.Status(err) != 1 {
			return nil, 0, err
		}
		if own = strings.TrimSpace(string(out)); own == "" {
			return nil, 0, ErrNoEmail
		}
	}
	if _, err := tree.Output(ctx, "rev-parse", "--quiet", "--verify", "HEAD^{commit}"); gitcmd.Status(err) != 0 {
		return nil, 0, nil // no commit yet
	}
	tags, err := tagsOf(ctx, tree)
	if err != nil {
		return nil, 0, err
	}
	for _, merges := range []bool{false, true} {
		found, n, err := commitsOf(ctx, tree, h.Since, merges, own)
		if err != nil {
			return nil, 0, err
		}
		commits, all = append(commits, found...), all+n
	}
	for i := range commits {
		commits[i].Tags = tags[commits[i].Hash]
	}
	slices.SortStableFunc(commits, func(a, b achievements.Commit) int { return b.At.Compare(a.At) })
	return commits, all, nil
}

// commitsOf returns the merges, or the other commits, and how many there are of all authors. own is
// the address of the only author; empty: all.
func commitsOf(ctx context.Context, tree *gitcmd.Tree, since time.Time, merges bool, own string) (
	found []achievements.Commit, all int, err error) {
	args := []string{"log", "-z", "--encoding=UTF-8", "--no-renames"}
	if !since.IsZero() {
		args = append(args, "--since="+since.UTC().Format(time.RFC3339))
	}
	format := "--format=%H%x00%an%x00%ae%x00%aI%x00%<(" + strconv.Itoa(subjectChars) + ",trunc)%s%x00"
	if merges {
		args, format = append(args, "--merges"), format+"%<("+strconv.Itoa(bodyChars)+",trunc)%b"
	} else {
		args = append(args, "--no-merges")
	}
	for seen := 0; seen < maxCommits; seen += pageCommits {
		page := append(slices.Clone(args), "--skip="+strconv.Itoa(seen), "--max-count="+strconv.Itoa(pageCommits),
			format, "HEAD", "--")
		out, err := tree.Output(ctx, page...)
		if err != nil {
			return nil, 0, err
		}
		commits, n := parseHistory(out, merges, own)
		all += n
		if found = append(found, commits...); n < pageCommits {
			break
		}
	}
	return found, all, nil
}

// parseHistory parses commits of six fields each, with a NUL byte after each field. It returns
// those of an author, and how many commits there are.
func parseHistory(out []byte, merges bool, own string) (commits []achievements.Commit, all int) {
	const fields = 6
	parts := bytes.Split(out, []byte{0})
	for ; len(parts) >= fields; parts = parts[fields:] {
		all++
		if own != "" && !strings.EqualFold(string(parts[2]), own) {
			continue
		}
		at, _ := time.Parse(time.RFC3339, string(parts[3]))
		commits = append(commits, achievements.Commit{Hash: string(parts[0]), Merge: merges, At: at.UTC(),
			Author: string(parts[1]) + " <" + string(parts[2]) + ">", Subject: untruncated(parts[4]),
			Body: untruncated(parts[5])})
	}
	return commits, all
}

// untruncated returns a field that git has filled up with blanks or cut off with two dots.
func untruncated(field []byte) string { return strings.TrimRight(string(field), " ") }

// tagsOf returns the names of all tags by the commits that they are on.
func tagsOf(ctx context.Context, tree *gitcmd.Tree) (map[string][]string, error) {
	out, err := tree.Output(ctx, "log", "-z", "--no-walk=unsorted", "--tags", "--decorate=full",
		"--decorate-refs=refs/tags/*", "--max-count="+strconv.Itoa(maxCommits), "--format=%H%x00%D", "--")
	if err != nil {
		return nil, err
	}
	tags := map[string][]string{}
	for parts := strings.Split(string(out), "\x00"); len(parts) >= 2; parts = parts[2:] {
		for name := range strings.SplitSeq(parts[1], ", ") { // no name has a blank
			if tag, ok := strings.CutPrefix(name, "tag: refs/tags/"); ok {
				tags[parts[0]] = append(tags[parts[0]], tag)
			}
		}
	}
	return tags, nil
}

// PatchIDs returns the patch ids of commits, by hash: the same for a commit that was amended
// without a change of its files, rebased or cherry-picked. A merge has that of what it brought to
// its first parent. Empty and very large changes have none.
func (s Store) PatchIDs(ctx context.Context, hashes []string) (map[string]string, error) {
	tree, _, err := s.open()
	if err != nil {
		return nil, err
	}
	found := map[string]string{}
	limit, cancel := context.WithTimeout(ctx, maxPatches)
	defer cancel()
	patchIDs(limit, tree, hashes, found)
	return found, ctx.Err()
}

// patchIDs adds the patch ids of commits. If those of all together are too many bytes or take too
// long, it asks for one half after the other.
func patchIDs(ctx context.Context, tree *gitcmd.Tree, hashes []string, found map[string]string) {
	if len(hashes) == 0 || ctx.Err() != nil {
		return
	}
	// The person's own settings of diff must not change a patch id.
	patches, err := tree.Filter(ctx, []byte(strings.Join(hashes, "\n")+"\n"), "log", "-p", "-m", "--first-parent",
		"--no-walk=unsorted", "--stdin", "--format=commit %H", "--full-index", "--no-renames", "--unified=3",
		"--diff-algorithm=myers", "--src-prefix=a/", "--dst-prefix=b/", "--no-indent-heuristic",
		"--inter-hunk-context=0")
	if err == nil {
		var out []byte
		if out, err = tree.Filter(ctx, patches, "patch-id", "--stable"); err == nil {
			for line := range strings.Lines(string(out)) {
				if fields := strings.Fields(line); len(fields) == 2 {
					found[fields[1]] = fields[0]
				}
			}
		}
	}
	if err != nil && len(hashes) > 1 {
		half := len(hashes) / 2
		patchIDs(ctx, tree, hashes[:half], found)
		patchIDs(ctx, tree, hashes[half:], found)
	}
}
