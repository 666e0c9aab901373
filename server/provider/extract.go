package provider

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"ltm/text/safe"
	"ltm/text/secrets"
)

// Limits of an extraction.
const (
	maxEvents        = 100
	maxBuckets       = 32
	eventCharacters  = 2_000
	claimCharacters  = 500
	maxClaims        = 32 // of an answer; a conversation of a few messages has few claims
	maxItems         = 64 // of an answer that are looked at
	extractionTokens = 800
)

// Event is one message that claims are taken from.
type Event struct {
	ID   string
	User bool // claims are taken from the user's messages alone; others are shown so that these can be understood
	Text string
}

// Claim is a statement that, according to a model, a user made about themselves.
type Claim struct {
	Text       string // one line of at most 500 characters, without credentials
	Bucket     string // one of those that were asked for
	Confidence float64
	Events     []string // the ids of the user's messages that it was taken from, at least one, in their order
}

// Extraction is the content of a model's answer.
type Extraction struct {
	Claims    []Claim
	Dropped   []string // why items of the answer are not claims, one reason for each
	Truncated bool     // the answer broke off; its claims are those before
	Model     string   // that was asked
}

// Extract returns the claims about the user in events. An answer without claims is not an error; one that is not a
// list is.
func (c *Client) Extract(ctx context.Context, app string, events []Event, buckets []string) (Extraction, error) {
	if err := checkApp(app); err != nil {
		return Extraction{}, err
	}
	if len(events) == 0 || len(events) > maxEvents {
		return Extraction{}, newError(BadInput, "claims are taken from 1 to %d events, not %d", maxEvents, len(events))
	}
	if err := checkBuckets(buckets); err != nil {
		return Extraction{}, err
	}
	text, ids, err := c.numbered(events)
	if err != nil {
		return Extraction{}, err
	}
	if len(ids) == 0 {
		return Extraction{Model: c.o.Model}, nil // the user said nothing
	}
	rules := fmt.Sprintf(extractionRules, strings.Join(buckets, ", "))
	out, err := c.complete(ctx, app, textRequest{messages: []message{{system, rules}, {user, text}}, temperature: calm,
		most: extractionTokens})
	if err != nil {
		return Extraction{}, err
	}
	parsed, bad := parseClaims(out.text, ids, buckets)
	if bad != nil {
		return Extraction{}, bad
	}
	parsed.Truncated = parsed.Truncated || out.truncated
	parsed.Model = c.o.Model
	return parsed, nil
}

const extractionRules = `You take durable claims about the user from a conversation. ` + dataRule + `
Answer with a JSON array and nothing else. Each element is an object:
{"text": "one short sentence about the user", "bucket": "a bucket", "confidence": 0.0 to 1.0, "events": [numbers]}
The buckets: %s.
"events" has the numbers of the user's messages that say so. What only the assistant said is not a claim.
Take facts, constraints, preferences and commitments that the user states. Not from questions, and no general advice.
When in doubt, answer with [].`

// checkBuckets refuses names that a prompt cannot list.
func checkBuckets(buckets []string) error {
	if len(buckets) == 0 || len(buckets) > maxBuckets {
		return newError(BadInput, "claims have 1 to %d buckets to go to, not %d", maxBuckets, len(buckets))
	}
	for _, bucket := range buckets {
		if !isName(bucket) {
			return newError(BadInput, "a bucket's name has 1 to 64 letters, digits and \"._-\"")
		}
	}
	return nil
}

// numbered returns the events as a model gets them, and the ids of the user's by their number from 1. Ids are not
// sent: a model cannot invent one.
func (c *Client) numbered(events []Event) (text string, ids []string, err error) {
	var b strings.Builder
	for _, e := range events {
		fenced, err := c.stored(e.Text, eventCharacters)
		if err != nil {
			return "", nil, err
		}
		if fenced == "" {
			continue
		}
		label := speaker(e.User)
		if e.User {
			ids = append(ids, e.ID)
			label += " " + strconv.Itoa(len(ids))
		}
		b.WriteString(label + ":\n" + fenced + "\n")
	}
	return b.String(), ids, nil
}

// parseClaims reads a model's answer. The list may be within other text, a fence or an object, and may break off.
func parseClaims(text string, ids, buckets []string) (Extraction, *Error) {
	for range maxStarts {
		start := strings.IndexByte(text, '[')
		if start < 0 {
			break
		}
		text = text[start:]
		if out, ok := parseList(text, ids, buckets); ok {
			return out, nil
		}
		text = text[1:]
	}
	return Extraction{}, newError(BadAnswer, "the reply is not a list of claims")
}

