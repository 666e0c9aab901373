package server

import (
	"context"
	"math"
	"strings"
	"unicode/utf8"

	"ltm/server/conversation"
	"ltm/server/threads"
)

// The bounds of searches.
const (
	maxSearchText = 8000 // characters
	defaultHits   = 10
	maxHits       = 100
	maxBudget     = 100_000 // tokens
)

func (s *Server) registerRetrieval() {
	handle(s, route{Pattern: "POST /v1/search", ID: "search", Tag: "retrieval", Access: apps, MaxBody: bodyQuery,
		Body: searchBody{}, Errors: []kind{kindNotFound},
		Summary: "Search the events, summaries and claims of a user"}, s.search)
	handle(s, route{Pattern: "POST /v1/retrieve", ID: "retrieve", Tag: "retrieval", Access: apps, MaxBody: bodyQuery,
		Body: retrieveBody{}, Errors: []kind{kindNotFound},
		Summary: "Compose what a model needs to know for a question, within a budget of tokens",
		Text: "An empty answer says why it is. If the operator gave the application directories of memories, the " +
			"context draws from these, too, but not with a filter or as_of."}, s.retrieve)
}

type searchBody struct {
	User   string      `json:"user_id,omitempty" doc:"Whose memory. Required, but with thread_id or a user's token."`
	Thread string      `json:"thread_id,omitempty" doc:"Only this thread."`
	Query  *string     `json:"query" maxLength:"8000" nullable:"false"`
	Kinds  []string    `json:"kinds,omitempty" nullable:"false" doc:"Of event, summary and claim. Default: all, or those that have all fields of the filter."`
	Filter *filterDoc  `json:"filter,omitempty"`
	AsOf   string      `json:"as_of,omitempty" format:"date-time" doc:"As if it were then. Default: now."`
	Limit  wholeNumber `json:"limit,omitempty" doc:"How many hits, 1 to 100. Default: 10."`
}

type searchAnswer struct {
	User    string     `json:"user_id,omitempty" doc:"Absent if the request names only a thread."`
	Results []hitEntry `json:"results" nullable:"false" doc:"The best first."`
}

type hitEntry struct {
	Kind       string   `json:"kind" enum:"event,summary,claim"`
	ID         string   `json:"id"`
	Thread     string   `json:"thread_id,omitempty"`
	Role       string   `json:"role,omitempty"`
	Text       string   `json:"text"`
	OccurredAt string   `json:"occurred_at,omitempty" format:"date-time"`
	Score      float64  `json:"score" doc:"0 to 1."`
	Reasons    []string `json:"reasons" nullable:"false"`
}

// searchRequest returns what a search asks for, and whose memory it is about.
func (s *Server) searchRequest(ctx context.Context, c *call, in searchBody, kinds ...threads.Kind) (
	who threads.Caller, r threads.SearchRequest, err error) {
	if in.Query == nil {
		return who, r, invalid("query is missing")
	}
	if utf8.RuneCountInString(*in.Query) > maxSearchText {
		return who, r, invalid("query must have at most %d characters", maxSearchText)
	}
	r.Query = *in.Query
	if r.Limit, err = in.Limit.within("limit", 1, maxHits, defaultHits); err != nil {
		return who, r, err
	}
	if r.AsOf, err = bodyTimeOf("as_of", in.AsOf); err != nil {
		return who, r, err
	}
	if r.Kinds, err = kindsAsked(in.Kinds, kinds...); err != nil {
		return who, r, err
	}
	if in.Filter != nil {
		f := newFilterer(c, threads.KindEvent, threads.KindClaim)
		if r.Filter, err = f.body(in.Filter); err != nil {
			return who, r, err
		}
		if r.Kinds, err = f.kindsOf(c, r.Kinds); err != nil {
			return who, r, err
		}
	}
	if in.Thread == "" {
		subject, err := s.subject(c, in.User)
		r.User = subject.User
		return threads.Caller(subject), r, err
	}
	who, r.Thread, err = s.onThread(ctx, c, threadInput{in.Thread, in.User})
	r.User = who.User
	return who, r, err
}

func (s *Server) search(ctx context.Context, c *call, _ *struct{}) (*searchAnswer, error) {
	var in searchBody
	if err := c.decodeStrict(&in); err != nil {
		return nil, err
	}
	who, r, err := s.searchRequest(ctx, c, in)
	if err != nil {
		return nil, err
	}
	hits, err := s.opts.Memory.Search(ctx, who, r)
	out := searchAnswer{User: who.User, Results: []hitEntry{}}
	for _, h := range hits {
		out.Results = append(out.Results, hitEntry{string(h.Kind), h.ID, h.Thread, string(h.Role), h.Text,
			shownTime(h.OccurredAt), h.Score, append([]string{}, h.Reasons...)})
	}
	return &out, err
}

type retrieveBody struct {
	User      string      `json:"user_id,omitempty" doc:"Whose memory. Required, but with thread_id or a user's token."`
	Thread    string      `json:"thread_id,omitempty" doc:"Only this thread."`
	Query     *string     `json:"query" maxLength:"8000" nullable:"false"`
	Kinds     []string    `json:"kinds,omitempty" nullable:"false" doc:"Of event, summary, claim and memory. Default: all, or those that have all fields of the filter."`
	Filter    *filterDoc  `json:"filter,omitempty"`
	AsOf      string      `json:"as_of,omitempty" format:"date-time" doc:"As if it were then. Default: now."`
	Limit     wholeNumber `json:"limit,omitempty" doc:"How many hits are looked at, 1 to 100. Default: as many as the budget needs."`
	Budget    wholeNumber `json:"budget,omitempty" doc:"Tokens of the whole context, 1 to 100,000. Default: 1,000."`
	Threshold float64     `json:"threshold,omitempty" minimum:"0" maximum:"1" doc:"The least score of a hit. Default: 0."`
	Recent    wholeNumber `json:"recent,omitempty" doc:"How many of the newest events of the thread come along, 0 to 200. Default: none."`
	Explain   bool        `json:"explain,omitempty" doc:"Also say why each block is there."`
}

