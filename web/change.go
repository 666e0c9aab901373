package web

import (
	"context"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"ltm/api"
	"ltm/memory"
)

// Changer changes one store: the project's, or the person's. [ltm/engine.Engine] fulfills all but Sides and
// ResolveSide. Each
// call is one change: it is carried out whole or not at all, under the store's lock, and noted in its log.
type Changer interface {
	Remember(context.Context, api.Draft) (api.Receipt, error)
	ForgetAll(ctx context.Context, ids []string) ([]api.Forgotten, error)
	RestoreAll(ctx context.Context, ids []string, importance string) ([]api.Receipt, error)
	Pin(ctx context.Context, ids []string, level memory.Importance) ([]api.Receipt, error)
	Retag(ctx context.Context, ids, add, remove []string) ([]api.Receipt, error)
	Approve(ctx context.Context, ids []string) (api.TrustReport, error)
	Revoke(ctx context.Context, ids []string) (api.TrustReport, error)
	Fix(context.Context, api.FixOptions) (api.FixReport, error)
	Verify(context.Context, api.VerifyRequest) (api.VerifyReport, error)

	// File returns the bytes of a memory's file, and EditFile replaces them if they are still the same.
	File(ctx context.Context, id string) (memory.ID, []byte, error)
	EditFile(ctx context.Context, id memory.ID, before, after []byte) (api.Receipt, error)

	// Sides returns both sides of an unresolved merge, and the topic of ours. A side that is no memory is nil.
	Sides(ctx context.Context, id string) (topic string, ours, theirs []byte, err error)

	// ResolveSide keeps a side of an unresolved merge: "ours", "theirs" or "both".
	ResolveSide(ctx context.Context, id, side string) (api.Receipt, error)

	// Undoable lists what Undo takes back, the newest first. Without an id, Undo takes back the newest one.
	Undoable(context.Context) (memory.UndoList, error)
	Undo(ctx context.Context, id string) (api.Receipt, error)
}

// change is what a form of a view asks for, of one memory or of all that are selected.
type change struct {
	name string
	do   func(ctx context.Context, c Changer, ids []string, form url.Values) error
}

// changes lists what can be done to memories from any view.
func changes() []change {
	pin := func(level memory.Importance) func(context.Context, Changer, []string, url.Values) error {
		return func(ctx context.Context, c Changer, ids []string, _ url.Values) error {
			_, err := c.Pin(ctx, ids, level)
			return err
		}
	}
	return []change{
		{"forget", func(ctx context.Context, c Changer, ids []string, _ url.Values) error {
			_, err := c.ForgetAll(ctx, ids)
			return err
		}},
		{"restore", func(ctx context.Context, c Changer, ids []string, _ url.Values) error {
			_, err := c.RestoreAll(ctx, ids, "")
			return err
		}},
		{"pin", pin(memory.Critical)},
		{"unpin", pin(memory.Normal)},
		{"tag", func(ctx context.Context, c Changer, ids []string, form url.Values) error {
			_, err := c.Retag(ctx, ids, strings.FieldsFunc(form.Get("tag"), isComma), nil)
			return err
		}},
		{"untag", func(ctx context.Context, c Changer, ids []string, form url.Values) error {
			_, err := c.Retag(ctx, ids, nil, strings.FieldsFunc(form.Get("tag"), isComma))
			return err
		}},
		{"approve", func(ctx context.Context, c Changer, ids []string, _ url.Values) error {
			_, err := c.Approve(ctx, ids)
			return err
		}},
		{"verify", func(ctx context.Context, c Changer, ids []string, _ url.Values) error {
			_, err := c.Verify(ctx, api.VerifyRequest{IDs: ids, Follow: true})
			return err
		}},
		{"revoke", func(ctx context.Context, c Changer, ids []string, _ url.Values) error {
			_, err := c.Revoke(ctx, ids)
			return err
		}},
		{"resolve", func(ctx context.Context, c Changer, ids []string, form url.Values) error {
			side := form.Get("side")
			if len(ids) != 1 || side != "ours" && side != "theirs" && side != "both" {
				return &refusal{http.StatusUnprocessableEntity, "keep ours, theirs or both, of one memory"}
			}
			_, err := c.ResolveSide(ctx, ids[0], side)
			return err
		}},
	}
}

func isComma(r rune) bool { return r == ',' }

// maxSelected bounds the memories of one change.
const maxSelected = 1000

func changeAction() action { return action{path: "/change", do: carryOutChange} }

func carryOutChange(ctx context.Context, s *Site, r *http.Request) (reply, error) {
	name, ids := r.PostForm.Get("what"), r.PostForm["id"]
	all := changes()
	i := slices.IndexFunc(all, func(c change) bool { return c.name == name })
	switch {
	case i < 0:
		return reply{}, &refusal{http.StatusUnprocessableEntity, fmt.Sprintf("%q is no change", name)}
	case len(ids) == 0:
		return reply{}, &refusal{http.StatusUnprocessableEntity, "Nothing is selected. Nothing was changed."}
	case len(ids) > maxSelected:
		return reply{}, &refusal{http.StatusUnprocessableEntity,
			fmt.Sprintf("At most %d memories can be changed at once. Nothing was changed.", maxSelected)}
	}
	byShelf := map[api.Scope][]string{}
	for _, id := range ids {
		scope := s.options.ScopeOf(ctx, id)
		byShelf[scope] = append(byShelf[scope], id)
	}
	ctx = api.WithOneUndo(ctx)
	done := doneNote{}
	for _, scope := range []api.Scope{api.ScopeProject, api.ScopeUser} {
		if len(byShelf[scope]) == 0 {
			continue
		}
		c, err := s.options.Changer(scope)
		if err != nil {
			return reply{}, err
		}
		if err := all[i].do(ctx, c, byShelf[scope], r.PostForm); err != nil {
			return reply{}, err
		}
		done.add(ctx, c, scope, name, byShelf[scope])
	}
	return reply{next: done.after(backOf(r, name, ids))}, nil
}

