package main

import (
	"context"
	"errors"
	"strings"

	"ltm/cmd/internal/gitstore"
	"ltm/internal/git/gitcmd"
	"ltm/store"
)

// anyMemory is a path by which git is asked about all memories.
const anyMemory = "memories/mem_00000000.md"

// git checks whether memories are shared.
func (d *doctor) git(ctx context.Context) finding {
	rules, err := d.a.git(d.place).Ignored(ctx, anyMemory)
	var shape *gitcmd.ShapeError
	switch {
	case errors.As(err, &shape):
		return fail(err.Error()+", so git was not run",
			"find out who put HEAD, objects and refs there, and move them: "+
				"git could run commands that their config names")
	case errors.Is(err, gitcmd.ErrNoProgram):
		return fine("git is not installed, so memories are not shared")
	case errors.Is(err, gitcmd.ErrNoTree):
		return fine("not in a git work tree, so memories are not shared")
	case err != nil:
		return warn("git failed: "+err.Error(), `fix git, and run "ltm doctor" again`)
	}
	if rule, ignored := rules[anyMemory]; ignored {
		return warn("git ignores memories: "+rule.String(), unignored(rule))
	}
	if !d.engine.Exists() {
		return fine("memories will be shared")
	}
	return fine("memories are shared, and counters stay in " + d.place.Clone)
}

// unignored says how to make git stop ignoring memories.
func unignored(r gitstore.Rule) string {
	if strings.Contains(r.Pattern, ".claude") {
		return "add three lines to the end of the project's .gitignore: !/.claude/ and /.claude/* and !/.claude/ltm/"
	}
	return "add a line to the end of the project's .gitignore: !/" + store.Folder + "/**"
}
