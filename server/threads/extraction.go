package threads

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"ltm/server/conversation"
	"ltm/server/provider"
)

const (
	// leastConfidence is the confidence below which a model's claim is dropped, as the reference has it: models put
	// what they are told plainly at 0.9 and more.
	leastConfidence = 0.8

	// extractionWindow is how many events of a thread a model is shown at least, the one that set the job off last.
	extractionWindow = 8

	// maxSaid is the length, in characters, of a message that a person writes; longer ones are pasted.
	maxSaid = 1000
)

// shownTo returns events as a model is shown them for an extraction: without memory that was injected into them, so
// that it is not extracted again. Those without a text of their own are left out.
func shownTo(events []conversation.Event) (shown []conversation.Event, asked []provider.Event) {
	for _, e := range events {
		e.Text = conversation.Said(e.Text)
		if e.Role != conversation.User && e.Role != conversation.Assistant || conversation.Normal(e.Text) == "" {
			continue
		}
		shown = append(shown, e)
		asked = append(asked, provider.Event{ID: e.ID, User: e.Role == conversation.User, Text: e.Text})
	}
	return shown, asked
}

// extracted returns the acts that a model's answer amounts to, and why the rest of it does not. Each act has an event
// of the user that was shown as its evidence; a claim from several events is an act of each, so that it outlives
// one of them. Acts suggest, or with active set add. They have neither id nor time: an id that is made of the verb, the
// event and the claim makes a repeated extraction change nothing.
func extracted(x provider.Extraction, shown []conversation.Event, active bool) (acts []conversation.Act,
	refused []string) {
	refused = append(refused, x.Dropped...)
	for i, claim := range x.Claims {
		if claim.Confidence < leastConfidence {
			refused = append(refused, fmt.Sprintf("claim %d: its confidence is below %g", i+1, leastConfidence))
			continue
		}
		for _, event := range claim.Events {
			act, reason := judged(claim, event, shown)
			if reason != "" {
				refused = append(refused, fmt.Sprintf("claim %d: %s", i+1, reason))
				continue
			}
			if active {
				act.Verb = conversation.Adds
			}
			same := func(a conversation.Act) bool {
				return a.Event == act.Event && a.Bucket == act.Bucket &&
					conversation.Normal(a.Text) == conversation.Normal(act.Text)
			}
			if !slices.ContainsFunc(acts, same) {
				acts = append(acts, act)
			}
		}
	}
	return acts, refused
}

// judged returns the act of one claim and event, by the policy for models' answers.
func judged(claim provider.Claim, event string, shown []conversation.Event) (conversation.Act, string) {
	element := struct {
		Text       string  `json:"text"`
		Bucket     string  `json:"bucket"`
		Confidence float64 `json:"confidence"`
		Event      string  `json:"event_id"`
	}{claim.Text, claim.Bucket, claim.Confidence, event}
	answer, err := json.Marshal([]any{element})
	if err != nil { // a number that JSON has no form for
		return conversation.Act{}, "its confidence is not a number"
	}
	acts, refused := conversation.Extracted(string(answer), shown)
	if len(acts) != 1 {
		return conversation.Act{}, refused[0].Reason
	}
	return acts[0], ""
}

// askExtraction asks a model for the claims of a job's event and those before it in its thread, and returns the acts
// that they are, or why the job is skipped. The error is the provider's, for [afterFailure], or the storage's.
func (s *Service) askExtraction(ctx context.Context, job Job) (acts []conversation.Act, why string, err error) {
	if s.o.Models.Extraction == nil {
		return nil, "no model for extraction is configured", nil
	}
	app, err := s.o.Storage.AppOf(ctx, job.Subject.App)
	if err != nil {
		return nil, "", err
	}
	mine := false
	events, err := view(ctx, s, job.Subject, func(v View) (events []conversation.Event, err error) {
		last, err := v.Event(job.Of.ID)
		if err != nil {
			return nil, err
		}
		events, mine, err = batchOf(v, last, s.now())
		return events, err
	})
	if errors.Is(err, ErrNotFound) {
		return nil, "the event was deleted", nil
	}
	if err != nil {
		return nil, "", err
	}
	if !mine {
		return nil, together, nil
	}
	shown, asked := shownTo(events)
	if len(asked) == 0 || asked[len(asked)-1].ID != job.Of.ID {
		return nil, "the event has no text of its own", nil
	}
	var answer provider.Extraction
	err = s.asking.ask(JobExtract, s.o.Now, func() (err error) {
		answer, err = s.o.Models.Extraction.Extract(ctx, job.Subject.App, asked, bucketNames())
		return err
	})
	if err != nil {
		return nil, "", err
	}
	acts, refused := extracted(answer, shown, app.Settings.ActiveExtraction)
	if len(acts) > 0 {
		return acts, "", nil
	}
	why = "the model found no claims"
	if len(refused) > 0 {
		why += fmt.Sprintf(" that can be used: %d of its answers were refused; %s", len(refused), refused[0])
	}
	return nil, why, nil
}

