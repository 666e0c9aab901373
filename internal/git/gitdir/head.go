package gitdir

import (
	"bufio"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

const (
	// maxPackedBytes bounds how much is read of the file that has most refs of a large repository.
	maxPackedBytes = 64 << 20

	branches = "refs/heads/"

	// elsewhere is the branch in HEAD if refs are kept in a form that old programs do not know.
	elsewhere = ".invalid"

	// tables has the names of the files with such refs, which are rewritten at every change.
	tables = "reftable/tables.list"
)

// Head is what a work tree has checked out. Unknown values are empty.
type Head struct {
	Branch string // without refs/heads/; empty if none is checked out
	Commit string // the full id; empty before the first commit

	// Elsewhere reports that refs are not in files that this package reads, so that only git knows.
	Elsewhere bool
}

func (c Clone) Head() Head {
	line, _ := readLine(filepath.Join(c.Dir, "HEAD"))
	return c.HeadOf(line)
}

// HeadOf returns what a work tree of the clone has checked out whose file HEAD has this line.
func (c Clone) HeadOf(line string) Head {
	ref, symbolic := strings.CutPrefix(line, "ref:")
	if !symbolic {
		return Head{Commit: objectID(line)}
	}
	ref = strings.TrimSpace(ref)
	branch, ok := strings.CutPrefix(ref, branches)
	switch {
	case ok && branch == elsewhere:
		return Head{Elsewhere: true}
	case !ok || !IsBranch(branch):
		return Head{}
	}
	return Head{Branch: branch, Commit: c.commit(ref)}
}

// HeadStamp returns a text that changes when the work tree gets another branch or commit. It reads no more than small
// files, so that it may be asked for often. It can also change when git packs its refs.
func (c Clone) HeadStamp() string {
	head, _ := readLine(filepath.Join(c.Dir, "HEAD"))
	target, symbolic := strings.CutPrefix(head, "ref:")
	branch, ok := strings.CutPrefix(strings.TrimSpace(target), branches)
	switch {
	case !symbolic || !ok:
		return head
	case branch == elsewhere: // HEAD itself is in the tables of the work tree, and branches in those of the clone
		return head + "\n" + readSmall(filepath.Join(c.Dir, tables)) + "\n" + readSmall(filepath.Join(c.Common, tables))
	case !IsBranch(branch):
		return head
	}
	if id, isLoose := readLine(filepath.Join(c.Common, filepath.FromSlash(branches+branch))); isLoose {
		return head + "\n" + id
	}
	info, err := os.Stat(filepath.Join(c.Common, "packed-refs"))
	if err != nil {
		return head
	}
	return fmt.Sprintf("%s\n%d %d", head, info.Size(), info.ModTime().UnixNano())
}

// commit returns the id of the commit that a ref names, or "".
func (c Clone) commit(ref string) string {
	if line, ok := readLine(filepath.Join(c.Common, filepath.FromSlash(ref))); ok {
		return objectID(line)
	}
	f, err := OpenRegular(filepath.Join(c.Common, "packed-refs"))
	if err != nil {
		return ""
	}
	defer f.Close()
	lines := bufio.NewScanner(io.LimitReader(f, maxPackedBytes))
	for lines.Scan() {
		if id, ok := strings.CutSuffix(lines.Text(), " "+ref); ok {
			return objectID(id)
		}
	}
	return ""
}

// OpenRegular opens a regular file. Opening a pipe would wait for its other end.
func OpenRegular(path string) (*os.File, error) {
	if info, err := os.Stat(path); err != nil {
		return nil, err
	} else if !info.Mode().IsRegular() {
		return nil, fmt.Errorf("%q is not a regular file", path)
	}
	return os.Open(path)
}

// objectID returns s if it is the full id of an object, otherwise "".
func objectID(s string) string {
	if !IsObjectID(s) {
		return ""
	}
	return s
}

// IsObjectID reports whether s is the full id of an object: 40 or 64 hex digits.
func IsObjectID(s string) bool {
	return (len(s) == 40 || len(s) == 64) && strings.Trim(s, "0123456789abcdef") == ""
}

// IsBranch reports whether git allows a branch of this name (git-check-ref-format(1)). Whatever it
// allows is one name to git, and not an option, an expression or a path out of its directory.
func IsBranch(name string) bool {
	isSpecial := func(c rune) bool { return c <= ' ' || c == 0x7f || strings.ContainsRune(`~^:?*[\`, c) }
	isOdd := func(part string) bool {
		return part == "" || part[0] == '.' || strings.HasSuffix(part, ".") || strings.HasSuffix(part, ".lock")
	}
	return name != "" && len(name) <= 1024 && name != "@" && name != "HEAD" && name[0] != '-' &&
		!strings.Contains(name, "..") && !strings.Contains(name, "@{") && !strings.ContainsFunc(name, isSpecial) &&
		!slices.ContainsFunc(strings.Split(name, "/"), isOdd)
}
