package main

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"ltm/cmd/internal/gitstore"
	"ltm/engine/locate"
	"ltm/internal/git/gitcmd"
	"ltm/memory/api"
	"ltm/store"
	"ltm/text/safe"
)

const (
	// maxOdd is how many settings are named at most, and maxOddChars how long each of them may be.
	maxOdd      = 5
	maxOddChars = 200
)

// config reports settings that are not in effect.
func (d *doctor) config(ctx context.Context) finding {
	problems, err := d.engine.ConfigProblems(ctx)
	if err != nil {
		return fail(found(err), nextStep(err))
	}
	if len(problems) > 0 {
		return warn(d.oddSettings(ctx, problems)+"; the defaults apply",
			`"ltm config KEY VALUE" sets one; remove unknown ones from the file`)
	}
	all, err := d.engine.Config(ctx)
	if err != nil {
		return fail(found(err), nextStep(err))
	}
	set := 0
	for _, s := range all {
		if s.Source != "default" {
			set++
		}
	}
	if set == 0 {
		return fine(fmt.Sprintf("%d settings, all at their defaults", len(all)))
	}
	return fine(fmt.Sprintf("%d settings, %d of them changed from the default", len(all), set))
}

// oddSettings says what is wrong with settings. A model may run this command without asking
// a person, so text that is withheld from models is not quoted.
func (d *doctor) oddSettings(ctx context.Context, problems []string) string {
	if d.engine.Withholds(ctx) {
		return fmt.Sprintf("%d settings in config.json or state.json are unknown or not allowed, "+
			"and are not named while trust is ask", len(problems))
	}
	parts := each(problems[:min(len(problems), maxOdd)],
		func(p string) string { return safe.Clip(safe.Line(p), maxOddChars) })
	if n := len(problems) - len(parts); n > 0 {
		parts = append(parts, fmt.Sprintf("and %d more", n))
	}
	return strings.Join(parts, "; ")
}

// sessionName names the last session. Its id comes from a file that may have come with the repository.
func (d *doctor) sessionName(ctx context.Context) string {
	const most = 60
	if d.engine.Withholds(ctx) {
		return "a session"
	}
	return "session " + safe.Name(d.session.ID, most)
}

// files checks the store's files, as ltm check does.
func (d *doctor) files(ctx context.Context) finding {
	r, err := d.engine.Check(ctx)
	switch {
	case err != nil:
		return fail(found(err), nextStep(err))
	case len(r.UnreadableFiles) > 0:
		return fail(say(r.Summary), `"ltm check" lists them; correct them by hand, or see "ltm fix --dry-run"`)
	case slices.ContainsFunc(r.Problems, func(p api.Problem) bool { return p.Repair == "" }):
		return warn(say(r.Summary), `"ltm check" lists them and says what to do`)
	case !r.OK:
		return warn(say(r.Summary), `"ltm check" lists them, and "ltm fix" repairs what it can`)
	case slices.ContainsFunc(r.Remarks, func(p api.Problem) bool { return p.Kind == "unreadable" }):
		return warn(say(r.Summary), `"ltm check" lists what is damaged; the next change repairs it`)
	case len(r.Warnings) > 0:
		return warn(say(r.Summary), `"ltm list --importance critical" lists them, and "ltm unpin ID" unpins one`)
	}
	return fine(say(r.Summary))
}

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

// user checks the person's own memories, which are in every session.
func (d *doctor) user(ctx context.Context) finding {
	shelf := d.a.shelf()
	if shelf.None != "" {
		if !d.a.hasShelf(shelf) {
			return fine("none")
		}
		return warn("your own memories are left out here: "+shelf.None,
			"set LTM_USER_DIR, in your own environment, to a directory outside of projects")
	}
	if !d.a.person(lockWait).Exists() {
		return fine("none yet; they would be in " + shelf.Store)
	}
	state := d.a.shelves(lockWait).Shelf(ctx)
	if state.Unreadable {
		return fail(clean(say(state.Health)), `"ltm check --user" says what to do`)
	}
	text := shelfLine(*state)
	if state.FromElsewhere > 0 {
		return warn(text, `"ltm trust --user" lists them, "ltm show ID" shows one, "ltm trust --user ID" approves it`)
	}
	if health := say(state.Health); state.TotalMemories == 0 && health != "" {
		text += fmt.Sprintf("; %s", health)
	}
	return fine(text)
}

// hasShelf reports whether there are memories of the person, whether or not they count here.
func (a *app) hasShelf(shelf locate.Shelf) bool {
	return shelf.Store != "" && a.storeAt(shelf.Place).Exists()
}
