package main

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"

	"ltm/server/conversation/client"
)

// files are the files of one user.
type files struct {
	memory *client.Client
	user   string
}

// file is a file, without its text.
type file struct {
	path   string
	thread string
}

// list returns all files, the oldest first. Of two with one path, which two programs made at the same moment, the
// older one counts.
func (f files) list(ctx context.Context) ([]file, error) {
	var all []file
	for cursor := ""; ; {
		threads, next, err := f.memory.Threads(ctx, f.user, cursor)
		if err != nil {
			return nil, err
		}
		for _, t := range threads {
			if strings.HasPrefix(t.Title, root+"/") {
				all = append([]file{{t.Title, t.ID}}, all...)
			}
		}
		if cursor = next; cursor == "" {
			return all, nil
		}
	}
}

// read returns the text of a file.
func (f files) read(ctx context.Context, one file) (string, error) {
	events, _, err := f.memory.Events(ctx, one.thread, "", 1)
	if err != nil || len(events) == 0 {
		return "", err
	}
	return events[0].Content, nil
}

// write replaces the text of a file. The old one goes when the new one is there. An empty file has no event.
func (f files) write(ctx context.Context, one file, text string) error {
	before, _, err := f.memory.Events(ctx, one.thread, "", 100)
	if err != nil {
		return err
	}
	if text != "" {
		e := client.NewEvent{Actor: "assistant", Content: text}
		if _, err := f.memory.AddEvent(ctx, one.thread, e); err != nil {
			return err
		}
	}
	for _, e := range before {
		if _, err := f.memory.DeleteEvent(ctx, one.thread, e.ID); err != nil && !client.NotFound(err) {
			return err
		}
	}
	return nil
}

// create makes a file.
func (f files) create(ctx context.Context, path, text string) error {
	thread, err := f.memory.CreateThread(ctx, client.NewThread{User: f.user, Title: path, Agent: "memory-tool"})
	if err != nil {
		return err
	}
	if err := f.write(ctx, file{path, thread}, text); err != nil {
		_, gone := f.memory.DeleteThread(context.WithoutCancel(ctx), thread)
		if gone != nil {
			return fmt.Errorf("%w; and an empty file stays: %w", err, gone)
		}
		return err
	}
	return nil
}

// levels is how deep a listing goes.
const levels = 2

// listing returns the files and directories in a directory with their sizes.
func (t tool) listing(ctx context.Context, dir string, all tree) (string, error) {
	sizes := map[string]int{dir: 0}
	for _, f := range all {
		parts := strings.Split(strings.TrimPrefix(f.path, dir+"/"), "/")
		if slices.ContainsFunc(parts, hidden) {
			continue
		}
		text, err := t.files.read(ctx, f)
		if err != nil {
			return "", err
		}
		sizes[dir] += len(text)
		for n := 1; n <= min(levels, len(parts)); n++ {
			sizes[dir+"/"+strings.Join(parts[:n], "/")] += len(text)
		}
	}
	var b strings.Builder
	fmt.Fprintf(&b, "Here're the files and directories up to %d levels deep in %s, excluding hidden items and "+
		"node_modules:", levels, dir)
	for _, path := range slices.Sorted(maps.Keys(sizes)) {
		b.WriteString("\n" + size(sizes[path]) + "\t" + path)
	}
	return b.String(), nil
}

func hidden(name string) bool { return strings.HasPrefix(name, ".") || name == "node_modules" }

// size shows a number of bytes as people read it.
func size(n int) string {
	switch {
	case n < 1<<10:
		return fmt.Sprintf("%dB", n)
	case n < 1<<20:
		return fmt.Sprintf("%.1fK", float64(n)/(1<<10))
	}
	return fmt.Sprintf("%.1fM", float64(n)/(1<<20))
}
