package threads

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
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

type eventLine struct {
	ID         string    `json:"id"`
	Thread     string    `json:"thread"`
	Role       string    `json:"role"`
	Agent      string    `json:"agent,omitempty"`
	Session    string    `json:"session,omitempty"`
	Lang       string    `json:"lang,omitempty"`
	Text       string    `json:"text"`
	Meta       Meta      `json:"meta,omitempty"`
	Importance int       `json:"importance,omitempty"`
	Embed      *bool     `json:"embed,omitempty"` // left out: true
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
	Since      time.Time `json:"since,omitzero"`
	Note       string    `json:"note,omitempty"`
}

// MarshalJSON implements [json.Marshaler]: meta as it is where it is compact, which readers of the file like, and else
// as a string.
func (m Meta) MarshalJSON() ([]byte, error) {
	var b bytes.Buffer
	if err := json.Compact(&b, m); err == nil && bytes.Equal(b.Bytes(), m) && b.Bytes()[0] == '{' {
		return m, nil
	}
	return marshal(string(m))
}

// UnmarshalJSON implements [json.Unmarshaler].
func (m *Meta) UnmarshalJSON(b []byte) error {
	var s string
	if string(b) == "null" || json.Unmarshal(b, &s) == nil {
		*m = Meta(s)
		return nil
	}
	*m = append(Meta(nil), b...)
	return nil
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

func (l eventLine) event() Event {
	return Event{Event: conversation.Event{ID: l.ID, Thread: l.Thread, Session: l.Session,
		Role: conversation.Role(l.Role), Text: l.Text, Lang: l.Lang, Occurred: l.OccurredAt, Recorded: l.RecordedAt},
		Agent: l.Agent, Meta: l.Meta, Importance: l.Importance, Key: l.Key,
		Unembedded: l.Embed != nil && !*l.Embed}
}

func lineOfEvent(e Event) eventLine {
	var embed *bool
	if e.Unembedded {
		embed = new(bool)
	}
	return eventLine{ID: e.ID, Thread: e.Thread, Role: string(e.Role), Agent: e.Agent, Session: e.Session,
		Lang: e.Lang, Text: e.Text, Meta: e.Meta, Importance: e.Importance, Key: e.Key,
		Embed: embed, OccurredAt: e.Occurred, RecordedAt: e.Recorded}
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
		Event: l.Event, Session: l.Session, Confidence: l.Confidence, Since: micro(l.Since)}, By: l.By,
		Note: l.Note, Stability: l.Stability, ExpiresAt: l.ExpiresAt}
}

func lineOfAct(a Act) actLine {
	return actLine{ID: a.ID, At: a.At, Verb: string(a.Verb), By: a.By, Bucket: string(a.Bucket), Text: a.Text,
		Claim: a.Claim, Other: a.Other, Undone: a.Undone, Event: a.Event, Session: a.Session,
		Confidence: a.Confidence, Stability: a.Stability, ExpiresAt: a.ExpiresAt, Since: a.Since,
		Note: a.Note}
}

// maxImported is how many bytes a text of an import may have. It is more than routes take, because nothing is left of
// what another system kept and an import refuses.
const maxImported = 1 << 20

// lineCheck checks the rows of a portable file against each other.
type lineCheck struct {
	single bool // the file must be of one user
	user   string
	rank   int // of the kind that was last

	ids    map[string]bool // of the user's rows, each with its kind
	keys   map[string]bool // of events, each with its thread
	active map[string]bool // threads with an active summary
}

// isID reports whether an id is a UUID as it is stored, in lower case.
func isID(id string) bool {
	canonical, ok := CanonicalID(id)
	return ok && canonical == id
}

// isPolicy reports whether an id can be that of a claim of the policies.
func isPolicy(id string) bool { return len(id) == 32 && strings.Trim(id, "0123456789abcdef") == "" }

// row checks a row.
func (c *lineCheck) row(row fileRow) error {
	if l, ok := row.value.(*userLine); ok {
		return c.begin(l.ID)
	}
	if c.user == "" {
		return errors.New("no user comes before it")
	}
	rank := slices.Index(portableKinds(), row.kind)
	if rank < c.rank {
		return fmt.Errorf("a %s cannot come after a %s of the same user", row.kind, portableKinds()[c.rank])
	}
	c.rank = rank
	switch l := row.value.(type) {
	case *Thread:
		return c.thread(l)
	case *eventLine:
		return c.event(l)
	case *summaryLine:
		return c.summary(l)
	case *actLine:
		return c.act(l)
	case *Reaction:
		return c.reaction(l)
	}
	return nil
}

// begin begins a user.
func (c *lineCheck) begin(user string) error {
	switch {
	case c.single && c.user != "":
		return errors.New("the file has several users, and would become the memory of one")
	case c.user != "" && user <= c.user:
		return errors.New("users are not in the order of their bytes, or one is there twice")
	}
	if err := checkUser(user); err != nil {
		return err
	}
	c.user, c.rank = user, 0
	c.ids, c.keys, c.active = map[string]bool{}, map[string]bool{}, map[string]bool{}
	return nil
}

