package gitstore

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"ltm/internal/git/gitdir"
)

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
