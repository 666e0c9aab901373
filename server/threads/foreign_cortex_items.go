package threads

import (
	"encoding/json"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"time"

	"ltm/server/conversation"
)

// item makes a claim of a master item: active if a model found it, and else suggested.
func (d cortexDump) item(r record) error {
	f := r.fields()
	id, made, changed := f.stamps()
	user, status := f.text("user_id"), f.text("status")
	l := actLine{ID: id, At: made, Verb: string(conversation.Adds), By: importer, Bucket: f.text("bucket"),
		Text: f.text("text"), Stability: f.text("stability")}
	l.Confidence, _ = f.number("confidence")
	if f.err != nil {
		return f.err
	}
	u, err := d.of(user)
	if err != nil {
		return err
	}
	if conversation.Normal(l.Text) == "" {
		d.note("items without words left out")
		delete(d.evidence, id)
		return nil
	}
	if d.namesThread(l.Text) {
		d.note("items left out that only name the thread of a summary")
		delete(d.evidence, id)
		return nil
	}
	l.Confidence = min(max(l.Confidence, 0), 1)
	if l.Confidence < leastExtracted || status == "conflicted" {
		l.Verb = string(conversation.Suggests)
		d.note("items as suggestions, because word rules stored them or they are in conflict")
	}
	if changed.After(made) {
		r["updated_at"], _ = marshal(changed)
	}
	if l.Note, err = d.remnant(r, ""); err != nil {
		return err
	}
	if !u.isNew(lineAct, id) {
		return errors.New("the id is there twice")
	}
	first := len(u.acts)
	d.state(u, l)
	ended := time.Time{}
	if status == "deprecated" {
		ended = changed
	}
	if l.Verb == string(conversation.Adds) { // what was never true does not end
		u.held(made, ended, first)
	}
	return nil
}

// namesThread reports whether a text is a pointer to a summary: it has the id of a thread in it.
func (d cortexDump) namesThread(text string) bool {
	any := regexp.MustCompile(`[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}`)
	return slices.ContainsFunc(any.FindAllString(strings.ToLower(text), -1),
		func(id string) bool { return d.threads[id] != nil })
}

// state adds an act for each event that an item was taken from, or one without an event. The first has the item's id.
func (d cortexDump) state(u *userRows, l actLine) {
	evidence := d.evidence[l.ID]
	delete(d.evidence, l.ID)
	stated := false
	for _, e := range evidence {
		var event, id string
		_, _ = json.Unmarshal(e["event_id"], &event), json.Unmarshal(e["id"], &id)
		event, id = strings.ToLower(event), strings.ToLower(id)
		if from, ok := d.events[event]; !ok || d.threads[from.Thread] != u {
			d.note("evidence left out that names no event of the dump")
			continue
		}
		again := l
		again.Event = event
		if stated {
			again.ID, again.Note = id, ""
			if !isID(id) || !u.isNew(lineAct, id) {
				again.ID = uuidFrom(d.Form, "evidence", l.ID, event)
			}
		}
		stated = true
		u.acts = append(u.acts, again)
	}
	if !stated {
		u.acts = append(u.acts, l)
	}
}

func (d cortexDump) reaction(r record) error {
	f := r.fields()
	_, made, changed := f.stamps()
	event, user, name := f.text("event_id"), f.text("user_id"), f.text("reaction")
	if f.err != nil {
		return f.err
	}
	if err := oneOf("reaction", name, ReactionNames()); err != nil {
		return err
	}
	of, ok := d.events[strings.ToLower(event)]
	if !ok {
		return fmt.Errorf("its event %.60q is not in %s", event, cortexEvents)
	}
	u := d.threads[of.Thread]
	if user != "" && d.users[user] != u {
		d.note("reactions of others than the thread's user left out")
		return nil
	}
	if !u.isNew(lineReaction, of.ID) {
		d.note("second reactions to an event left out")
		return nil
	}
	for key := range r.clean() {
		d.note("%q of reactions left out", key)
	}
	u.reactions = append(u.reactions, reactionLine{of.ID, name, made, changed})
	return nil
}
