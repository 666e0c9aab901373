package web

import (
	"context"
	"crypto/rand"
	"net/http"
	"net/url"
	"slices"
	"sync"

	"ltm/api"
	"ltm/internal/plural"
	"ltm/memory"
)

// doneBar says what was done, and offers to take it back.
type doneBar struct {
	Text   string
	Scope  api.Scope
	Number int         // of the change, which /undo takes back; 0: it is none of the list of changes
	What   string      // the change that takes it back; empty: nothing does
	IDs    []memory.ID // of what

	Approval string // the name of the approval that What takes back
}

// notes keeps what was done for the page that follows. Its address has a random key alone: who makes a link cannot make
// the page say anything, or offer anything.
type notes struct {
	mu    sync.Mutex
	bars  map[string][]doneBar
	order []string // keys, the oldest first
}

// mostNotes is how many notes are kept.
const mostNotes = 64

func newNotes() *notes { return &notes{bars: map[string][]doneBar{}} }

// keep returns the key of a note.
func (n *notes) keep(bars []doneBar) string {
	n.mu.Lock()
	defer n.mu.Unlock()
	key := rand.Text()
	n.bars[key] = bars
	if n.order = append(n.order, key); len(n.order) > mostNotes {
		delete(n.bars, n.order[0])
		n.order = n.order[1:]
	}
	return key
}

func (n *notes) get(key string) []doneBar {
	n.mu.Lock()
	defer n.mu.Unlock()
	return slices.Clone(n.bars[key])
}

// after returns an address below the start page that shows what was done.
func (s *Site) after(address string, bars []doneBar) string {
	u, err := url.Parse(address)
	if err != nil {
		return ""
	}
	q := u.Query()
	q.Del("did")
	if len(bars) > 0 {
		q.Set("did", s.notes.keep(bars))
	}
	u.RawQuery = q.Encode()
	return u.String()
}

// barsOf returns the bars of the note that the address of a request names. A change that is not the newest any more is
// not offered: taking back another one would surprise.
func (s *Site) barsOf(r *http.Request) (bars []doneBar) {
	for _, b := range s.notes.get(r.URL.Query().Get("did")) {
		if b.Number != 0 {
			c, err := s.options.Changer(b.Scope)
			if err != nil || newestChange(r.Context(), c).Number != b.Number {
				continue
			}
		}
		bars = append(bars, b)
	}
	return bars
}

// newestChange returns the newest change that can be taken back; its number is 0 if there is none.
func newestChange(ctx context.Context, c Changer) memory.UndoEntry {
	list, err := c.Undoable(ctx)
	if err != nil || len(list.Changes) == 0 {
		return memory.UndoEntry{}
	}
	return list.Changes[0]
}

// did carries out a change of a store and returns the bar for it. If the change left nothing to take back, such as
// pinning what is pinned, the bar only says so.
func did(ctx context.Context, c Changer, scope api.Scope, what string, do func() error) (doneBar, error) {
	before := newestChange(ctx, c).Number
	if err := do(); err != nil {
		return doneBar{}, err
	}
	list, err := c.Undoable(ctx)
	if err != nil || len(list.Changes) == 0 || list.Changes[0].Number <= before {
		return doneBar{Scope: scope, Text: "Done (" + what + "). There is nothing to take back."}, nil
	}
	newest := list.Changes[0]
	text := newest.Action
	switch n := changedTogether(list.Changes); {
	case n > 1:
		text += ": " + plural.Of(n, "memory", "memories")
	case newest.Topic != "":
		text += ": " + newest.Topic
	case newest.Why != "":
		text += ": " + newest.Why
	}
	return doneBar{Text: text, Scope: scope, Number: newest.Number}, nil
}

// changedTogether returns how many of the changes one undo takes back.
func changedTogether(changes []memory.UndoEntry) int {
	newest := changes[0]
	if newest.With == 0 {
		return max(1, newest.Members)
	}
	n := 0
	for _, c := range changes {
		if c.With == newest.With {
			n++
		}
	}
	return n
}
