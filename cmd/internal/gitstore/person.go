package gitstore

import (
	"context"
	"strings"
)

// Person returns the person's name as git knows it (user.name), or "".
func (s Store) Person(ctx context.Context) string {
	ctx, cancel := context.WithTimeout(ctx, workWait)
	defer cancel()
	tree, _, err := s.open()
	if err != nil {
		return ""
	}
	out, err := tree.Output(ctx, "config", "--get", "user.name")
	if err != nil {
		return ""
	}
	return strings.TrimSpace(string(out))
}
