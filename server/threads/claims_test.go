package threads_test

import (
	"math"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	. "ltm/server/conversation"
	"ltm/server/threads"
)

type states = map[string]State

const rome, oslo, bern = "I live in Rome", "I live in Oslo", "I live in Bern"

func TestClaimsOfRules(t *testing.T) {
	w := newWorld(t, threads.Models{})
	id := w.thread()
	w.say(id, rome+".", "< You live in Oslo, I think.", "Do I live in Bern?", "My name is Ada.")
	w.drain()
	require.Equal(t, states{rome: Suggested, "My name is Ada": Suggested}, w.claims())

	reject := w.act(Rejects, rome, "")
	again := w.thread()
	w.say(again, "I live in Rome!")
	w.drain()
	require.Equal(t, Rejected, w.claims()[rome], "a rejected one is never suggested again")

	undo := threads.ClaimAct{Verb: Undoes, Act: reject.ID}
	got, act, err := w.Act(w.ctx, w.who, undo)
	require.NoError(t, err)
	require.Equal(t, []any{Suggested, 2}, []any{got.State, got.Reinforced}, "and what was said meanwhile counts")
	_, _, err = w.Act(w.ctx, w.who, undo)
	require.ErrorIs(t, err, threads.ErrState)
	_, _, err = w.Act(w.ctx, w.who, threads.ClaimAct{Verb: Undoes, Act: act.ID})
	require.NoError(t, err)
	require.Equal(t, Rejected, w.claims()[rome], "the undo undone")

	confirm := w.act(Confirms, "My name is Ada", "")
	require.Equal(t, Active, w.claims()["My name is Ada"])
	_, _, err = w.Act(w.ctx, w.who, threads.ClaimAct{Verb: Undoes, Act: confirm.ID})
	require.NoError(t, err)
	require.Equal(t, Suggested, w.claims()["My name is Ada"])
	history, err := w.ClaimHistory(w.ctx, w.who, w.claim("My name is Ada"))
	require.NoError(t, err)
	var verbs []Verb
	for _, a := range history {
		verbs = append(verbs, a.Verb)
	}
	require.Equal(t, []Verb{Suggests, Confirms}, verbs[:2])
	require.Equal(t, "rules", history[0].By)
}

func TestAddClaim(t *testing.T) {
	w := newWorld(t, threads.Models{})
	e := w.say(w.thread(), "hello")[0]
	good := threads.NewClaim{Bucket: Goals, Text: "Run a marathon", Confidence: 0.7, Stability: "high", Event: e,
		ExpiresAt: w.clock.Now().Add(time.Hour)}
	c, err := w.AddClaim(w.ctx, w.who, good)
	require.NoError(t, err)
	require.Equal(t, []any{Active, 0.7, "high", 1, e}, []any{c.State, c.Confidence, c.Stability, c.Reinforced,
		c.Evidence[0].Event})
	got, err := w.Claim(w.ctx, w.who, strings.ToUpper(c.ID))
	require.NoError(t, err)
	require.Equal(t, c.ID, got.ID)
	_, err = w.Claim(w.ctx, threads.Subject{App: "app", User: "ben"}, c.ID)
	require.ErrorIs(t, err, threads.ErrNotFound)

	for name, change := range map[string]func(*threads.NewClaim){
		"bucket":     func(n *threads.NewClaim) { n.Bucket = "OTHER" },
		"no words":   func(n *threads.NewClaim) { n.Text = " … " },
		"long":       func(n *threads.NewClaim) { n.Text = strings.Repeat("x", threads.MaxClaim+1) },
		"confidence": func(n *threads.NewClaim) { n.Confidence = math.NaN() },
		"stability":  func(n *threads.NewClaim) { n.Stability = "rock" },
		"expired":    func(n *threads.NewClaim) { n.ExpiresAt = w.clock.Now().Add(-time.Hour) },
		"event":      func(n *threads.NewClaim) { n.Event = "x" },
		"NUL":        func(n *threads.NewClaim) { n.Note = "\x00" },
	} {
		bad := good
		change(&bad)
		_, err := w.AddClaim(w.ctx, w.who, bad)
		require.ErrorIs(t, err, threads.ErrInvalid, name)
	}
	good.Event = "11111111-2222-4333-8444-555555555555"
	_, err = w.AddClaim(w.ctx, w.who, good)
	require.ErrorIs(t, err, threads.ErrNotFound)

	w.state(rome, "")
	reject := w.act(Rejects, rome, "")
	_, err = w.AddClaim(w.ctx, w.who, threads.NewClaim{Bucket: Profile, Text: rome})
	require.ErrorIs(t, err, threads.ErrState, "a mention revives nothing")
	_, _, err = w.Act(w.ctx, w.who, threads.ClaimAct{Verb: Undoes, Act: reject.ID})
	require.NoError(t, err)
}