// backOf returns the view to show after a change: the one that asked, unless the change took its memory out of sight.
func backOf(r *http.Request, name string, ids []string) string {
	back := r.PostForm.Get("back")
	u, err := url.Parse(back)
	if err != nil || u.IsAbs() || u.Host != "" || strings.HasPrefix(u.Path, "/") || strings.Contains(back, `\`) ||
		strings.Contains(u.Path, "..") {
		return ""
	}
	if name == "forget" && slices.Contains(ids, strings.TrimPrefix(u.Path, "memory/")) {
		return "memories"
	}
	return back
}

// doneNote says in the address of the next view what was changed, so that it can offer to take it back.
type doneNote struct{ parts []string }

// approval names a change of the trust record, which has no place in the list of changes.
const approval = "approve"

func (d *doneNote) add(ctx context.Context, c Changer, scope api.Scope, name string, ids []string) {
	if name == approval || name == "revoke" {
		d.parts = append(d.parts, strings.Join(append([]string{name, string(scope)}, ids...), "."))
		return
	}
	if list, err := c.Undoable(ctx); err == nil && len(list.Changes) > 0 {
		d.parts = append(d.parts, fmt.Sprintf("undo.%s.%d", scope, list.Changes[0].Number))
	}
}

// after returns an address with the note in its query.
func (d *doneNote) after(address string) string {
	u, err := url.Parse(address)
	if err != nil {
		return ""
	}
	q := u.Query()
	q.Del("did")
	for _, part := range d.parts {
		q.Add("did", part)
	}
	u.RawQuery = q.Encode()
	if u.Path == "" {
		return "./?" + u.RawQuery
	}
	return u.String()
}

// doneBar offers to take a change back.
type doneBar struct {
	Text   string
	Scope  api.Scope
	Number int         // of the change; 0: it is of the trust record
	What   string      // the change that takes it back
	IDs    []memory.ID // of what
}

// barsOf returns the bars for the changes that the query of a request names. What they say comes from the store, and
// nothing of it from the address.
func (s *Site) barsOf(r *http.Request) (bars []doneBar) {
	for _, part := range r.URL.Query()["did"] {
		fields := strings.Split(part, ".")
		if len(fields) < 3 || len(bars) == 2 {
			continue
		}
		scope, err := api.ParseScope(fields[1])
		if err != nil || scope == api.ScopeAll {
			continue
		}
		c, err := s.options.Changer(scope)
		if err != nil {
			continue
		}
		switch fields[0] {
		case "undo":
			if b, ok := undoBar(r.Context(), c, scope, fields[2]); ok {
				bars = append(bars, b)
			}
		case approval, "revoke":
			b := doneBar{Scope: scope, What: "revoke", Text: "Approved."}
			if fields[0] == "revoke" {
				b.What, b.Text = approval, "No longer approved."
			}
			for _, id := range fields[2:] {
				if parsed, err := memory.ParseID(id); err == nil && len(b.IDs) < maxSelected {
					b.IDs = append(b.IDs, parsed)
				}
			}
			bars = append(bars, b)
		}
	}
	return bars
}

// undoBar returns the bar for a change that can still be taken back.
func undoBar(ctx context.Context, c Changer, scope api.Scope, number string) (doneBar, bool) {
	list, err := c.Undoable(ctx)
	if err != nil || len(list.Changes) == 0 || strconv.Itoa(list.Changes[0].Number) != number {
		return doneBar{}, false // something else was changed since: taking that back would surprise
	}
	newest := list.Changes[0]
	text := newest.Action
	if newest.Topic != "" {
		text += ": " + newest.Topic
	} else if newest.Why != "" {
		text += ": " + newest.Why
	}
	return doneBar{Text: text, Scope: scope, Number: newest.Number}, true
}

func undoAction() action {
	return action{path: "/undo", do: func(ctx context.Context, s *Site, r *http.Request) (reply, error) {
		scope, err := api.ParseScope(r.PostForm.Get("scope"))
		if err != nil {
			return reply{}, err
		}
		c, err := s.options.Changer(scope)
		if err != nil {
			return reply{}, err
		}
		list, err := c.Undoable(ctx)
		if err != nil {
			return reply{}, err
		}
		if len(list.Changes) == 0 || strconv.Itoa(list.Changes[0].Number) != r.PostForm.Get("number") {
			return reply{}, &refusal{http.StatusConflict,
				"Something else was changed since. Nothing was taken back; \"ltm undo --list\" shows what can be."}
		}
		if _, err := c.Undo(ctx, ""); err != nil {
			return reply{}, err
		}
		return reply{next: backOf(r, "undo", nil)}, nil
	}}
}

func fixAction() action {
	return action{path: "/fix", do: func(ctx context.Context, s *Site, r *http.Request) (reply, error) {
		scope, err := api.ParseScope(r.PostForm.Get("scope"))
		if err != nil {
			return reply{}, err
		}
		c, err := s.options.Changer(scope)
		if err != nil {
			return reply{}, err
		}
		if _, err := c.Fix(ctx, api.FixOptions{}); err != nil {
			return reply{}, err
		}
		return reply{next: backOf(r, "fix", nil)}, nil
	}}
}
