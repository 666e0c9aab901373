package conversation_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	. "ltm/server/conversation"
)

// at returns the n-th minute of the tests.
func at(n int) time.Time { return time.Date(2026, 3, 1, 12, n, 0, 0, time.UTC) }

// said returns a user's event in the session s.
func said(id, session string, minute int, text string) Event {
	return Event{ID: id, Thread: "t-" + session, Session: session, Role: User, Text: text,
		Occurred: at(minute), Recorded: at(minute)}
}

func add(id string, minute int, text string) Act {
	return Act{ID: id, At: at(minute), Verb: Adds, Bucket: Profile, Text: text, Confidence: 0.9}
}

func idOf(text string) string { return ClaimID(Profile, text) }

func act(id string, minute int, v Verb, text, other string) Act {
	a := Act{ID: id, At: at(minute), Verb: v, Claim: idOf(text)}
	if other != "" {
		a.Other = idOf(other)
	}
	return a
}

// states maps the texts of claims to their states.
func states(claims []Claim) map[string]State {
	found := map[string]State{}
	for _, c := range claims {
		found[c.Text] = c.State
	}
	return found
}

func TestDerive(t *testing.T) {
	const a, b, c = "I live in Rome", "I live in Oslo", "I live in Bern"
	two := []Act{add("1", 1, a), add("2", 2, b)}
	said := []Event{said("e", "s", 0, a+".")}
	undo := func(id string, minute int, undone string) Act {
		return Act{ID: id, At: at(minute), Verb: Undoes, Undone: undone}
	}
	tests := []struct {
		name   string
		events []Event
		acts   []Act
		want   map[string]State
	}{
		{"rules suggest", said, nil, map[string]State{a: Suggested}},
		{"confirm", said, []Act{act("1", 1, Confirms, a, "")}, map[string]State{a: Active}},
		{"confirm, undone", said, []Act{act("1", 1, Confirms, a, ""), undo("2", 2, "1")},
			map[string]State{a: Suggested}},
		{"the undo undone", said, []Act{act("1", 1, Confirms, a, ""), undo("2", 2, "1"), undo("3", 3, "2")},
			map[string]State{a: Active}},
		{"reject", said, []Act{act("1", 1, Rejects, a, "")}, map[string]State{a: Rejected}},
		{"reject, undone", said, []Act{act("1", 1, Rejects, a, ""), undo("2", 2, "1")}, map[string]State{a: Suggested}},
		{"an undo of a later act is void", said, []Act{undo("1", 1, "2"), act("2", 2, Rejects, a, "")},
			map[string]State{a: Rejected}},
		{"a suggestion supersedes nothing", said, []Act{add("1", 1, b), act("2", 2, Supersedes, b, a)},
			map[string]State{a: Suggested, b: Active}},
		{"supersede", nil, append(two, act("3", 3, Supersedes, a, b)), map[string]State{a: Superseded, b: Active}},
		{"nothing supersedes itself", nil, append(two, act("3", 3, Supersedes, a, a)),
			map[string]State{a: Active, b: Active}},
		{"a mention revives nothing", nil, append(two, act("3", 3, Supersedes, a, b), add("4", 4, a)),
			map[string]State{a: Superseded, b: Active}},
		{"and back again", nil, append(two, act("3", 3, Supersedes, a, b), act("4", 4, Confirms, a, ""),
			act("5", 5, Supersedes, b, a)), map[string]State{a: Active, b: Superseded}},
		{"what superseded it was never true", nil, append(two, act("3", 3, Supersedes, a, b),
			act("4", 4, Rejects, b, "")), map[string]State{a: Active, b: Rejected}},
		{"what superseded it is no longer true", nil, append(two, act("3", 3, Supersedes, a, b),
			act("4", 4, Deprecates, b, "")), map[string]State{a: Superseded, b: Deprecated}},
		{"what superseded it is forgotten", nil, append(two, act("3", 3, Supersedes, a, b),
			act("4", 4, Forgets, b, "")), map[string]State{a: Active}},
		{"a forgotten claim can be added again", nil, append(two, act("3", 3, Forgets, b, ""), add("4", 4, b)),
			map[string]State{a: Active, b: Active}},
		{"a forgotten claim is not suggested again", said, []Act{act("1", 1, Forgets, a, "")}, map[string]State{}},
		{"dispute", nil, append(two, act("3", 3, Disputes, a, b)), map[string]State{a: Conflicted, b: Conflicted}},
		{"one of two is confirmed", nil, append(two, act("3", 3, Disputes, a, b), act("4", 4, Confirms, b, "")),
			map[string]State{a: Superseded, b: Active}},
		{"one of two is rejected", nil, append(two, act("3", 3, Disputes, a, b), act("4", 4, Rejects, b, "")),
			map[string]State{a: Active, b: Rejected}},
		{"one of three is rejected", nil, append(two, add("3", 3, c), act("4", 4, Disputes, a, b),
			act("5", 5, Disputes, c, b), act("6", 6, Rejects, c, "")),
			map[string]State{a: Conflicted, b: Conflicted, c: Rejected}},
		{"one of three is confirmed", nil, append(two, add("3", 3, c), act("4", 4, Disputes, a, b),
			act("5", 5, Disputes, c, b), act("6", 6, Confirms, b, "")),
			map[string]State{a: Superseded, b: Active, c: Superseded}},
		{"a claim of an unknown bucket", nil, []Act{{ID: "1", Verb: Adds, Bucket: "X", Text: a}}, map[string]State{}},
		{"a claim without words", nil, []Act{{ID: "1", Verb: Adds, Bucket: Profile, Text: " .?! "}},
			map[string]State{}},
		{"acts on nothing", nil, []Act{act("1", 1, Confirms, a, ""), act("2", 2, Supersedes, a, b),
			act("3", 3, Disputes, a, b), undo("4", 4, "9"), act("5", 5, Rejects, a, ""), act("6", 6, Confirms, a, "")},
			map[string]State{}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			require.Equal(t, test.want, states(Derive(History{test.events, test.acts})))
		})
	}
}