// TestRejectedAndGone: a rejection holds when the text is deleted, but not against what a client adds itself.
func TestRejectedAndGone(t *testing.T) {
	w := newWorld(t, threads.Models{})
	id := w.thread()
	e := w.say(id, rome)[0]
	w.drain()
	w.act(Rejects, rome, "")
	_, err := w.DeleteEvent(w.ctx, w.user, id, e)
	require.NoError(t, err)
	require.Empty(t, w.claims())
	w.say(id, rome)
	w.drain()
	require.Empty(t, w.claims(), "it is not even shown as rejected")
	_, err = w.AddClaim(w.ctx, w.who, threads.NewClaim{Bucket: Profile, Text: rome, Suggest: true})
	require.ErrorIs(t, err, threads.ErrState)
	w.state(rome, "")
	require.Equal(t, states{rome: Active}, w.claims())
}

// TestACorrectionIsOneMoment: at no time are both claims true, or none.
func TestACorrectionIsOneMoment(t *testing.T) {
	w := newWorld(t, threads.Models{})
	w.state(rome, "")
	w.clock.pass(time.Hour)
	_, _, err := w.Act(w.ctx, w.who, threads.ClaimAct{Verb: Supersedes, Claim: w.claim(rome), Text: "I live in Turin"})
	require.NoError(t, err)
	old, err := w.Claim(w.ctx, w.who, w.claim(rome))
	require.NoError(t, err)
	for micros := range 5 {
		then, err := w.ListClaims(w.ctx, w.who,
			threads.ClaimQuery{AsOf: old.Valid[0].To.Add(time.Duration(micros-2) * time.Microsecond)})
		require.NoError(t, err)
		require.Len(t, then, 1, "%d", micros-2)
	}
}

func TestExpiry(t *testing.T) {
	w := newWorld(t, threads.Models{})
	end := w.clock.Now().Add(time.Hour)
	_, err := w.AddClaim(w.ctx, w.who, threads.NewClaim{Bucket: Profile, Text: rome, ExpiresAt: end})
	require.NoError(t, err)
	require.Equal(t, states{rome: Active}, w.claims())
	w.clock.pass(2 * time.Hour)
	require.Equal(t, states{rome: Deprecated}, w.claims())
	active, err := w.ListClaims(w.ctx, w.who, threads.ClaimQuery{States: []State{Active}})
	require.NoError(t, err)
	require.Empty(t, active)
	then, err := w.ListClaims(w.ctx, w.who, threads.ClaimQuery{AsOf: end.Add(-time.Minute)})
	require.NoError(t, err)
	require.Len(t, then, 1)
	then, err = w.ListClaims(w.ctx, w.who, threads.ClaimQuery{AsOf: end})
	require.NoError(t, err)
	require.Empty(t, then)

	w.act(Confirms, rome, "")
	w.clock.pass(1000 * time.Hour)
	require.Equal(t, states{rome: Active}, w.claims(), "confirmed without an end")
	c, err := w.Claim(w.ctx, w.who, w.claim(rome))
	require.NoError(t, err)
	require.Len(t, c.Valid, 2)
	require.True(t, c.ExpiresAt.IsZero())
}

