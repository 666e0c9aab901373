package main

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"
)

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
