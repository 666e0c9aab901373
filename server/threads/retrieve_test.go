package threads_test

import (
	"context"
	"crypto/rand"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"ltm/server/conversation"
	"ltm/server/threads"
)

// shelf is a storage of one application in memory, with what questions need.
type shelf struct {
	threads.Storage
	mu    sync.Mutex
	users map[string]*shelved
}

type shelved struct {
	threads.View
	version   int64
	forgets   bool // what changed
	changes   []threads.Ref
	at        []int64
	seq       int64
	events    []threads.Event
	summaries []threads.Summary
	claims    []threads.Claim
	near      []threads.Near
	reads     int // of events, without those by id
}

func newShelf() *shelf { return &shelf{users: map[string]*shelved{}} }

// of returns a user's memory.
func (s *shelf) of(user string) *shelved {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.users[user] == nil {
		s.users[user] = &shelved{}
	}
	return s.users[user]
}

func (s *shelf) View(_ context.Context, who threads.Subject, look func(threads.View) error) error {
	return look(s.of(who.User))
}

func (s *shelf) OwnerOf(_ context.Context, app, thread string) (string, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for user, u := range s.users {
		for _, e := range u.events {
			if e.Thread == thread && app == "app" {
				return user, nil
			}
		}
	}
	return "", threads.ErrNotFound
}

func (u *shelved) changed(kind threads.Kind, id string) {
	u.version++
	u.changes = append(u.changes, threads.Ref{Kind: kind, ID: id})
	u.at = append(u.at, u.version)
}

// say adds an event said at a minute.
func (u *shelved) say(thread, id string, minute int, text string) threads.Event {
	u.seq++
	e := threads.Event{Seq: u.seq, Event: conversation.Event{ID: id, Thread: thread, Role: conversation.User,
		Text: text, Occurred: minuteOf(minute), Recorded: minuteOf(minute)}}
	u.events = append(u.events, e)
	u.changed(threads.KindEvent, id)
	return e
}

func (u *shelved) unsay(id string) {
	u.events = slices.DeleteFunc(u.events, func(e threads.Event) bool { return e.ID == id })
	u.changed(threads.KindEvent, id)
}

// claim adds or changes a claim that is true from a minute on.
func (u *shelved) claim(text string, state conversation.State, periods ...conversation.Period) *threads.Claim {
	c := threads.Claim{ID: "claim " + text, Claim: conversation.Claim{
		ID: conversation.ClaimID(conversation.Profile, text), Bucket: conversation.Profile, Text: text, State: state,
		Valid: periods}}
	u.claims = slices.DeleteFunc(u.claims, func(o threads.Claim) bool { return o.ID == c.ID })
	u.claims = append(u.claims, c)
	u.changed(threads.KindClaim, c.ID)
	return &u.claims[len(u.claims)-1]
}

func minuteOf(n int) time.Time { return time.Date(2026, 3, 2, 0, n, 0, 0, time.UTC) }

func (u *shelved) Version() (int64, error) { return u.version, nil }

func (u *shelved) Changed(after int64) (refs []threads.Ref, known bool, err error) {
	for i, r := range u.changes {
		if u.at[i] > after && !slices.Contains(refs, r) {
			refs = append(refs, r)
		}
	}
	return refs, !u.forgets, nil
}

func (u *shelved) Events(q threads.EventQuery) (out []threads.Event, err error) {
	if q.IDs == nil {
		u.reads++
	}
	for _, e := range u.events {
		if e.Seq > q.After && (q.Thread == "" || e.Thread == q.Thread) &&
			(q.IDs == nil || slices.Contains(q.IDs, e.ID)) &&
			q.Filter.Event(e) {
			out = append(out, e)
		}
	}
	switch {
	case q.Limit == 0 || q.Limit > len(out):
	case q.Newest:
		out = out[len(out)-q.Limit:]
	default:
		out = out[:q.Limit]
	}
	return out, nil
}

func (u *shelved) Claims(q threads.ClaimQuery) (out []threads.Claim, err error) {
	for _, c := range u.claims {
		if (q.IDs == nil || slices.Contains(q.IDs, c.ID)) &&
			(q.Filter == nil || string(c.State) == q.Filter.Values[0]) {
			out = append(out, c)
		}
	}
	return out, nil
}

