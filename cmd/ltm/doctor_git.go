package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"ltm"
	"ltm/internal/gitcmd"
	"ltm/internal/locate"
	"ltm/store"
)

// anyMemory stands for all memories.
const anyMemory = "memories/mem_00000000.md"

// git looks whether memories are shared.
func (d *doctor) git(ctx context.Context) finding {
	tree, prefix, err := openStore(d.place)
	var shape *gitcmd.ShapeError
	switch {
	case errors.As(err, &shape):
		return fail(err.Error()+", so git was not run", "find out who put HEAD, objects and refs there, and move them: git could run commands that their config names")
	case errors.Is(err, gitcmd.ErrNoProgram):
		return fine("git is not installed, so memories are not shared")
	case errors.Is(err, gitcmd.ErrNoTree):
		return fine("not in a git work tree, so memories are not shared")
	case err != nil:
		return gitFailed(err)
	}
	name := prefix + anyMemory
	rules, err := ignoreRules(ctx, tree, []string{name})
	if err != nil {
		return gitFailed(err)
	}
	if rule, ignored := rules[name]; ignored {
		return warn("git ignores memories: "+rule.String(), rule.remedy())
	}
	if !d.engine.Exists() {
		return fine("memories will be shared")
	}
	return fine("memories are shared, and counters stay in " + d.place.Clone)
}

// gitFailed tells that git ran and could not answer.
func gitFailed(err error) finding {
	return warn("git failed: "+err.Error(), `fix git, and run "ltm doctor" again`)
}

// openStore opens the work tree that holds a store, and returns the store's path
// in it, with a slash at its end.
func openStore(place locate.Place) (tree *gitcmd.Tree, prefix string, err error) {
	dir := place.Store
	if real, err := filepath.EvalSymlinks(dir); err == nil {
		dir = real
	}
	project := filepath.Dir(dir)
	if above, ok := strings.CutSuffix(filepath.ToSlash(dir), "/"+store.Folder); ok {
		project = filepath.FromSlash(above + "/")
	}
	tree, err = gitcmd.Open(project, dir, os.Environ())
	if err != nil {
		return nil, "", err
	}
	prefix, err = tree.Rel(dir)
	return tree, prefix + "/", err
}

// ignoreRule is what makes git ignore a file.
type ignoreRule struct{ source, line, pattern string }

func (r ignoreRule) String() string {
	return fmt.Sprintf("%q in %s, line %s", r.pattern, r.source, r.line)
}

// remedy says how to have memories back.
func (r ignoreRule) remedy() string {
	if strings.Contains(r.pattern, ".claude") {
		return "add three lines to the end of the project's .gitignore: !/.claude/ and /.claude/* and !/.claude/ltm/"
	}
	return "add a line to the end of the project's .gitignore: !/" + store.Folder + "/**"
}

// ignoreRules asks git which of these files it ignores, tracked or not.
func ignoreRules(ctx context.Context, tree *gitcmd.Tree, names []string) (map[string]ignoreRule, error) {
	var in strings.Builder
	for _, name := range names {
		in.WriteString(name + "\x00")
	}
	out, err := tree.Filter(ctx, []byte(in.String()), "check-ignore", "--no-index", "--verbose", "-z", "--stdin")
	if gitcmd.Status(err) == 1 {
		err = nil // none is ignored
	}
	rules := map[string]ignoreRule{}
	for f := strings.Split(string(out), "\x00"); len(f) > 4; f = f[4:] {
		if !strings.HasPrefix(f[2], "!") {
			rules[f[3]] = ignoreRule{f[0], f[1], f[2]}
		}
	}
	return rules, err
}

// wantedEvents lists the events that hooks should be registered for.
func wantedEvents() ([]string, error) {
	data, err := ltm.Plugin.ReadFile("hooks/hooks.json")
	if err != nil {
		return nil, err
	}
	var v struct{ Hooks map[string]json.RawMessage }
	if err := json.Unmarshal(data, &v); err != nil {
		return nil, err
	}
	return slices.Sorted(maps.Keys(v.Hooks)), nil
}
