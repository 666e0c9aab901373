package page

import (
	"context"
	"net/http"
	"net/url"
	"path"
	"strconv"
	"strings"
	"unicode/utf8"

	"ltm/text/safe"
)

// Files has the files of the project.
type Files interface {
	// ReadFile returns a regular file, by its path below the top of the work tree, with slashes.
	ReadFile(ctx context.Context, path string) ([]byte, error)
}

// sourcePage is a part of a file of the project, at the lines that a memory refers to.
type sourcePage struct {
	Path   string
	Lines  []sourceLine
	Total  int
	Before string // the queries of the parts before and after; empty: no such part
	After  string
}

type sourceLine struct {
	Number int
	Text   string
	Meant  bool
}

const (
	// around is how many lines are shown before those that are meant.
	around = 40
	// mostLines is how many lines of a file a page shows, and mostSourceLine how much of each, in characters.
	mostLines      = 400
	mostSourceLine = 240
	// mostPart is how large they are together, in bytes.
	mostPart = 80 << 10
)

func sourceView() view {
	return view{path: "/file", page: "source", load: loadSource}
}

// sourceAddress returns the address of the page that shows a file, relative to the start page.
func sourceAddress(file string, line, end int) string {
	q := url.Values{"path": {file}}
	if line > 0 {
		q.Set("line", strconv.Itoa(line))
	}
	if end > line {
		q.Set("end", strconv.Itoa(end))
	}
	address := "file?" + q.Encode()
	if line > 0 {
		address += "#L" + strconv.Itoa(line)
	}
	return address
}

// inProject returns a path as it is below the top of the work tree, or false if it could lead elsewhere.
func inProject(name string) (string, bool) {
	clean := path.Clean(name)
	if name == "" || path.IsAbs(name) || clean == "." || clean == ".." || strings.HasPrefix(clean, "../") ||
		strings.ContainsAny(name, "\\:\x00") || safe.Line(name) != name {
		return "", false
	}
	for part := range strings.SplitSeq(clean, "/") {
		if strings.EqualFold(part, ".git") {
			return "", false
		}
	}
	return clean, true
}

func loadSource(ctx context.Context, s *Site, r *http.Request) (string, any, error) {
	q := r.URL.Query()
	name, ok := inProject(q.Get("path"))
	if !ok {
		return "", nil, &refusal{http.StatusUnprocessableEntity, "that is not a path in the project"}
	}
	data, err := s.options.Files.ReadFile(ctx, name)
	if err != nil {
		return "", nil, err
	}
	if !utf8.Valid(data) || strings.ContainsRune(string(data), 0) {
		return "", nil, &refusal{http.StatusUnprocessableEntity, "that file is not text"}
	}
	line, _ := strconv.Atoi(q.Get("line")) // anything else counts as no line
	end, _ := strconv.Atoi(q.Get("end"))
	p := sourcePage{Path: name}
	p.show(strings.Split(strings.TrimSuffix(string(data), "\n"), "\n"), line, max(line, end))
	if first := p.Lines[0].Number; first > 1 {
		p.Before = with(r, "line", strconv.Itoa(max(1, first-mostLines+around)), "end", "")
	}
	if last := p.Lines[len(p.Lines)-1].Number; last < p.Total {
		p.After = with(r, "line", strconv.Itoa(last+around), "end", "")
	}
	return name, p, nil
}

// show takes the lines around those that are meant.
func (p *sourcePage) show(all []string, line, end int) {
	p.Total = len(all)
	line = min(max(0, line), p.Total)
	first, size := min(max(0, line-1-around), p.Total-1), 0
	for i := first; i < min(first+mostLines, p.Total); i++ {
		text := safe.Clip(safe.Text(strings.TrimSuffix(all[i], "\r")), mostSourceLine)
		if size += 5*len(text) + rowSize; size > mostPart && i > first {
			return
		}
		p.Lines = append(p.Lines, sourceLine{Number: i + 1, Text: text, Meant: line > 0 && i+1 >= line && i+1 <= end})
	}
}
