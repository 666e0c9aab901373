package threads

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"ltm/server/conversation"
	"ltm/server/conversation/recall"
	"ltm/text/search"
)

// Limits of questions.
const (
	maxQuestion   = 64 << 10 // bytes
	defaultLimit  = 20
	maxLimit      = 200
	defaultBudget = 1000
	maxBudget     = 100_000 // tokens
	maxRecent     = 200     // events
	defaultRecent = 30
)

// Retrieve returns what a user's memory says to a question, as a context of at most the budget. It refuses with
// [ErrInvalid] and [ErrNotFound].
func (s *Service) Retrieve(ctx context.Context, c Caller, r RetrieveRequest) (Retrieved, error) {
	if err := checkRetrieve(&r); err != nil {
		return Retrieved{}, err
	}
	who, err := s.whose(ctx, c, r.User, r.Thread)
	if err != nil {
		return Retrieved{}, err
	}
	stores := s.consult(ctx, r)
	return look(ctx, s, who, r, func(a answer, q recall.Query) (Retrieved, error) { return a.retrieve(q, stores) })
}

// MemoryContext returns the messages for a model that is to answer text: what the memory says to it, as one system
// message, and the newest events of the thread behind it. Memory has a budget of its own, so that a long conversation
// does not push it out. If nothing is found, there are only the events. recent is at most 200; 0 is 30.
func (s *Service) MemoryContext(ctx context.Context, c Caller, thread, text string, recent int) ([]Message, error) {
	r := RetrieveRequest{SearchRequest: SearchRequest{Thread: thread, Query: firstBytes(text, maxQuestion)},
		Recent: min(cmp.Or(recent, defaultRecent), maxRecent), statement: true}
	if err := checkRetrieve(&r); err != nil {
		return nil, err
	}
	who, err := s.whose(ctx, c, "", thread)
	if err != nil {
		return nil, err
	}
	r.Thread = "" // what other threads of the user say counts as well
	return look(ctx, s, who, r, func(a answer, q recall.Query) ([]Message, error) { return a.messages(thread, q) })
}

// firstBytes returns at most n bytes of a text, in whole characters.
func firstBytes(text string, n int) string {
	if len(text) <= n {
		return text
	}
	return strings.ToValidUTF8(text[:n], "")
}

// checkRetrieve checks a request and fills in what it leaves out.
func checkRetrieve(r *RetrieveRequest) error {
	r.Budget = cmp.Or(r.Budget, defaultBudget)
	switch {
	case r.Budget < 0 || r.Budget > maxBudget:
		return Refuse(ErrInvalid, "the budget is %d tokens; it must be 1 to %d", r.Budget, maxBudget)
	case !(r.Threshold >= 0 && r.Threshold <= 1): // NaN, too
		return Refuse(ErrInvalid, "the threshold is %v; it must be 0 to 1", r.Threshold)
	case r.Recent < 0 || r.Recent > maxRecent:
		return Refuse(ErrInvalid, "%d recent events are asked for; it must be 0 to %d", r.Recent, maxRecent)
	}
	return checkSearch(r.SearchRequest, KindEvent, KindSummary, KindClaim, KindMemory)
}

func checkSearch(r SearchRequest, kinds ...Kind) error {
	if r.Limit < 0 || r.Limit > maxLimit {
		return Refuse(ErrInvalid, "the limit is %d; it must be 1 to %d", r.Limit, maxLimit)
	}
	if len(r.Query) > maxQuestion {
		return Refuse(ErrInvalid, "the query has %d bytes; at most %d are allowed", len(r.Query), maxQuestion)
	}
	for _, k := range r.Kinds {
		if !slices.Contains(kinds, k) {
			return Refuse(ErrInvalid, "%q cannot be searched; the kinds are %q", k, kinds)
		}
	}
	return nil
}

// whose returns whose memory a request is about. A thread of someone else is not found, like one that does not exist.
func (s *Service) whose(ctx context.Context, c Caller, user, thread string) (Subject, error) {
	if c.User != "" {
		if user != "" && user != c.User {
			return Subject{}, ErrNotFound
		}
		user = c.User
	}
	if thread != "" {
		owner, err := s.o.Storage.OwnerOf(ctx, c.App, thread)
		if err != nil {
			return Subject{}, err
		}
		if user != "" && user != owner {
			return Subject{}, ErrNotFound
		}
		user = owner
	}
	if user == "" {
		return Subject{}, Refuse(ErrInvalid, "neither a user nor a thread is named; one of them is needed")
	}
	return Subject{c.App, user}, nil
}