// TestNext holds the table to every pair of state and verb.
func TestNext(t *testing.T) {
	const order = "suggest add confirm reject supersede deprecate dispute"
	want := map[State]string{
		Unknown:    "suggested active - rejected - - -",
		Suggested:  "suggested active active rejected - - -",
		Active:     "active active - rejected superseded deprecated conflicted",
		Superseded: "superseded - active rejected - - -",
		Deprecated: "deprecated - active rejected - - -",
		Conflicted: "conflicted - active rejected superseded deprecated conflicted",
		Rejected:   "- - active - - - -",
	}
	for _, s := range append(States(), Unknown) {
		got := ""
		for _, v := range []Verb{Suggests, Adds, Confirms, Rejects, Supersedes, Deprecates, Disputes} {
			next, ok := Next(s, v)
			if !ok {
				next = "-"
			}
			got += " " + string(next)
		}
		require.Equal(t, " "+want[s], got, "%s: %s", s, order)
	}
}

func TestARejectedClaimIsNeverSuggestedAgain(t *testing.T) {
	const text = "I live in Rome"
	rejected := act("r", 1, Rejects, text, "")
	h := History{[]Event{said("1", "a", 0, text), said("2", "b", 2, "i live in rome!!")}, []Act{rejected}}
	require.Equal(t, map[string]State{text: Rejected}, states(Derive(h)))
	h.Events = h.Events[1:] // the text that was rejected is deleted, the decision is not
	require.Empty(t, Derive(h))
	h.Acts = append(h.Acts, act("c", 3, Confirms, text, ""))
	h.Events = append(h.Events, said("3", "c", 4, text))
	require.Equal(t, map[string]State{text: Suggested}, states(Derive(h)))
}

