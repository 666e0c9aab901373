package golden

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// Surface is the directory of the lists of what scripts and clients rely on.
type Surface string

// FindSurface returns the directory, seen from a package of this module.
func FindSurface(t testing.TB) Surface {
	t.Helper()
	dir, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	for {
		if _, err := os.Stat(filepath.Join(dir, "go.mod")); err == nil {
			return Surface(filepath.Join(dir, "testdata", "surface"))
		}
		if dir == filepath.Dir(dir) {
			t.Fatal("no directory above this one has a go.mod")
		}
		dir = filepath.Dir(dir)
	}
}

// Require compares a list with its lines, in any order.
func (s Surface) Require(t testing.TB, list string, lines []string) {
	t.Helper()
	Require(t, filepath.Join(string(s), list+".txt"), strings.Join(slices.Sorted(slices.Values(lines)), "\n")+"\n")
}

// Commands matches the commands of ltm that people type, such as "ltm recall": only the client starts the two others.
func (s Surface) Commands(t testing.TB) *regexp.Regexp {
	t.Helper()
	names := s.names(t, "ltm", regexp.MustCompile(`(?m)^ltm (\w[\w-]*)(  |$)`))
	names = slices.DeleteFunc(names, func(name string) bool { return name == "hook" || name == "mcp" })
	return regexp.MustCompile(`\bltm (` + strings.Join(names, "|") + `)\b`)
}

// Tools matches the names of tools that are not also words, such as "get_memory". Two are not listed.
func (s Surface) Tools(t testing.TB) *regexp.Regexp {
	t.Helper()
	names := append(s.ToolNames(t, ""), "search_archives", "reset_session")
	names = slices.DeleteFunc(names, func(name string) bool { return !strings.Contains(name, "_") })
	return regexp.MustCompile(`\b(` + strings.Join(names, "|") + `)\b`)
}

// ToolNames returns the names of the listed tools with a mark, such as " (reads)", or of all of them.
func (s Surface) ToolNames(t testing.TB, mark string) []string {
	t.Helper()
	if mark == "" {
		mark = `( \(reads\))?`
	} else {
		mark = regexp.QuoteMeta(mark)
	}
	return s.names(t, "tools", regexp.MustCompile(`(?m)^(\w+)`+mark+`$`))
}

// names returns what an expression captures of a list.
func (s Surface) names(t testing.TB, list string, named *regexp.Regexp) []string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(string(s), list+".txt"))
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, m := range named.FindAllStringSubmatch(string(text), -1) {
		names = append(names, m[1])
	}
	if len(names) == 0 {
		t.Fatalf("%s.txt names nothing", list)
	}
	return names
}