func TestOpposedClaims(t *testing.T) {
	w := newWorld(t, threads.Models{})
	w.state(rome, "")
	w.state(oslo, "")
	super := w.act(Supersedes, rome, oslo)
	require.Equal(t, states{rome: Superseded, oslo: Active}, w.claims())
	c, err := w.Claim(w.ctx, w.who, w.claim(rome))
	require.NoError(t, err)
	require.Equal(t, ClaimID(Profile, oslo), c.SupersededBy)
	_, _, err = w.Act(w.ctx, w.who, threads.ClaimAct{Verb: Disputes, Claim: w.claim(oslo), Other: w.claim(rome)})
	require.ErrorIs(t, err, threads.ErrState)
	_, _, err = w.Act(w.ctx, w.who, threads.ClaimAct{Verb: Disputes, Claim: w.claim(oslo), Other: w.claim(oslo)})
	require.ErrorIs(t, err, threads.ErrInvalid)
	_, _, err = w.Act(w.ctx, w.who, threads.ClaimAct{Verb: Disputes, Claim: w.claim(oslo), Other: w.claim(bern)})
	require.ErrorIs(t, err, threads.ErrNotFound)
	_, _, err = w.Act(w.ctx, w.who, threads.ClaimAct{Verb: Undoes, Act: super.ID, Claim: w.claim(bern)})
	require.ErrorIs(t, err, threads.ErrNotFound, "the act is of another claim")
	_, _, err = w.Act(w.ctx, w.who, threads.ClaimAct{Verb: Undoes, Act: super.ID, Claim: w.claim(rome)})
	require.NoError(t, err)
	w.act(Disputes, rome, oslo)
	require.Equal(t, states{rome: Conflicted, oslo: Conflicted}, w.claims())
	w.act(Confirms, oslo, "")
	require.Equal(t, states{rome: Superseded, oslo: Active}, w.claims())
	w.act(Deprecates, oslo, "")
	require.Equal(t, states{rome: Superseded, oslo: Deprecated}, w.claims())
}

// TestCorrect corrects a claim by a text in each state that the text's own claim can have, and undoes it.
func TestCorrect(t *testing.T) {
	tests := []struct {
		name  string
		setup func(w *world)
		want  states
	}{
		{"new", func(*world) {}, states{rome: Superseded, oslo: Active}},
		{"active", func(w *world) { w.state(oslo, "") }, states{rome: Superseded, oslo: Active}},
		{"suggested", func(w *world) { w.say(w.thread(), oslo); w.drain() }, states{rome: Superseded, oslo: Active}},
		{"rejected", func(w *world) { w.state(oslo, ""); w.act(Rejects, oslo, "") },
			states{rome: Superseded, oslo: Active}},
		{"its rival", func(w *world) { w.state(oslo, ""); w.act(Disputes, rome, oslo) },
			states{rome: Superseded, oslo: Active}},
		{"it had superseded it", func(w *world) { w.state(oslo, ""); w.act(Supersedes, oslo, rome) },
			states{rome: Superseded, oslo: Active}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			w := newWorld(t, threads.Models{})
			w.state(rome, "")
			test.setup(w)
			before := w.claims()
			correct := threads.ClaimAct{Verb: Supersedes, Claim: w.claim(rome), Text: oslo}
			c, act, err := w.Act(w.ctx, w.who, correct)
			require.NoError(t, err)
			require.Equal(t, []any{Superseded, rome}, []any{c.State, c.Text})
			require.Equal(t, test.want, w.claims())
			_, undo, err := w.Act(w.ctx, w.who, threads.ClaimAct{Verb: Undoes, Act: act.ID})
			require.NoError(t, err)
			require.Equal(t, before, w.claims())
			_, _, err = w.Act(w.ctx, w.who, threads.ClaimAct{Verb: Undoes, Act: undo.ID})
			require.NoError(t, err)
			require.Equal(t, test.want, w.claims())
		})
	}
	w := newWorld(t, threads.Models{})
	w.state(rome, "")
	_, _, err := w.Act(w.ctx, w.who, threads.ClaimAct{Verb: Supersedes, Claim: w.claim(rome), Text: "i live in ROME!"})
	require.ErrorIs(t, err, threads.ErrInvalid)
	_, _, err = w.Act(w.ctx, w.who, threads.ClaimAct{Verb: "praise", Claim: w.claim(rome)})
	require.ErrorIs(t, err, threads.ErrInvalid)
}

