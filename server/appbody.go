package server

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"net/http"
	"net/url"
	"reflect"
	"slices"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/danielgtaylor/huma/v2"

	"ltm/server/threads"
)

// The largest bodies of applications' routes, in bytes, and what is in them.
const (
	bodyThread = 64 << 10
	bodyEvent  = 256 << 10 // 6,000 characters as \u escapes are 72 KiB
	bodyBatch  = 16 << 20
	bodyQuery  = 256 << 10
	bodyClaim  = 64 << 10
	bodyImport = 1 << 30

	maxDepth     = 32       // of JSON
	maxMeta      = 32 << 10 // bytes
	maxTitle     = 120      // characters that a title may be changed to, as in the reference implementation
	maxNewTitle  = 1000     // that one may begin with: there, it has no bound
	maxContent   = 6000     // characters of an event on the routes of the reference implementation
	maxEventText = 64 << 10 // bytes of an event on our own
	maxBatch     = 1000     // events
	maxName      = 128      // bytes of agents, sessions, keys of events
	maxClaimText = 4000     // characters
	maxNote      = 1000     // characters
)

// invalid returns the problem of a body that does not have its route's form.
func invalid(format string, args ...any) *Problem {
	return problem(kindInvalid, "invalid body: "+format+"; nothing was changed", args...)
}

// decodeStrict reads the body of one of our own routes: an unknown field may be a filter that is misspelled, so it is
// refused. Without a body, v stays as it is if the route allows that.
func (c *call) decodeStrict(v any) error { return c.decodeJSON(v, true) }

// decodeLike reads a body as the reference implementation does: what it does not know is ignored, and the header
// [ignoredFields] of the answer names it.
func (c *call) decodeLike(v any) error { return c.decodeJSON(v, false) }

// ignoredFields is the header that names the fields of a body that were ignored.
const ignoredFields = "Ignored-Fields"

// maxIgnored is how many fields that header names.
const maxIgnored = 20

// tellIgnored names the fields of a body that v does not have. They are encoded as in queries, being client text.
func (c *call) tellIgnored(v any, names []string) {
	var ignored []string
	fields := reflect.VisibleFields(reflect.TypeOf(v).Elem())
	for _, name := range names {
		known := slices.ContainsFunc(fields, func(f reflect.StructField) bool {
			own, _, _ := strings.Cut(f.Tag.Get("json"), ",")
			return own != "" && foldField(own) == foldField(name)
		})
		if !known && len(ignored) < maxIgnored {
			ignored = append(ignored, url.QueryEscape(clip(name)))
		}
	}
	if len(ignored) > 0 {
		c.out.Header().Set(ignoredFields, strings.Join(ignored, ", "))
	}
}

// likeBody is in the bodies of the reference implementation's routes below a thread. It names users in paths and
// queries only, but a client that names one in a body means it.
type likeBody struct {
	User string `json:"user_id,omitempty" doc:"Whose thread it must be. With a user's token, that user, whatever is given here."`
}

func (b *likeBody) user() string { return b.User }

// onThreadLike is onThread for a route of the reference implementation, whose body it reads. promote and deletions have
// none there, so theirs may be left out.
func (s *Server) onThreadLike(ctx context.Context, c *call, in threadInput, body interface{ user() string }) (
	who threads.Caller, id string, err error) {
	if _, none := body.(*likeBody); !none || !c.noBody() {
		if err := c.decodeLike(body); err != nil {
			return who, "", err
		}
	}
	if in.User, err = either(body.user(), in.User); err != nil {
		return who, "", err
	}
	return s.onThread(ctx, c, in)
}

// maybeStrict is decodeStrict for a body that may be left out.
func (c *call) maybeStrict(v any) error {
	if c.noBody() {
		return nil
	}
	return c.decodeJSON(v, true)
}

// noBody reports whether a body was left out.
func (c *call) noBody() bool {
	text := string(bytes.TrimSpace(c.body))
	return text == "" || text == "null"
}

func (c *call) decodeJSON(v any, strict bool) error {
	if !utf8.Valid(c.body) {
		return invalid("it is not UTF-8")
	}
	if depth(c.body) > maxDepth {
		return invalid("it is nested deeper than %d", maxDepth)
	}
	if first := bytes.TrimLeft(c.body, " \t\r\n"); len(first) == 0 || first[0] != '{' {
		return invalid("it must be a JSON object")
	}
	names, twice := fieldsOf(c.body)
	if twice {
		return invalid("a field is given more than once")
	}
	d := json.NewDecoder(bytes.NewReader(c.body))
	if strict {
		d.DisallowUnknownFields()
	}
	if err := d.Decode(v); err != nil {
		return invalid("%s", formFault(err))
	}
	if _, err := d.Token(); err != io.EOF {
		return invalid("there is text after the object")
	}
	if !strict {
		c.tellIgnored(v, names)
	}
	return nil
}

// fieldsOf returns the names of an object's fields, and whether it has two that the decoder would take for the same
// one: who checks the user_id of requests on their way here may have looked at the other. Of what is not an object it
// returns what it can: the decoder says what is wrong.
func fieldsOf(object []byte) (names []string, twice bool) {
	d := json.NewDecoder(bytes.NewReader(object))
	if _, err := d.Token(); err != nil {
		return nil, false
	}
	seen := map[string]bool{}
	for d.More() {
		var value json.RawMessage
		name, err := d.Token()
		if err != nil || d.Decode(&value) != nil {
			return names, false
		}
		text, _ := name.(string)
		if seen[foldField(text)] {
			return names, true
		}
		seen[foldField(text)] = true
		names = append(names, text)
	}
	return names, false
}

