package page

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"ltm/internal/plural"
	"ltm/memory"
	"ltm/memory/advice"
	"ltm/memory/api"
)

// Changer changes one store: the project's, or the person's. [ltm/engine.Engine] fulfills it. Each call
// is one change: it is carried out whole or not at all, under the store's lock, and noted in its log.
type Changer interface {
	Remember(context.Context, api.Draft) (api.Receipt, error)
	ForgetAll(ctx context.Context, ids []string) ([]api.Forgotten, error)
	RestoreAll(ctx context.Context, ids []string, importance string) ([]api.Receipt, error)
	Pin(ctx context.Context, ids []string, level memory.Importance) ([]api.Receipt, error)
	Retag(ctx context.Context, ids, add, remove []string) ([]api.Receipt, error)
	Update(ctx context.Context, id string, p api.Patch) (api.Receipt, error)
	Approve(ctx context.Context, ids []string) (api.TrustReport, error)
	Unapprove(ctx context.Context, approval string, ids []string) (api.TrustReport, error)
	Fix(context.Context, api.FixOptions) (api.FixReport, error)
	Verify(context.Context, api.VerifyRequest) (api.VerifyReport, error)

	// File returns the bytes of a memory's file, and EditFile replaces them if they are still the same.
	File(ctx context.Context, id string) (memory.ID, []byte, error)
	EditFile(ctx context.Context, id memory.ID, before, after []byte) (api.Receipt, error)
	// CheckEdit returns the error with which EditFile would refuse a text.
	CheckEdit(id memory.ID, before, after []byte) error

	// MergeDraft returns the topic and the text of a merge, or the error with which Merge would refuse it.
	MergeDraft(context.Context, api.Merging) (api.Draft, error)
	Merge(context.Context, api.Merging) (api.Receipt, error)
	// TellApart remembers that memories do not say the same.
	TellApart(ctx context.Context, ids []string) error

	// Draft returns what a text says that was a memory's file, or nearly one.
	Draft(text []byte) api.Draft

	// Sides returns both sides of an unresolved merge, and the topic of ours. A side that is no memory is nil.
	Sides(ctx context.Context, id string) (topic string, ours, theirs []byte, err error)

	// Resolve keeps a side of an unresolved merge, or both.
	Resolve(ctx context.Context, id string, how api.Resolution) (api.Receipt, error)

	// UndoOf returns the change that UndoNumber would take back; ok is false if it would refuse.
	UndoOf(ctx context.Context, number int) (change memory.UndoEntry, ok bool, err error)
	UndoNumber(ctx context.Context, number int) (api.Undone, error)
}

// change is what a form of a view asks for, of one memory or of all that are selected.
type change struct {
	name string
	do   func(ctx context.Context, c Changer, ids []string, form url.Values) error

	// unlisted is in place of do for what has no place in the list of changes.
	unlisted func(ctx context.Context, c Changer, ids []string, form url.Values) (doneBar, error)
}

// changes lists what can be done to memories from any view.
func changes() []change {
	return []change{
		{name: "forget", do: func(ctx context.Context, c Changer, ids []string, _ url.Values) error {
			_, err := c.ForgetAll(ctx, ids)
			return err
		}},
		{name: "restore", do: func(ctx context.Context, c Changer, ids []string, _ url.Values) error {
			_, err := c.RestoreAll(ctx, ids, "")
			return err
		}},
		{name: "pin", do: func(ctx context.Context, c Changer, ids []string, _ url.Values) error {
			_, err := c.Pin(ctx, ids, memory.Critical)
			return err
		}},
		{name: "unpin", do: unpin},
		{name: "set", do: setValues},
		{name: "keep", do: keep},
		{name: "tag", do: func(ctx context.Context, c Changer, ids []string, form url.Values) error {
			return retag(ctx, c, ids, form, true)
		}},
		{name: "untag", do: func(ctx context.Context, c Changer, ids []string, form url.Values) error {
			return retag(ctx, c, ids, form, false)
		}},
		{name: "approve", unlisted: approve},
		{name: "verify", do: func(ctx context.Context, c Changer, ids []string, _ url.Values) error {
			_, err := c.Verify(ctx, api.VerifyRequest{IDs: ids, Follow: true})
			return err
		}},
		{name: "unapprove", unlisted: unapprove},
		{name: "apart", unlisted: tellApart},
		{name: "resolve", do: func(ctx context.Context, c Changer, ids []string, form url.Values) error {
			side := api.Resolution(form.Get("side"))
			if len(ids) != 1 || side != api.KeepOurs && side != api.KeepTheirs && side != api.KeepBoth {
				return &refusal{http.StatusUnprocessableEntity, "keep ours, theirs or both, of one memory"}
			}
			_, err := c.Resolve(ctx, ids[0], side)
			return err
		}},
	}
}

