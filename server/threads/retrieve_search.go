package threads

import (
	"context"
	"encoding/json"
	"slices"
	"strings"
	"time"

	"ltm/server/conversation/recall"
)

// Search returns the rows of a user that answer a question, best first. Claims are those that are true at the time of
// the request, unless the filter names their state. With a filter there are no summaries, which have no fields, and
// only the kinds that have all its fields. It refuses with [ErrInvalid] and [ErrNotFound].
func (s *Service) Search(ctx context.Context, c Caller, r SearchRequest) ([]Hit, error) {
	if err := checkSearch(r, KindEvent, KindSummary, KindClaim); err != nil {
		return nil, err
	}
	if r.Limit == 0 {
		r.Limit = defaultLimit
	}
	who, err := s.whose(ctx, c, r.User, r.Thread)
	if err != nil {
		return nil, err
	}
	return look(ctx, s, who, RetrieveRequest{SearchRequest: r}, func(a answer, q recall.Query) ([]Hit, error) {
		q.Limit = r.Limit
		found, err := a.find(q)
		if err != nil {
			return nil, err
		}
		return a.hits(found)
	})
}

// find returns the best rows that answer a question and pass the filter.
func (a answer) find(q recall.Query) ([]recall.Found, error) {
	q.Claims, q.Least = a.shown, a.r.Threshold
	f, limit := a.r.Filter, q.Limit
	if f != nil {
		if f.names("state") {
			q.Claims = nil
		}
		if q.Kinds = f.kinds(q.Kinds); len(q.Kinds) == 0 {
			return nil, nil
		}
		q.Limit, q.Widen = 0, false // of all that is found, some may pass
	}
	found := a.e.recall.Find(q)
	if f == nil {
		return found, nil
	}
	var passed []recall.Found
	for part := range slices.Chunk(found, atOnce) {
		var ids []string
		for _, f := range part {
			if f.Kind == recall.Event {
				ids = append(ids, f.ID)
			}
		}
		events, err := eventsOf(a.v, ids, f)
		if err != nil {
			return nil, err
		}
		for _, x := range part {
			_, ok := events[x.ID]
			if x.Kind == recall.Claim {
				ok = f.Claim(a.e.claims[a.e.claimAt[x.ID]])
			}
			if ok {
				passed = append(passed, x)
			}
		}
		if len(passed) >= limit {
			return passed[:limit], nil
		}
	}
	return passed, nil
}

// hits returns what was found, with its texts.
func (a answer) hits(found []recall.Found) ([]Hit, error) {
	if a.r.Limit < len(found) { // of each kind
		found = found[:a.r.Limit]
	}
	var ids []string
	for _, f := range found {
		if f.Kind == recall.Event {
			ids = append(ids, f.ID)
		}
	}
	events, err := eventsOf(a.v, ids, nil)
	if err != nil {
		return nil, err
	}
	var hits []Hit
	asked := recall.Ask(a.r.Query)
	for _, f := range found {
		h := Hit{Ref: Ref{Kind(f.Kind), f.ID}, Score: f.Score}
		switch f.Kind {
		case recall.Event:
			e, ok := events[f.ID]
			if !ok {
				continue
			}
			h.Thread, h.Role, h.Text, h.OccurredAt = e.Thread, e.Role, e.Text, e.Occurred
		case recall.Claim:
			c := a.e.claims[a.e.claimAt[f.ID]]
			h.Text, h.OccurredAt = c.Text, c.CreatedAt
		case recall.Summary:
			d := a.e.summaries[f.ID]
			h.Thread, h.Text, h.OccurredAt = d.Thread, d.Summary.Shown(), d.until
		}
		h.Reasons = f.Reasons(asked, h.Text)
		hits = append(hits, h)
	}
	return hits, nil
}

// names reports whether a filter names a field.
func (f *Filter) names(field string) bool {
	return slices.Contains(f.fields(), field)
}

// fields returns the fields that a filter names.
func (f *Filter) fields() []string {
	if f == nil {
		return nil
	}
	var out []string
	if f.Field != "" {
		out = append(out, f.Field)
	}
	for _, part := range slices.Concat(f.And, f.Or) {
		out = append(out, part.fields()...)
	}
	return append(out, f.Not.fields()...)
}

// kinds returns those of the kinds, or of all if there are none, that have the fields of a filter.
func (f *Filter) kinds(of []recall.Kind) []recall.Kind {
	events, claims := true, true
	for _, field := range f.fields() {
		events = events && (EventFields()[field] != "" || strings.HasPrefix(field, "meta."))
		claims = claims && ClaimFields()[field] != ""
	}
	var out []recall.Kind
	for kind, ok := range map[recall.Kind]bool{recall.Event: events, recall.Claim: claims} {
		if ok && (len(of) == 0 || slices.Contains(of, kind)) {
			out = append(out, kind)
		}
	}
	return out
}

