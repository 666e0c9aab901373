package keyring

import (
	"errors"
	"path/filepath"
	"strings"

	"ltm/internal/fs/regular"
	"ltm/store/signing"
)

// The reasons for which a list of allowed signers does not count.
var (
	ErrRelative = errors.New("its path is relative, so that it would come with the repository")
	ErrInside   = errors.New("it is in the repository, whose authors could change it")
)

// Allowed reads a list of allowed SSH signers. top is the top of the work tree, in which the list must not be.
func Allowed(path, top string) (signing.Allowed, error) {
	if !filepath.IsAbs(path) {
		return nil, ErrRelative
	}
	real, err := filepath.EvalSymlinks(path)
	if err != nil {
		return nil, err
	}
	if resolved, err := filepath.EvalSymlinks(top); err == nil && top != "" {
		if rel, err := filepath.Rel(resolved, real); err == nil && rel != ".." &&
			!strings.HasPrefix(rel, ".."+string(filepath.Separator)) {
			return nil, ErrInside
		}
	}
	root, err := regular.OpenPath(filepath.Dir(real))
	if err != nil {
		return nil, err
	}
	defer root.Close()
	text, err := regular.Read(root, filepath.Base(real), signing.MaxAllowedBytes)
	return signing.ParseAllowed(text), err
}
