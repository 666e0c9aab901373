package conversation

import (
	"encoding/json"
	"slices"
	"strings"
	"unicode/utf8"

	"ltm/text/search"
	"ltm/text/secrets"
)

const (
	// maxAnswer is the longest answer of a model, in bytes, that is read: 400 tokens are below 4 KiB, and a
	// hundred times that is no list of claims.
	maxAnswer = 64 << 10
	// maxClaim is the longest claim in characters. A claim is one sentence.
	maxClaim = 300
)

// Refusal is why an element of a model's answer is no claim.
type Refusal struct {
	Index  int // in the list; -1 is the answer as a whole
	Reason string
}

// Extracted reads a model's answer, a JSON list of {"text", "bucket", "confidence", "event_id"}, as suggestions with
// evidence in one of the events that the model was shown. Each element is judged alone: one that is broken does not
// cost the others. Acts have neither id nor time. Text around the list is ignored.
func Extracted(answer string, shown []Event) ([]Act, []Refusal) {
	start, end := strings.IndexByte(answer, '['), strings.LastIndexByte(answer, ']')
	var list []json.RawMessage
	switch {
	case len(answer) > maxAnswer:
		return nil, []Refusal{{-1, "the answer is too long"}}
	case start < 0 || end < start || json.Unmarshal([]byte(answer[start:end+1]), &list) != nil:
		return nil, []Refusal{{-1, "the answer has no list"}}
	}
	var acts []Act
	var refused []Refusal
	for i, raw := range list {
		act, reason := element(raw, shown)
		if reason != "" {
			refused = append(refused, Refusal{i, reason})
			continue
		}
		acts = append(acts, act)
	}
	return acts, refused
}

// element reads one element of a model's answer.
func element(raw json.RawMessage, shown []Event) (Act, string) {
	var e struct {
		Text       string   `json:"text"`
		Bucket     Bucket   `json:"bucket"`
		Confidence *float64 `json:"confidence"`
		Event      string   `json:"event_id"`
	}
	if json.Unmarshal(raw, &e) != nil {
		return Act{}, "it is not an object with text, bucket, confidence as a number and event_id"
	}
	text := oneLine(e.Text)
	at := slices.IndexFunc(shown, func(s Event) bool { return s.ID == e.Event && s.Role == User })
	switch {
	case Normal(text) == "":
		return Act{}, "it has no text"
	case utf8.RuneCountInString(text) > maxClaim:
		return Act{}, "its text is too long"
	case !slices.Contains(Buckets(), e.Bucket):
		return Act{}, "its bucket is unknown"
	case e.Confidence == nil || *e.Confidence < 0 || *e.Confidence > 1:
		return Act{}, "its confidence is not between 0 and 1"
	case at < 0:
		return Act{}, "its event is not one that the user said"
	case len(secrets.InTalk(text)) > 0:
		return Act{}, "it has a credential"
	case !supported(text, shown[at].Text):
		return Act{}, "it is not from the text of its event"
	}
	return Act{Verb: Suggests, Bucket: e.Bucket, Text: text, Event: e.Event, Confidence: *e.Confidence}, ""
}

// supported reports whether a claim shares a word with what its event says itself. It is a low bar: it keeps out
// claims from injected memory and invented ones, not paraphrases.
func supported(claim, text string) bool {
	said := search.TermsOf(Said(text))
	return slices.ContainsFunc(search.TermsOf(claim), func(t string) bool { return slices.Contains(said, t) })
}