// look answers a request from one state of a subject and its index.
func look[T any](ctx context.Context, s *Service, who Subject, r RetrieveRequest,
	use func(answer, recall.Query) (T, error)) (out T, err error) {
	asOf := cmp.Or(r.AsOf, s.o.Now())
	vector, model, why := s.embedQuery(ctx, who.App, r.Query)
	if why != "" {
		s.o.Log.DebugContext(ctx, "a question is searched by words alone", "why", why)
	}
	a := answer{r: r, at: asOf, when: conversation.When(r.Query, asOf)}
	q := recall.Query{Text: r.Query, Thread: r.Thread, Until: r.AsOf, Weight: s.o.VectorWeight}
	if a.when != nil {
		q.When = a.asksFor
	}
	for _, k := range r.Kinds {
		q.Kinds = append(q.Kinds, recall.Kind(k))
	}
	err = s.follow(ctx, who, func(v View) error {
		q.Near = nil
		if vector != nil {
			near, err := v.Nearest(model, vector, []Kind{KindEvent, KindSummary, KindClaim}, maxLimit)
			if err != nil {
				return err
			}
			for _, n := range near {
				q.Near = append(q.Near, recall.Near{Kind: recall.Kind(n.Kind), ID: n.ID, Cosine: n.Cosine})
			}
		}
		return s.indexes.at(v, who, func(e *entry) error {
			a.v, a.e = v, e
			out, err = use(a, q)
			return err
		})
	})
	return out, err
}

// maxLooks is how often a question is asked again because the memory has changed.
const maxLooks = 5

// follow calls look with one state of a subject, for which it may use the subject's index.
func (s *Service) follow(ctx context.Context, who Subject, look func(View) error) error {
	var err error
	for n := range maxLooks {
		err = s.o.Storage.View(ctx, who, look)
		if !errors.Is(err, errMoved) {
			break
		}
		if n > 0 { // another request may be ahead once; a storage that went back needs a new index
			s.indexes.drop(who)
		}
	}
	return err
}

// answer answers one request from one state of a subject.
type answer struct {
	v View
	e *entry
	r RetrieveRequest
	// at is the time for which claims must be true: that of the request, or now. What was said is only left out if it
	// is after a time that the request names, because the clocks of clients differ.
	at   time.Time
	when []conversation.Period // that the question names; see [conversation.When]
}

// after reports whether something was said after the time that the request names.
func (a answer) after(said time.Time) bool { return !a.r.AsOf.IsZero() && said.After(a.r.AsOf) }

// shown lets claims answer that are true at the time of the request.
func (a answer) shown(id string) bool {
	i, ok := a.e.claimAt[id]
	return ok && a.e.policies[i].Shown(a.at)
}

func (a answer) retrieve(q recall.Query, stores consulted) (Retrieved, error) {
	found, err := a.candidates(q)
	if err != nil {
		return Retrieved{}, err
	}
	request, sources, err := a.request(found)
	if err != nil {
		return Retrieved{}, err
	}
	if a.r.Thread != "" && a.r.Recent > 0 {
		if request.Recent, err = a.recent(a.r.Thread); err != nil {
			return Retrieved{}, err
		}
	}
	stores.request(&request)
	out := Retrieved{Context: conversation.Compose(request), Notes: stores.notes}
	if a.r.Explain && len(a.r.Stores) > 0 {
		out.Stores = stores.totals(out.Placed)
	}
	out.LeftOut = sources.named(out.LeftOut)
	var asked recall.Asked
	if a.r.Explain {
		asked = recall.Ask(a.r.Query)
	}
	for _, p := range out.Placed {
		if p.Source == conversation.FromMemory {
			out.Blocks = append(out.Blocks, stores.block(p, a.r.Explain, asked))
			continue
		}
		out.Blocks = append(out.Blocks, a.against(sources.block(p, a.r.Explain, asked), p))
	}
	if len(out.Blocks)+len(out.Recent) == 0 {
		out.Empty = a.empty(q, found, out)
		if len(a.r.Stores) > 0 && len(stores.memories) == 0 {
			out.Empty += "; no memory of the stores answers"
		}
	}
	return out, nil
}

// candidates returns what may get into a context.
func (a answer) candidates(q recall.Query) ([]recall.Found, error) {
	q.Limit, q.Widen = recall.Enough(a.r.Budget), true
	if a.r.Limit > 0 {
		q.Limit, q.Widen = min(q.Limit, a.r.Limit), false
	}
	found, err := a.find(q)
	if conversation.Overview(a.r.Query, a.at) { // its words find what has nothing to do with it
		found = slices.DeleteFunc(found, func(f recall.Found) bool { return f.Kind == recall.Event })
	}
	return found, err
}