// Event reports whether an event fulfills the condition. Without a condition every event does. See [EventFields].
func (f *Filter) Event(e Event) bool {
	return f.matches(func(field string) any {
		switch field {
		case "thread":
			return e.Thread
		case "session":
			return e.Session
		case "role":
			return string(e.Role)
		case "lang":
			return e.Lang
		case "agent":
			return e.Agent
		case "importance":
			return float64(e.Importance)
		case "occurred_at":
			return e.Occurred
		case "recorded_at":
			return e.Recorded
		}
		return metaField(e.Meta, field)
	})
}

// Claim reports whether a claim fulfills the condition. Without a condition every claim does. See [ClaimFields].
func (f *Filter) Claim(c Claim) bool {
	return f.matches(func(field string) any {
		switch field {
		case "bucket":
			return string(c.Bucket)
		case "state":
			return string(c.State)
		case "stability":
			return c.Stability
		case "confidence":
			return c.Confidence
		case "reinforced":
			return float64(c.Reinforced)
		case "created_at":
			return c.CreatedAt
		case "updated_at":
			return c.UpdatedAt
		case "expires_at":
			return c.ExpiresAt
		}
		return nil
	})
}

// metaField returns the value of a key of meta, nil if it has none.
func metaField(meta Meta, field string) any {
	key, ok := strings.CutPrefix(field, "meta.")
	var object map[string]json.RawMessage
	if !ok || len(meta) == 0 || json.Unmarshal(meta, &object) != nil {
		return nil
	}
	var v any
	if json.Unmarshal(object[key], &v) != nil { // no such key, or a number that is too large
		return nil
	}
	return v
}

// matches reports whether a row fulfills the condition, all of whose parts hold.
func (f *Filter) matches(value func(field string) any) bool {
	if f == nil {
		return true
	}
	matches := func(g Filter) bool { return g.matches(value) }
	for _, g := range f.And {
		if !matches(g) {
			return false
		}
	}
	if len(f.Or) > 0 && !slices.ContainsFunc(f.Or, matches) || f.Not != nil && f.Not.matches(value) {
		return false
	}
	return f.Field == "" || f.holds(value(f.Field))
}

// holds reports whether the condition on a field holds for its value.
func (f *Filter) holds(v any) bool {
	if f.Op == "exists" {
		at, isTime := v.(time.Time)
		s, isText := v.(string)
		column := !strings.HasPrefix(f.Field, "meta.") // where an empty value means no value
		return v != nil && !(column && isText && s == "") && !(isTime && at.IsZero())
	}
	v, ok := typed(v, f.Type)
	if !ok {
		return false
	}
	switch f.Op {
	case "eq", "in":
		return slices.ContainsFunc(f.Values, func(w any) bool {
			w, ok := typed(w, f.Type)
			return ok && order(v, w) == 0
		})
	case "range":
		return len(f.Values) == 2 && f.bound(v, f.Values[0], -1) && f.bound(v, f.Values[1], 1)
	}
	return false
}

// bound reports whether a value is not below the beginning (side -1) of a range, or below its end (side 1).
func (f *Filter) bound(v, w any, side int) bool {
	if w == nil {
		return true
	}
	w, ok := typed(w, f.Type)
	if !ok {
		return false
	}
	if side < 0 {
		return order(v, w) >= 0
	}
	return order(v, w) < 0
}

// typed returns a value as one of a type, if it is that: a time may be a text of RFC 3339.
func typed(v any, kind string) (any, bool) {
	switch kind {
	case "text":
		s, ok := v.(string)
		return s, ok
	case "number":
		n, ok := v.(float64)
		return n, ok
	case "bool":
		b, ok := v.(bool)
		return b, ok
	case "time":
		if s, ok := v.(string); ok {
			at, err := time.Parse(time.RFC3339Nano, s)
			return at, err == nil
		}
		at, ok := v.(time.Time)
		return at, ok && !at.IsZero()
	}
	return nil, false
}

// order compares two values of one type. Texts are ordered by their bytes, and false comes before true.
func order(v, w any) int {
	switch v := v.(type) {
	case string:
		return strings.Compare(v, w.(string))
	case time.Time:
		return v.Compare(w.(time.Time))
	case bool:
		switch w := w.(bool); {
		case v && !w:
			return 1
		case w && !v:
			return -1
		}
	case float64:
		switch w := w.(float64); {
		case v < w:
			return -1
		case v > w:
			return 1
		}
	}
	return 0
}

// EventFields returns the fields of events that a [Filter] may name, with their types. An application's own are
// those of [Settings.Fields], as "meta.KEY".
func EventFields() map[string]string {
	return map[string]string{"role": "text", "agent": "text", "session": "text", "lang": "text", "thread": "text",
		"importance": "number", "occurred_at": "time", "recorded_at": "time"}
}

// ClaimFields returns the fields of claims that a [Filter] may name, with their types. Claims have no meta.
func ClaimFields() map[string]string {
	return map[string]string{"bucket": "text", "state": "text", "stability": "text", "confidence": "number",
		"reinforced": "number", "created_at": "time", "updated_at": "time", "expires_at": "time"}
}