func (u *shelved) Summaries(string) ([]threads.Summary, error) { return u.summaries, nil }

func (u *shelved) Nearest(string, []float32, []threads.Kind, int) ([]threads.Near, error) {
	return u.near, nil
}

func service(t testing.TB, s threads.Storage) *threads.Service {
	out, err := threads.New(threads.Options{Storage: s, Random: rand.Reader,
		Now: func() time.Time { return minuteOf(1000) }})
	require.NoError(t, err)
	return out
}

var app = threads.Caller{App: "app"}

func ask(user, question string) threads.RetrieveRequest {
	return threads.RetrieveRequest{SearchRequest: threads.SearchRequest{User: user, Query: question}, Explain: true}
}

func retrieve(t testing.TB, s *threads.Service, r threads.RetrieveRequest) threads.Retrieved {
	t.Helper()
	got, err := s.Retrieve(t.Context(), app, r)
	require.NoError(t, err)
	require.LessOrEqual(t, got.Tokens, max(r.Budget, 1000))
	require.Equal(t, got.Empty == "", len(got.Blocks)+len(got.Recent) > 0)
	return got
}

func TestRetrieve(t *testing.T) {
	store := newShelf()
	ann := store.of("ann")
	ann.say("a", "e1", 1, "My sister plays the cello.")
	ann.say("a", "e2", 2, "How long has she done that?")
	ann.say("a", "e3", 3, "Since the summer of 2019.")
	ann.say("b", "e4", 4, "The boiler makes a noise again.")
	store.of("bob").say("c", "e5", 5, "My cello was stolen.")
	s := service(t, store)

	got := retrieve(t, s, ask("ann", "who plays the cello?"))
	require.Equal(t, "e1", got.Blocks[0].ID)
	require.Equal(t, threads.KindEvent, got.Blocks[0].Kind)
	require.Equal(t, "a", got.Blocks[0].Thread)
	require.Equal(t, []string{"words: plays, cello"}, got.Blocks[0].Reasons)
	require.Equal(t, "e2", got.Blocks[1].ID, "a neighbor is found, too")
	require.Equal(t, []string{"words: beside it", "said next to e1"}, got.Blocks[1].Reasons)
	require.Contains(t, got.Memory, "> hit 2026-03-02: My sister plays the cello.\n")
	require.NotContains(t, got.Memory, "stolen")
	require.Greater(t, got.Blocks[0].Score, got.Blocks[1].Score)

	// what another server writes is found, and what it deletes is not
	ann.say("b", "e6", 6, "A cello teacher lives next door.")
	ann.unsay("e1")
	got = retrieve(t, s, ask("ann", "who plays the cello?"))
	require.Contains(t, got.Memory, "teacher")
	require.NotContains(t, got.Memory, "sister")
	require.Equal(t, 1, ann.reads, "the index is built once")
	require.Equal(t, retrieve(t, service(t, store), ask("ann", "who plays the cello?")), got, "as if built anew")
}

// TestStandingClaims checks that what is true of a user comes along whatever is asked, behind what was found, and not
// to who asks for something exactly.
func TestStandingClaims(t *testing.T) {
	store := newShelf()
	ann := store.of("ann")
	ann.say("a", "e1", 1, "My sister plays the cello.")
	always := conversation.Period{From: minuteOf(1)}
	for n := range 20 {
		ann.claim(fmt.Sprintf("Known thing %d", n), conversation.Active, always).Confidence = 0.5
		ended := conversation.Period{From: minuteOf(1), To: minuteOf(2)}
		ann.claim(fmt.Sprintf("Former thing %d", n), conversation.Deprecated, ended).Confidence = 1
	}
	ann.claim("I live in Turin", conversation.Active, always).Confidence = 0.9
	ann.claim("I play the cello", conversation.Active, always).Confidence = 0.1
	ann.claim("I live in Rome", conversation.Superseded, conversation.Period{From: minuteOf(1), To: minuteOf(2)})
	ann.claim("I live on a boat", conversation.Suggested)
	s := service(t, store)

	texts := func(r threads.RetrieveRequest) (claims []string) {
		for _, b := range retrieve(t, s, r).Blocks {
			if b.Source == conversation.FromClaim {
				claims = append(claims, b.Text)
			}
		}
		return claims
	}
	ask := ask("ann", "who plays the cello?")
	got := texts(ask)
	require.Equal(t, "I live in Turin", got[0], "the surest of the same age")
	require.Contains(t, got, "I play the cello")
	require.Len(t, got, 22)
	few := ask
	few.Budget = 60
	require.Contains(t, texts(few), "I play the cello", "what is asked for has its share")
	nothing := ask
	nothing.Query = "which city is home?"
	require.Equal(t, "I live in Turin", texts(nothing)[0])
	require.Equal(t, []string{"true of this user, whatever is asked"}, retrieve(t, s, nothing).Blocks[0].Reasons)
	exact := ask
	exact.Threshold = 0.01
	require.Equal(t, []string{"I play the cello"}, texts(exact))
	events := ask
	events.Kinds = []threads.Kind{threads.KindEvent}
	require.Empty(t, texts(events))
	before := nothing
	before.AsOf = minuteOf(1)
	require.Contains(t, texts(before), "Former thing 0", "it was true then")
}

