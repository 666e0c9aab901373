package threads

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"ltm/server/conversation"
)

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
	case *threadLine:
		return c.thread(l)
	case *eventLine:
		return c.event(l)
	case *summaryLine:
		return c.summary(l)
	case *actLine:
		return c.act(l)
	case *reactionLine:
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

func (c *lineCheck) thread(l *threadLine) error {
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
		if !isPolicy(l.Claim) || l.Other != "" && !isPolicy(l.Other) {
			errs = append(errs, errors.New("a claim is named by 32 hexadecimal digits"))
		}
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

func (c *lineCheck) reaction(l *reactionLine) error {
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
func metaObject(m *metaText) error {
	if m == nil {
		return nil
	}
	var object map[string]json.RawMessage
	if json.Unmarshal(*m, &object) != nil || object == nil {
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
