package threads

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"time"

	"ltm/server/conversation"
)

// zep reads the answers of Zep's API: a list of sessions (or threads, as they are called since version 3), or an object
// with lists "sessions", "messages" and "facts". Messages, a summary and facts may be in their session. Messages and
// facts outside name it by session_id or thread_id.
func (c *conversion) zep(value json.RawMessage) error {
	if bytes.HasPrefix(bytes.TrimSpace(value), []byte("[")) {
		return c.sessions("the list", value)
	}
	r, err := recordOf(value)
	if err != nil {
		return err
	}
	if r.has("session_id") && !r.has("sessions") || r.has("thread_id") && !r.has("threads") {
		return c.session(r)
	}
	known := false
	for _, part := range []struct {
		key  string
		read func(string, json.RawMessage) error
	}{{"sessions", c.sessions}, {"threads", c.sessions}, {"messages", c.looseMessages}, {"facts", c.looseFacts},
		{"edges", c.looseFacts}} { // what is named comes before what names it
		if _, ok := r[part.key]; !ok {
			continue
		}
		known = true
		if err := part.read(part.key, r[part.key]); err != nil {
			return err
		}
		delete(r, part.key)
	}
	if !known {
		return errors.New(`it has none of "sessions", "threads", "messages" and "facts"`)
	}
	for key := range r.clean() {
		c.note("%q left out", key)
	}
	return nil
}

func (c *conversion) sessions(what string, value json.RawMessage) error {
	return c.each(what, value, "session", func(_ int, r record) error { return c.session(r) })
}

// session makes a thread of a session, and reads what is in it.
func (c *conversion) session(r record) error {
	f := r.fields()
	id, user := f.first("session_id", "thread_id"), f.text("user_id")
	switch {
	case f.err != nil:
		return f.err
	case id == "":
		return errors.New(`it has no "session_id"`)
	}
	u, err := c.of(user)
	if err != nil {
		return err
	}
	parts := record{}
	for _, key := range []string{"messages", "facts", "summary"} {
		if r.has(key) {
			parts[key] = r[key]
		}
		delete(r, key)
	}
	for _, key := range []string{"relevant_facts", "context"} { // answers to a search
		if r.says(key) {
			c.note("%q of sessions left out, because it answers a search", key)
		}
		delete(r, key)
	}
	thread, err := c.zepThread(u, r, id)
	if err != nil {
		return err
	}
	err = c.each("messages", parts["messages"], "message", func(i int, r record) error {
		return c.zepMessage(u, thread, r, i)
	})
	if err != nil {
		return err
	}
	if err := c.zepSummary(u, thread, parts["summary"]); err != nil {
		return err
	}
	return c.zepFacts(u, thread, parts["facts"])
}

// zepThread adds the thread of a session unless it is there, and returns its id.
func (c *conversion) zepThread(u *userRows, r record, id string) (string, error) {
	uuid, other := c.idOf(lineThread, id, "")
	f := r.fields()
	made, changed, own := f.time("created_at"), f.time("updated_at"), f.object("metadata")
	if f.err != nil {
		return "", f.err
	}
	meta, err := c.meta(own, r, other)
	if err != nil {
		return "", err
	}
	made = cmp.Or(made, changed, micro(c.Now))
	line := threadLine{ID: uuid, Meta: meta, CreatedAt: made, UpdatedAt: latest(made, changed)}
	switch c.threads[uuid] {
	case nil:
		c.threads[uuid] = u
		u.addThread(line)
	case u:
		if t := u.thread(uuid); t.Meta == nil { // messages that named it came first
			*t = line
		}
	default:
		return "", fmt.Errorf("the session %.60q is of two users", id)
	}
	return uuid, nil
}

// latest returns the later of two times, the second of which may be none.
func latest(a, b time.Time) time.Time {
	if b.After(a) {
		return b
	}
	return a
}

// looseMessages reads messages that name their session.
func (c *conversion) looseMessages(what string, value json.RawMessage) error {
	return c.each(what, value, "message", func(i int, r record) error {
		u, thread, err := c.place(r)
		if err == nil && thread == "" {
			err = errors.New(`it has no "session_id"`)
		}
		if err != nil {
			return err
		}
		return c.zepMessage(u, thread, r, i)
	})
}

// place returns whose a row outside of sessions is, and the thread of the session that it names.
func (c *conversion) place(r record) (*userRows, string, error) {
	f := r.fields()
	session, user := f.first("session_id", "thread_id"), f.text("user_id")
	if f.err != nil {
		return nil, "", f.err
	}
	if session == "" {
		u, err := c.of(user)
		return u, "", err
	}
	uuid, _ := c.idOf(lineThread, session, "")
	if u := c.threads[uuid]; u != nil {
		return u, uuid, nil
	}
	u, err := c.of(user)
	if err != nil {
		return nil, "", err
	}
	made := record{}
	if r.has("created_at") {
		made["created_at"] = r["created_at"]
	}
	thread, err := c.zepThread(u, made, session)
	return u, thread, err
}

// zepMessage makes an event of a message.
func (c *conversion) zepMessage(u *userRows, thread string, r record, n int) error {
	f := r.fields()
	id, text, kind, name := f.text("uuid"), f.text("content"), f.text("role_type"), f.text("role")
	made, own := f.time("created_at"), f.object("metadata")
	if f.err != nil {
		return f.err
	}
	made = c.dated(made, "messages")
	uuid, other := c.idOf(lineEvent, id, fmt.Sprint(thread, n, text))
	if !u.isNew(lineEvent, uuid) {
		c.note("messages that are in the file twice")
		return nil
	}
	meta, err := c.meta(own, r, other)
	if err != nil {
		return err
	}
	role, agent := zepRole(kind, name)
	u.addEvent(eventLine{ID: uuid, Thread: thread, Role: string(role), Agent: agent, Text: text,
		Meta: meta, OccurredAt: made, RecordedAt: made})
	return nil
}

// zepRole returns the role of a message, and who said it if the role does not say. Older versions have no type, and
// names of other libraries for the roles.
func zepRole(kind, name string) (role conversation.Role, agent string) {
	given := cmp.Or(kind, name)
	role, known := roleOf(given)
	switch {
	case !known:
		agent = cmp.Or(name, given)
	case kind != "" && !strings.EqualFold(name, kind):
		agent = name
	}
	return role, agent
}
