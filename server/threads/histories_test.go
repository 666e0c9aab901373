package threads_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	. "ltm/server/conversation"
	"ltm/server/postgres/pgtest"
	"ltm/server/threads"
)

// story is a random history of a user in two worlds: one in which all of it happens, and one in which only what is
// not deleted later happens.
type story struct {
	*rand.Rand
	all, kept *world
	threads   []string
	gone      string      // a thread that is deleted
	doomed    [][2]string // thread and event
	unsaid    []string    // claims that are deleted
	answers   [][2]string // kept events of the assistant
	acts      [][2]string // the ids of kept acts in both worlds
	n         int
}

func newStory(t *testing.T, seed uint64, all *world) *story {
	s := &story{Rand: rand.New(rand.NewPCG(seed, 1)), all: all, kept: newWorld(t, threads.Models{})}
	for range 3 {
		id := s.id()
		s.threads = append(s.threads, id)
		for _, w := range s.worlds() {
			_, err := w.CreateThread(w.ctx, w.user, threads.NewThread{ID: id})
			require.NoError(t, err)
		}
	}
	s.gone = s.id()
	_, err := all.CreateThread(all.ctx, all.user, threads.NewThread{ID: s.gone})
	require.NoError(t, err)
	return s
}

func (s *story) worlds() []*world { return []*world{s.all, s.kept} }

// id returns a UUID that is the same in both worlds.
func (s *story) id() string { return fmt.Sprintf("00000000-0000-4000-8000-%012x", s.Uint64()>>16) }

// tick sets both clocks to the next minute, so that times are equal to the minute.
func (s *story) tick() {
	s.n++
	for _, w := range s.worlds() {
		w.clock.set(time.Date(2026, 3, 1, 12, s.n, 0, 0, time.UTC))
	}
}

func (c *clock) set(at time.Time) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.now = at
}

// statements are what users of stories say about themselves.
func statements() []string {
	return []string{"I live in Rome", "I live in Oslo", "My name is Ada", "I like green tea", "I prefer short answers",
		"I am learning Go", "My goal is to run a marathon"}
}

// say has someone say something, in one of the worlds or both.
func (s *story) say(doomed bool) {
	s.tick()
	e := threads.NewEvent{ID: s.id(), Role: User, Text: statements()[s.IntN(len(statements()))] + "."}
	topic := []string{"garden", "sailing boat and its red paint"}[s.n/60%2]
	switch s.IntN(5) {
	case 0, 1:
		e.Text = fmt.Sprintf("We need to plan step %d of the %s.", s.n, topic)
	case 2, 3:
		e.Role, e.Text = Assistant, "Very well, let us do it like that then."
	}
	thread := s.threads[s.IntN(len(s.threads))]
	worlds := s.worlds()
	if doomed {
		if s.IntN(3) == 0 {
			thread = s.gone
		}
		s.doomed = append(s.doomed, [2]string{thread, e.ID})
		worlds = worlds[:1]
	} else if e.Role == Assistant {
		s.answers = append(s.answers, [2]string{thread, e.ID})
	}
	for _, w := range worlds {
		added, err := w.AddEvents(w.ctx, w.user, thread, []threads.NewEvent{e})
		require.NoError(w.t, err)
		require.NoError(w.t, added[0].Err)
	}
}

// act has the client do something in the world that is kept, and, if that is allowed there, in the other one.
func (s *story) act() {
	s.tick()
	for _, w := range s.worlds() {
		w.drain()
	}
	claims, err := s.kept.ListClaims(s.kept.ctx, s.kept.who, threads.ClaimQuery{})
	require.NoError(s.kept.t, err)
	if len(claims) == 0 {
		return
	}
	verbs := []Verb{Confirms, Confirms, Confirms, Rejects, Supersedes, Deprecates, Disputes, Undoes, Forgets}
	a := threads.ClaimAct{Verb: verbs[s.IntN(len(verbs))], Claim: claims[s.IntN(len(claims))].ID,
		Other: claims[s.IntN(len(claims))].ID}
	undone := [2]string{}
	if a.Verb == Undoes {
		if len(s.acts) == 0 {
			return
		}
		undone, a.Claim = s.acts[s.IntN(len(s.acts))], ""
	}
	a.Act = undone[1]
	_, inKept, err := s.kept.Act(s.kept.ctx, s.kept.who, a)
	if err != nil {
		return
	}
	a.Act = undone[0]
	_, inAll, err := s.all.Act(s.all.ctx, s.all.who, a)
	require.NoError(s.all.t, err, a.Verb)
	s.acts = append(s.acts, [2]string{inAll.ID, inKept.ID})
}

