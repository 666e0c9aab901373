package gitstore

import (
	"context"
	"path/filepath"
	"strings"
)

// maxVersions bounds how many commits are searched for each path.
const maxVersions = "1000"

// Versions implements [audit.Past] with the commits of all branches of the clone.
func (s Store) Versions(ctx context.Context, paths []string, fn func([]byte) bool) error {
	tree, _, err := s.open()
	if err != nil {
		return err
	}
	for _, path := range paths {
		dir, err := tree.Rel(filepath.Dir(path))
		if err != nil {
			return err
		}
		name := dir + "/" + filepath.Base(path)
		commits, err := tree.Output(ctx, "rev-list", "--all", "--max-count="+maxVersions, "--", name)
		if err != nil {
			return err
		}
		for _, commit := range strings.Fields(string(commits)) {
			data, err := tree.Output(ctx, "cat-file", "blob", commit+":"+name)
			if err == nil && !fn(data) {
				return nil
			}
		}
	}
	return nil
}
