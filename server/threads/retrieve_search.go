package threads

import (
	"cmp"
	"context"
	"slices"
	"time"

	"ltm/server/conversation"
	"ltm/server/conversation/recall"
)

// Search returns the rows of a user that answer a question, best first. Claims are those that are true at the time of
// the request, unless the filter names their state. With a filter there are no summaries, which have no fields, and
// only the kinds that have all its fields. It refuses with [ErrInvalid] and [ErrNotFound].
func (s *Service) Search(ctx context.Context, c Caller, r SearchRequest) ([]Hit, error) {
	if err := checkSearch(r, KindEvent, KindSummary, KindClaim); err != nil {
		return nil, err
	}
	r.Limit = cmp.Or(r.Limit, defaultLimit)
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
		if slices.Contains(f.fields(), "state") {
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

// sources knows what the parts of a context are.
type sources struct {
	found  map[Ref]recall.Found
	events map[string]Event
	claims map[string]Claim // by the policies' ids
	lines  map[string]Summary
	by     map[string]Summary
}

// request returns what a context is composed of. The summary of a thread comes along where anything was found, or
// is asked for.
func (a answer) request(found []recall.Found) (conversation.Request, sources, error) {
	s := sources{found: map[Ref]recall.Found{}, claims: map[string]Claim{}, lines: map[string]Summary{},
		by: map[string]Summary{}}
	request := conversation.Request{Budget: a.r.Budget, AsOf: a.at, Known: a.e.known, About: []string{}}
	var ids []string
	for _, f := range found {
		s.found[Ref{Kind(f.Kind), f.ID}] = f
		if f.Kind == recall.Event {
			ids = append(ids, f.ID)
		}
	}
	var err error
	if s.events, err = eventsOf(a.v, ids, nil); err != nil {
		return request, s, err
	}
	for i, f := range found {
		// the order is what counts: scores of words and of vectors cannot be compared
		score := 1 / float64(i+1)
		switch f.Kind {
		case recall.Event:
			if e, ok := s.events[f.ID]; ok {
				request.Hits = append(request.Hits, conversation.Hit{Event: e.ID, Role: e.Role, Name: e.Agent,
					Text: e.Text, Score: score, At: e.Occurred})
			}
		case recall.Claim:
			c := a.e.claims[a.e.claimAt[f.ID]]
			s.claims[c.Claim.ID] = c
			request.About = append(request.About, c.Claim.ID)
		case recall.Summary:
			d := a.e.summaries[f.ID]
			s.by[f.ID] = d.Summary
			// sentences of events are found as events
			if d.Written != "" && d.Thread != a.r.Thread {
				request.Hits = append(request.Hits, conversation.Hit{Source: conversation.FromSummary, Event: f.ID,
					Text: d.Written, Score: score, At: d.until})
			}
		}
	}
	if topics := conversation.TopicsOf(a.r.Query); len(topics) > 0 && a.wants(KindClaim) && !a.exact() {
		for _, c := range a.e.claims {
			said := conversation.Event{Role: conversation.User, Text: c.Text}
			if _, there := s.claims[c.Claim.ID]; !there && a.shown(c.ID) && len(topics.Related(said)) > 0 {
				s.claims[c.Claim.ID] = c
				request.About = append(request.About, c.Claim.ID)
			}
		}
	}
	request.Asked = request.About
	request.About = a.profile(&s, request.Asked)
	if a.r.Thread != "" && a.wants(KindSummary) {
		if request.Summary, err = s.summary(a); err != nil {
			return request, s, err
		}
	}
	background, err := a.background(found, &s)
	request.Hits = append(request.Hits, background...)
	return request, s, err
}

// wants reports whether a request is for rows of a kind.
func (a answer) wants(kind Kind) bool { return len(a.r.Kinds) == 0 || slices.Contains(a.r.Kinds, kind) }

// exact reports whether a request says so exactly what it wants that nothing comes along.
func (a answer) exact() bool { return a.r.Filter != nil || a.r.Threshold > 0 }

const (
	// maxStanding is the number of claims that come along with any context beside those of [headBuckets], which are
	// bounded by the budget alone.
	maxStanding = 12
	// maxBackground is the number of sentences that stand in for an answer: as many as one reads at a glance.
	maxBackground = 20
)

// headBuckets lists the buckets whose claims head a context: what must not be overlooked comes first.
func headBuckets() []conversation.Bucket {
	return []conversation.Bucket{conversation.Constraints, conversation.CommunicationStyle, conversation.Profile}
}

// heads compares claims by their place in a profile: by bucket, those that change the least, the newest, the surest.
func heads(x, y Claim) int {
	buckets := slices.Concat(headBuckets(), conversation.Buckets())
	return cmp.Or(cmp.Compare(slices.Index(buckets, x.Bucket), slices.Index(buckets, y.Bucket)),
		cmp.Compare(slices.Index(stabilities(), x.Stability), slices.Index(stabilities(), y.Stability)),
		y.Since().Compare(x.Since()), cmp.Compare(y.Confidence, x.Confidence),
		cmp.Compare(y.Reinforced, x.Reinforced), cmp.Compare(x.Claim.ID, y.Claim.ID))
}

// profile returns the claims that head a context and come along with it, because "which city is home?" has no word of
// "I live in Turin", with those that were found, by the policies' ids. Nothing comes along if the request says what it
// wants exactly.
func (a answer) profile(s *sources, found []string) []string {
	var head, rest []Claim
	alone := a.exact() || !a.wants(KindClaim)
	for _, c := range a.e.claims {
		_, ok := s.claims[c.Claim.ID]
		switch in := slices.Contains(headBuckets(), c.Bucket); {
		case ok && !in, !ok && (alone || !a.shown(c.ID)):
		case in:
			head = append(head, c)
		default:
			rest = append(rest, c)
		}
	}
	slices.SortFunc(head, heads)
	slices.SortFunc(rest, heads)
	var ids []string
	for _, c := range slices.Concat(head, rest[:min(len(rest), maxStanding)]) {
		s.claims[c.Claim.ID] = c
		ids = append(ids, c.Claim.ID)
	}
	others := slices.DeleteFunc(slices.Clone(found), func(id string) bool { return slices.Contains(ids, id) })
	return append([]string{}, slices.Concat(ids[:len(head)], others, ids[len(head):])...) // none is not all
}

// background returns what there is where a question about the user or about a time asks for no more than that, or
// nothing of what it asks for is found: the newest sentences that matter, of that time if it names one. If everyday
// words of the question say what it is about, it returns the sentences about that.
func (a answer) background(found []recall.Found, s *sources) ([]conversation.Hit, error) {
	answered := slices.ContainsFunc(found, func(f recall.Found) bool {
		return f.Kind == recall.Event && (a.when == nil || a.asksFor(s.events[f.ID].Occurred))
	})
	if a.exact() || !a.wants(KindEvent) || a.r.statement && !conversation.Asks(a.r.Query) {
		return nil, nil
	}
	wanted := a.overview() || !answered
	if wanted {
		for _, p := range a.when {
			for _, least := range []float64{1, 0} {
				if hits, err := a.newest(s, p, least, conversation.Highlights); err != nil || len(hits) > 0 {
					return hits, err
				}
			}
		}
	}
	var hits []conversation.Hit
	var err error
	if topics := conversation.TopicsOf(a.r.Query); len(topics) > 0 && !a.overview() {
		if hits, err = a.newest(s, conversation.Period{}, 1, topics.Related); err != nil {
			return nil, err
		}
	}
	if a.when == nil && wanted && (a.overview() || conversation.Personal(a.r.Query)) {
		rest, err := a.newest(s, conversation.Period{}, 1, conversation.Highlights)
		if err != nil {
			return nil, err
		}
		found := len(hits) + 1
		for _, h := range rest {
			h.Score /= float64(found) // behind those
			hits = append(hits, h)
		}
	}
	return hits, nil
}

// overview reports whether a question asks for all there is.
func (a answer) overview() bool {
	return conversation.Overview(a.r.Query, a.at) || conversation.Recap(a.r.Query, "")
}

// asksFor reports whether a time is one that the question names.
func (a answer) asksFor(at time.Time) bool {
	return slices.ContainsFunc(a.when, func(p conversation.Period) bool {
		return !at.Before(p.From) && at.Before(p.To)
	})
}

// newest returns sentences of the user's newest events of at least an importance, of a period if it is not zero: those
// that pick returns.
func (a answer) newest(s *sources, p conversation.Period, least float64,
	pick func(conversation.Event) []string) ([]conversation.Hit, error) {
	f := Filter{And: []Filter{{Field: "importance", Type: "number", Op: "range", Values: []any{least, nil}}}}
	if least > 0 {
		f.And = append(f.And, Filter{Field: "role", Type: "text", Op: "eq", Values: []any{string(conversation.User)}})
	}
	if !p.From.IsZero() {
		f.And = append(f.And, Filter{Field: "occurred_at", Type: "time", Op: "range", Values: []any{p.From, p.To}})
	}
	thread := a.r.Thread
	if a.r.statement { // what other threads of the user say counts as well
		thread = ""
	}
	events, err := a.v.Events(EventQuery{Thread: thread, Newest: true, Limit: maxLimit, Filter: &f})
	var hits []conversation.Hit
	for _, e := range slices.Backward(events) {
		if a.after(e.Occurred) {
			continue
		}
		s.events[e.ID] = e
		for _, text := range pick(e.Event) {
			if len(hits) < maxBackground {
				hits = append(hits, conversation.Hit{Source: conversation.FromBackground, Event: e.ID, Role: e.Role,
					Name: e.Agent, Text: text, Score: 1 / float64(len(hits)+1), At: e.Occurred})
			}
		}
	}
	return hits, err
}

// summary returns the summary of the thread that was the latest at the time of the request, without what was said to
// be over since. It is nil if there is none.
func (s *sources) summary(a answer) (*conversation.Summary, error) {
	all := a.e.latest[a.r.Thread]
	for len(all) > 0 && a.after(all[len(all)-1].until) {
		all = all[:len(all)-1]
	}
	if len(all) == 0 {
		return nil, nil
	}
	d := all[len(all)-1]
	out := d.Summary.Summary
	if d.Written != "" {
		out.Lines, _ = d.writtenLines()
	}
	later, err := since(a.v, d.Summary)
	if err != nil {
		return nil, err
	}
	later = slices.DeleteFunc(later, func(e conversation.Event) bool { return a.after(e.Occurred) })
	out.Lines = slices.DeleteFunc(conversation.Current(out.Lines, later), func(l conversation.Line) bool {
		return l.Text == ""
	})
	for _, l := range out.Lines {
		s.lines[l.Event] = d.Summary
	}
	return &out, nil
}

// ref returns the row of a part.
func (s sources) ref(source conversation.Source, id string) (r Ref, thread string) {
	switch source {
	case conversation.FromClaim:
		return Ref{KindClaim, s.claims[id].ID}, ""
	case conversation.FromSummary:
		if d, ok := s.lines[id]; ok {
			return Ref{KindSummary, d.ID}, d.Thread
		}
		return Ref{KindSummary, id}, s.by[id].Thread
	}
	return Ref{KindEvent, id}, s.events[id].Thread
}

// block describes a line of a context.
func (s sources) block(p conversation.Placed, explain bool, asked recall.Asked) Block {
	ref, thread := s.ref(p.Source, p.ID)
	f, found := s.found[ref]
	b := Block{Source: p.Source, Ref: ref, Thread: thread, Text: p.Text, Score: f.Score}
	switch {
	case !explain:
	case found:
		b.Reasons = f.Reasons(asked, p.Text)
	case p.Source == conversation.FromClaim:
		b.Reasons = []string{"true of this user, whatever is asked"}
	case p.Source == conversation.FromSummary:
		b.Reasons = []string{"the summary of the thread"}
	case p.Source == conversation.FromBackground:
		b.Reasons = []string{"the newest that matters, whatever is asked"}
	}
	return b
}

// named returns what was left out with the ids of rows.
func (s sources) named(left []conversation.Left) []conversation.Left {
	for i, l := range left {
		if l.Source == conversation.FromClaim || l.Source == conversation.FromSummary {
			ref, _ := s.ref(l.Source, l.ID)
			left[i].ID = ref.ID
		}
	}
	return left
}
