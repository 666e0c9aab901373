package threads

import (
	"bytes"
	"encoding/json"
	"time"

	"ltm/server/conversation"
)

// The form of the file that [Service.Export] writes: lines of JSON, each an object with one key. The first is the
// header, and the last has a checksum. Between them come users in the order of their bytes, each followed by its
// threads, events, acts and so on, in the order of portableKinds. So the same memory is the same bytes, whatever the
// database, the application and the time of the export.
//
// The file has no claims, which follow from the acts, and no vectors and jobs, which are computed again.
const (
	portableFormat  = "ltm-conversation"
	portableVersion = 1
)

// The kinds of lines between the header and the end, in the order in which a user's come.
const (
	lineUser     = "user"
	lineThread   = "thread"
	lineEvent    = "event"
	lineSummary  = "summary"
	lineAct      = "act"
	lineReaction = "reaction"
	lineEnd      = "end"
)

func portableKinds() []string {
	return []string{lineUser, lineThread, lineEvent, lineSummary, lineAct, lineReaction}
}

// header is the first line.
type header struct {
	Format  string `json:"format"`
	Version int    `json:"version"`
}

// ending is the last line's value.
type ending struct {
	Rows   int64  `json:"rows"`
	SHA256 string `json:"sha256"` // of all bytes before the line, in hexadecimal digits
}

type userLine struct {
	ID string `json:"id"`
}

type threadLine struct {
	ID        string    `json:"id"`
	Agent     string    `json:"agent,omitempty"`
	Title     string    `json:"title,omitempty"`
	Meta      *metaText `json:"meta,omitempty"`
	CreatedAt time.Time `json:"created_at"`
	UpdatedAt time.Time `json:"updated_at"`
	CoreAt    time.Time `json:"core_at,omitzero"`
	Cursor    string    `json:"cursor,omitempty"`
}

type eventLine struct {
	ID         string    `json:"id"`
	Thread     string    `json:"thread"`
	Role       string    `json:"role"`
	Agent      string    `json:"agent,omitempty"`
	Session    string    `json:"session,omitempty"`
	Lang       string    `json:"lang,omitempty"`
	Text       string    `json:"text"`
	Meta       *metaText `json:"meta,omitempty"`
	Importance int       `json:"importance,omitempty"`
	Key        string    `json:"key,omitempty"`
	OccurredAt time.Time `json:"occurred_at"`
	RecordedAt time.Time `json:"recorded_at"`
}

type summaryLine struct {
	ID        string        `json:"id"`
	Thread    string        `json:"thread"`
	From      string        `json:"from,omitempty"`
	To        string        `json:"to,omitempty"`
	Reason    string        `json:"reason"`
	Turns     int           `json:"turns"`
	Lines     []excerptLine `json:"lines"`
	Terms     []string      `json:"terms,omitempty"`
	Written   string        `json:"written,omitempty"`
	Model     string        `json:"model,omitempty"`
	Active    bool          `json:"active"`
	CreatedAt time.Time     `json:"created_at"`
	UpdatedAt time.Time     `json:"updated_at"`
}

type excerptLine struct {
	Event  string `json:"event"`
	Role   string `json:"role"`
	Text   string `json:"text"`
	Weight int    `json:"weight,omitempty"`
}

type actLine struct {
	ID         string    `json:"id"`
	At         time.Time `json:"at"`
	Verb       string    `json:"verb"`
	By         string    `json:"by,omitempty"`
	Bucket     string    `json:"bucket,omitempty"`
	Text       string    `json:"text,omitempty"`
	Claim      string    `json:"claim,omitempty"`
	Other      string    `json:"other,omitempty"`
	Undone     string    `json:"undone,omitempty"`
	Event      string    `json:"event,omitempty"`
	Session    string    `json:"session,omitempty"`
	Confidence float64   `json:"confidence,omitempty"`
	Stability  string    `json:"stability,omitempty"`
	ExpiresAt  time.Time `json:"expires_at,omitzero"`
	Note       string    `json:"note,omitempty"`
}

type reactionLine struct {
	Event     string    `json:"event"`
	Name      string    `json:"name"`
	CreatedAt time.Time `json:"created_at"`
	UpdatedAt time.Time `json:"updated_at"`
}

// metaText is an application's JSON, byte for byte: as it is where it is compact, which readers of the file like, and
// else as a string.
type metaText []byte

// MarshalJSON implements [json.Marshaler].
func (m metaText) MarshalJSON() ([]byte, error) {
	var b bytes.Buffer
	if err := json.Compact(&b, m); err == nil && bytes.Equal(b.Bytes(), m) && b.Bytes()[0] == '{' {
		return m, nil
	}
	return marshal(string(m))
}

