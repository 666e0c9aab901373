package main

import (
	"context"
	"fmt"

	"ltm/engine/locate"
)

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
