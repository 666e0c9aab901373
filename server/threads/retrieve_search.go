package threads

import (
	"context"
	"slices"
	"strings"

	"ltm/conversation/recall"
	"ltm/search"
)

// Search returns the rows of a user that answer a question, best first. Claims are those that are true at the time of
// the request, unless the filter names their state. With a filter there are no summaries, which have no fields, and
// only the kinds that have all its fields. It refuses with [ErrInvalid] and [ErrNotFound].
func (s *Service) Search(ctx context.Context, c Caller, r SearchRequest) ([]Hit, error) {
	if err := checkSearch(&r, s.o.Now()); err != nil {
		return nil, err
	}
	if len(search.TermsOf(r.Query)) == 0 {
		return nil, Refuse(ErrInvalid, "the query has no word to search for")
	}
	who, err := s.whose(ctx, c, r.User, r.Thread)
	if err != nil {
		return nil, err
	}
	var hits []Hit
	err = s.look(ctx, who, r, func(v View, e *entry, q recall.Query) error {
		hits, err = answer{v, e, RetrieveRequest{SearchRequest: r}}.search(q)
		return err
	})
	return hits, err
}

func (a answer) search(q recall.Query) ([]Hit, error) {
	q.Claims = a.shown
	if a.r.Filter == nil {
		q.Limit = a.r.Limit
	} else {
		if a.r.Filter.names("state") {
			q.Claims = nil
		}
		q.Kinds = a.r.Filter.kinds(q.Kinds)
		if len(q.Kinds) == 0 {
			return nil, nil
		}
	}
	var hits []Hit
	for part := range slices.Chunk(a.e.recall.Find(q), maxLimit) {
		more, err := a.hits(part)
		if err != nil {
			return nil, err
		}
		if hits = append(hits, more...); len(hits) >= a.r.Limit {
			return hits[:a.r.Limit], nil
		}
	}
	return hits, nil
}

// hits returns what was found and passes the filter.
func (a answer) hits(found []recall.Found) ([]Hit, error) {
	ids := map[recall.Kind][]string{}
	for _, f := range found {
		ids[f.Kind] = append(ids[f.Kind], f.ID)
	}
	events, err := eventsOf(a.v, ids[recall.Event], a.r.Filter)
	if err != nil {
		return nil, err
	}
	claims := map[string]Claim{}
	if len(ids[recall.Claim]) > 0 {
		all, err := a.v.Claims(ClaimQuery{IDs: ids[recall.Claim], Filter: a.r.Filter})
		if err != nil {
			return nil, err
		}
		for _, c := range all {
			claims[c.ID] = c
		}
	}
	var hits []Hit
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
			c, ok := claims[f.ID]
			if !ok {
				continue
			}
			h.Text, h.OccurredAt = c.Text, c.CreatedAt
		case recall.Summary:
			d := a.e.summaries[f.ID]
			h.Thread, h.Text, h.OccurredAt = d.Thread, d.Summary.Shown(), d.until
		}
		h.Reasons = f.Reasons(a.r.Query, h.Text)
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