func TestRetrieveEmpty(t *testing.T) {
	store := newShelf()
	ann := store.of("ann")
	ann.say("a", "e1", 10, "My sister plays the cello.")
	ann.say("b", "e2", 11, "It rains.")
	s := service(t, store)
	old := ask("ann", "cello")
	old.AsOf = minuteOf(5)
	high := ask("ann", "does anybody play the cello in Bergen or Oslo at night")
	high.Threshold = 0.9
	elsewhere := ask("", "cello")
	elsewhere.Thread = "b"
	small := ask("ann", "cello")
	small.Budget = 5
	claims := ask("ann", "cello")
	claims.Kinds = []threads.Kind{threads.KindClaim}
	for _, c := range []struct {
		r    threads.RetrieveRequest
		want string
	}{
		{ask("nobody", "cello"), "nothing is stored of this user"},
		{ask("ann", " ?! "), "the question has no word to search for"},
		{ask("ann", "xylophone"), "no word of the question is in the memory"},
		{old, "nothing of what answers was said or true at the time that was asked for"},
		{high, "nothing reaches the threshold of 0.90; the best is 0."},
		{elsewhere, "nothing in this thread answers; another thread of the user does"},
		{small, "nothing that was found fits into 5 tokens"},
		{claims, "nothing of the kinds that were asked for answers; something else does"},
	} {
		got := retrieve(t, s, c.r)
		require.Contains(t, got.Empty, c.want)
	}
}

func TestRetrieveRefuses(t *testing.T) {
	store := newShelf()
	store.of("ann").say("a", "e1", 10, "My sister plays the cello.")
	s := service(t, store)
	for name, change := range map[string]func(*threads.RetrieveRequest){
		"budget":    func(r *threads.RetrieveRequest) { r.Budget = -1 },
		"threshold": func(r *threads.RetrieveRequest) { r.Threshold = 1.5 },
		"recent":    func(r *threads.RetrieveRequest) { r.Recent = 1000 },
		"limit":     func(r *threads.RetrieveRequest) { r.Limit = 10_000 },
		"bytes":     func(r *threads.RetrieveRequest) { r.Query = strings.Repeat("x", 1<<20) },
		"kinds":     func(r *threads.RetrieveRequest) { r.Kinds = []threads.Kind{threads.KindReaction} },
		"needed":    func(r *threads.RetrieveRequest) { r.User = "" },
	} {
		r := ask("ann", "cello")
		change(&r)
		_, err := s.Retrieve(t.Context(), app, r)
		require.ErrorIs(t, err, threads.ErrInvalid, name)
		require.ErrorContains(t, err, name)
	}
	foreign := ask("bob", "cello")
	foreign.Thread = "a"
	_, err := s.Retrieve(t.Context(), app, foreign)
	require.ErrorIs(t, err, threads.ErrNotFound)
	_, err = s.Retrieve(t.Context(), threads.Caller{App: "app", User: "bob"}, ask("ann", "cello"))
	require.ErrorIs(t, err, threads.ErrNotFound)
	_, err = s.MemoryContext(t.Context(), threads.Caller{App: "other"}, "a", "cello", 5)
	require.ErrorIs(t, err, threads.ErrNotFound)
}

