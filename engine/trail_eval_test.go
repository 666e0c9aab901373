package engine_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"ltm/memory"
	"ltm/memory/api"
)

// trails are scripted sessions of testdata/search/trails.json. Honest ones ask for one thing until they find a memory,
// and confused ones ask for a thing, go on to another one, and open a memory of that.
type trails struct {
	Sessions []struct {
		Kind  string
		Opens memory.ID
		Steps []string
	}
}

// The halves of a set of trails.
const (
	chosenOn = iota // where the rule was chosen
	heldOut
)

// lessons counts the sessions of one half by kind: those that taught a memory a question, and those in which a
// question before the last did not find what is opened.
func (s trails) lessons(t *testing.T, half int, stores []*fixture,
	home map[memory.ID]int) (teach, missed map[string]int) {
	t.Helper()
	teach, missed = map[string]int{}, map[string]int{}
	for i, session := range s.Sessions {
		if i%2 != half {
			continue
		}
		f := stores[home[session.Opens]]
		if slices.ContainsFunc(session.Steps[:len(session.Steps)-1], func(step string) bool {
			if step[0] == '+' {
				return false
			}
			r, err := f.Recall(f.ctx, api.Query{Text: step[1:], Limit: 3})
			require.NoError(t, err)
			return !slices.ContainsFunc(r.Memories, func(h api.Hit) bool { return h.ID == session.Opens })
		}) {
			missed[session.Kind]++
		}
		f.play(f.reopen(new(counter)), []memory.ID{session.Opens}, append(slices.Clone(session.Steps), "!0")...)
		learned := f.learned(session.Opens)
		if len(learned) > 0 {
			teach[session.Kind]++
			_, err := f.Realias(f.ctx, string(session.Opens), nil, learned)
			require.NoError(t, err)
		}
	}
	return teach, missed
}

// TestTrails holds what scripted sessions teach to what was reached, but for one session.
func TestTrails(t *testing.T) {
	const slack = 1
	var set trails
	readJSON(t, "trails.json", &set)
	for _, tt := range []struct {
		name             string
		stores, half     int
		honest, confused int // at least, at most
	}{
		{"152 memories, chosen on", 1, chosenOn, 13, 0},
		{"152 memories, held out", 1, heldOut, 6, 1},
		{"six memories each, chosen on", 25, chosenOn, 2, 4},
		{"six memories each, held out", 25, heldOut, 1, 2},
	} {
		t.Run(tt.name, func(t *testing.T) {
			stores, home := inStores(t, "memories.json", tt.stores, false)
			for _, f := range stores {
				_, err := f.ApproveAll(f.ctx)
				require.NoError(t, err)
			}
			teach, missed := set.lessons(t, tt.half, stores, home)
			t.Logf("honest: %d of %d to learn; confused: %d of %d", teach["honest"], missed["honest"],
				teach["confused"], missed["confused"])
			require.GreaterOrEqual(t, teach["honest"], tt.honest-slack)
			require.LessOrEqual(t, teach["confused"], tt.confused+slack)
		})
	}
}

// TestWrongLessonsDoLittle teaches memories the first questions of confused sessions, by a word that the last question
// gets from the first. Questions about the memories must find what they found before.
func TestWrongLessonsDoLittle(t *testing.T) {
	var set trails
	readJSON(t, "trails.json", &set)
	var asked struct {
		Queries []struct {
			Text     string `json:"q"`
			Relevant []memory.ID
		}
	}
	readJSON(t, "memories.json", &asked)
	stores, _ := inStores(t, "memories.json", 1, false)
	f := stores[0]
	_, err := f.ApproveAll(f.ctx)
	require.NoError(t, err)
	first := func() (right int) {
		for _, q := range asked.Queries {
			r, err := f.Recall(f.ctx, api.Query{Text: q.Text, Limit: 1})
			require.NoError(t, err)
			if len(r.Memories) > 0 && slices.Contains(q.Relevant, r.Memories[0].ID) {
				right++
			}
		}
		return right
	}
	before, learned := first(), 0
	for _, session := range set.Sessions {
		if session.Kind != "confused" {
			continue
		}
		question, last := session.Steps[0], session.Steps[len(session.Steps)-1][1:]
		word := slices.MaxFunc(strings.Fields(question[1:]), func(a, b string) int { return len(a) - len(b) })
		f.play(f.reopen(new(counter)), []memory.ID{session.Opens}, question, "?"+last+" "+word, "!0")
		learned += len(f.learned(session.Opens))
	}
	after := first()
	t.Logf("%d wrong lessons; right first answers to %d questions: %d before, %d after", learned, len(asked.Queries),
		before, after)
	require.GreaterOrEqual(t, learned, 20)
	require.GreaterOrEqual(t, after, before-2)
}