func TestReinforcement(t *testing.T) {
	const text = "I live in Rome"
	h := History{Events: []Event{said("1", "a", 5, text), said("2", "a", 6, text),
		said("3", "b", 7, "I LIVE in Rome.")},
		Acts: []Act{
			{ID: "1", At: at(8), Verb: Suggests, Bucket: Profile, Text: text, Event: "3", Confidence: 0.95},
			{ID: "2", At: at(9), Verb: Suggests, Bucket: Profile, Text: text, Event: "3", Confidence: 0.6},
			{ID: "3", At: at(9), Verb: Suggests, Bucket: Profile, Text: text, Event: "1", Confidence: math.NaN()},
			{ID: "4", At: at(10), Verb: Suggests, Bucket: Profile, Text: text, Event: "no such event", Confidence: 1},
			act("5", 11, Confirms, text, ""),
		}}
	claims := Derive(h)
	require.Len(t, claims, 1)
	require.Equal(t, 2, claims[0].Reinforced, "once a session")
	require.Equal(t, 0.95, claims[0].Confidence, "the highest")
	require.Len(t, claims[0].Evidence, 3)
	require.Equal(t, []Period{{From: at(5)}}, claims[0].Valid, "since it was first said")
}

func TestTrueAt(t *testing.T) {
	const a, b = "I live in Rome", "I live in Oslo"
	claims := Derive(History{Acts: []Act{add("1", 1, a), add("2", 10, b), act("3", 10, Supersedes, a, b),
		act("4", 20, Confirms, a, ""), act("5", 20, Supersedes, b, a)}})
	for _, c := range claims {
		for minute, inRome := range map[int]bool{1: true, 9: true, 10: false, 19: false, 20: true, 59: true} {
			require.Equal(t, inRome == (c.Text == a), c.TrueAt(at(minute)), "%s at %d", c.Text, minute)
		}
		require.False(t, c.TrueAt(at(0)))
	}
}

// TestPeriodsMeet: a claim is true until what took its place began, whenever that was noticed, but not before itself.
func TestPeriodsMeet(t *testing.T) {
	const a, b = "I live in Rome", "I live in Oslo"
	for _, c := range []struct {
		name string
		acts []Act
		want []Period
	}{
		{"noticed later", []Act{add("1", 1, a), add("2", 10, b), act("3", 15, Supersedes, a, b)},
			[]Period{{at(1), at(10)}}},
		{"back, and gone again", []Act{add("1", 1, a), add("2", 10, b), act("3", 15, Supersedes, a, b),
			act("4", 20, Confirms, a, ""), act("5", 25, Supersedes, a, b)},
			[]Period{{at(1), at(10)}, {at(20), at(25)}}},
		{"by what is older", []Act{add("1", 1, b), add("2", 10, a), act("3", 15, Supersedes, a, b)},
			[]Period{{at(10), at(15)}}},
		{"after a dispute", []Act{add("1", 1, a), add("2", 2, b), act("3", 10, Disputes, a, b),
			act("4", 15, Confirms, b, "")}, []Period{{at(1), at(10)}}},
		{"deprecated", []Act{add("1", 1, a), act("2", 10, Deprecates, a, "")}, []Period{{at(1), at(10)}}},
	} {
		for _, claim := range Derive(History{Acts: c.acts}) {
			if claim.Text == a {
				require.Equal(t, c.want, claim.Valid, c.name)
			}
		}
	}
}

// random returns a history of claims of few words, so that acts often meet.
func random(r *rand.Rand) History {
	var h History
	text := func() string { return fmt.Sprintf("I live in %c", 'A'+rune(r.IntN(5))) }
	for i := range 1 + r.IntN(8) {
		h.Events = append(h.Events, said(fmt.Sprint("e", i), fmt.Sprint(r.IntN(3)), r.IntN(40), text()))
	}
	verbs := []Verb{Suggests, Adds, Adds, Confirms, Rejects, Supersedes, Supersedes, Deprecates, Disputes, Forgets,
		Undoes}
	for i := range r.IntN(30) {
		a := act(fmt.Sprint("a", i), r.IntN(40), verbs[r.IntN(len(verbs))], text(), text())
		a.Bucket, a.Text, a.Confidence = Profile, text(), float64(r.IntN(10))/10
		a.Undone = fmt.Sprint("a", r.IntN(30))
		if r.IntN(2) == 0 {
			a.Event = h.Events[r.IntN(len(h.Events))].ID
		}
		h.Acts = append(h.Acts, a)
	}
	return h
}

