package client

import (
	"context"
	"net/http"
	"net/url"
	"slices"
	"time"

	"ltm/memory"
)

// Claim is a statement about a user of an application.
type Claim struct {
	ID         string    `json:"id"`
	Bucket     string    `json:"bucket"`
	Text       string    `json:"text"`
	State      string    `json:"state"`
	Confidence float64   `json:"confidence"`
	CreatedAt  time.Time `json:"created_at"`
	UpdatedAt  time.Time `json:"updated_at"`
	Evidence   []struct {
		Thread string    `json:"thread_id"`
		At     time.Time `json:"at"`
	} `json:"evidence"`
}

// maxClaimPages bounds what one user is asked for: more claims than a store takes memories.
const maxClaimPages = 200

// ActiveClaims returns what an application knows about a user, the surest first. The client's token is a key of the
// application.
func (c *Client) ActiveClaims(ctx context.Context, user string) ([]Claim, error) {
	if err := checkUser(user); err != nil {
		return nil, err
	}
	var all []Claim
	cursor := ""
	for range maxClaimPages {
		query := url.Values{"user_id": {user}, "state": {"active"}}
		if cursor != "" {
			query.Set("cursor", cursor)
		}
		var page struct {
			Claims []Claim `json:"claims"`
			Next   string  `json:"next"`
		}
		r := request{url: c.o.Host.join("claims"), query: query, most: maxListAnswer}
		if _, err := c.get(ctx, r, &page); err != nil {
			return nil, err
		}
		isOther := func(c Claim) bool { return c.State != "active" } // whatever a server makes of the question
		all = append(all, slices.DeleteFunc(page.Claims, isOther)...)
		if page.Next == "" || page.Next == cursor {
			return all, nil
		}
		cursor = page.Next
	}
	return nil, c.odd("the list of claims does not end")
}

// Summary returns the summary of a thread as far as it holds, "" if it has none. [memory.KindRemoteUnknown]: there is
// no such thread, or it is another application's.
func (c *Client) Summary(ctx context.Context, thread string) (string, error) {
	var answer struct {
		Summary *string `json:"summary"`
	}
	_, err := c.get(ctx, request{url: c.o.Host.join("threads", thread, "summary"), means: map[int]meaning{
		http.StatusNotFound: {memory.CodeNotFound, memory.KindRemoteUnknown, thread,
			c.o.Host.String() + " has no thread " + memory.Quote(thread, 70) + " of this application"},
	}}, &answer)
	if err != nil || answer.Summary == nil {
		return "", err
	}
	return *answer.Summary, nil
}
