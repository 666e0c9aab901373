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
	line := Thread{ID: uuid, Meta: meta, CreatedAt: made, UpdatedAt: latest(made, changed)}
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

// zepSummary makes a summary of that of a session.
func (c *conversion) zepSummary(u *userRows, thread string, value json.RawMessage) error {
	if value == nil {
		return nil
	}
	r, err := recordOf(value)
	if err != nil {
		return errors.New("the summary is not an object")
	}
	f := r.fields()
	id, text, made := f.text("uuid"), f.text("content"), f.time("created_at")
	last := f.first("recent_message_uuid", "summary_point_uuid")
	if f.err != nil || strings.TrimSpace(text) == "" {
		return f.err
	}
	if !u.isNew("summary of", thread) {
		c.note("second summaries of a session left out")
		return nil
	}
	l := summaryLine{Thread: thread, Reason: string(conversation.Init), Lines: []excerptLine{}, Written: text,
		Model: c.Form, Active: true}
	l.ID, _ = c.idOf(lineSummary, cmp.Or(id, thread), "")
	for _, event := range u.eventsOf[thread] {
		l.From, l.To = cmp.Or(l.From, event), event
		if event == strings.ToLower(last) {
			break
		}
	}
	made = cmp.Or(made, micro(c.Now))
	l.CreatedAt, l.UpdatedAt = made, made
	for key := range r.clean() {
		c.note("%q of summaries left out", key)
	}
	u.thread(thread).Cursor = l.To
	u.summaries = append(u.summaries, l)
	return nil
}

// looseFacts reads facts that name their session or user.
func (c *conversion) looseFacts(what string, value json.RawMessage) error {
	return c.each(what, value, "fact", func(_ int, r record) error {
		u, thread, err := c.place(r)
		if err != nil {
			return err
		}
		return c.zepFact(u, thread, r)
	})
}

// zepFacts reads the facts of a session, which older versions have as texts alone.
func (c *conversion) zepFacts(u *userRows, thread string, value json.RawMessage) error {
	if value == nil {
		return nil
	}
	var all []json.RawMessage
	if json.Unmarshal(value, &all) != nil {
		return errors.New(`"facts" is not a list`)
	}
	for i, v := range all {
		r := record{"fact": v}
		if !bytes.HasPrefix(bytes.TrimSpace(v), []byte(`"`)) {
			var err error
			if r, err = recordOf(v); err != nil {
				return fmt.Errorf("fact %d: neither an object nor a text", i+1)
			}
		}
		if err := c.row(func() error { return c.zepFact(u, thread, r) }, "fact %d", i+1); err != nil {
			return err
		}
	}
	return nil
}

// zepFact makes a claim of a fact, and ends it where the fact has ended.
func (c *conversion) zepFact(u *userRows, thread string, r record) error {
	f := r.fields()
	id, text := f.text("uuid"), f.first("fact", "content")
	rating, rated := f.number("rating")
	at := []time.Time{f.time("created_at"), f.time("valid_at"), f.time("invalid_at"), f.time("expired_at")}
	if f.err != nil {
		return f.err
	}
	if conversation.Normal(text) == "" {
		return errors.New(`it has no "fact"`)
	}
	if other := r.fields().text("content"); other != "" && other != text {
		r["content"], _ = marshal(other)
	}
	if !rated || rating < 0 || rating > 1 {
		rating = importedConfidence
	}
	made := c.dated(cmp.Or(at[0], at[1]), "facts")
	began, ended := cmp.Or(at[1], made), cmp.Or(at[2], at[3])
	if at[1].IsZero() && !ended.IsZero() && ended.Before(began) {
		began = ended // it was told after its end
	}
	if !at[0].IsZero() && !at[0].Equal(began) {
		r["created_at"], _ = marshal(at[0])
	}
	if !at[2].IsZero() && !at[3].IsZero() {
		r["expired_at"], _ = marshal(at[3])
	}
	uuid, other := c.idOf("fact", id, thread+"\x00"+text+factTime(at[1]))
	if !u.isNew(lineAct, uuid) {
		c.note("facts that are in the file twice")
		return nil
	}
	event := episodeOf(u, r)
	note, err := c.remnant(r, other)
	if err != nil {
		return err
	}
	bucket := conversation.LongRunningContext
	u.acts = append(u.acts, actLine{ID: uuid, At: began, Verb: string(conversation.Adds),
		By: importer, Bucket: string(bucket), Text: text, Event: event, Session: thread, Confidence: rating,
		Stability: "med", Note: note})
	u.held(began, ended, len(u.acts)-1)
	return nil
}

// factTime tells facts of the same words without ids apart: what ended may have become true again.
func factTime(valid time.Time) string {
	if valid.IsZero() {
		return ""
	}
	return "\x00" + valid.Format(time.RFC3339Nano)
}

// episodeOf returns the first message of the dump that a fact was taken from, or "".
func episodeOf(u *userRows, r record) string {
	var episodes []string
	if json.Unmarshal(r["episodes"], &episodes) != nil {
		return ""
	}
	for _, id := range episodes {
		if id = strings.ToLower(id); u.ids[lineEvent+id] {
			return id
		}
	}
	return ""
}
