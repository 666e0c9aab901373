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
	extractionTokens = 1_200
	maxHoldings      = 100
)

// Event is one message that claims are taken from.
type Event struct {
	ID   string
	User bool // claims are taken from the user's messages alone; others are shown so that these can be understood
	Text string
}

// Holding is a claim that holds, of which the user may say something new.
type Holding struct{ ID, Text string }

// Claim is a statement that, according to a model, a user made about themselves.
type Claim struct {
	Text       string // one line of at most 500 characters, without credentials
	Bucket     string // one of those that were asked for
	Confidence float64
	Events     []string // the ids of the user's messages that it was taken from, at least one, in their order
	Quote      string   // what the user said, according to the model; one line, may be empty
	Of         string   // the id of the holding whose place it takes; empty: none
	Ended      bool     // it says that Of, which is not empty, is over
}

// Extraction is the content of a model's answer.
type Extraction struct {
	Claims  []Claim  // of an answer that broke off, those before
	Dropped []string // why items of the answer are not claims, one reason for each
	Model   string   // that was asked
}

// Extract returns the claims about the user in events, next to what holds already. An answer without claims is not an
// error; one that is not a list is.
func (c *Client) Extract(ctx context.Context, app string, events []Event, holds []Holding, buckets []string) (
	Extraction, error) {
	if err := checkApp(app); err != nil {
		return Extraction{}, err
	}
	if len(events) == 0 || len(events) > maxEvents {
		return Extraction{}, newError(BadInput, "claims are taken from 1 to %d events, not %d", maxEvents, len(events))
	}
	if len(holds) > maxHoldings {
		return Extraction{}, newError(BadInput, "at most %d claims can be told, not %d", maxHoldings, len(holds))
	}
	if err := checkBuckets(buckets); err != nil {
		return Extraction{}, err
	}
	known, err := c.held(holds)
	if err != nil {
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
	out, err := c.complete(ctx, app, textRequest{messages: []message{{system, rules}, {user, known + text}},
		temperature: calm, most: extractionTokens})
	if err != nil {
		return Extraction{}, err
	}
	parsed, bad := parseClaims(out, offered{ids, holds, buckets})
	if bad != nil {
		return Extraction{}, bad
	}
	parsed.Model = c.o.Model
	return parsed, nil
}

const extractionRules = `You take durable claims about the user from a conversation. ` + dataRule + `
Answer with a JSON array and nothing else. Each element is an object:
{"op": "add", "update" or "end", "claim": a number or null, "text": "one short sentence about the user",
"bucket": "a bucket", "confidence": 0.0 to 1.0, "events": [numbers], "quote": "the user's words"}
The buckets: %s.
"events" has the numbers of the user's messages that say so, "quote" has words of these, copied as they are.
What only the assistant said is not a claim.
"update" states what takes the place of a claim that holds, and "claim" is its number. "end" says in words of the user
that a claim is over, without anything in its place. What holds unchanged is left out. All else is "add".
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

// held returns what holds as a model gets it, by numbers from 1; empty if nothing does.
func (c *Client) held(holds []Holding) (string, error) {
	text := ""
	for i, h := range holds {
		fenced, err := c.stored(h.Text, claimCharacters)
		if err != nil {
			return "", err
		}
		text += "Claim " + strconv.Itoa(i+1) + " holds:\n" + fenced + "\n"
	}
	return text, nil
}

// offered is what a model may name.
type offered struct {
	events  []string // ids
	holds   []Holding
	buckets []string
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
func parseClaims(text string, from offered) (Extraction, *Error) {
	for range maxStarts {
		start := strings.IndexByte(text, '[')
		if start < 0 {
			break
		}
		text = text[start:]
		if out, ok := parseList(text, from); ok {
			return out, nil
		}
		text = text[1:]
	}
	return Extraction{}, newError(BadAnswer, "the reply is not a list of claims")
}

// maxStarts is how many brackets are tried: the text before the list may have some.
const maxStarts = 8

// parseList reads the list that a text begins with, if it is one.
func parseList(text string, from offered) (out Extraction, ok bool) {
	d := json.NewDecoder(strings.NewReader(text))
	if _, err := d.Token(); err != nil {
		return Extraction{}, false
	}
	items := 0
	for d.More() {
		var raw json.RawMessage
		if err := d.Decode(&raw); err != nil {
			return out, items > 0
		}
		if items++; items > maxItems {
			return out, true
		}
		claim, reason := parseClaim(raw, from)
		if reason == "" && len(out.Claims) == maxClaims {
			reason = fmt.Sprintf("there are %d claims before it", maxClaims)
		}
		if reason == "" {
			out.Claims = append(out.Claims, claim)
		} else {
			out.Dropped = append(out.Dropped, fmt.Sprintf("item %d: %s", items, reason))
		}
	}
	_, err := d.Token() // the list may have no end
	return out, items > 0 || err == nil
}

// parseClaim reads one element of the list, or returns why it is not a claim.
func parseClaim(raw json.RawMessage, from offered) (claim Claim, reason string) {
	var item struct {
		Text       *string         `json:"text"`
		Bucket     *string         `json:"bucket"`
		Confidence json.RawMessage `json:"confidence"`
		Events     json.RawMessage `json:"events"`
		Op         string          `json:"op"`
		Of         json.RawMessage `json:"claim"`
		Quote      json.RawMessage `json:"quote"`
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
	case !slices.Contains(from.buckets, *item.Bucket):
		return Claim{}, "its bucket was not asked for"
	case !slices.Contains([]string{"", "add", "update", "end"}, item.Op):
		return Claim{}, "it neither adds, updates nor ends a claim"
	}
	claim.Bucket, claim.Quote, claim.Ended = *item.Bucket, safe.Line(scalar(item.Quote)), item.Op == "end"
	if n, err := strconv.Atoi(scalar(item.Of)); err == nil && n >= 1 && n <= len(from.holds) &&
		(item.Op == "update" || claim.Ended) {
		claim.Of = from.holds[n-1].ID
	}
	if claim.Ended && claim.Of == "" {
		return Claim{}, "it ends no claim that was told"
	}
	var ok bool
	if claim.Confidence, ok = confidence(item.Confidence); !ok {
		return Claim{}, "its confidence is not a number"
	}
	if claim.Events = evidence(item.Events, from.events); len(claim.Events) == 0 {
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