// setValues changes the fields of a memory that have other values than the page gave them, unless they were changed
// meanwhile.
func setValues(ctx context.Context, c Changer, ids []string, form url.Values) error {
	_, file, err := c.File(ctx, ids[0])
	if err != nil {
		return err
	}
	var p api.Patch
	changed, now := 0, c.Draft(file)
	is := map[string]string{"topic": now.Topic, "tags": strings.Join(now.Tags, ", "), "kind": string(now.Category),
		"importance": string(cmp.Or(now.Importance, memory.Normal))}
	for name, take := range map[string]func(string){
		"topic":      func(v string) { p.Topic = &v },
		"tags":       func(v string) { tags := strings.FieldsFunc(v, isComma); p.Tags = &tags },
		"importance": func(v string) { p.Importance = memory.Importance(v) },
		"kind":       func(v string) { kind := memory.Category(v); p.Category = &kind },
	} {
		if value := form.Get(name); value != form.Get("was-"+name) {
			if is[name] != form.Get("was-"+name) {
				return &refusal{http.StatusConflict, name + " changed meanwhile; load the page of the memory again"}
			}
			take(value)
			changed++
		}
	}
	if changed == 0 {
		return nil
	}
	_, err = c.Update(ctx, ids[0], p)
	return err
}

// keep has the first of memories that cannot all be true take the place of the others. Its text stays.
func keep(ctx context.Context, c Changer, ids []string, _ url.Values) error {
	_, file, err := c.File(ctx, ids[0])
	if err != nil {
		return err
	}
	_, err = c.Merge(ctx, api.Merging{IDs: ids, Text: c.Draft(file).Content, Files: [][]byte{file}})
	return err
}

// unpin gives memories the importance that they had before they were pinned from this page.
func unpin(ctx context.Context, c Changer, ids []string, form url.Values) error {
	byLevel := map[memory.Importance][]string{}
	for _, id := range ids {
		level := cmp.Or(memory.Importance(form.Get("was-"+id)), memory.Normal)
		byLevel[level] = append(byLevel[level], id)
	}
	for level, its := range byLevel {
		if _, err := c.Pin(ctx, its, level); err != nil {
			return err
		}
	}
	return nil
}

// retag adds the tags of a form, or removes them.
func retag(ctx context.Context, c Changer, ids []string, form url.Values, add bool) error {
	tags, none := strings.FieldsFunc(form.Get("tag"), isComma), []string(nil)
	if strings.TrimSpace(strings.Join(tags, "")) == "" {
		return &refusal{http.StatusUnprocessableEntity,
			"Name a tag, or several with commas between them. Nothing was changed."}
	}
	if !add {
		tags, none = none, tags
	}
	_, err := c.Retag(ctx, ids, tags, none)
	return err
}

func isComma(r rune) bool { return r == ',' }

// maxSelected bounds the memories of one change: the list of changes keeps all of them, or none.
const maxSelected = 100

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
	s.pins.note(ctx, s, name, ids, r.PostForm)
	for _, id := range ids {
		scope := s.options.ScopeOf(ctx, id)
		byShelf[scope] = append(byShelf[scope], id)
	}
	var bars []doneBar
	for _, scope := range []api.Scope{api.ScopeProject, api.ScopeUser} {
		its := byShelf[scope]
		if len(its) == 0 {
			continue
		}
		b, err := all[i].carryOut(ctx, s, scope, its, r.PostForm)
		switch {
		case err != nil && len(bars) == 0:
			return reply{}, err
		case err != nil: // the project's part is done, and the page says so
			text, _ := nextSteps().Split(err, advice.Writing)
			bars = append(bars, doneBar{Text: "Your own memories were not changed: " + text})
		default:
			bars = append(bars, b)
		}
	}
	return reply{next: s.after(backOf(r, name, ids), asOne(bars))}, nil
}

// carryOut changes memories of one shelf.
func (c change) carryOut(ctx context.Context, s *Site, scope api.Scope, ids []string,
	form url.Values) (doneBar, error) {
	changer, err := s.options.Changer(scope)
	if err != nil {
		return doneBar{}, err
	}
	if c.unlisted == nil {
		return did(ctx, scope, c.name, func(ctx context.Context) error { return c.do(ctx, changer, ids, form) })
	}
	return c.unlisted(ctx, changer, ids, form)
}

