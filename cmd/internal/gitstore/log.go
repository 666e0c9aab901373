package gitstore

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"ltm/memory"
)

// Author is the author of a commit.
type Author struct {
	Name  string `json:"name"`
	Email string `json:"email"`
}

// Commit is a commit that changed a file.
type Commit struct {
	Hash    string
	Author  Author
	Time    time.Time
	Subject string
	Data    []byte // the file as of the commit; nil if it is not in it or its object is missing
}

// logFields is the format of a commit in git's log. NUL bytes separate the fields.
const logFields = "%H%x00%an%x00%ae%x00%aI%x00%s"

// Commits returns the commits of the current branch that changed a file of the store,
// the newest first, at most limit of them, with the file's bytes.
func (s Store) Commits(ctx context.Context, path string, limit int) ([]Commit, error) {
	tree, _, err := s.open()
	if err != nil {
		return nil, err
	}
	dir, err := tree.Rel(filepath.Dir(path))
	if err != nil {
		return nil, err
	}
	name := dir + "/" + filepath.Base(path)
	out, err := tree.Output(ctx, "log", "-z", "--encoding=UTF-8", "--format="+logFields, "--max-count="+
		strconv.Itoa(limit), "--", name)
	if err != nil {
		return nil, err
	}
	commits := parseLog(out)
	var wanted bytes.Buffer
	for _, c := range commits {
		fmt.Fprintf(&wanted, "%s:%s\n", c.Hash, name)
	}
	if out, err = tree.Filter(ctx, wanted.Bytes(), "cat-file", "--batch"); err != nil {
		return nil, err
	}
	for i := range commits {
		commits[i].Data, out = nextBlob(out)
	}
	return commits, nil
}

// parseLog parses commits in the format of logFields.
func parseLog(out []byte) []Commit {
	var commits []Commit
	for f := strings.Split(string(out), "\x00"); len(f) > 5; f = f[5:] {
		at, _ := time.Parse(time.RFC3339, f[3])
		commits = append(commits, Commit{Hash: f[0], Author: Author{f[1], f[2]}, Time: at, Subject: f[4]})
	}
	return commits
}

// nextBlob takes the first object from what git cat-file --batch prints.
func nextBlob(out []byte) (data, rest []byte) {
	head, rest, _ := bytes.Cut(out, []byte("\n"))
	fields := strings.Fields(string(head))
	if len(fields) != 3 || fields[1] != "blob" {
		return nil, rest // such as "NAME missing"
	}
	size, err := strconv.Atoi(fields[2])
	if err != nil || size < 0 || size >= len(rest) {
		return nil, nil
	}
	return rest[:size:size], rest[size+1:]
}

// Authorship is the first and the last author of a file. It is zero for a file that git does not have.
type Authorship struct{ First, Last Author }

// List returns the authors, the first one first: none, one or two.
func (w Authorship) List() []Author {
	if w.Last == (Author{}) {
		return []Author{}
	}
	return slices.Compact([]Author{w.First, w.Last})
}

// Authors returns the authors of each memory that git has, by id. Without git the map is empty.
func (s Store) Authors(ctx context.Context) map[memory.ID]Authorship {
	return s.authors(ctx, "memories")
}

// authorsWait bounds how long a command waits for authors, which are only an extra: in a long
// history git takes seconds.
const authorsWait = time.Second

// AuthorsOf is Authors for one memory. It gives up after a second and then returns the zero value.
func (s Store) AuthorsOf(ctx context.Context, id memory.ID) Authorship {
	ctx, cancel := context.WithTimeout(ctx, authorsWait)
	defer cancel()
	return s.authors(ctx, "memories/"+id.File())[id]
}

func (s Store) authors(ctx context.Context, path string) map[memory.ID]Authorship {
	found := map[memory.ID]Authorship{}
	_ = s.scan(ctx, path, func(c Commit, _ string, id memory.ID) { // without git there are none
		found[id] = Authorship{First: c.Author, Last: cmp.Or(found[id].Last, c.Author)}
	})
	return found
}

// scan calls fn for each memory that a commit added (A), changed (M) or removed (D), the newest commit first.
func (s Store) scan(ctx context.Context, path string, fn func(c Commit, how string, id memory.ID),
	options ...string) error {
	tree, prefix, err := s.open()
	if err != nil {
		return err
	}
	// A line that begins with a NUL byte is a commit; the lines after it are its files.
	args := append([]string{"log", "--encoding=UTF-8", "--no-renames", "--format=%x00" + logFields + "%x00",
		"--name-status"}, options...)
	out, err := tree.Output(ctx, append(args, "--", prefix+path)...)
	if err != nil {
		return err
	}
	var c Commit
	for line := range strings.Lines(string(out)) {
		line = strings.TrimRight(line, "\n")
		if commit, is := strings.CutPrefix(line, "\x00"); is {
			c = parseLog([]byte(commit))[0]
		} else if id, ok := memory.IDFromFile(line[strings.LastIndexByte(line, '/')+1:]); ok {
			fn(c, line[:1], id)
		}
	}
	return nil
}

// Change is a commit, and how many memories it added, changed and removed.
type Change struct {
	Commit
	Added, Changed, Removed int
}

// Changes returns the commits since a time that changed memories of the store, the newest first. It gives up after a
// second, as authors do.
func (s Store) Changes(ctx context.Context, since time.Time) (all []Change) {
	ctx, cancel := context.WithTimeout(ctx, authorsWait)
	defer cancel()
	_ = s.scan(ctx, "memories", func(c Commit, how string, _ memory.ID) {
		if len(all) == 0 || all[len(all)-1].Hash != c.Hash {
			all = append(all, Change{Commit: c})
		}
		switch last := &all[len(all)-1]; how {
		case "A":
			last.Added++
		case "D":
			last.Removed++
		default:
			last.Changed++
		}
	}, "--since="+since.Format(time.RFC3339))
	return all
}

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
