package threads

import (
	"bytes"
	"encoding/json"
	"errors"
	"strings"

	"ltm/server/conversation"
)

// mem0 reads what get_all, an export or a page of the API of mem0 has: a list of memories, an object with one in
// "results" or "memories", or a memory by itself.
func (c *conversion) mem0(value json.RawMessage) error {
	if bytes.HasPrefix(bytes.TrimSpace(value), []byte("[")) {
		return c.memories("the list", value)
	}
	page, err := recordOf(value)
	if err != nil {
		return err
	}
	for _, key := range []string{"results", "memories"} {
		if _, ok := page[key]; !ok {
			continue
		}
		if page.has("next") {
			c.note("pages that name a next one, which is not in the file unless you put it there")
		}
		if page.says("relations") {
			c.note("lists of relations left out, because there is no graph")
		}
		return c.memories(key, page[key])
	}
	return c.memory(page)
}

func (c *conversion) memories(what string, value json.RawMessage) error {
	return c.each(what, value, "memory", func(_ int, r record) error { return c.memory(r) })
}

// memory makes a claim of a memory.
func (c *conversion) memory(r record) error {
	f := r.fields()
	id, text, user, run := f.text("id"), f.first("memory", "data"), f.text("user_id"), f.text("run_id")
	made, ends := f.time("created_at"), f.time("expiration_date")
	if f.err != nil {
		return f.err
	}
	if conversation.Normal(text) == "" {
		return errors.New(`it has no "memory"`)
	}
	u, err := c.of(user)
	if err != nil {
		return err
	}
	delete(r, "score") // of a search, not of the memory
	made = c.dated(made, "memories")
	uuid, other := c.idOf("memory", id, user+"\x00"+text)
	if !u.isNew(lineAct, uuid) {
		c.note("memories that are in the file twice")
		return nil
	}
	bucket := bucketOf(r)
	note, err := c.remnant(r, other)
	if err != nil {
		return err
	}
	u.acts = append(u.acts, actLine{ID: uuid, At: made, Verb: string(conversation.Adds), By: importer,
		Bucket: string(bucket), Text: text, Session: run, Confidence: importedConfidence, Stability: "med",
		ExpiresAt: ends, Note: note})
	return nil
}

// bucketOf returns the bucket that the categories of a memory name. They are words of the application's own, so only
// the plain cases count.
func bucketOf(r record) conversation.Bucket {
	var names []string
	_ = json.Unmarshal(r["categories"], &names) // of another form, it names none, and is kept
	for _, name := range names {
		for _, b := range conversation.Buckets() {
			if strings.EqualFold(name, string(b)) {
				return b
			}
		}
		switch strings.ToLower(name) {
		case "personal_details", "personal_information", "identity", "family", "professional_details":
			return conversation.Profile
		case "user_preferences", "preference", "food", "music", "entertainment", "sports":
			return conversation.Preferences
		case "goal":
			return conversation.Goals
		case "project", "work":
			return conversation.Projects
		}
	}
	return conversation.LongRunningContext
}
