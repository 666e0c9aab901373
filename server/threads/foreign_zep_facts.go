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