// UnmarshalJSON implements [json.Unmarshaler].
func (m *metaText) UnmarshalJSON(b []byte) error {
	if len(b) > 0 && b[0] == '"' {
		var s string
		if err := json.Unmarshal(b, &s); err != nil {
			return err
		}
		*m = metaText(s)
		return nil
	}
	*m = append(metaText(nil), b...)
	return nil
}

// metaLine returns meta for a line; none is left out.
func metaLine(m Meta) *metaText {
	if len(m) == 0 {
		return nil
	}
	t := metaText(m)
	return &t
}

// meta returns what a line says of meta.
func (m *metaText) meta() Meta {
	if m == nil {
		return nil
	}
	return Meta(*m)
}

// marshal is [json.Marshal] without the escapes for pages of HTML.
func marshal(v any) ([]byte, error) {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(v); err != nil {
		return nil, err
	}
	return bytes.TrimSuffix(b.Bytes(), []byte("\n")), nil
}

func (l threadLine) thread() Thread {
	return Thread{ID: l.ID, Agent: l.Agent, Title: l.Title, Meta: l.Meta.meta(), CoreAt: l.CoreAt,
		CreatedAt: l.CreatedAt, UpdatedAt: l.UpdatedAt, Cursor: l.Cursor}
}

func lineOfThread(t Thread) threadLine {
	return threadLine{ID: t.ID, Agent: t.Agent, Title: t.Title, Meta: metaLine(t.Meta), CoreAt: t.CoreAt,
		CreatedAt: t.CreatedAt, UpdatedAt: t.UpdatedAt, Cursor: t.Cursor}
}

func (l eventLine) event() Event {
	return Event{Event: conversation.Event{ID: l.ID, Thread: l.Thread, Session: l.Session,
		Role: conversation.Role(l.Role), Text: l.Text, Lang: l.Lang, Occurred: l.OccurredAt, Recorded: l.RecordedAt},
		Agent: l.Agent, Meta: l.Meta.meta(), Importance: l.Importance, Key: l.Key}
}

func lineOfEvent(e Event) eventLine {
	return eventLine{ID: e.ID, Thread: e.Thread, Role: string(e.Role), Agent: e.Agent, Session: e.Session,
		Lang: e.Lang, Text: e.Text, Meta: metaLine(e.Meta), Importance: e.Importance, Key: e.Key,
		OccurredAt: e.Occurred, RecordedAt: e.Recorded}
}

func (l summaryLine) summary() Summary {
	s := Summary{ID: l.ID, Thread: l.Thread, Written: l.Written, Model: l.Model, Active: l.Active,
		CreatedAt: l.CreatedAt, UpdatedAt: l.UpdatedAt, Summary: conversation.Summary{From: l.From, To: l.To,
			Reason: conversation.Reason(l.Reason), Turns: l.Turns, Terms: l.Terms}}
	for _, e := range l.Lines {
		s.Lines = append(s.Lines, conversation.Line{Event: e.Event, Role: conversation.Role(e.Role), Text: e.Text,
			Weight: e.Weight})
	}
	return s
}

func lineOfSummary(s Summary) summaryLine {
	l := summaryLine{ID: s.ID, Thread: s.Thread, From: s.From, To: s.To, Reason: string(s.Reason), Turns: s.Turns,
		Lines: []excerptLine{}, Terms: s.Terms, Written: s.Written, Model: s.Model, Active: s.Active,
		CreatedAt: s.CreatedAt, UpdatedAt: s.UpdatedAt}
	for _, e := range s.Lines {
		l.Lines = append(l.Lines, excerptLine{e.Event, string(e.Role), e.Text, e.Weight})
	}
	return l
}

func (l actLine) act() Act {
	return Act{Act: conversation.Act{ID: l.ID, At: l.At, Verb: conversation.Verb(l.Verb),
		Bucket: conversation.Bucket(l.Bucket), Text: l.Text, Claim: l.Claim, Other: l.Other, Undone: l.Undone,
		Event: l.Event, Session: l.Session, Confidence: l.Confidence}, By: l.By, Note: l.Note, Stability: l.Stability,
		ExpiresAt: l.ExpiresAt}
}

func lineOfAct(a Act) actLine {
	return actLine{ID: a.ID, At: a.At, Verb: string(a.Verb), By: a.By, Bucket: string(a.Bucket), Text: a.Text,
		Claim: a.Claim, Other: a.Other, Undone: a.Undone, Event: a.Event, Session: a.Session,
		Confidence: a.Confidence, Stability: a.Stability, ExpiresAt: a.ExpiresAt, Note: a.Note}
}