// What is not true does not get into a context from any source, and what was true then does.
func TestRetrieveIsTrue(t *testing.T) {
	store := newShelf()
	ann := store.of("ann")
	ann.say("a", "e1", 10, "I live in Rome. The flat is small.")
	ann.say("a", "e2", 50, "I live in Oslo now.")
	ann.claim("I live in Rome", conversation.Superseded, conversation.Period{From: minuteOf(11), To: minuteOf(51)})
	ann.claim("I live in Oslo", conversation.Active, conversation.Period{From: minuteOf(51)})
	expired := ann.claim("I live with my parents", conversation.Active, conversation.Period{From: minuteOf(1)})
	expired.ExpiresAt = minuteOf(60)
	ann.claim("I live on a boat", conversation.Suggested)
	ann.claim("I live on the moon", conversation.Rejected)
	ann.say("a", "e3", 70, "I live with my parents. I live on the moon. Where do I live?")
	ann.summaries = []threads.Summary{{ID: "s1", Thread: "a", Active: true, UpdatedAt: minuteOf(80),
		Written: "- The user lives in Rome.\n- The flat they live in is small",
		Summary: conversation.Summary{From: "e1", To: "e3"}}}
	ann.changed(threads.KindSummary, "s1")
	s := service(t, store)

	r := ask("", "where do I live: Rome, Oslo, parents, moon, boat?")
	r.Thread = "a"
	got := retrieve(t, s, r)
	for _, wrong := range []string{"Rome", "parents", "boat"} {
		require.NotContains(t, got.Memory, wrong)
	}
	require.NotContains(t, got.Memory, "> claim: I live on the moon")
	require.Contains(t, got.Memory, "I live on the moon.", "a rejection says nothing of the sentence")
	require.Contains(t, got.Memory, "> claim: I live in Oslo\n")
	require.Contains(t, got.Memory, "> summary: The flat they live in is small\n")
	require.Equal(t, "claim I live in Oslo", got.Blocks[slices.IndexFunc(got.Blocks, func(b threads.Block) bool {
		return b.Kind == threads.KindClaim
	})].ID)
	for _, b := range got.Blocks {
		require.NotEmpty(t, b.ID)
		require.NotEmpty(t, b.Reasons)
	}

	r.AsOf = minuteOf(30)
	got = retrieve(t, s, r)
	require.Contains(t, got.Memory, "> claim: I live in Rome\n")
	require.Contains(t, got.Memory, "> claim: I live with my parents\n")
	require.NotContains(t, got.Memory, "Oslo")
	require.NotContains(t, got.Memory, "summary", "it covers more than was said then")

	hits, err := s.Search(t.Context(), app, r.SearchRequest)
	require.NoError(t, err)
	for _, h := range hits {
		require.NotContains(t, h.Text, "Oslo")
		require.NotEmpty(t, h.Reasons)
	}
}

func TestSearchFilters(t *testing.T) {
	store := newShelf()
	ann := store.of("ann")
	for i := range 500 {
		ann.say("a", fmt.Sprint("e", i), i, fmt.Sprintf("The train number %d is late.", i))
	}
	ann.events[7].Role = conversation.Assistant
	ann.claim("I take the train", conversation.Suggested)
	s := service(t, store)
	filter := func(field, value string) *threads.Filter {
		return &threads.Filter{Field: field, Type: "text", Op: "eq", Values: []any{value}}
	}
	hits, err := s.Search(t.Context(), app, threads.SearchRequest{User: "ann", Query: "late trains",
		Filter: filter("role", "assistant")})
	require.NoError(t, err)
	require.Len(t, hits, 1)
	require.Equal(t, "e7", hits[0].ID)
	hits, err = s.Search(t.Context(), app, threads.SearchRequest{User: "ann", Query: "late trains",
		Filter: filter("state", "suggested")})
	require.NoError(t, err)
	require.Len(t, hits, 1, "a filter that names the state finds suggestions")
	require.Equal(t, threads.KindClaim, hits[0].Kind)
	r := ask("ann", "late trains")
	r.Filter = filter("role", "assistant")
	got := retrieve(t, s, r)
	require.Len(t, got.Blocks, 1)
	require.Equal(t, "e7", got.Blocks[0].ID)
	r.Filter = filter("role", "nobody")
	require.Equal(t, "nothing that answers passes the filter", retrieve(t, s, r).Empty)
	r.Filter, r.Limit = nil, 3
	require.Len(t, retrieve(t, s, r).Blocks, 3)

	hits, err = s.Search(t.Context(), app, threads.SearchRequest{User: "ann", Query: "late trains", Limit: 7})
	require.NoError(t, err)
	require.Len(t, hits, 7)
	require.Equal(t, threads.KindEvent, hits[0].Kind)
}

