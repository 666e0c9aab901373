package page

import (
	"cmp"
	"context"
	"crypto/rand"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"sync"

	"ltm/internal/plural"
	"ltm/memory"
	"ltm/memory/api"
)

// doneBar says what was done, and offers to undo it.
type doneBar struct {
	Text string
	Of   []doneTo // what it was done to, beside Text

	// Changes are the changes that an undo reverts, the newest of a shelf first; Of then describes them. Empty: what
	// was done is not in the list of changes.
	Changes []listed
	Name    string // of the change, as in verbs

	// What is the change that takes it back otherwise, of the memories IDs; empty: nothing does.
	What string
	IDs  []memory.ID

	Approval string // the name of the approval that What takes back

	Candidates []string // the ids of candidates that an undo proposes again
}

// listed is a change in the list of a store.
type listed struct {
	Scope  api.Scope
	Number int
}

// doneTo is a part of what a bar says, with a link to a memory where there is one.
type doneTo struct {
	Text  string
	ID    memory.ID
	Topic string
}

// verb is what is said of a change, and of its undo.
type verb struct{ did, undone string }

// verbs are those of changes, by their names.
func verbs() map[string]verb {
	return map[string]verb{
		"pin": {"Pinned", "Unpinned again"}, "unpin": {"Unpinned", "Pinned again"},
		"forget": {"Forgot", "Brought back"}, "restore": {"Restored", "Put away again"},
		"tag": {"Tagged", "Tags as before"}, "untag": {"Took a tag from", "Tags as before"},
		"verify": {"Confirmed", "Confirmation undone"}, "resolve": {"Resolved", "Unresolved again"},
		"edit": {"Edited", "Edit undone"}, "set": {"Changed", "As before"}, "keep": {"Kept", "All as before"},
		"store": {"Stored", "Removed again"}, "correct": {"Corrected", "Correction undone"},
		"merge":  {"Merged", "Merge undone"},
		"accept": {"Accepted", "Proposed again"},
	}
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
		one.Name, one.Changes = b.Name, append(one.Changes, b.Changes...)
	}
	if len(one.Changes) == 0 {
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

// barsOf returns the bars of the note that the address of a request names. A change that can no longer be undone is
// neither offered nor named.
func (s *Site) barsOf(r *http.Request) (bars []doneBar) {
	for _, b := range s.notes.get(r.URL.Query().Get("did")) {
		if len(b.Changes) > 0 {
			if b = s.stillOpen(r.Context(), b); len(b.Changes) == 0 {
				continue
			}
		}
		bars = append(bars, b)
	}
	return bars
}

// stillOpen returns a bar with those of its changes that can still be undone, which it names.
func (s *Site) stillOpen(ctx context.Context, b doneBar) doneBar {
	var open []listed
	for _, l := range b.Changes {
		e, ok := s.openChange(ctx, l)
		if !ok {
			continue
		}
		done := changeText(b.Name, e)
		if l.Scope == api.ScopeUser && b.Changes[0].Scope != api.ScopeUser {
			done.Text = "your own: " + done.Text
		}
		open, b.Of = append(open, l), append(b.Of, done)
	}
	b.Changes = open
	return b
}

// openChange returns a change; ok is false if it can no longer be undone.
func (s *Site) openChange(ctx context.Context, l listed) (e memory.UndoEntry, ok bool) {
	c, err := s.options.Changer(l.Scope)
	if err != nil {
		return e, false
	}
	e, ok, err = c.UndoOf(ctx, l.Number)
	return e, ok && err == nil
}

// did carries out a change of a store and returns the bar for it. If the change left nothing to take back, such as
// pinning what is pinned, the bar only says so.
func did(ctx context.Context, scope api.Scope, what string, do func(context.Context) error) (doneBar, error) {
	ctx, made := api.WithMade(ctx)
	if err := do(ctx); err != nil {
		return doneBar{}, err
	}
	b := doneBar{Name: what}
	for _, e := range slices.Backward(made.Undo) {
		b.Changes = append(b.Changes, listed{scope, e.Number})
	}
	switch {
	case !made.Changed:
		return nothingDone(what), nil
	case len(b.Changes) == 0:
		b.Text = cmp.Or(verbs()[what].did, what) +
			". It cannot be taken back here, as the list of changes could not be written."
	}
	return b, nil
}

func nothingDone(what string) doneBar {
	return doneBar{Text: "Nothing was changed (" + what + "): it is so already."}
}

// changeText says in a few words what a change was. One that made a text is of the memory that has it.
func changeText(name string, e memory.UndoEntry) doneTo {
	said := cmp.Or(verbs()[name].did, sentence(e.Action))
	makes := name == "correct" || name == "merge" || name == "keep"
	switch n := e.Memories(); {
	case n > 1 && !makes:
		return doneTo{Text: said + " " + plural.Of(n, "memory", "memories")}
	case e.Topic != "":
		return doneTo{said, e.ID, e.Topic}
	case e.Why != "":
		return doneTo{Text: said + ": " + e.Why}
	}
	return doneTo{Text: said}
}

// mostBack is how many memories a bar about an undo leads to.
const mostBack = 3

// undoneBar says what an undo brought back.
func undoneBar(name string, u api.Undone) doneBar {
	b := doneBar{Text: cmp.Or(verbs()[name].undone, "Undone")}
	for i, m := range u.BroughtBack {
		if m.ID == "" {
			continue
		}
		if i == mostBack {
			b.Of = append(b.Of, doneTo{Text: fmt.Sprintf("and %d more", len(u.BroughtBack)-mostBack)})
			break
		}
		b.Of = append(b.Of, doneTo{ID: m.ID, Topic: cmp.Or(m.Topic, string(m.ID))})
	}
	return b
}

// pins keeps the importance that memories had before they were pinned from this page.
type pins struct {
	mu  sync.Mutex
	was map[string]memory.Importance
}

// note keeps what a change is about to replace, or puts what it kept into the form of the change that brings it back.
func (p *pins) note(ctx context.Context, s *Site, name string, ids []string, form url.Values) {
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, id := range ids {
		switch name {
		case "pin":
			if d, err := s.options.Memories.Peek(ctx, id); err == nil && d.Importance != memory.Critical {
				p.was[id] = d.Importance
			}
		case "unpin":
			form.Set("was-"+id, string(p.was[id]))
		}
	}
}