// force asks for a summary.
func (s *story) force() {
	s.tick()
	thread, name, event := s.threads[s.IntN(len(s.threads))], []string{"brain", "heart", ""}[s.IntN(3)], ""
	if len(s.answers) > 0 && s.IntN(2) == 0 {
		at := s.answers[s.IntN(len(s.answers))]
		thread, event = at[0], at[1]
	}
	for _, w := range s.worlds() {
		var err error
		if event == "" {
			_, _, err = w.Promote(w.ctx, w.user, thread)
		} else {
			_, err = w.React(w.ctx, w.user, thread, event, name)
		}
		require.NoError(w.t, err)
	}
}

// oppose states something that is deleted later, by an event or by itself, and supersedes a claim by it.
func (s *story) oppose() {
	s.tick()
	w := s.all
	w.drain()
	e := s.doomed[s.IntN(len(s.doomed))]
	n := threads.NewClaim{Bucket: Profile, Text: fmt.Sprint("I moved to house ", s.n), Event: e[1]}
	itself := s.IntN(3) == 0
	if itself {
		n.Event = ""
	}
	c, err := w.AddClaim(w.ctx, w.who, n)
	require.NoError(w.t, err)
	if itself {
		s.unsaid = append(s.unsaid, c.ID)
	}
	claims, err := w.ListClaims(w.ctx, w.who, threads.ClaimQuery{States: []State{Active, Conflicted}})
	require.NoError(w.t, err)
	verb := []Verb{Supersedes, Disputes}[s.IntN(2)]
	other := claims[s.IntN(len(claims))]
	if other.ID != c.ID {
		_, _, _ = w.Act(w.ctx, w.who, threads.ClaimAct{Verb: verb, Claim: other.ID, Other: c.ID})
	}
}

// tell tells the whole story.
func (s *story) tell() {
	length := 60 + s.IntN(120)
	for i := range length {
		switch k := s.IntN(20); {
		case k < 2:
			s.force()
		case k < 5 && i < length/2:
			s.act()
		case k < 7 && i > length/2 && len(s.doomed) > 0:
			s.oppose()
		case k < 8:
			s.worlds()[s.IntN(2)].drain()
		default:
			s.say(s.IntN(3) == 0)
		}
	}
	s.erase()
	for _, w := range s.worlds() {
		w.drain()
	}
}

// erase deletes what is doomed, in any order: events, a thread with all that is in it, and claims.
func (s *story) erase() {
	w := s.all
	var all []func() error
	for _, e := range s.doomed {
		if e[0] != s.gone {
			all = append(all, func() error { _, err := w.DeleteEvent(w.ctx, w.user, e[0], e[1]); return err })
		}
	}
	all = append(all, func() error { _, err := w.DeleteThread(w.ctx, w.user, s.gone); return err })
	for _, id := range s.unsaid {
		all = append(all, func() error {
			_, _, err := w.Act(w.ctx, w.who, threads.ClaimAct{Verb: Forgets, Claim: id})
			return err
		})
	}
	s.Shuffle(len(all), func(i, j int) { all[i], all[j] = all[j], all[i] })
	for _, one := range all {
		require.NoError(w.t, one())
	}
}

const question = "Where do I live, and what did we plan?"

