package store

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"ltm/memory"
)

// Work trees of one clone have their own stats.json and state.json, beside the
// memories that are checked out there. When a person wants them to have these
// files in common, they stand in git's common folder, under the path that the
// store has in each work tree:
//
//	.git/ltm/.claude/ltm/{shared,stats.json,state.json,.lock}
//
// The file "shared" is the setting: it must be known before any other.
const (
	commonDir  = "ltm"
	sharedMark = "shared"

	// maxGitFileBytes bounds what is read of git's own small files.
	maxGitFileBytes = 64 << 10
)

// common finds git's common folder and the path in it that belongs to the store,
// or returns "" when the store is not in a work tree of git's.
func (s *Store) common() (dir, path string) {
	if s.override {
		return "", ""
	}
	top := gitTop(filepath.Dir(filepath.Dir(s.dir)))
	if top == "" {
		return "", ""
	}
	rel, err := filepath.Rel(top, s.dir)
	if err != nil {
		return "", ""
	}
	return commonOf(filepath.Join(top, ".git")), filepath.Join(commonDir, rel)
}

// commonOf returns the common folder that ".git" stands for: itself, or for a
// linked work tree the one that it is linked to. As for git, the link must lead
// both ways: a file in a folder from elsewhere can name any folder it likes.
func commonOf(git string) string {
	info, err := os.Lstat(git)
	switch {
	case err != nil:
		return ""
	case info.IsDir():
		return git
	}
	dir := linkedDir(git)
	if dir == "" {
		return ""
	}
	common, ok := readLine(filepath.Join(dir, "commondir"))
	if !ok {
		return ""
	}
	return resolve(dir, common)
}

// linkedDir returns the folder that git keeps for a linked work tree, whose
// ".git" is a file.
func linkedDir(git string) string {
	line, ok := readLine(git)
	dir, isLink := strings.CutPrefix(line, "gitdir:")
	if !ok || !isLink {
		return ""
	}
	dir = resolve(filepath.Dir(git), strings.TrimSpace(dir))
	back, ok := readLine(filepath.Join(dir, "gitdir"))
	if !ok || !SameFile(resolve(dir, back), git) {
		return ""
	}
	return dir
}

// readLine reads a file that holds one line.
func readLine(path string) (string, bool) {
	root, err := openPath(filepath.Dir(path))
	if err != nil {
		return "", false
	}
	defer root.Close()
	data, err := readBounded(root, filepath.Base(path), maxGitFileBytes)
	line := strings.TrimSpace(string(data))
	return line, err == nil && line != "" && !strings.ContainsAny(line, "\n\x00")
}

func resolve(base, path string) string {
	path = filepath.FromSlash(path)
	if !filepath.IsAbs(path) {
		path = filepath.Join(base, path)
	}
	return filepath.Clean(path)
}

// SameFile says whether two paths lead to one file or folder that is there.
func SameFile(a, b string) bool {
	one, err := os.Stat(a)
	if err != nil {
		return false
	}
	other, err := os.Stat(b)
	return err == nil && os.SameFile(one, other)
}

// openShared opens the folder that the work trees have in common, or returns nil
// when they have none.
func (s *Store) openShared() (root *os.Root, path string, err error) {
	dir, name := s.common()
	if dir == "" {
		return nil, "", nil
	}
	path = filepath.Join(dir, name)
	common, err := openPath(dir)
	if err != nil {
		return nil, "", nil //nolint:nilerr // no git, no setting
	}
	defer common.Close()
	if _, err := common.Lstat(filepath.Join(name, sharedMark)); err != nil {
		return nil, "", nil //nolint:nilerr // the setting is not there
	}
	root, err = openFolder(common, name)
	return root, path, storageError(err, "open", path)
}

// SharedWorktrees says whether stats and state are those of all work trees.
func (v *View) SharedWorktrees() bool { return v.shared }

// ShareWorktrees makes all work trees of the clone have stats and state in
// common, or each its own again. Those of this work tree go along, unless the
// others have some already.
func (tx *Tx) ShareWorktrees(share bool) error {
	if share == tx.shared {
		return nil
	}
	if !share {
		if err := copyVolatile(tx.volatile, tx.root, true); err != nil {
			return err
		}
		if err := copyTrust(tx.volatile, tx.root, true); err != nil {
			return err
		}
		err := tx.volatile.Remove(sharedMark)
		return storageError(err, "remove", sharedMark)
	}
	dir, path := tx.store.common()
	if dir == "" {
		return memory.Errorf(memory.CodeInvalid, "nothing was changed", "the store is not in a work tree of git's, so there is nothing to share")
	}
	common, err := openPath(dir)
	if err != nil {
		return storageError(err, "open", dir)
	}
	defer common.Close()
	if err := common.MkdirAll(path, dirPerm); err != nil {
		return storageError(err, "create", filepath.Join(dir, path))
	}
	shared, err := openFolder(common, path)
	if err != nil {
		return storageError(err, "open", filepath.Join(dir, path))
	}
	defer shared.Close()
	if err := copyVolatile(tx.root, shared, false); err != nil {
		return err
	}
	if err := copyTrust(tx.root, shared, false); err != nil {
		return err
	}
	return storageError(replaceFast(shared, sharedMark, nil), "write", sharedMark)
}

// copyVolatile copies stats and state, damaged or not. Those that are there
// already are written over only when that is wanted.
func copyVolatile(from, to *os.Root, over bool) error {
	for _, name := range []string{statsFile, stateFile} {
		data, err := readBounded(from, name, maxJSONBytes)
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err != nil {
			return storageError(err, "read", name)
		}
		if _, err := to.Lstat(name); err == nil && !over {
			continue
		}
		if err := replaceFast(to, name, data); err != nil {
			return storageError(err, "write", name)
		}
	}
	return nil
}

// copyTrust copies the record of what was written here, which names its folder.
func copyTrust(from, to *os.Root, over bool) error {
	t, err := (&View{root: from, volatile: from}).record(true)
	if _, there := to.Lstat(trustFile); err != nil || t == nil || (there == nil && !over) {
		return nil //nolint:nilerr // what is no record is not taken along
	}
	return t.write(to)
}
