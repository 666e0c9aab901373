package threads

import (
	"context"
	"slices"
	"strings"

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