// TestForget: nothing of a forgotten claim is left, what it superseded is true again, and it is not suggested again.
func TestForget(t *testing.T) {
	w := newWorld(t, threads.Models{})
	id := w.thread()
	w.state(rome, "")
	w.state(oslo, "")
	w.act(Supersedes, rome, oslo)
	c, forget, err := w.Act(w.ctx, w.who, threads.ClaimAct{Verb: Forgets, Claim: w.claim(oslo)})
	require.NoError(t, err)
	require.Equal(t, oslo, c.Text, "as it was")
	require.Equal(t, states{rome: Active}, w.claims())
	for range 2 {
		w.say(id, oslo)
		w.drain()
		require.Equal(t, states{rome: Active}, w.claims())
	}
	var acts []threads.Act
	require.NoError(t, w.store.Threads().View(w.ctx, w.who, func(v threads.View) error {
		acts, err = v.Acts("")
		return err
	}))
	require.Len(t, acts, 2, "that of Rome, and that it was forgotten")
	_, _, err = w.Act(w.ctx, w.who, threads.ClaimAct{Verb: Forgets, Claim: w.claim(oslo)})
	require.ErrorIs(t, err, threads.ErrNotFound)
	_, err = w.AddClaim(w.ctx, w.who, threads.NewClaim{Bucket: Profile, Text: oslo, Suggest: true})
	require.ErrorIs(t, err, threads.ErrState)
	w.state(oslo, "")
	require.Equal(t, states{rome: Active, oslo: Active}, w.claims(), "a client may state it again")
	w.act(Forgets, oslo, "")
	c, _, err = w.Act(w.ctx, w.who, threads.ClaimAct{Verb: Undoes, Act: forget.ID})
	require.ErrorIs(t, err, threads.ErrNotFound, "a later one has taken its place")
	require.Equal(t, "", c.Text)
}

// TestDeletionRestores: to add A, to add B and to delete B is to add A.
func TestDeletionRestores(t *testing.T) {
	w := newWorld(t, threads.Models{})
	one, two := w.thread(), w.thread()
	a, b := w.say(one, rome)[0], w.say(two, oslo)[0]
	w.state(rome, a)
	w.state(oslo, b)
	w.drain()
	require.Equal(t, states{rome: Active, oslo: Active}, w.claims())
	w.act(Supersedes, rome, oslo)
	require.Equal(t, states{rome: Superseded, oslo: Active}, w.claims())
	gone, err := w.DeleteEvent(w.ctx, w.user, two, b)
	require.NoError(t, err)
	require.Equal(t, map[string]int64{"event": 1, "claim": 1}, gone)
	require.Equal(t, states{rome: Active}, w.claims())
	c, err := w.Claim(w.ctx, w.who, w.claim(rome))
	require.NoError(t, err)
	require.True(t, c.TrueAt(w.clock.Now()))
	require.Len(t, c.Valid, 1)
}

// TestOlderMessagesNameWhatHolds: a claim that takes no other's place leaves the message that says otherwise.
func TestOlderMessagesNameWhatHolds(t *testing.T) {
	w := newWorld(t, threads.Models{})
	w.say(w.thread(), "I live in Rome. My brother lives in Turin.")
	w.drain()
	w.clock.pass(time.Hour)
	w.state("I live in Turin", "")
	r, err := w.Retrieve(w.ctx, w.user, threads.RetrieveRequest{SearchRequest: threads.SearchRequest{
		Query: "Does anyone live in Rome?"}})
	require.NoError(t, err)
	require.Contains(t, r.Memory, `, since then "I live in Turin": I live in Rome. My brother lives in Turin.`)
	for _, b := range r.Blocks {
		if b.Kind == threads.KindEvent {
			require.Equal(t, "I live in Turin", b.Against[0].Text)
		}
	}
}