// outcome is what a world remembers, without what is random in it.
func (s *story) outcome(w *world) (claims []threads.Claim, summaries [][]threads.Summary,
	contexts [][]threads.Message) {
	claims, err := w.ListClaims(w.ctx, w.who, threads.ClaimQuery{})
	require.NoError(w.t, err)
	minute := func(at time.Time) time.Time { return at.Truncate(time.Minute) }
	for i := range claims {
		c := &claims[i]
		c.CreatedAt, c.UpdatedAt = time.Time{}, time.Time{}
		c.Evidence = slices.Clone(c.Evidence)
		for i := range c.Evidence {
			c.Evidence[i].Act, c.Evidence[i].At = "", minute(c.Evidence[i].At)
		}
		c.Valid = slices.Clone(c.Valid)
		for i := range c.Valid {
			c.Valid[i] = Period{From: minute(c.Valid[i].From), To: minute(c.Valid[i].To)}
		}
	}
	slices.SortFunc(claims, func(a, b threads.Claim) int { return slices.Compare([]byte(a.ID), []byte(b.ID)) })
	for _, id := range s.threads {
		all, err := w.Summaries(w.ctx, w.user, id)
		require.NoError(w.t, err)
		for i := range all {
			all[i].CreatedAt, all[i].UpdatedAt = minute(all[i].CreatedAt), minute(all[i].UpdatedAt)
		}
		summaries = append(summaries, all)
		context, err := w.MemoryContext(w.ctx, w.user, id, question, 10)
		require.NoError(w.t, err)
		contexts = append(contexts, context)
	}
	return claims, summaries, contexts
}

// move takes what the user's whole history has left to another server, where it is the same file and gives the same
// contexts.
func (s *story) move(t *testing.T, contexts [][]threads.Message) {
	file := exported(t, s.all.Service, s.all.who)
	there, who := another(t, s.all), threads.Subject{App: "back", User: s.all.who.User}
	_, err := there.Import(t.Context(), who, strings.NewReader(file))
	require.NoError(t, err)
	require.Equal(t, file, exported(t, there, who))
	for i, id := range s.threads {
		got, err := there.MemoryContext(t.Context(), threads.Caller(who), id, question, 10)
		require.NoError(t, err)
		require.Equal(t, contexts[i], got)
	}
}

// TestHistories: to add A, to add B and to delete B is to add A, whatever else happens meanwhile. What is stored is
// what follows from the events and acts.
func TestHistories(t *testing.T) {
	summarized, claimed := 0, 0
	for seed := range uint64(stories()) {
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			s := newStory(t, seed, newWorld(t, threads.Models{}))
			s.tell()
			claims, summaries, contexts := s.outcome(s.kept)
			gotClaims, gotSummaries, gotContexts := s.outcome(s.all)
			require.Equal(t, claims, gotClaims)
			require.Equal(t, summaries, gotSummaries)
			require.Equal(t, contexts, gotContexts)
			require.NoError(t, s.all.Rederive(s.all.ctx, s.all.who))
			gotClaims, gotSummaries, _ = s.outcome(s.all)
			require.Equal(t, claims, gotClaims)
			require.Equal(t, summaries, gotSummaries)
			s.move(t, contexts)
			claimed += len(claims)
			for _, all := range summaries {
				summarized += len(all)
			}
		})
	}
	require.Greater(t, claimed, stories(), "the stories are about something")
	require.Greater(t, summarized, stories())
}

// stories is how many random histories are told.
func stories() int {
	if testing.Short() {
		return 3
	}
	return 10
}

// TestHistoriesOnPostgres tells histories in a database of Postgres, and what is kept of them in one of SQLite: both
// give the same claims, summaries and bytes of contexts.
func TestHistoriesOnPostgres(t *testing.T) {
	for seed := range uint64(2) {
		s := newStory(t, 1000+seed, newWorldAt(t, threads.Models{}, pgtest.New(t)))
		s.tell()
		claims, summaries, contexts := s.outcome(s.kept)
		gotClaims, gotSummaries, gotContexts := s.outcome(s.all)
		require.Equal(t, claims, gotClaims)
		require.Equal(t, summaries, gotSummaries)
		require.Equal(t, contexts, gotContexts)
	}
}
