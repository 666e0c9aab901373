package threads

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"time"
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

	// maxHolds is how many claims that hold a model is told: as many as fit the size of a batch.
	maxHolds = 20

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
// one of them. Acts suggest or propose, and by the settings of the application do. They have neither id nor time: an
// id that is made of the verb, the event and the claim makes a repeated extraction change nothing.
func extracted(x provider.Extraction, asked question, set Settings) (acts []conversation.Act, refused []string) {
	refused = append(refused, x.Dropped...)
	for i, claim := range x.Claims {
		if claim.Confidence < leastConfidence {
			refused = append(refused, fmt.Sprintf("claim %d: its confidence is below %g", i+1, leastConfidence))
			continue
		}
		f := conversation.Finding{Text: claim.Text, Bucket: conversation.Bucket(claim.Bucket),
			Confidence: claim.Confidence, Quote: claim.Quote, Ended: claim.Ended}
		if at := slices.IndexFunc(asked.holds, func(c conversation.Claim) bool { return c.ID == claim.Of }); at >= 0 {
			f.Of = &asked.holds[at]
		}
		for _, f.Event = range claim.Events {
			act, reason := conversation.Extracted(f, asked.shown)
			if reason != "" {
				refused = append(refused, fmt.Sprintf("claim %d: %s", i+1, reason))
				continue
			}
			acts = append(acts, set.decided(act, asked.plain(f))...)
		}
	}
	return acts, refused
}

// decided returns an act of a model as the settings have it: an update or an end that the user said plainly counts at
// once if suggestions do, and statements do if what models extract does.
func (set Settings) decided(a conversation.Act, plain bool) []conversation.Act {
	plain = plain && set.ActiveSuggestions
	switch {
	case a.Verb == conversation.Ends && plain:
		a.Verb = conversation.Deprecates
	case a.Verb == conversation.Suggests && a.Other != "" && plain:
		a.Verb = conversation.Adds
		return []conversation.Act{a, {Verb: conversation.Supersedes, Claim: a.Other, Other: a.About(), Event: a.Event}}
	case a.Verb == conversation.Suggests && set.ActiveExtraction:
		a.Verb = conversation.Adds
	}
	return []conversation.Act{a}
}

// question is what a model is asked for an extraction.
type question struct {
	shown  []conversation.Event
	events []provider.Event // the same
	holds  []conversation.Claim
}

// plain reports whether the user wrote what is found themselves, and did not paste it.
func (q question) plain(f conversation.Finding) bool {
	return slices.ContainsFunc(q.shown, func(e conversation.Event) bool {
		return e.ID == f.Event && utf8.RuneCountInString(e.Text) <= maxSaid && f.Plain(e.Text)
	})
}

// askFor returns what a model is asked for a job, or why it is not.
func (s *Service) askFor(v View, job Job) (q question, why string, err error) {
	last, err := v.Event(job.Of.ID)
	if errors.Is(err, ErrNotFound) {
		return q, "the event was deleted", nil
	}
	if err != nil {
		return q, "", err
	}
	events, mine, err := batchOf(v, last, s.now())
	if err != nil || !mine {
		return q, together, err
	}
	q.shown, q.events = shownTo(events)
	if n := len(q.shown); n == 0 || q.shown[n-1].ID != last.ID {
		return q, "the event has no text of its own", nil
	}
	claims, err := v.Claims(ClaimQuery{})
	if err != nil {
		return q, "", err
	}
	var texts []string
	for _, e := range q.shown {
		if e.Role == conversation.User {
			texts = append(texts, e.Text)
		}
	}
	q.holds = conversation.Concerned(policies(claims, s.now()), texts, maxHolds)
	return q, "", nil
}