type retrieveAnswer struct {
	User    string         `json:"user_id,omitempty" doc:"Absent if the request names only a thread."`
	Memory  string         `json:"memory" doc:"The block for a model, fenced as data; empty if there is none."`
	Recent  []messageEntry `json:"recent" nullable:"false" doc:"The newest events, the oldest first."`
	Tokens  int            `json:"tokens" doc:"The size of both, as estimated."`
	Blocks  []blockEntry   `json:"blocks" nullable:"false" doc:"What the context consists of."`
	LeftOut []leftEntry    `json:"left_out" nullable:"false"`
	Empty   string         `json:"empty,omitempty" doc:"Why there is nothing, if there is nothing."`
	Notes   []string       `json:"notes,omitempty" nullable:"false" doc:"What is missing, such as a store that is not there."`
	Stores  *storesEntry   `json:"stores,omitempty" doc:"What the application's stores of memories had. Only with explain."`
}

type storesEntry struct {
	Found  int `json:"found" doc:"The memories that match."`
	Shown  int `json:"shown"`
	Tokens int `json:"tokens" doc:"Of those that are shown, as estimated."`
}

type blockEntry struct {
	Source  string   `json:"source" enum:"claim,summary,hit,background,memory,reaction,recent"`
	Kind    string   `json:"kind"`
	ID      string   `json:"id"`
	Thread  string   `json:"thread_id,omitempty"`
	Store   string   `json:"store,omitempty" doc:"Of a memory: the name of its store."`
	Topic   string   `json:"topic,omitempty" doc:"Of a memory."`
	Path    string   `json:"path,omitempty" doc:"Of a memory: its file, within the store."`
	Text    string   `json:"text"`
	Score   float64  `json:"score"`
	Reasons []string `json:"reasons,omitempty" nullable:"false" doc:"Only with explain."`

	Against []againstEntry `json:"against,omitempty" nullable:"false" doc:"Of a claim: those that contradict it; of a message: the claim that holds instead."`
}

type againstEntry struct {
	ID    string `json:"id"`
	Text  string `json:"text"`
	State string `json:"state"`
}

type leftEntry struct {
	Source string `json:"source" enum:"claim,summary,hit,background,memory,reaction,recent"`
	ID     string `json:"id"`
	Store  string `json:"store,omitempty" doc:"Of a memory: the name of its store."`
	Reason string `json:"reason"`
}

func (s *Server) retrieve(ctx context.Context, c *call, _ *struct{}) (*retrieveAnswer, error) {
	var in retrieveBody
	if err := c.decodeStrict(&in); err != nil {
		return nil, err
	}
	who, sr, err := s.searchRequest(ctx, c, searchBody{in.User, in.Thread, in.Query, in.Kinds, in.Filter, in.AsOf,
		in.Limit}, threads.KindMemory)
	if err != nil {
		return nil, err
	}
	if !in.Limit.Set {
		sr.Limit = 0 // the budget decides
	}
	r := threads.RetrieveRequest{SearchRequest: sr, Threshold: in.Threshold, Explain: in.Explain,
		Stores: c.app.app.Settings.Stores}
	if r.Budget, err = in.Budget.within("budget", 1, maxBudget, 0); err != nil {
		return nil, err
	}
	if r.Recent, err = in.Recent.within("recent", 0, maxRecent, 0); err != nil {
		return nil, err
	}
	if math.IsNaN(r.Threshold) || r.Threshold < 0 || r.Threshold > 1 {
		return nil, invalid("threshold must be from 0 to 1")
	}
	got, err := s.opts.Memory.Retrieve(ctx, who, r)
	return retrieved(who, got), err
}

func retrieved(who threads.Caller, got threads.Retrieved) *retrieveAnswer {
	var out retrieveAnswer
	b := &out
	b.User, b.Memory, b.Tokens, b.Empty = who.User, got.Memory, got.Tokens, got.Empty
	b.Recent, b.Blocks, b.LeftOut = []messageEntry{}, []blockEntry{}, []leftEntry{}
	for _, e := range got.Recent {
		b.Recent = append(b.Recent, messageEntry{string(e.Role), e.Text})
	}
	for _, x := range got.Blocks {
		block := blockEntry{Source: string(x.Source), Kind: string(x.Kind), ID: x.ID, Thread: x.Thread, Text: x.Text,
			Score: x.Score, Reasons: x.Reasons}
		if m := x.Memory; m != nil {
			block.Store, block.Topic, block.Path = m.Store, m.Topic, m.Path
		}
		for _, c := range x.Against {
			block.Against = append(block.Against, againstEntry{c.ID, c.Text, string(c.State)})
		}
		b.Blocks = append(b.Blocks, block)
	}
	for _, x := range got.LeftOut {
		left := leftEntry{Source: string(x.Source), ID: x.ID, Reason: x.Reason}
		if x.Source == conversation.FromMemory {
			left.Store, left.ID, _ = strings.Cut(x.ID, "/")
		}
		b.LeftOut = append(b.LeftOut, left)
	}
	b.Notes = got.Notes
	if got.Stores != nil {
		b.Stores = &storesEntry{got.Stores.Found, got.Stores.Shown, got.Stores.Tokens}
	}
	return &out
}
