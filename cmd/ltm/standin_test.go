package main

import (
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"testing"

	"ltm/internal/emulated"
)

// Wine has no git for Windows and no shell. Under it the tests get a git that
// makes repositories and does nothing else, which most of them need no more than;
// a script that needs more is skipped, and names what it needs. On Windows itself
// that is what a person has not installed, and elsewhere nothing is skipped.

// standInGit makes the directory of a repository as "git init" does. Everything else
// is an error.
func standInGit() {
	args := os.Args[1:]
	if len(args) == 0 || args[0] != "init" {
		fmt.Fprintf(os.Stderr, "git: this one only makes repositories: %q\n", args)
		os.Exit(128)
	}
	dir, branch := ".", "main"
	for i := 1; i < len(args); i++ {
		switch arg := args[i]; {
		case arg == "-b" || arg == "-qb":
			i++
			branch = args[i]
		case !strings.HasPrefix(arg, "-"):
			dir = arg
		}
	}
	if err := makeRepository(dir, branch); err != nil {
		fmt.Fprintln(os.Stderr, "git:", err)
		os.Exit(128)
	}
}

// makeRepository makes what git and ltm need to treat a directory as a work tree.
func makeRepository(dir, branch string) error {
	for _, sub := range []string{"objects", "refs/heads", "info"} {
		if err := os.MkdirAll(filepath.Join(dir, ".git", filepath.FromSlash(sub)), 0o755); err != nil {
			return err
		}
	}
	if err := os.WriteFile(filepath.Join(dir, ".git", "HEAD"), []byte("ref: refs/heads/"+branch+"\n"),
		0o644); err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(dir, ".git", "config"),
		[]byte("[core]\n\trepositoryformatversion = 0\n\tbare = false\n"), 0o644)
}

// runnable lists the scripts that can run here. Each of the others is a test that
// is skipped.
func runnable(t *testing.T, dir string) (files []string) {
	all, err := filepath.Glob(filepath.Join(dir, "*.txtar"))
	if err != nil || len(all) == 0 {
		t.Fatalf("no scripts: %v", err)
	}
	if runtime.GOOS != "windows" {
		return all
	}
	for _, file := range all {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		needs := missingFor(string(text))
		if len(needs) == 0 {
			files = append(files, file)
			continue
		}
		t.Run(strings.TrimSuffix(filepath.Base(file), ".txtar"), func(t *testing.T) {
			t.Skipf("the script needs what is not here: %s", strings.Join(needs, ", "))
		})
	}
	return files
}

// missingFor returns what a script starts, or has ltm start, that is not here.
func missingFor(script string) []string {
	missing := map[string]bool{}
	for _, m := range regexp.MustCompile(
		`(?m)^[^>\n]*\bexec (\w+)( \w+)?|^env (?:EDITOR|VISUAL)='?(\w+)`).FindAllStringSubmatch(script, -1) {
		name := m[1] + m[3]
		switch _, err := exec.LookPath(name); {
		case name == "git" && emulated.Wine() && m[2] != " init":
			missing["git"+m[2]] = true
		case err != nil:
			missing[name] = true
		}
	}
	if emulated.Wine() && strings.Contains(script, "[symlink]") {
		missing["symbolic links, which Wine reports as made and does not make"] = true
	}
	return slices.Sorted(maps.Keys(missing))
}
