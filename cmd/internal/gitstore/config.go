package gitstore

import (
	"context"
	"strings"

	"ltm/internal/git/gitcmd"
)

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
