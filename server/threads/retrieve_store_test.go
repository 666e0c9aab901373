package threads_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"ltm/server/conversation"
	"ltm/server/threads"
)

// Of two servers on one database, one writes and the other retrieves, byte for byte what a server gives that was just
// started.
func TestRetrieveFollowsAnotherServer(t *testing.T) {
	w := newWorld(t, threads.Models{})
	other, _ := w.open(threads.Models{})
	rng := rand.New(rand.NewPCG(5, 6))
	words := strings.Fields("boat tax sister cello Rome Oslo train summer garden money doctor bread river snow piano")
	var talks []string
	var ids [][2]string // thread and event
	for i := range 120 {
		switch n := rng.IntN(12); {
		case n == 0 || len(talks) == 0:
			talks = append(talks, w.thread())
		case n == 1 && len(ids) > 5:
			at := rng.IntN(len(ids))
			_, err := w.DeleteEvent(w.ctx, w.user, ids[at][0], ids[at][1])
			if err != nil {
				require.ErrorIs(t, err, threads.ErrNotFound) // its thread was deleted
			}
		case n == 2 && len(talks) > 3:
			_, err := w.DeleteThread(w.ctx, w.user, talks[0])
			require.NoError(t, err)
			talks = talks[1:]
		case n == 3:
			_, err := w.AddClaim(w.ctx, w.who, threads.NewClaim{Bucket: conversation.Profile,
				Text: fmt.Sprintf("I own a %s", words[rng.IntN(len(words))]), Confidence: 0.9})
			require.NoError(t, err)
		default:
			thread := talks[rng.IntN(len(talks))]
			for _, id := range w.say(thread, fmt.Sprintf("The %s near the %s was %s.", words[rng.IntN(15)],
				words[rng.IntN(15)], words[rng.IntN(15)]), "< I see, a "+words[rng.IntN(15)]+".") {
				ids = append(ids, [2]string{thread, id})
			}
		}
		if i%6 > 0 {
			continue
		}
		r := ask("ann", "what about the "+words[rng.IntN(15)]+" and the "+words[rng.IntN(15)]+"?")
		r.AsOf = w.clock.Now()
		got, err := other.Retrieve(w.ctx, app, r)
		require.NoError(t, err)
		fresh, _ := w.open(threads.Models{})
		want, err := fresh.Retrieve(w.ctx, app, r)
		require.NoError(t, err)
		require.Equal(t, want, got)
	}
}

// What was corrected is in no context, from whatever source, and what was true then is.
func TestRetrieveAfterCorrection(t *testing.T) {
	w := newWorld(t, threads.Models{})
	talk := w.thread()
	w.say(talk, "I live in Rome.", "< Rome is lovely.", "My flat in Rome has a balcony.")
	_, err := w.AddClaim(w.ctx, w.who, threads.NewClaim{Bucket: conversation.Profile, Text: "I live in Rome",
		Confidence: 1})
	require.NoError(t, err)
	then := w.clock.Now()
	w.clock.pass(1e12)
	_, _, err = w.Act(w.ctx, w.who, threads.ClaimAct{Verb: conversation.Supersedes, Claim: w.claim("I live in Rome"),
		Text: "I live in Oslo"})
	require.NoError(t, err)
	w.drain()

	r := ask("ann", "where do I live, in Rome or Oslo?")
	got, err := w.Retrieve(w.ctx, app, r)
	require.NoError(t, err)
	require.Contains(t, got.Memory, "claim: I live in Oslo")
	require.NotContains(t, got.Memory, "live in Rome")
	require.Contains(t, got.Memory, "Rome is lovely", "which does not say it")
	require.Contains(t, got.Memory, "My flat in Rome", "which was never taken back")

	r.AsOf = then
	got, err = w.Retrieve(w.ctx, app, r)
	require.NoError(t, err)
	require.Contains(t, got.Memory, "claim: I live in Rome")
	require.NotContains(t, got.Memory, "Oslo")

	_, err = w.DeleteThread(w.ctx, w.user, talk)
	require.NoError(t, err)
	got, err = w.Retrieve(w.ctx, app, ask("ann", "the balcony in Rome"))
	require.NoError(t, err)
	require.NotContains(t, got.Memory, "balcony")

	_, err = w.EraseUser(w.ctx, w.who)
	require.NoError(t, err)
	got, err = w.Retrieve(w.ctx, app, r)
	require.NoError(t, err)
	require.Equal(t, "nothing is stored of this user", got.Empty)
	talk = w.thread()
	w.say(talk, "I live in Lima.")
	got, err = w.Retrieve(w.ctx, app, ask("ann", "where do I live?"))
	require.NoError(t, err)
	require.Contains(t, got.Memory, "I live in Lima.", "what comes after an erasure is found")
	require.NotContains(t, got.Memory, "Oslo")
}

// Many ask while many write, of a few users whose indexes do not fit into memory at once.
func TestRetrieveInParallel(t *testing.T) {
	w := newWorld(t, threads.Models{})
	small, err := threads.New(threads.Options{Storage: w.store.Threads(), Now: w.clock.Now, IndexBytes: 1,
		Random: rand.NewChaCha8([32]byte{1})})
	require.NoError(t, err)
	var all sync.WaitGroup
	for n := range 6 {
		user := threads.Caller{App: "app", User: fmt.Sprint("u", n%3)}
		all.Go(func() {
			talk, err := w.CreateThread(w.ctx, user, threads.NewThread{})
			if err != nil {
				t.Error(err)
				return
			}
			for i := range 10 {
				text := fmt.Sprintf("secret%s number %d", user.User, i)
				added, err := w.AddEvents(w.ctx, user, talk.ID,
					[]threads.NewEvent{{Role: conversation.User, Text: text}})
				if err != nil || added[0].Err != nil {
					t.Error(err, added)
					return
				}
				for _, s := range []*threads.Service{w.Service, small} {
					got, err := s.Retrieve(w.ctx, user, ask("", fmt.Sprintf("number %d secretu0 secretu1 secretu2", i)))
					if err != nil || !strings.Contains(got.Memory, text) {
						t.Errorf("%v: %q is not in %q", err, text, got.Memory)
					}
					for other := range 3 {
						name := fmt.Sprint("secretu", other)
						if name != "secret"+user.User && strings.Contains(got.Memory, name) {
							t.Errorf("%s sees %s", user.User, name)
						}
					}
				}
			}
		})
	}
	all.Wait()
}
