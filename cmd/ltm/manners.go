package main

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"ltm/engine"
	"ltm/engine/locate"
	"ltm/memory"
)

// tellStore says where the store was created for the first memory of a project.
func (a *app) tellStore(place locate.Place) {
	if place.Own {
		a.notice(fmt.Sprintf("created the store of your own memories, %s; \"ltm user init\" makes it a repository",
			place.Store))
		return
	}
	share := "; commit it to share it, and \"ltm init\" sets up the project's hooks and commands"
	if place.Local {
		share = "; \"ltm init\" sets up the project's hooks and commands"
	}
	a.notice(fmt.Sprintf("created the store %s (%s)%s", place.Store, place.Why, share))
}

// confirmPinned asks before pinned memories are forgotten. Without a terminal it refuses.
// Memories that cannot be read do not count as pinned.
func (a *app) confirmPinned(ctx context.Context, e *engine.Engine, ids []string, yes bool) error {
	if yes {
		return nil
	}
	for _, id := range ids {
		d, err := e.Peek(ctx, id)
		if err != nil || d.Importance != memory.Critical {
			continue
		}
		if !a.confirm(fmt.Sprintf("%s (%s) is pinned. Forget it anyway?", d.ID, markedTopic(d.Topic, d.Foreign))) {
			return invalid("--yes forgets it without asking", "%s is pinned", d.ID)
		}
	}
	return nil
}

// resolvedNote says how to tell git that a conflict is resolved, if the memory's file was
// changed.
func (a *app) resolvedNote(id memory.ID, before []byte) memory.Note {
	path := filepath.Join(a.place().Store, "memories", id.File())
	if now, err := os.ReadFile(path); err != nil || bytes.Equal(now, before) {
		return nil
	}
	return memory.Say("the conflict is resolved: git add " + a.fromHere(path))
}

// fromHere returns a path as a person would type it in the current directory.
func (a *app) fromHere(path string) string {
	if cwd, err := os.Getwd(); err == nil {
		if rel, err := filepath.Rel(cwd, path); err == nil {
			return filepath.ToSlash(rel)
		}
	}
	return path
}

// needsTerminal reports whether an editor draws on the terminal, unlike scripts and editors
// with windows of their own.
func needsTerminal(argv []string) bool {
	name := strings.TrimSuffix(strings.ToLower(filepath.Base(argv[0])), ".exe")
	if name == "emacs" {
		return slices.Contains(argv, "-nw")
	}
	return slices.Contains([]string{"vi", "vim", "nvim", "view", "nano", "pico", "micro", "helix", "hx", "kak", "joe",
		"jed", "ne", "mcedit", "mg"}, name)
}
