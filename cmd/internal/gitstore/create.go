package gitstore

import (
	"context"
	"path/filepath"
	"time"

	"ltm/engine/locate"
	"ltm/internal/git/gitcmd"
	"ltm/store"
)

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
