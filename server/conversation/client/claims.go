package client

import (
	"context"
	"net/http"
	"strings"
	"time"
)

// Claim is a statement about a user.
type Claim struct {
	ID           string     `json:"id"`
	Bucket       string     `json:"bucket"` // such as "PROFILE"
	Text         string     `json:"text"`
	State        string     `json:"state"`      // only what is "active" gets into a context
	Confidence   float64    `json:"confidence"` // 0 to 1
	Stability    string     `json:"stability"`
	Reinforced   int        `json:"reinforcement_count"`
	Valid        []Period   `json:"valid"` // when it counted as true
	SupersededBy string     `json:"superseded_by"`
	Against      []string   `json:"against"`
	ExpiresAt    time.Time  `json:"expires_at"`
	CreatedAt    time.Time  `json:"created_at"`
	UpdatedAt    time.Time  `json:"updated_at"`
	Evidence     []Evidence `json:"evidence"`
}

// Period is from a time, inclusive, to another, exclusive; zero: until now.
type Period struct {
	From time.Time `json:"from"`
	To   time.Time `json:"to"`
}

// Evidence is where a claim was stated.
type Evidence struct {
	Event   string    `json:"event_id"`
	Act     string    `json:"act_id"`
	Thread  string    `json:"thread_id"`
	Session string    `json:"session"`
	At      time.Time `json:"at"`
}

// ClaimQuery selects claims. Empty fields do not.
type ClaimQuery struct {
	User    string // required but with [Options.UserToken]
	Buckets []string
	States  []string
	AsOf    time.Time // what was true then, by what is known now
	Cursor  string
}

// Claims returns a page of a user's claims, the surest first, and the cursor of the next page.
func (c *Client) Claims(ctx context.Context, q ClaimQuery) (found []Claim, next string, err error) {
	at := ""
	if !q.AsOf.IsZero() {
		at = q.AsOf.Format(time.RFC3339Nano)
	}
	return page[[]Claim](ctx, c, call{method: http.MethodGet, path: path("claims"), query: values("user_id", q.User,
		"bucket", strings.Join(q.Buckets, ","), "state", strings.Join(q.States, ","), "as_of", at,
		"cursor", q.Cursor)}, "claims")
}

// NewClaim is a claim to add.
type NewClaim struct {
	User       string    `json:"user_id,omitempty"`
	Bucket     string    `json:"bucket"`
	Text       string    `json:"text"`
	Confidence *float64  `json:"confidence,omitempty"` // nil: 1, or 0.5 of a suggestion
	Stability  string    `json:"stability,omitempty"`  // "high", "med" or "low"
	Session    string    `json:"session,omitempty"`
	Event      string    `json:"event_id,omitempty"` // that says it
	ExpiresAt  time.Time `json:"expires_at,omitzero"`
	Note       string    `json:"note,omitempty"`
	Suggest    bool      `json:"suggest,omitempty"` // it is not true until it is confirmed
}

// AddClaim adds a claim.
func (c *Client) AddClaim(ctx context.Context, n NewClaim) (Claim, error) {
	return field[Claim](ctx, c, call{method: http.MethodPost, path: path("claims"), body: n, once: newKey()}, "claim")
}

// Verb is an action on a claim.
type Verb string

// The verbs.
const (
	Confirm   Verb = "confirm"
	Reject    Verb = "reject"  // it was never true, and is not suggested again
	Correct   Verb = "correct" // [Change.Text] or [Change.Other] is true instead
	Deprecate Verb = "deprecate"
	Dispute   Verb = "dispute" // it contradicts [Change.Other], undecided
	Forget    Verb = "forget"
)

// Change is a request to change a claim.
type Change struct {
	User  string `json:"user_id,omitempty"` // whom the claim is about
	Text  string `json:"text,omitempty"`
	Other string `json:"other,omitempty"` // the id of another claim
	Note  string `json:"note,omitempty"`

	ValidFrom time.Time `json:"valid_from,omitzero"` // of Correct: when it became true
}

// ChangeClaim does something with a claim, and returns it as it is then, nil if nothing states it any more, and the id
// of the act, for [Client.Undo].
func (c *Client) ChangeClaim(ctx context.Context, id string, v Verb, change Change) (*Claim, string, error) {
	return c.act(ctx, path("claims", id, string(v)), change)
}

// Undo reverts an act.
func (c *Client) Undo(ctx context.Context, user, act string) (*Claim, string, error) {
	return c.act(ctx, path("acts", act, "undo"), Change{User: user})
}

func (c *Client) act(ctx context.Context, path string, change Change) (*Claim, string, error) {
	var out struct {
		Claim *Claim `json:"claim"`
		Act   struct {
			ID string `json:"id"`
		} `json:"act"`
	}
	err := c.do(ctx, call{method: http.MethodPost, path: path, body: change, once: newKey(), into: &out})
	return out.Claim, out.Act.ID, err
}

// Profile is what holds of a user: Static what they are, Dynamic what they are about, the newest first.
type Profile struct {
	Static  []ProfileEntry `json:"static"`
	Dynamic []ProfileEntry `json:"dynamic"`
}

// ProfileEntry is a claim that holds. Slot and Value are empty if its form is not known.
type ProfileEntry struct {
	Slot  string    `json:"slot"` // such as "home"
	Value string    `json:"value"`
	Since time.Time `json:"since"`
	Claim Claim     `json:"claim"`
}

// Profile returns what holds of a user.
func (c *Client) Profile(ctx context.Context, user string) (Profile, error) {
	var out Profile
	err := c.do(ctx, call{method: http.MethodGet, path: path("users", user, "profile"), into: &out})
	return out, err
}

// EraseUser permanently deletes everything about a user, and returns the number of deleted rows by table.
func (c *Client) EraseUser(ctx context.Context, user string) (map[string]int64, error) {
	return field[map[string]int64](ctx, c, call{method: http.MethodDelete, path: path("users", user)}, "rows")
}