// bucketNames returns the buckets that a model may choose from.
func bucketNames() []string {
	var names []string
	for _, b := range conversation.Buckets() {
		names = append(names, string(b))
	}
	return names
}

// rules is the actor of an act that follows from the word rules.
const rules = "rules"

// suggest does jobs of the word rules, those of one subject in one transaction.
func (s *Service) suggest(ctx context.Context, jobs []Job) {
	bySubject := map[Subject][]Job{}
	for _, j := range jobs {
		bySubject[j.Subject] = append(bySubject[j.Subject], j)
	}
	for who, some := range bySubject {
		s.guard(ctx, some, func() (bool, error) {
			err := s.suggestAll(ctx, who, some)
			if !errors.Is(err, ErrLost) || len(some) == 1 {
				return true, err
			}
			for _, j := range some { // one of them is another's now, or gone
				if err := s.suggestAll(ctx, who, []Job{j}); err != nil && !errors.Is(err, ErrLost) {
					return false, err
				}
			}
			return true, nil
		})
	}
}

// suggestAll does the jobs of one subject and ends them.
func (s *Service) suggestAll(ctx context.Context, who Subject, jobs []Job) error {
	app, err := s.o.Storage.AppOf(ctx, who.App)
	if err != nil {
		return err
	}
	return s.change(ctx, who, func(w *work) error {
		l, err := w.openLedger()
		if err != nil {
			return err
		}
		known := l.known()
		found := make([]int, len(jobs))
		suggest := func(e Event) []conversation.Act { return suggestions(e, app.Settings.ActiveSuggestions) }
		// what one event says may be over by another
		for _, read := range []func(Event) []conversation.Act{suggest, l.ended} {
			var acts []Act
			for i, j := range jobs {
				e, err := w.Event(j.Of.ID)
				if errors.Is(err, ErrNotFound) {
					continue
				}
				if err != nil {
					return err
				}
				some := l.fresh(known, rules, read(e))
				found[i] += len(some)
				acts = append(acts, some...)
			}
			if err := w.addDerived(l, acts); err != nil {
				return err
			}
		}
		for i, j := range jobs {
			end := done("%d suggested", found[i])
			if found[i] == 0 {
				end = skipped("no rule finds a claim that is new")
			}
			if err := w.FinishJob(j.ended(end, w.now)); err != nil {
				return err
			}
		}
		return nil
	})
}

// ended returns the claims that an event says to be over, as proposals to deprecate them.
func (l *ledger) ended(e Event) []conversation.Act {
	if e.Role != conversation.User {
		return nil
	}
	var acts []conversation.Act
	for _, r := range conversation.Endings(e.Text, e.Lang) {
		for _, c := range l.claims {
			if c.State != conversation.Rejected && !c.Evidence[0].At.After(e.Occurred) && r.EndsClaim(c.Claim) {
				acts = append(acts, conversation.Act{Verb: conversation.Ends, Claim: c.Claim.ID, Event: e.ID,
					Session: e.Session, At: e.Recorded})
			}
		}
	}
	return acts
}

// suggestions returns what the word rules find in an event. With active set, what they are sure of is added, if the
// event is as short as what a person writes: texts that are quoted or pasted are suggested at most.
func suggestions(e Event, active bool) []conversation.Act {
	if e.Role != conversation.User {
		return nil
	}
	var acts []conversation.Act
	for _, s := range conversation.Suggest(e.Text, e.Lang) {
		verb := conversation.Suggests
		if active && s.Confidence >= leastConfidence && utf8.RuneCountInString(e.Text) <= maxSaid {
			verb = conversation.Adds
		}
		acts = append(acts, conversation.Act{Verb: verb, Bucket: s.Bucket, Text: s.Text,
			Event: e.ID, Session: e.Session, Confidence: s.Confidence, At: e.Recorded})
	}
	return acts
}