// maxStarts is how many brackets are tried: the text before the list may have some.
const maxStarts = 8

// parseList reads the list that a text begins with, if it is one.
func parseList(text string, ids, buckets []string) (out Extraction, ok bool) {
	d := json.NewDecoder(strings.NewReader(text))
	if _, err := d.Token(); err != nil {
		return Extraction{}, false
	}
	items := 0
	for d.More() {
		var raw json.RawMessage
		if err := d.Decode(&raw); err != nil {
			out.Truncated = true
			return out, items > 0
		}
		if items++; items > maxItems {
			out.Truncated = true
			return out, true
		}
		claim, reason := parseClaim(raw, ids, buckets)
		if reason == "" {
			reason = out.add(claim)
		}
		if reason != "" {
			out.Dropped = append(out.Dropped, fmt.Sprintf("item %d: %s", items, reason))
		}
	}
	if _, err := d.Token(); err != nil {
		out.Truncated = true // the list has no end
	}
	return out, items > 0 || !out.Truncated
}

// add takes a claim in. One that says the same in the same bucket is one claim, with the evidence of both.
func (x *Extraction) add(claim Claim) (reason string) {
	for i, other := range x.Claims {
		if other.Bucket == claim.Bucket && strings.EqualFold(other.Text, claim.Text) {
			x.Claims[i].Confidence = max(other.Confidence, claim.Confidence)
			for _, id := range claim.Events {
				if !slices.Contains(x.Claims[i].Events, id) {
					x.Claims[i].Events = append(x.Claims[i].Events, id)
				}
			}
			return "it repeats another"
		}
	}
	if len(x.Claims) == maxClaims {
		return fmt.Sprintf("there are %d claims before it", maxClaims)
	}
	x.Claims = append(x.Claims, claim)
	return ""
}

// parseClaim reads one element of the list, or returns why it is not a claim.
func parseClaim(raw json.RawMessage, ids, buckets []string) (claim Claim, reason string) {
	var item struct {
		Text       *string         `json:"text"`
		Bucket     *string         `json:"bucket"`
		Confidence json.RawMessage `json:"confidence"`
		Events     json.RawMessage `json:"events"`
	}
	if raw = bytes.TrimSpace(raw); len(raw) == 0 || raw[0] != '{' {
		return Claim{}, "it is not an object"
	}
	if err := json.Unmarshal(raw, &item); err != nil || item.Text == nil || item.Bucket == nil {
		return Claim{}, "it has no text or no bucket, or not as texts"
	}
	claim.Text = safe.Line(*item.Text)
	switch {
	case claim.Text == "":
		return Claim{}, "its text is blank"
	case len([]rune(claim.Text)) > claimCharacters:
		return Claim{}, fmt.Sprintf("its text is longer than %d characters", claimCharacters)
	case strings.Contains(claim.Text, secrets.Mask) || len(secrets.InTalk(claim.Text)) > 0:
		return Claim{}, "its text is about a credential"
	case !slices.Contains(buckets, *item.Bucket):
		return Claim{}, "its bucket was not asked for"
	}
	claim.Bucket = *item.Bucket
	var ok bool
	if claim.Confidence, ok = confidence(item.Confidence); !ok {
		return Claim{}, "its confidence is not a number"
	}
	if claim.Events = evidence(item.Events, ids); len(claim.Events) == 0 {
		return Claim{}, "it names no message of the user"
	}
	return claim, ""
}

// confidence returns a number of JSON within 0 and 1.
func confidence(raw json.RawMessage) (float64, bool) {
	var n *float64
	if json.Unmarshal(raw, &n) != nil || n == nil || math.IsNaN(*n) {
		return 0, false
	}
	return min(max(*n, 0), 1), true
}

// evidence returns the ids of the numbers in a list of JSON, in the order of the events, each once. What is not the
// number of an event is dropped. Numbers may be texts, as models write them.
func evidence(raw json.RawMessage, ids []string) []string {
	var list []json.RawMessage
	if json.Unmarshal(raw, &list) != nil {
		return nil
	}
	named := make([]bool, len(ids))
	for _, item := range list {
		if n, err := strconv.Atoi(scalar(item)); err == nil && n >= 1 && n <= len(ids) {
			named[n-1] = true
		}
	}
	var out []string
	for i, id := range ids {
		if named[i] {
			out = append(out, id)
		}
	}
	return out
}