// checkUser refuses names of users that no application can use.
func checkUser(user string) error {
	if user == "" {
		return errors.New("the user is empty")
	}
	return checkLine("user", user, MaxUser)
}

// add notes an id, which must be a UUID and new among rows of its kind.
func (c *lineCheck) add(kind, id string) error {
	if !isID(id) {
		return fmt.Errorf("the id %.60q is not a UUID in lower case", id)
	}
	if c.ids[kind+id] {
		return fmt.Errorf("the %s %s is there twice", kind, id)
	}
	c.ids[kind+id] = true
	return nil
}

// has requires a row of the user that came before.
func (c *lineCheck) has(kind, id string) error {
	if !c.ids[kind+id] {
		return fmt.Errorf("no %s %.60q of this user comes before it", kind, id)
	}
	return nil
}

func (c *lineCheck) thread(l *Thread) error {
	return cmp.Or(c.add(lineThread, l.ID), labels(l.Agent), checkProse("the title", l.Title, MaxTitle),
		metaObject(l.Meta), times(l.CreatedAt, l.UpdatedAt))
}

func (c *lineCheck) event(l *eventLine) error {
	if l.Key != "" {
		if c.keys[l.Thread+l.Key] {
			return fmt.Errorf("the thread %.60q has the key of the event twice", l.Thread)
		}
		c.keys[l.Thread+l.Key] = true
	}
	if err := oneOf("role", conversation.Role(l.Role), Roles()); err != nil {
		return err
	}
	if l.Importance < 0 || l.Importance > 10 {
		return fmt.Errorf("the importance cannot be %d; allowed: 0 to 10", l.Importance)
	}
	return cmp.Or(c.add(lineEvent, l.ID), c.has(lineThread, l.Thread),
		labels(l.Agent, l.Session, l.Lang, l.Key), checkProse("the text", l.Text, maxImported), metaObject(l.Meta),
		times(l.OccurredAt, l.RecordedAt))
}

func (c *lineCheck) summary(l *summaryLine) error {
	if l.Active && c.active[l.Thread] {
		return fmt.Errorf("the thread %.60q has two active summaries", l.Thread)
	}
	c.active[l.Thread] = c.active[l.Thread] || l.Active
	return cmp.Or(c.add(lineSummary, l.ID), c.has(lineThread, l.Thread), times(l.CreatedAt, l.UpdatedAt),
		checkProse("the text", l.Written, maxImported),
		oneOf("reason", conversation.Reason(l.Reason), []conversation.Reason{conversation.Init, conversation.Roll,
			conversation.Shift}))
}

func (c *lineCheck) act(l *actLine) error {
	verb := conversation.Verb(l.Verb)
	errs := []error{c.add(lineAct, l.ID), oneOf("verb", verb, verbs()), times(l.At), labels(l.By, l.Session)}
	switch verb {
	case conversation.Suggests, conversation.Adds:
		errs = append(errs, oneOf("bucket", conversation.Bucket(l.Bucket), conversation.Buckets()))
		if conversation.Normal(l.Text) == "" {
			errs = append(errs, errors.New("the text has no words"))
		}
	case conversation.Undoes:
		if !isID(l.Undone) {
			errs = append(errs, errors.New("undone is not the id of an act"))
		}
	default:
		if !isPolicy(l.Claim) {
			errs = append(errs, errors.New("a claim is named by 32 hexadecimal digits"))
		}
	}
	if l.Other != "" && !isPolicy(l.Other) {
		errs = append(errs, errors.New("the other claim is named by 32 hexadecimal digits"))
	}
	errs = append(errs, checkProse("the text", l.Text, maxImported), checkProse("the note", l.Note, maxImported))
	if l.Event != "" {
		errs = append(errs, c.has(lineEvent, l.Event))
	}
	if l.Stability != "" {
		errs = append(errs, oneOf("stability", l.Stability, stabilities()))
	}
	if l.Confidence < 0 || l.Confidence > 1 {
		errs = append(errs, errors.New("the confidence is not between 0 and 1"))
	}
	return cmp.Or(errs...)
}

func (c *lineCheck) reaction(l *Reaction) error {
	if c.ids[lineReaction+l.Event] {
		return fmt.Errorf("the event %.60q has two reactions", l.Event)
	}
	c.ids[lineReaction+l.Event] = true
	return cmp.Or(c.has(lineEvent, l.Event), oneOf("reaction", l.Name, ReactionNames()),
		times(l.CreatedAt, l.UpdatedAt))
}

// labels refuses names that routes would refuse.
func labels(all ...string) error {
	for _, s := range all {
		if err := checkLine("an agent, session, language, key or author", s, maxName); err != nil {
			return err
		}
	}
	return nil
}

// metaObject requires an object of JSON.
func metaObject(m Meta) error {
	if len(m) == 0 {
		return nil
	}
	var object map[string]json.RawMessage
	if json.Unmarshal(m, &object) != nil || object == nil {
		return errors.New("the meta is not an object of JSON")
	}
	return nil
}

// times requires times.
func times(all ...time.Time) error {
	if slices.ContainsFunc(all, time.Time.IsZero) {
		return errors.New("a time is missing")
	}
	return nil
}
