package main

import (
	"bytes"
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"ltm/memory"
)

// author is who made a commit.
type author struct {
	Name  string `json:"name"`
	Email string `json:"email"`
}

// commit is one that changed a file.
type commit struct {
	Hash    string
	Author  author
	Time    time.Time
	Subject string
	Data    []byte // the file as of the commit; nil: it has none, or its object is missing
}

// logFields is the format of a commit in git's log; a NUL byte ends each field.
const logFields = "%H%x00%an%x00%ae%x00%aI%x00%s"

// Commits returns the commits of the current branch that changed a file of the store,
// the newest first, at most limit of them, with the file's bytes.
func (p gitPast) Commits(ctx context.Context, path string, limit int) ([]commit, error) {
	tree, _, err := openStore(p.place)
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

// parseLog reads commits in the format of logFields.
func parseLog(out []byte) []commit {
	var commits []commit
	for f := strings.Split(string(out), "\x00"); len(f) > 5; f = f[5:] {
		at, err := time.Parse(time.RFC3339, f[3])
		if err != nil {
			at = time.Time{}
		}
		commits = append(commits, commit{Hash: f[0], Author: author{f[1], f[2]}, Time: at, Subject: f[4]})
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

// authorship is who wrote a memory and who changed it last, as git has it.
type authorship struct{ first, last author }

// names are the authors for people: one or two.
func (w authorship) names() string {
	switch {
	case w.last.Name == "":
		return ""
	case w.first == w.last:
		return cell(w.last.Name)
	}
	return cell(w.first.Name) + ", " + cell(w.last.Name)
}

// list returns the authors for programs, the first one first.
func (w authorship) list() []author {
	if w.last == (author{}) {
		return []author{}
	}
	return slices.Compact([]author{w.first, w.last})
}

// Authors returns who wrote each memory that git has, by id. Without git there are
// none.
func (p gitPast) Authors(ctx context.Context) map[memory.ID]authorship {
	return p.authors(ctx, "memories")
}

// authorsWait bounds how long a command waits for what it only adds to its answer: in
// a long history git takes seconds.
const authorsWait = time.Second

// AuthorsOf is Authors for one memory, if git is quick.
func (p gitPast) AuthorsOf(ctx context.Context, id memory.ID) authorship {
	ctx, cancel := context.WithTimeout(ctx, authorsWait)
	defer cancel()
	return p.authors(ctx, "memories/"+id.File())[id]
}

func (p gitPast) authors(ctx context.Context, path string) map[memory.ID]authorship {
	found := map[memory.ID]authorship{}
	tree, prefix, err := openStore(p.place)
	if err != nil {
		return found
	}
	// A line that begins with a NUL byte is a commit's; the others are files of it.
	out, err := tree.Output(ctx, "log", "--encoding=UTF-8", "--no-renames", "--format=%x00%an%x00%ae", "--name-only",
		"--", prefix+path)
	if err != nil {
		return found
	}
	var who author
	for line := range strings.Lines(string(out)) {
		line = strings.TrimRight(line, "\n")
		if fields := strings.Split(line, "\x00"); len(fields) == 3 {
			who = author{fields[1], fields[2]}
			continue
		}
		id, ok := memory.IDFromFile(line[strings.LastIndexByte(line, '/')+1:])
		if !ok {
			continue
		}
		w := found[id]
		if w.last == (author{}) {
			w.last = who
		}
		w.first = who
		found[id] = w
	}
	return found
}