// askExtraction asks a model for the claims of a job's event and those before it in its thread, and returns the acts
// that they are, how many of its answers were refused and why, or why the job is skipped. The error is the
// provider's, for [afterFailure], or the storage's.
func (s *Service) askExtraction(ctx context.Context, job Job) (acts []conversation.Act, refused, why string,
	err error) {
	if s.o.Models.Extraction == nil {
		return nil, "", "no model for extraction is configured", nil
	}
	app, err := s.o.Storage.AppOf(ctx, job.Subject.App)
	if err != nil {
		return nil, "", "", err
	}
	asked, err := view(ctx, s, job.Subject, func(v View) (q question, err error) {
		q, why, err = s.askFor(v, job)
		return q, err
	})
	if err != nil || why != "" {
		return nil, "", why, err
	}
	var holds []provider.Holding
	for _, c := range asked.holds {
		holds = append(holds, provider.Holding{ID: c.ID, Text: c.Text})
	}
	var answer provider.Extraction
	err = s.asking.ask(JobExtract, s.o.Now, func() (err error) {
		answer, err = s.o.Models.Extraction.Extract(ctx, job.Subject.App, asked.events, holds, bucketNames())
		return err
	})
	if err != nil {
		return nil, "", "", err
	}
	acts, reasons := extracted(answer, asked, app.Settings)
	if len(reasons) > 0 {
		refused = fmt.Sprintf("%d of its answers were refused; %s", len(reasons), reasons[0])
	}
	switch {
	case len(acts) > 0:
		return acts, refused, "", nil
	case refused != "":
		return nil, refused, "the model found no claims that can be used: " + refused, nil
	}
	return nil, "", "the model found no claims", nil
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
		suggest := func(e Event, asked string) []conversation.Act {
			return suggestions(e, asked, app.Settings.ActiveSuggestions)
		}
		// what one event says may be over by another
		for _, read := range []func(Event, string) []conversation.Act{suggest, l.endings} {
			var acts []Act
			for i, j := range jobs {
				e, err := w.Event(j.Of.ID)
				if errors.Is(err, ErrNotFound) {
					continue
				}
				if err != nil {
					return err
				}
				asked, err := w.asked(e)
				if err != nil {
					return err
				}
				some := l.fresh(known, rules, read(e, asked))
				found[i] += len(some)
				acts = append(acts, some...)
			}
			if err := w.addDerived(l, acts); err != nil {
				return err
			}
		}
		for i, j := range jobs {
			j = j.ended(JobDone, fmt.Sprintf("%d suggested", found[i]), w.now)
			if found[i] == 0 {
				j = j.ended(JobSkipped, "no rule finds a claim that is new", w.now)
			}
			if err := w.FinishJob(j); err != nil {
				return err
			}
		}
		return nil
	})
}

// asked returns what the assistant said right before an event of the user.
func (w *work) asked(e Event) (string, error) {
	events, err := w.Events(EventQuery{Thread: e.Thread, Before: e.Seq, Newest: true, Limit: 1})
	if err != nil || len(events) == 0 || events[0].Role != conversation.Assistant || e.Role != conversation.User {
		return "", err
	}
	return events[0].Text, nil
}

// endings returns the claims that an event says to be over, as proposals to deprecate them.
func (l *ledger) endings(e Event, _ string) []conversation.Act {
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
// event is as short as what a person writes: texts that are quoted or pasted are suggested at most. asked is what it
// may answer.
func suggestions(e Event, asked string, active bool) []conversation.Act {
	if e.Role != conversation.User {
		return nil
	}
	var acts []conversation.Act
	for _, s := range conversation.SuggestAnswer(asked, e.Text, e.Lang) {
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
	named := map[string]string{} // claims that are others by nearly the same words
	for _, a := range found {
		said := a.About()
		a.Text = l.same(a.Bucket, a.Text, a.Verb)
		a.Claim = a.About()
		named[said] = a.Claim
		a.Other = cmp.Or(named[a.Other], a.Other)
		if a.Other == a.Claim { // it says again what holds
			if a.Other = ""; a.Verb == conversation.Supersedes {
				continue
			}
		}
		a.ID = l.who.idOf("derived", by, string(a.Verb), a.Event, a.Claim)
		if known[a.ID] || known[a.Claim] {
			continue
		}
		known[a.ID] = true
		if a.Text != "" && l.state(a.Claim) == conversation.Unknown { // for what else is found at once
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
	acts, refused, why, err := s.askExtraction(ctx, j)
	if err != nil {
		return false, err
	}
	if why != "" {
		s.end(ctx, j.ended(JobSkipped, why, s.now()))
		return true, nil
	}
	return true, s.changePaid(ctx, j.Subject, func(w *work) error { return w.keepExtracted(j, acts, refused) })
}

// keepExtracted stores what a model found, unless its events were deleted meanwhile.
func (w *work) keepExtracted(j Job, acts []conversation.Act, refused string) error {
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
			if a.Verb == conversation.Supersedes { // behind the claim that takes the place
				a.At = a.At.Add(time.Microsecond)
			}
			there = append(there, a)
		}
	}
	fresh := l.fresh(l.known(), w.s.o.Models.Extraction.Model(), there)
	found := fmt.Sprintf("%d new claims or new evidence", len(fresh))
	if refused != "" {
		found += "; " + refused
	}
	if err := w.FinishJob(j.ended(JobDone, found, w.now)); err != nil {
		return err
	}
	return w.addDerived(l, fresh)
}
