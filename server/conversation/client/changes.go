package client

import (
	"context"
	"net/http"
	"time"
)

// Now is the cursor of [ChangeQuery] from which only later changes are listed.
const Now = "now"

// FeedLine says that something was put or deleted, not what it says.
type FeedLine struct {
	User string    `json:"user_id"`
	Kind string    `json:"kind"` // "thread", "event", "summary", "claim", "reaction" or "user"
	ID   string    `json:"id"`   // empty for "user", who was erased
	Op   string    `json:"op"`   // "put" or "delete"
	At   time.Time `json:"at"`
}

// ChangeQuery asks for changes after a cursor.
type ChangeQuery struct {
	User  string // empty: those of all users
	After string // [Now], or what Changes returned; empty: the oldest change that is left
}

// Changes returns what was put and deleted, the oldest first, and the cursor to continue from, now or later. A
// program that keeps a copy of a memory asks for [Now], reads all that is there, and then follows from the cursor of
// that first answer. It starts over if an error is [Purged].
func (c *Client) Changes(ctx context.Context, q ChangeQuery) (found []FeedLine, next string, err error) {
	return page[[]FeedLine](ctx, c, call{method: http.MethodGet, path: path("changes"),
		query: values("user_id", q.User, "after", q.After, "limit", "1000")}, "changes")
}
