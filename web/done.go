package web

import (
	"context"
	"crypto/rand"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"sync"

	"ltm/api"
	"ltm/internal/plural"
	"ltm/memory"
)

// doneBar says what was done, and offers to take it back.
type doneBar struct {
	Text    string
	Changes []listed // what takes it back is to undo these; empty: they are none of the list of changes

	// What is the change that takes it back otherwise, of the memories IDs; empty: nothing does.
	What string
	IDs  []memory.ID

	Approval string // the name of the approval that What takes back
}

// listed is a change in the list of a store.
type listed struct {
	Scope  api.Scope
	Number int
}

// String is how a form has it.
func (l listed) String() string { return string(l.Scope) + " " + strconv.Itoa(l.Number) }

// parseListed reverses [listed.String].
func parseListed(text string) (l listed, err error) {
	scope, number, _ := strings.Cut(text, " ")
	if l.Scope, err = api.ParseScope(scope); err != nil {
		return l, err
	}
	if l.Number, err = strconv.Atoi(number); err != nil || l.Scope == api.ScopeAll {
		return l, &refusal{http.StatusUnprocessableEntity, "a change has a shelf and a number"}
	}
	return l, nil
}

// asOne joins bars of which each takes back changes of one shelf: what was selected is taken back together.
func asOne(bars []doneBar) []doneBar {
	var one doneBar
	var out []doneBar
	for _, b := range bars {
		if len(b.Changes) == 0 {
			out = append(out, b)
			continue
		}
		if one.Text != "" {
			one.Text += "; your own: "
		}
		one.Text += b.Text
		one.Changes = append(one.Changes, b.Changes...)
	}
	if one.Text == "" {
		return out
	}
	return append([]doneBar{one}, out...)
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

// barsOf returns the bars of the note that the address of a request names. What was taken back meanwhile is not offered
// again.
func (s *Site) barsOf(r *http.Request) (bars []doneBar) {
	for _, b := range s.notes.get(r.URL.Query().Get("did")) {
		if len(b.Changes) > 0 {
			b.Changes = slices.DeleteFunc(slices.Clone(b.Changes),
				func(l listed) bool { return !s.isOpen(r.Context(), l) })
			if len(b.Changes) == 0 {
				continue
			}
		}
		bars = append(bars, b)
	}
	return bars
}

// isOpen reports whether a change can still be taken back.
func (s *Site) isOpen(ctx context.Context, l listed) bool {
	_, open := s.openChange(ctx, l)
	return open
}

// openChange returns what a change was, if it can still be taken back.
func (s *Site) openChange(ctx context.Context, l listed) (what string, open bool) {
	c, err := s.options.Changer(l.Scope)
	if err != nil {
		return "", false
	}
	list, err := c.Undoable(ctx)
	if err != nil {
		return "", false
	}
	i := slices.IndexFunc(list.Changes, func(e memory.UndoEntry) bool { return e.Number == l.Number })
	if i < 0 {
		return "", false
	}
	return changeText(list.Changes, list.Changes[i]), true
}

// newestChange returns the number of the newest change that can be taken back, or 0.
func newestChange(ctx context.Context, c Changer) int {
	list, err := c.Undoable(ctx)
	if err != nil || len(list.Changes) == 0 {
		return 0
	}
	return list.Changes[0].Number
}

// did carries out a change of a store and returns the bar for it. If the change left nothing to take back, such as
// pinning what is pinned, the bar only says so.
func did(ctx context.Context, c Changer, scope api.Scope, what string, do func() error) (doneBar, error) {
	before := newestChange(ctx, c)
	if err := do(); err != nil {
		return doneBar{}, err
	}
	list, err := c.Undoable(ctx)
	if err != nil || len(list.Changes) == 0 || list.Changes[0].Number <= before {
		return nothingDone(what), nil
	}
	newest := list.Changes[0]
	return doneBar{Text: changeText(list.Changes, newest), Changes: []listed{{scope, newest.Number}}}, nil
}

func nothingDone(what string) doneBar {
	return doneBar{Text: "Nothing was changed (" + what + "): it is so already."}
}

// changeText says in a few words what one of the changes was.
func changeText(all []memory.UndoEntry, one memory.UndoEntry) string {
	switch n := changedTogether(all, one); {
	case n > 1:
		return one.Action + ": " + plural.Of(n, "memory", "memories")
	case one.Topic != "":
		return one.Action + ": " + one.Topic
	case one.Why != "":
		return one.Action + ": " + one.Why
	}
	return one.Action
}

// changedTogether returns how many of the changes one undo takes back with one of them.
func changedTogether(all []memory.UndoEntry, one memory.UndoEntry) int {
	if one.With == 0 {
		return max(1, one.Members)
	}
	n := 0
	for _, c := range all {
		if c.With == one.With {
			n++
		}
	}
	return n
}
