package conveval_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func conversations(t *testing.T, name string) Set {
	data, err := os.ReadFile(filepath.Join("..", "..", "testdata", "conversation", name))
	require.NoError(t, err)
	s, err := Parse(data)
	require.NoError(t, err)
	return s
}

// The floors are a little below what is reached, so that a change which loses more than two questions is seen.
func TestOwnConversations(t *testing.T) {
	s := conversations(t, "own.json")
	require.Len(t, s.Users, 3)
	require.Len(t, s.Categories, 5)
	require.Zero(t, s.Malformed+s.Mended+s.Without)
	for _, c := range []struct {
		name                                            string
		pile                                            bool
		r5, r10, mrr, recall500, recall1000, recall2000 float64
	}{
		{"each user", false, 0.58, 0.72, 0.51, 0.87, 0.90, 0.90},
		{"all in one pile", true, 0.58, 0.70, 0.48, 0.83, 0.88, 0.90},
	} {
		t.Run(c.name, func(t *testing.T) {
			r := Measure(s, Options{Pile: c.pile})
			var out strings.Builder
			require.NoError(t, r.Print(&out, c.name, s.Categories))
			f, n := r.Answered, float64(r.Answered.N)
			require.Equal(t, 81, f.N)
			require.GreaterOrEqual(t, f.R5/n, c.r5, out.String())
			require.GreaterOrEqual(t, f.R10/n, c.r10, out.String())
			require.GreaterOrEqual(t, f.MRR/n, c.mrr, out.String())
			for budget, least := range map[int]float64{500: c.recall500, 1000: c.recall1000, 2000: c.recall2000} {
				require.GreaterOrEqual(t, f.Composed[budget].Recall/n, least, "%d tokens\n%s", budget, &out)
				require.LessOrEqual(t, f.Composed[budget].Tokens, budget*f.N)
			}
			// of the questions without an answer, most have nothing that answers half of them
			none := r.By["5 unanswerable"]
			require.LessOrEqual(t, float64(none.Context[0.5])/float64(none.N), 0.2, out.String())
		})
	}
}

// TestQuestionsInOtherWords asks what words alone mostly miss, and what vectors add by their weight.
func TestQuestionsInOtherWords(t *testing.T) {
	s := conversations(t, "hard.json")
	require.Zero(t, s.Malformed+s.Mended+s.Without)
	words := Measure(s, Options{}).Answered
	require.Equal(t, 60, words.N)
	require.GreaterOrEqual(t, words.R10, 0.12*60)
	require.GreaterOrEqual(t, words.Composed[2000].Recall, 0.30*60)

	knowing := Vectors{} // of a model that puts a question beside its answers
	for i, text := range s.Texts() {
		v := make([]float32, 1024)
		v[i] = 1
		knowing[text] = v
	}
	for _, u := range s.Users {
		texts := map[string]string{}
		for _, turn := range u.Turns {
			texts[turn.ID] = turn.Text
		}
		for _, q := range u.Questions {
			knowing[q.Text] = knowing[texts[q.Evidence[0]]]
		}
	}
	require.Equal(t, words, Measure(s, Options{Vectors: knowing}).Answered, "they count nothing")
	some := Measure(s, Options{Vectors: knowing, Weight: 0.3}).Answered
	full := Measure(s, Options{Vectors: knowing, Weight: 1}).Answered
	require.Greater(t, some.R10, 2*words.R10)
	require.GreaterOrEqual(t, full.R10, some.R10)
	require.GreaterOrEqual(t, full.R10, 0.95*60)
}

const turns = `"conversation":{"speaker_a":"Ann","speaker_b":"Bo","session_2":[{"speaker":"Bo","dia_id":"D2:1",` +
	`"text":"Look!","blip_caption":"a red boat"}],"session_1":[{"speaker":"Ann","dia_id":"D1:1","text":"I sail."},` +
	`{"speaker":"Bo","dia_id":"D1:2","text":"Where?"}],"session_1_date_time":"1:56 pm on 8 May, 2023",` +
	`"session_2_date_time":"soon","session_3_date_time":"never"}`