// TestDeletedIsAsIfItHadNeverBeen compares, for random histories, what is left after all that states a claim is
// deleted with a history in which nothing ever named that claim.
func TestDeletedIsAsIfItHadNeverBeen(t *testing.T) {
	compared := 0
	for seed := range uint64(3000) {
		r := rand.New(rand.NewPCG(seed, 1))
		h := random(r)
		victim := fmt.Sprintf("I live in %c", 'A'+rune(r.IntN(5)))
		gone := map[string]bool{}
		var deleted, never History
		for _, e := range h.Events {
			if gone[e.ID] = e.Text == victim; !gone[e.ID] {
				deleted.Events, never.Events = append(deleted.Events, e), append(never.Events, e)
			}
		}
		undone := map[string]bool{}
		for _, a := range h.Acts {
			states := a.Verb == Suggests || a.Verb == Adds
			if states && a.Text == victim || a.Verb == Undoes { // what undoes is another test
				undone[a.ID] = true
				continue
			}
			deleted.Acts = append(deleted.Acts, a)
			if !gone[a.Event] && (states || a.Claim != idOf(victim) && (a.Other != idOf(victim) ||
				a.Verb != Supersedes && a.Verb != Disputes)) {
				never.Acts = append(never.Acts, a)
			}
		}
		want := Derive(never)
		require.Equal(t, want, Derive(deleted), "seed %d", seed)
		if !slices.EqualFunc(want, Derive(h), func(a, b Claim) bool { return a.ID == b.ID && a.State == b.State }) {
			compared++
		}
	}
	require.Greater(t, compared, 1000, "most deletions change something")
}

// TestRandomHistories holds what must be so in any state, and that the order of the input does not matter.
func TestRandomHistories(t *testing.T) {
	seen := map[State]int{}
	for seed := range uint64(2000) {
		r := rand.New(rand.NewPCG(seed, 2))
		h := random(r)
		claims := Derive(h)
		byID := map[string]Claim{}
		for _, c := range claims {
			byID[c.ID] = c
		}
		for _, c := range claims {
			seen[c.State]++
			require.NotEmpty(t, c.Evidence)
			require.LessOrEqual(t, c.Reinforced, len(c.Evidence))
			require.Equal(t, c.State == Superseded, c.SupersededBy != "")
			require.Equal(t, c.State == Conflicted, len(c.Against) > 0)
			require.Equal(t, c.State == Active, len(c.Valid) > 0 && c.Valid[len(c.Valid)-1].To.IsZero())
			for i, p := range c.Valid {
				require.False(t, !p.To.IsZero() && p.To.Before(p.From))
				if i > 0 && c.Valid[i-1].To.After(c.Valid[i-1].From) { // empty where a client's clock was ahead
					require.False(t, p.From.Before(c.Valid[i-1].To), "they overlap")
				}
			}
			for _, id := range c.Against {
				require.Contains(t, byID[id].Against, c.ID)
			}
		}
		shuffled := History{slices.Clone(h.Events), slices.Clone(h.Acts)}
		r.Shuffle(len(shuffled.Events), func(i, j int) {
			shuffled.Events[i], shuffled.Events[j] = shuffled.Events[j], shuffled.Events[i]
		})
		r.Shuffle(len(shuffled.Acts), func(i, j int) {
			shuffled.Acts[i], shuffled.Acts[j] = shuffled.Acts[j], shuffled.Acts[i]
		})
		require.Equal(t, claims, Derive(shuffled), "seed %d", seed)
	}
	for _, s := range States() {
		require.Greater(t, seen[s], 20, s)
	}
}