// recent returns the newest events of a thread that are not after the time of the request.
func (a answer) recent(thread string) ([]conversation.Event, error) {
	events, err := a.v.Events(EventQuery{Thread: thread, Newest: true, Limit: a.r.Recent})
	if err != nil {
		return nil, err
	}
	var out []conversation.Event
	for _, e := range events {
		if !a.after(e.Occurred) {
			out = append(out, e.Event)
		}
	}
	return out, nil
}

// against adds to the block of a claim what contradicts it, and to that of a message what holds instead.
func (a answer) against(b Block, placed conversation.Placed) Block {
	add := func(id string) {
		at := slices.IndexFunc(a.e.claims, func(c Claim) bool { return c.Claim.ID == id })
		b.Against = append(b.Against, a.e.claims[at])
	}
	for _, p := range a.e.proposals {
		if b.Kind == KindClaim && p.Claim == placed.ID {
			add(p.Other)
		}
	}
	if placed.Since != "" {
		add(placed.Since)
	}
	return b
}

// memoryBudget is the size of the memory in a context for a chat, in tokens: about thirty short messages.
const memoryBudget = 1000

func (a answer) messages(thread string, q recall.Query) ([]Message, error) {
	recent, err := a.recent(thread)
	if err != nil {
		return nil, err
	}
	known := map[string]bool{}
	for _, e := range recent {
		known[e.ID] = true
	}
	found, err := a.candidates(q)
	if err != nil {
		return nil, err
	}
	found = slices.DeleteFunc(found, func(f recall.Found) bool { return known[f.ID] })
	a.r.Thread = thread
	request, _, err := a.request(found)
	if err != nil {
		return nil, err
	}
	if request.Summary != nil { // what the messages say is not repeated
		request.Summary.Lines = slices.DeleteFunc(slices.Clone(request.Summary.Lines), func(l conversation.Line) bool {
			return known[l.Event]
		})
	}
	request.Recent = recent
	request.Memory, request.Budget = memoryBudget, memoryBudget
	for _, e := range recent {
		request.Budget += conversation.Tokens(e.Text)
	}
	composed := conversation.Compose(request)
	out := make([]Message, 0, len(composed.Recent)+1)
	if composed.Memory != "" {
		out = append(out, Message{Role: "system", Content: composed.Memory})
	}
	for _, e := range composed.Recent {
		out = append(out, Message{Role: string(e.Role), Content: e.Text})
	}
	return out, nil
}

// empty says why there is no context.
func (a answer) empty(q recall.Query, found []recall.Found, c Retrieved) string {
	q.Limit, q.Claims = 1, a.shown
	switch {
	case slices.ContainsFunc(c.LeftOut, func(l conversation.Left) bool {
		return l.Source == conversation.FromMemory && l.Reason == conversation.NoRoom
	}):
		return fmt.Sprintf("nothing that was found fits into %d tokens", a.r.Budget)
	case a.e.recall.Len() == 0 && len(a.e.claims) == 0:
		return "nothing is stored of this user"
	case len(search.TermsOf(a.r.Query)) == 0:
		return "the question has no word to search for"
	case len(found) > 0 && slices.ContainsFunc(c.LeftOut, func(l conversation.Left) bool {
		return l.Reason == conversation.NoRoom
	}):
		return fmt.Sprintf("nothing that was found fits into %d tokens", a.r.Budget)
	case len(found) > 0:
		return "what was found is not true at the time that was asked for"
	}
	if best := a.e.recall.Find(q); len(best) > 0 {
		if a.r.Filter != nil && best[0].Score >= a.r.Threshold {
			return "nothing that answers passes the filter"
		}
		return fmt.Sprintf("nothing reaches the threshold of %.2f; the best is %.2f", a.r.Threshold, best[0].Score)
	}
	q.Until, q.Claims = time.Time{}, nil
	if len(a.e.recall.Find(q)) > 0 {
		return "nothing of what answers was said or true at the time that was asked for"
	}
	if q.Thread != "" {
		q.Thread = ""
		if len(a.e.recall.Find(q)) > 0 {
			return "nothing in this thread answers; another thread of the user does"
		}
	}
	if len(q.Kinds) > 0 {
		q.Kinds = nil
		if len(a.e.recall.Find(q)) > 0 {
			return "nothing of the kinds that were asked for answers; something else does"
		}
	}
	return "no word of the question is in the memory"
}