func TestLoCoMo(t *testing.T) {
	for _, c := range []struct {
		name, evidence             string
		want                       []string
		malformed, mended, without int
	}{
		{"good", `["D1:1","D2:1"]`, []string{"s/D1:1", "s/D2:1"}, 0, 0, 0},
		{"twice", `["D1:1","D1:1"]`, []string{"s/D1:1"}, 0, 0, 0},
		{"two in one", `["D1:1; D2:1"]`, []string{"s/D1:1", "s/D2:1"}, 0, 1, 0},
		{"two in one by a space", `["D1:2 D2:1","D1:1"]`, []string{"s/D1:1", "s/D1:2", "s/D2:1"}, 0, 1, 0},
		{"a colon too many", `["D:1:2"]`, []string{"s/D1:2"}, 0, 1, 0},
		{"a zero too many", `["D1:02"]`, []string{"s/D1:2"}, 0, 1, 0},
		{"not a list", `"D1:2"`, []string{"s/D1:2"}, 0, 0, 0},
		{"alone", `["D","D1:2"]`, []string{"s/D1:2"}, 1, 0, 0},
		{"no such turn", `["D7:7","D1:2"]`, []string{"s/D1:2"}, 1, 0, 0},
		{"only malformed", `["D"]`, nil, 1, 0, 1},
		{"none", `[]`, nil, 0, 0, 1},
	} {
		t.Run(c.name, func(t *testing.T) {
			s, err := Parse([]byte(`[{"sample_id":"s",` + turns + `,"qa":[{"question":"what?","category":2,` +
				`"answer":7,"evidence":` + c.evidence + `},{"question":"who?","category":5,` +
				`"adversarial_answer":"x","evidence":["D1:1"]}]}]`))
			require.NoError(t, err)
			require.Equal(t, []int{c.malformed, c.mended, c.without}, []int{s.Malformed, s.Mended, s.Without})
			q := s.Users[0].Questions
			require.False(t, q[len(q)-1].Answered)
			require.Empty(t, q[len(q)-1].Evidence)
			if c.want != nil {
				require.Equal(t, c.want, q[0].Evidence)
				require.Equal(t, "2 temporal", q[0].Category)
			}
			u := s.Users[0]
			require.Len(t, u.Turns, 3, "in the order of the sessions")
			require.Equal(t, "2023-05-08T13:56:01Z", u.Turns[1].At.Format("2006-01-02T15:04:05Z07:00"))
			require.Equal(t, "Look! [picture: a red boat]", u.Turns[2].Text)
			require.True(t, u.Turns[2].At.IsZero())
		})
	}
}

func TestLongMemEval(t *testing.T) {
	const sample = `"question_type":"multi-session","question":"How old is the cat?","haystack_dates":` +
		`["2023/05/30 (Tue) 23:40","x"],"haystack_session_ids":["a","b"],"haystack_sessions":[[{"role":"user",` +
		`"content":"My cat is nine.","has_answer":true},{"role":"assistant","content":"Nice."}],` +
		`[{"role":"user","content":"Hello."}]],"answer_session_ids":["a"]`
	s, err := Parse([]byte(`[{"question_id":"q1",` + sample + `},{"question_id":"q2_abs",` + sample + `}]`))
	require.NoError(t, err)
	require.Equal(t, []string{"multi-session", "unanswerable"}, s.Categories)
	require.Equal(t, []string{"a/0"}, s.Users[0].Questions[0].Evidence)
	require.False(t, s.Users[1].Questions[0].Answered)
	require.Equal(t, 2023, s.Users[0].Turns[0].At.Year())

	alone, pile := Measure(s, Options{}), Measure(s, Options{Pile: true})
	require.Equal(t, 6, alone.Turns)
	require.Equal(t, 3, pile.Turns, "a session that two users have is there once")
	require.Equal(t, 1.0, alone.Answered.MRR)
	require.Equal(t, 1.0, pile.Answered.Composed[500].All)
}

func TestRefused(t *testing.T) {
	for name, c := range map[string]struct{ file, want string }{
		"not JSON":        {`{`, "not a list of samples"},
		"not a list":      {`{"a":1}`, "not a list of samples"},
		"empty":           {`[]`, "no question"},
		"another form":    {`[{"docs":[]}]`, `sample 0: neither "conversation" nor "haystack_sessions"`},
		"a category":      {`[{` + turns + `,"qa":[{"question":"q","category":9}]}]`, "category 9; there are 1 to 5"},
		"a session":       {`[{"conversation":{"session_1":7},"qa":[]}]`, "session_1:"},
		"sessions' names": {`[{"haystack_sessions":[[]],"haystack_session_ids":[]}]`, "0 session ids for 1 sessions"},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := Parse([]byte(c.file))
			require.ErrorContains(t, err, c.want)
		})
	}
}

func FuzzParse(f *testing.F) {
	f.Add([]byte(`[{` + turns + `,"qa":[{"question":"q","category":1,"evidence":["D:1:1","D1:1"]}]}]`))
	f.Fuzz(func(t *testing.T, data []byte) {
		s, err := Parse(data)
		if err != nil {
			return
		}
		r := Measure(s, Options{Pile: true})
		require.LessOrEqual(t, r.Answered.MRR, float64(r.Answered.N)+1e-9)
	})
}