// foldField returns what is equal for the names of fields that the decoder takes for the same one: USER_ID is user_id,
// too. As the decoder does, it takes the least of the characters that differ by case only.
func foldField(name string) string {
	return strings.Map(func(r rune) rune {
		least := r
		for other := unicode.SimpleFold(r); other != r; other = unicode.SimpleFold(other) {
			least = min(least, other)
		}
		return least
	}, name)
}

// formFault says what is wrong with a body, without the body's own text.
func formFault(err error) string {
	var own *Problem
	if errors.As(err, &own) {
		return own.Detail
	}
	if name, found := strings.CutPrefix(err.Error(), "json: unknown field "); found {
		return "there is no field " + clip(name) + " here"
	}
	return bodyFault(err)
}

// depth returns how deep a JSON text is nested, by its brackets outside of strings.
func depth(text []byte) (deepest int) {
	now, quoted := 0, false
	for i := 0; i < len(text); i++ {
		switch text[i] {
		case '"':
			quoted = !quoted
		case '\\':
			if quoted {
				i++
			}
		case '{', '[':
			if !quoted {
				now++
				deepest = max(deepest, now)
			}
		case '}', ']':
			if !quoted {
				now--
			}
		}
	}
	return deepest
}

// wholeNumber is a number as the reference implementation takes it: 30 or 30.0, and null for none.
type wholeNumber struct {
	N   int
	Set bool
}

// UnmarshalJSON implements json.Unmarshaler.
func (n *wholeNumber) UnmarshalJSON(b []byte) error {
	if string(b) == "null" {
		return nil
	}
	var f float64
	if err := json.Unmarshal(b, &f); err != nil || f != math.Trunc(f) || math.Abs(f) > 1e9 {
		return problem(kindInvalid, "a number that counts must be a whole one")
	}
	n.N, n.Set = int(f), true
	return nil
}

// within returns the number, or otherwise if it is missing. It must be from least to most.
func (n wholeNumber) within(name string, least, most, otherwise int) (int, error) {
	if !n.Set {
		return otherwise, nil
	}
	if n.N < least || n.N > most {
		return 0, invalid("%s must be from %d to %d", name, least, most)
	}
	return n.N, nil
}

// metaOf checks what an application attaches to a thread or an event.
func metaOf(raw json.RawMessage) (threads.Meta, error) {
	raw = bytes.TrimSpace(raw)
	if len(raw) == 0 || string(raw) == "null" {
		return nil, nil
	}
	if raw[0] != '{' {
		return nil, invalid("meta must be an object")
	}
	if len(raw) > maxMeta {
		return nil, invalid("meta has more than %d bytes", maxMeta)
	}
	return threads.Meta(raw), nil
}

// shown returns a meta for an answer.
func shownMeta(m threads.Meta) json.RawMessage {
	if len(m) == 0 || !json.Valid(m) {
		return json.RawMessage("{}")
	}
	return json.RawMessage(m)
}

// checkName refuses names that are too long, or have what cannot be seen. An empty one counts as missing.
func checkName(field, name string) error {
	if name == "" || isUser(name) {
		return nil
	}
	return invalid("%s must be at most %d bytes of printable text", field, maxName)
}

// checkLength refuses texts of more characters than allowed, and empty ones if least is 1.
func checkLength(field, text string, least, most int) error {
	if n := utf8.RuneCountInString(text); n < least || n > most {
		return invalid("%s must have %d to %d characters", field, least, most)
	}
	return nil
}

// maybeUUID checks an id that a client may choose.
func maybeUUID(field, id string) (string, error) {
	if id == "" {
		return "", nil
	}
	out, ok := uuid(id)
	if !ok {
		return "", invalid("%s must be a UUID", field)
	}
	return out, nil
}

// The years that times may have: what both databases keep, and clients mean.
const (
	firstYear = 1
	lastYear  = 9999
)

// timeOf reads a time of a body or a parameter; "" means no time.
func timeOf(field, text string) (time.Time, error) {
	if text == "" {
		return time.Time{}, nil
	}
	at, err := time.Parse(time.RFC3339, text)
	at = at.UTC()
	if err != nil || at.IsZero() || at.Year() < firstYear || at.Year() > lastYear {
		return at, fmt.Errorf("%s must be a time such as 2026-08-28T09:15:30Z", field)
	}
	return at.Truncate(time.Microsecond), nil
}

// bodyTimeOf is timeOf for a field of a body.
func bodyTimeOf(field, text string) (time.Time, error) {
	at, err := timeOf(field, text)
	if err != nil {
		return at, invalid("%s", err)
	}
	return at, nil
}

// shownTime returns a time for an answer; zero is "".
func shownTime(at time.Time) string {
	if at.IsZero() {
		return ""
	}
	return at.UTC().Format("2006-01-02T15:04:05.000000Z")
}

// patient is a body that is read by a handler: each piece of it has to come in time, and the whole has none of its own.
type patient struct {
	body    io.Reader
	control *http.ResponseController
	each    time.Duration
}

// Read implements io.Reader.
func (p *patient) Read(b []byte) (int, error) {
	_ = p.control.SetReadDeadline(time.Now().Add(p.each)) // a connection without deadlines has its own limits
	return p.body.Read(b)
}

// wantsEvents reports whether a client asks for server-sent events.
func wantsEvents(accept []string) bool {
	for part := range strings.SplitSeq(strings.Join(accept, ","), ",") {
		media, _, _ := strings.Cut(part, ";")
		if strings.EqualFold(strings.TrimSpace(media), "text/event-stream") {
			return true
		}
	}
	return false
}

// Schema implements huma.SchemaProvider.
func (wholeNumber) Schema(huma.Registry) *huma.Schema {
	return &huma.Schema{Type: huma.TypeInteger, Nullable: true}
}
