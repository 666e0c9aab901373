package threads

import (
	"bytes"
	"cmp"
	"encoding/json"
	"math"
	"slices"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"ltm/server/conversation"
)

// Limits of what is stored. Routes may set lower ones.
const (
	MaxText  = 64 << 10 // bytes of an event
	MaxMeta  = 16 << 10 // bytes of the meta of a thread or an event
	MaxTitle = 1000     // bytes
	MaxUser  = 128      // bytes of a user's name
	MaxClaim = 1000     // bytes of a claim's text
	MaxNote  = 1000     // bytes
	MaxBatch = 1000     // events
	maxName  = 256      // bytes of the names of agents, sessions and keys
	maxLang  = 35       // bytes, as long as a language tag gets

	// maxAhead is how far a client's clock may be ahead of the server's.
	maxAhead = 24 * time.Hour
)

// Roles lists who can write an event. Only what users say is taken as a claim about them.
func Roles() []conversation.Role {
	return []conversation.Role{conversation.User, conversation.Assistant, "system", "tool"}
}

// checkWho refuses a subject that cannot be one.
func checkWho(who Subject) error {
	switch {
	case who.App == "":
		return Refuse(ErrInvalid, "no application is named")
	case who.User == "":
		return Refuse(ErrInvalid, "no user is named")
	}
	return checkLine("user", who.User, MaxUser)
}

// checkLine refuses a name that is longer than most bytes, is not UTF-8 or has characters that do not print. It may
// be empty.
func checkLine(what, text string, most int) error {
	bad := func(r rune) bool { return !unicode.IsPrint(r) || r == utf8.RuneError }
	switch {
	case len(text) > most:
		return Refuse(ErrInvalid, "%s has %d bytes; at most %d are allowed", what, len(text), most)
	case strings.ContainsFunc(text, bad):
		return Refuse(ErrInvalid, "%s must be UTF-8 of characters that print", what)
	}
	return nil
}

// checkProse refuses a text that is longer than most bytes, is not UTF-8 or has the character NUL, which Postgres does
// not keep. It may be empty.
func checkProse(what, text string, most int) error {
	switch {
	case len(text) > most:
		return Refuse(ErrInvalid, "%s has %d bytes; at most %d are allowed", what, len(text), most)
	case !utf8.ValidString(text):
		return Refuse(ErrInvalid, "%s must be UTF-8", what)
	case strings.ContainsRune(text, 0):
		return Refuse(ErrInvalid, "%s must not have the character U+0000", what)
	}
	return nil
}

// checkID returns a UUID in lower case.
func checkID(what, id string) (string, error) {
	canonical, ok := CanonicalID(id)
	if !ok {
		return "", Refuse(ErrInvalid, "the id of %s must be a UUID", what)
	}
	return canonical, nil
}

func checkMeta(m Meta) error {
	var object map[string]json.RawMessage
	switch {
	case m == nil:
		return nil
	case len(m) > MaxMeta:
		return Refuse(ErrInvalid, "meta has %d bytes; at most %d are allowed", len(m), MaxMeta)
	case !utf8.Valid(m), bytes.HasPrefix(bytes.TrimSpace(m), []byte("null")), json.Unmarshal(m, &object) != nil:
		return Refuse(ErrInvalid, "meta must be an object of JSON")
	}
	return nil
}

// checkNew refuses an event that cannot be stored.
func checkNew(e NewEvent, now time.Time) error {
	if !slices.Contains(Roles(), e.Role) {
		return Refuse(ErrInvalid, "the role must be user, assistant, system or tool")
	}
	if strings.TrimSpace(e.Text) == "" {
		return Refuse(ErrInvalid, "the text is blank")
	}
	letters := func(r rune) bool { return r != '-' && r != '_' && !unicode.IsLetter(r) && !unicode.IsDigit(r) }
	if strings.ContainsFunc(e.Lang, letters) {
		return Refuse(ErrInvalid, "the language must be a tag such as en or de-AT")
	}
	return cmp.Or(checkProse("the text", e.Text, MaxText), checkLine("agent", e.Agent, maxName),
		checkLine("session", e.Session, maxName), checkLine("the language", e.Lang, maxLang),
		checkLine("the key", e.Key, maxName), checkMeta(e.Meta), checkOccurred(e.OccurredAt, now))
}

func checkOccurred(at, now time.Time) error {
	first := time.Date(1900, 1, 1, 0, 0, 0, 0, time.UTC)
	if !at.IsZero() && (at.Before(first) || at.After(now.Add(maxAhead))) {
		return Refuse(ErrInvalid, "occurred_at must be between 1900 and a day from now")
	}
	return nil
}

// checkClaim refuses a claim that cannot be stored.
func checkClaim(c NewClaim, now time.Time) error {
	switch {
	case !slices.Contains(conversation.Buckets(), c.Bucket):
		return Refuse(ErrInvalid, "the bucket must be one of %v", conversation.Buckets())
	case conversation.Normal(c.Text) == "":
		return Refuse(ErrInvalid, "the text has no words")
	case math.IsNaN(c.Confidence) || c.Confidence < 0 || c.Confidence > 1:
		return Refuse(ErrInvalid, "the confidence must be a number from 0 to 1")
	case c.Stability != "" && !slices.Contains(stabilities(), c.Stability):
		return Refuse(ErrInvalid, "the stability must be high, med or low")
	case !c.ExpiresAt.IsZero() && !c.ExpiresAt.After(now):
		return Refuse(ErrInvalid, "the claim would expire in the past")
	case c.ExpiresAt.Year() > 9999:
		return Refuse(ErrInvalid, "the claim would expire after the year 9999")
	}
	return cmp.Or(checkProse("the text", c.Text, MaxClaim), checkLine("session", c.Session, maxName),
		checkProse("the note", c.Note, MaxNote))
}
