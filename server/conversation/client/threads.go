package client

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"strconv"
	"time"
)

// NewThread is a thread to make.
type NewThread struct {
	User  string          `json:"user_id,omitempty"` // may be left out with [Options.UserToken]
	ID    string          `json:"id,omitempty"`      // a UUID; empty: the server makes one
	Title string          `json:"title,omitempty"`
	Agent string          `json:"agent,omitempty"`
	Meta  json.RawMessage `json:"meta,omitempty"` // an object
}

// Thread is a conversation.
type Thread struct {
	ID        string    `json:"id"`
	User      string    `json:"user_id"`
	Title     string    `json:"title"`
	CreatedAt time.Time `json:"created_at"`
	Core      bool      `json:"is_core_memory"`
}

// CreateThread makes a thread and returns its id.
func (c *Client) CreateThread(ctx context.Context, t NewThread) (string, error) {
	return field[string](ctx, c, call{method: http.MethodPost, path: path("threads"), body: t,
		once: newKey()}, "thread_id")
}

// Threads returns a page of a user's threads, the newest first, and the cursor of the next page, which is empty after
// the last one.
func (c *Client) Threads(ctx context.Context, user, cursor string) (found []Thread, next string, err error) {
	return page[[]Thread](ctx, c, call{method: http.MethodGet, path: path("threads"),
		query: values("user_id", user, "cursor", cursor)}, "threads")
}

// RenameThread gives a thread a title of 1 to 120 characters.
func (c *Client) RenameThread(ctx context.Context, thread, title string) error {
	return c.do(ctx, call{method: http.MethodPatch, path: path("threads", thread),
		body: map[string]string{"title": title}})
}

// DeleteThread deletes a thread with everything that follows from it alone, and returns how many rows of which kind
// went.
func (c *Client) DeleteThread(ctx context.Context, thread string) (map[string]int64, error) {
	return field[map[string]int64](ctx, c, call{method: http.MethodDelete, path: path("threads", thread)}, "rows")
}

// NewEvent is a message to add.
type NewEvent struct {
	Actor      string          `json:"actor"` // "user" or "assistant"
	Content    string          `json:"content"`
	Meta       json.RawMessage `json:"meta,omitempty"` // an object
	ID         string          `json:"id,omitempty"`   // a UUID; empty: the server makes one
	OccurredAt time.Time       `json:"occurred_at,omitzero"`
	Agent      string          `json:"agent,omitempty"`
	Session    string          `json:"session,omitempty"`
	Lang       string          `json:"lang,omitempty"`       // such as "en"
	Key        string          `json:"key,omitempty"`        // the application's own name of it: it is added once
	Importance int             `json:"importance,omitempty"` // 1 to 5; 0: judged by its words
	Embed      *bool           `json:"embed,omitempty"`      // false: no vector is made of it
}

// Added is the result of adding an event.
type Added struct {
	ID    string `json:"event_id"`
	New   bool   `json:"new"`   // false: it was there before, or was refused
	Error string `json:"error"` // why it was refused
}

// AddEvent adds an event and returns its id.
func (c *Client) AddEvent(ctx context.Context, thread string, e NewEvent) (string, error) {
	rows, err := c.AddEvents(ctx, thread, []NewEvent{e})
	switch {
	case err != nil:
		return "", err
	case len(rows) != 1:
		return "", fmt.Errorf("the server answered with %d rows for one event", len(rows))
	case rows[0].Error != "":
		return "", &Error{Status: http.StatusUnprocessableEntity, Detail: rows[0].Error}
	}
	return rows[0].ID, nil
}

// AddEvents adds up to 1,000 events in their order. Each is added or refused by itself: the rows say which, in the
// order of the events.
func (c *Client) AddEvents(ctx context.Context, thread string, events []NewEvent) ([]Added, error) {
	rows, err := field[[]Added](ctx, c, call{method: http.MethodPost, once: newKey(),
		path: path("threads", thread, "events") + ":batch", body: map[string]any{"events": events}}, "rows")
	if err == nil && len(rows) != len(events) {
		err = errors.New("the server's answer does not have a row for each event")
	}
	return rows, err
}

// Event is a message of a thread.
type Event struct {
	ID         string          `json:"id"`
	Thread     string          `json:"thread_id"`
	Role       string          `json:"role"`
	Content    string          `json:"content"`
	Meta       json.RawMessage `json:"meta"` // with the reaction, if there is one
	CreatedAt  time.Time       `json:"created_at"`
	OccurredAt time.Time       `json:"occurred_at"`
	Agent      string          `json:"agent"`
	Session    string          `json:"session"`
	Lang       string          `json:"lang"`
	Key        string          `json:"key"`
	Importance int             `json:"importance"` // 0 to 10
}

// Events returns the newest events of a thread, the oldest of them first, and the cursor for those before them, which
// is empty at the thread's beginning.
func (c *Client) Events(ctx context.Context, thread, cursor string, limit int) (found []Event, next string, err error) {
	return page[[]Event](ctx, c, call{method: http.MethodGet, path: path("threads", thread, "events"),
		query: values("cursor", cursor, "limit", number(limit), "detail", "true")}, "messages")
}

// DeleteEvent deletes an event with everything that follows from it alone.
func (c *Client) DeleteEvent(ctx context.Context, thread, event string) (map[string]int64, error) {
	return field[map[string]int64](ctx, c, call{method: http.MethodDelete,
		path: path("threads", thread, "events", event)}, "rows")
}

// Effect is work that the server does because of an event, after it has answered.
type Effect struct {
	Kind     string    `json:"kind"`   // "suggest", "extract", "summarize" or "embed"
	State    string    `json:"state"`  // "pending", "done", "skipped" or "failed"
	Reason   string    `json:"reason"` // why it was skipped, has failed or is to be tried again
	Attempts int       `json:"attempts"`
	Since    time.Time `json:"since"`
	DoneAt   time.Time `json:"done_at"`
}

// Effects returns the effects of an event.
func (c *Client) Effects(ctx context.Context, thread, event string) ([]Effect, error) {
	return field[[]Effect](ctx, c, call{method: http.MethodGet,
		path: path("threads", thread, "events", event, "effects")}, "effects")
}

// React sets a user's mark on an answer (thumbs_up, heart, angry, sad or brain), or takes it off if name is empty.
func (c *Client) React(ctx context.Context, thread, event, name string) error {
	var reaction *string
	if name != "" {
		reaction = &name
	}
	return c.do(ctx, call{method: http.MethodPost, path: path("threads", thread, "events", event, "reaction"),
		body: map[string]*string{"reaction": reaction}})
}

// Summary returns the thread's rolling summary without what does not hold now, empty if nothing of it holds.
func (c *Client) Summary(ctx context.Context, thread string) (string, error) {
	return field[string](ctx, c, call{method: http.MethodGet, path: path("threads", thread, "summary")}, "summary")
}

// Promote marks a thread as core memory, and summarizes what has not been yet.
func (c *Client) Promote(ctx context.Context, thread string) (summary string, err error) {
	return field[string](ctx, c, call{method: http.MethodPost,
		path: path("threads", thread, "promote-core-memory")}, "summary")
}

// values returns a query of pairs, without those that are empty.
func values(pairs ...string) url.Values {
	v := url.Values{}
	for i := 0; i < len(pairs); i += 2 {
		if pairs[i+1] != "" {
			v.Set(pairs[i], pairs[i+1])
		}
	}
	return v
}

// number returns a number as a parameter; 0 is the server's default.
func number(n int) string {
	if n == 0 {
		return ""
	}
	return strconv.Itoa(n)
}