// unseen is the refusal to approve what a page has not shown.
type unseen struct {
	*refusal

	id     string
	exists bool
}

func (u *unseen) Unwrap() error { return u.refusal }

// approve approves memories as a page has shown them.
func approve(ctx context.Context, c Changer, ids []string, form url.Values) (doneBar, error) {
	for _, id := range ids {
		if now := seenOf(ctx, c, id); form.Get("seen-"+id) != now {
			return doneBar{}, &unseen{&refusal{http.StatusConflict,
				id + " was changed since the page showed it. Nothing was approved: look at it again."}, id, now != ""}
		}
	}
	report, err := c.Approve(ctx, ids)
	if err != nil {
		return doneBar{}, err
	}
	b := doneBar{What: "unapprove", Approval: report.Approval,
		Text: "Approved " + plural.Of(len(ids), "memory", "memories")}
	for _, id := range ids {
		if parsed, err := memory.ParseID(id); err == nil {
			b.IDs = append(b.IDs, parsed)
		}
	}
	return b, nil
}

// unapprove takes back the approval that a bar names, and no other one.
func unapprove(ctx context.Context, c Changer, ids []string, form url.Values) (doneBar, error) {
	if _, err := c.Unapprove(ctx, form.Get("approval"), ids); err != nil {
		return doneBar{}, err
	}
	return doneBar{Text: "Approval undone: " + plural.Of(len(ids), "memory", "memories")}, nil
}

// seenOf returns the version of a memory's file that a page shows, so that nothing else is approved than what was read.
// It is empty for a memory that is only in the archives.
func seenOf(ctx context.Context, c Changer, id string) string {
	_, data, err := c.File(ctx, id)
	if err != nil {
		return ""
	}
	return versionOf(data)
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

// backToRows returns the view that sent a form that was refused, with the rows that were selected in it. On Trust, none
// stays selected, as what is approved must be what was looked at: the view shows what has changed instead.
func backToRows(r *http.Request, why error) string {
	back := backOf(r, "", nil)
	u, err := url.Parse(back)
	if err != nil {
		return ""
	}
	q := u.Query()
	var changed *unseen
	switch {
	case u.Path == "memories" && len(r.PostForm["id"]) > 0:
		q.Set(selected, strings.Join(r.PostForm["id"], ","))
	case u.Path == "trust" && errors.As(why, &changed) && changed.exists:
		q.Set("show", changed.id)
		u.Fragment = "changed"
	default:
		return back
	}
	u.RawQuery = q.Encode()
	return u.String()
}

func undoAction() action { return action{path: "/undo", do: takeBack} }

// takeBack undoes the changes that a bar names: of a selection on both shelves, there is one on each. What cannot be
// taken back does not keep the others from it, and is offered again.
func takeBack(ctx context.Context, s *Site, r *http.Request) (reply, error) {
	var all []listed
	for _, text := range r.PostForm["change"] {
		l, err := parseListed(text)
		if err != nil {
			return reply{}, err
		}
		all = append(all, l)
	}
	candidates := r.PostForm["candidate"]
	if len(all)+len(candidates) == 0 {
		return reply{}, &refusal{http.StatusUnprocessableEntity, "The form does not say what to take back."}
	}
	var bars []doneBar
	var left doneBar
	var first error
	name := r.PostForm.Get("name")
	for _, l := range all {
		undone, err := s.undo(ctx, l)
		if err != nil {
			first = cmp.Or(first, err)
			whose := "The project's memories"
			if l.Scope == api.ScopeUser {
				whose = "Your own memories"
			}
			text, _ := nextSteps().Split(err, advice.Writing)
			bars = append(bars, doneBar{Text: whose + " stayed as they are: " + text})
			left.Name, left.Changes = name, append(left.Changes, l)
			continue
		}
		bars = append(bars, undoneBar(name, undone))
	}
	if len(left.Changes) == len(all) && first != nil {
		return reply{}, first
	}
	switch {
	case len(left.Changes) > 0:
		bars = append(bars, left)
	case len(candidates) > 0:
		again, err := s.reopen(ctx, candidates)
		if err != nil {
			return reply{}, err
		}
		bars = append(bars, again)
	}
	return reply{next: s.after(backOf(r, "undo", nil), bars)}, nil
}

func (s *Site) undo(ctx context.Context, l listed) (api.Undone, error) {
	c, err := s.options.Changer(l.Scope)
	if err != nil {
		return api.Undone{}, err
	}
	return c.UndoNumber(ctx, l.Number)
}
