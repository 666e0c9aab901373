package threads

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"

	"ltm/server/conversation"
	"ltm/server/provider"
)

const (
	// leastConfidence is the confidence below which a model's claim is dropped, as the reference has it: models put
	// what they are told plainly at 0.9 and more.
	leastConfidence = 0.8

	// extractionWindow is how many events of a thread a model is shown, the one that set the job off last.
	extractionWindow = 8
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
	events, err := view(ctx, s, job.Subject, func(v View) (events []conversation.Event, err error) {
		last, err := v.Event(job.Of.ID)
		if err != nil {
			return nil, err
		}
		all, err := v.Events(EventQuery{Thread: last.Thread, Before: last.Seq + 1, Newest: true,
			Limit: extractionWindow})
		for _, e := range all {
			events = append(events, e.Event)
		}
		return events, err
	})
	if errors.Is(err, ErrNotFound) {
		return nil, "the event was deleted", nil
	}
	if err != nil {
		return nil, "", err
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