// known returns the acts that there are, by id, and marks claims that were forgotten, which are not suggested again:
// not even their texts are kept.
func (l *ledger) known() map[string]bool {
	known := map[string]bool{}
	for _, a := range l.acts {
		known[a.ID] = true
	}
	for _, a := range standing(l.acts, l.events) {
		if a.Verb == conversation.Forgets {
			known[a.Claim] = true
		}
	}
	return known
}

// fresh returns those suggestions that are neither there nor of a claim that was forgotten, with ids that are made of
// who suggests, the event and the claim: made again, they are the same.
func (l *ledger) fresh(known map[string]bool, by string, found []conversation.Act) []Act {
	var acts []Act
	for _, a := range found {
		a.Text = l.same(a.Bucket, a.Text, a.Verb)
		a.Claim = about(a)
		a.ID = l.who.idOf("derived", by, string(a.Verb), a.Event, a.Claim)
		if known[a.ID] || known[a.Claim] {
			continue
		}
		known[a.ID] = true
		if a.Verb != conversation.Ends && l.state(a.Claim) == conversation.Unknown { // for what else is found at once
			l.pending = append(l.pending, Claim{Claim: conversation.Claim{Bucket: a.Bucket, Text: a.Text}})
		}
		acts = append(acts, Act{Act: a, By: by})
	}
	return acts
}

// same returns the text of a claim that says the same in nearly the same words, for an act that may be done with it, or
// the text itself. A statement of it is more evidence for that claim.
func (l *ledger) same(bucket conversation.Bucket, text string, verb conversation.Verb) string {
	if verb != conversation.Suggests && verb != conversation.Adds ||
		l.state(conversation.ClaimID(bucket, text)) != conversation.Unknown {
		return text
	}
	essence := conversation.Essence(text)
	all := slices.Concat(l.claims, l.pending)
	at := slices.IndexFunc(all, func(c Claim) bool {
		_, can := conversation.Next(c.State, verb)
		return c.Bucket == bucket && (can || verb == conversation.Suggests) && conversation.Essence(c.Text) == essence
	})
	if at < 0 || essence == "" {
		return text
	}
	return all[at].Text
}

// addDerived stores what follows from events, which counts from when their events were recorded: what a person decided
// since then is later.
func (w *work) addDerived(l *ledger, acts []Act) error {
	if len(acts) == 0 {
		return nil
	}
	for _, a := range acts {
		if err := w.AddAct(a); err != nil {
			return err
		}
	}
	_, err := w.refold(l)
	return err
}

// extract asks a model what an event says about the user, and stores it together with the end of the job.
func (s *Service) extract(ctx context.Context, j Job) (ended bool, err error) {
	acts, why, err := s.askExtraction(ctx, j)
	if err != nil {
		return false, err
	}
	if why != "" {
		s.end(ctx, j.ended(skipped(why), s.now()))
		return true, nil
	}
	return true, s.changePaid(ctx, j.Subject, func(w *work) error { return w.keepExtracted(j, acts) })
}

// keepExtracted stores what a model found, unless its events were deleted meanwhile.
func (w *work) keepExtracted(j Job, acts []conversation.Act) error {
	l, err := w.openLedger()
	if err != nil {
		return err
	}
	var there []conversation.Act
	for _, a := range acts {
		switch e, err := w.Event(a.Event); {
		case errors.Is(err, ErrNotFound):
		case err != nil:
			return err
		default:
			a.At, a.Session = e.Recorded, e.Session
			there = append(there, a)
		}
	}
	fresh := l.fresh(l.known(), w.s.o.Models.Extraction.Model(), there)
	end := done("%d new claims or new evidence", len(fresh))
	if err := w.FinishJob(j.ended(end, w.now)); err != nil {
		return err
	}
	return w.addDerived(l, fresh)
}

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
	if e.Importance < 0 || e.Importance > 5 {
		return Refuse(ErrInvalid, "the importance must be from 1 to 5")
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