func TestMemoryContext(t *testing.T) {
	store := newShelf()
	ann := store.of("ann")
	ann.say("a", "e1", 1, "My sister plays the cello.")
	for i := range 60 {
		ann.say("b", fmt.Sprint("n", i), 10+i, strings.Repeat(fmt.Sprintf("Talk about other things, part %d. ", i), 20))
	}
	ann.say("b", "ask", 100, "Who plays the cello?")
	s := service(t, store)
	got, err := s.MemoryContext(t.Context(), app, "b", "Who plays the cello?", 0)
	require.NoError(t, err)
	require.Len(t, got, 31, "memory first, and all recent events behind it")
	require.Equal(t, "system", got[0].Role)
	require.Contains(t, got[0].Content, "My sister plays the cello.")
	require.NotContains(t, got[0].Content, "Who plays", "what is among the messages is not repeated")
	require.Equal(t, threads.Message{Role: "user", Content: "Who plays the cello?"}, got[30])

	bob := store.of("bob")
	bob.say("c", "c1", 1, "The boat needs a new mast.")
	bob.say("c", "c2", 2, "The mast comes on Friday.")
	lines := []conversation.Line{{Event: "c1", Text: "The boat needs a new mast."},
		{Event: "c2", Text: "The mast comes on Friday."}}
	bob.summaries = []threads.Summary{{ID: "s1", Thread: "c", Active: true,
		Summary: conversation.Summary{Lines: lines}}}
	bob.changed(threads.KindSummary, "s1")
	got, err = s.MemoryContext(t.Context(), app, "c", "Give me a summary!", 1)
	require.NoError(t, err)
	require.Len(t, got, 2)
	require.Contains(t, got[0].Content, "> summary: The boat needs a new mast.\n")
	require.NotContains(t, got[0].Content, "Friday", "what the messages say is not repeated")

	// a storage whose versions went back, as after a restore, is read again
	bob.version, bob.changes, bob.at = 1, nil, nil
	bob.events = bob.events[:1]
	back := retrieve(t, s, ask("bob", "the mast"))
	require.NotContains(t, back.Memory, "Friday")
	require.Contains(t, back.Memory, "boat")

	got, err = s.MemoryContext(t.Context(), app, "b", "xylophone", 5)
	require.NoError(t, err)
	require.Len(t, got, 5)
	require.NotEqual(t, "system", got[0].Role)
	got, err = s.MemoryContext(t.Context(), app, "b", "", 500)
	require.NoError(t, err)
	require.Len(t, got, 61)
}

// An index that followed all changes answers as one that was built at the end, byte for byte, and in turns of
// many subjects that do not fit into memory at once.
func TestIndexesFollow(t *testing.T) {
	store := newShelf()
	s, err := threads.New(threads.Options{Storage: store, Random: rand.Reader, IndexBytes: 100_000,
		Now: func() time.Time { return minuteOf(100_000) }})
	require.NoError(t, err)
	words := strings.Fields("river bank money boat tax north sister cello rain Rome Oslo train late early summer")
	for i := range 600 {
		u := store.of(fmt.Sprint("u", i%3))
		switch {
		case i%7 == 3 && len(u.events) > 2:
			u.unsay(u.events[i%len(u.events)].ID)
		case i%11 == 5:
			u.claim(fmt.Sprintf("I know the %s of %s", words[i%15], words[i%13]), conversation.Active,
				conversation.Period{From: minuteOf(i)})
		default:
			u.say(fmt.Sprint("t", i%3, i%4), fmt.Sprint("e", i), i, fmt.Sprintf("%s %s %s, said for the %d time",
				words[i%15], words[i/2%15], words[i/5%15], i))
		}
		u.forgets = i%50 == 49
		got := retrieve(t, s, ask(fmt.Sprint("u", i%3), "the sister by the river in Rome, was the train late?"))
		u.forgets = false
		if i%20 == 0 {
			require.Equal(t, retrieve(t, service(t, store), ask(fmt.Sprint("u", i%3),
				"the sister by the river in Rome, was the train late?")), got)
		}
	}
}
