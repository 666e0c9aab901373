package conveval_test

import (
	"cmp"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"ltm/server/conversation"
	"ltm/server/conversation/recall"
	"ltm/server/provider"
)

// Budgets are the sizes of contexts that are composed, in tokens.
func Budgets() []int { return []int{500, 1000, 2000} }

// Thresholds are the least scores at which it is counted which questions get a context.
func Thresholds() []float64 { return []float64{0, 0.2, 0.3, 0.4, 0.5} }

// ranks is how far down the order of turns is looked at.
const ranks = 100

// Figures are sums over the questions of a category.
type Figures struct {
	N            int
	R5, R10, MRR float64           // share of the evidence among the first 5 and 10; one over the first one's rank
	Composed     map[int]*Composed // by budget
	Context      map[float64]int   // questions that get a context, by threshold
}

// Composed are sums over contexts of one size.
type Composed struct {
	Recall, Any, All float64 // share of the evidence in the context; contexts with any of it, and with all
	Tokens           int
}

func newFigures() *Figures {
	f := &Figures{Composed: map[int]*Composed{}, Context: map[float64]int{}}
	for _, b := range Budgets() {
		f.Composed[b] = &Composed{}
	}
	return f
}

// Report is what was measured, by category. Answered sums up the questions with an answer.
type Report struct {
	Memories int
	Turns    int
	By       map[string]*Figures
	Answered *Figures
}

// Options are ways to measure.
type Options struct {
	Pile     bool // ask one memory that has the turns of all users
	Nameless bool // the memory does not know who said a turn

	Vectors Vectors // nil: words alone find
	Weight  float64 // of vectors
}

// Vectors has the vectors of texts, by text, all of the same model.
type Vectors map[string][]float32

// near returns the turns that are nearest to a question, as many as a server looks at, nearest first.
func (v Vectors) near(question string, turns map[string]Turn) []recall.Near {
	all := make([]recall.Near, 0, len(turns))
	for id, t := range turns {
		all = append(all, recall.Near{Kind: recall.Event, ID: id, Cosine: provider.Cosine(v[question], v[t.Text])})
	}
	slices.SortFunc(all, func(a, b recall.Near) int {
		return cmp.Or(cmp.Compare(b.Cosine, a.Cosine), cmp.Compare(a.ID, b.ID))
	})
	return all[:min(len(all), nearest)]
}

// nearest is how many rows a server takes from vectors.
const nearest = 200

// Measure asks all questions, each of its own user's memory unless the options say otherwise.
func Measure(s Set, o Options) Report {
	r := Report{By: map[string]*Figures{}, Answered: newFigures()}
	for _, c := range s.Categories {
		r.By[c] = newFigures()
	}
	users := s.Users
	if o.Pile {
		users = []User{{ID: "all"}}
		seen := map[string]bool{}
		for _, u := range s.Users {
			users[0].Questions = append(users[0].Questions, u.Questions...)
			for _, t := range u.Turns {
				if !seen[t.ID] {
					seen[t.ID] = true
					users[0].Turns = append(users[0].Turns, t)
				}
			}
		}
	}
	for _, u := range users {
		m := newMemory(u.Turns, o)
		r.Memories++
		r.Turns += len(m.turns)
		for _, q := range u.Questions {
			into := []*Figures{r.By[q.Category]}
			if q.Answered {
				into = append(into, r.Answered)
			}
			m.ask(q, into)
		}
	}
	return r
}

// memory is the memory of a user.
type memory struct {
	index *recall.Index
	turns map[string]Turn
	o     Options
}

func newMemory(turns []Turn, o Options) memory {
	m := memory{recall.New(), map[string]Turn{}, o}
	// as they were said: the sessions of a pile are mixed, as those of many users are
	turns = slices.Clone(turns)
	slices.SortStableFunc(turns, func(a, b Turn) int { return a.At.Compare(b.At) })
	for i, t := range turns {
		m.turns[t.ID] = t
		said := recall.Said{ID: t.ID, Thread: t.Session, Seq: int64(i + 1), Text: t.Text, At: t.At}
		if !o.Nameless {
			said.Agent = t.Speaker
		}
		m.index.Put(said)
	}
	return m
}

func (m memory) find(q Question, limit int, widen bool) []recall.Found {
	query := recall.Query{Text: q.Text, Kinds: []recall.Kind{recall.Event}, Limit: limit, Widen: widen,
		Weight: m.o.Weight}
	if m.o.Vectors != nil {
		query.Near = m.o.Vectors.near(q.Text, m.turns)
	}
	return m.index.Find(query)
}

func (m memory) ask(q Question, into []*Figures) {
	found := m.find(q, ranks, false)
	best := 0.0
	for _, f := range found {
		best = max(best, f.Score)
	}
	for _, f := range into {
		f.N++
		f.rank(found, q.Evidence)
		for _, t := range Thresholds() {
			if len(found) > 0 && best >= t {
				f.Context[t]++
			}
		}
	}
	if !q.Answered {
		return
	}
	for _, budget := range Budgets() {
		c := m.compose(q, budget)
		shown := map[string]bool{}
		for _, p := range c.Placed {
			shown[p.ID] = true
		}
		n := 0
		for _, id := range q.Evidence {
			if shown[id] {
				n++
			}
		}
		for _, f := range into {
			f.Composed[budget].count(n, len(q.Evidence), c.Tokens)
		}
	}
}

// compose puts together what a server without a model gives for the question.
func (m memory) compose(q Question, budget int) conversation.Context {
	r := conversation.Request{Budget: budget, AsOf: time.Unix(0, 0)}
	for i, f := range m.find(q, recall.Enough(budget), true) {
		t := m.turns[f.ID]
		r.Hits = append(r.Hits, conversation.Hit{Event: f.ID, Role: conversation.Role(t.Speaker), Text: t.Text,
			At: t.At, Score: 1 / float64(i+1)})
	}
	return conversation.Compose(r)
}

func (c *Composed) count(n, of, tokens int) {
	c.Tokens += tokens
	c.Recall += float64(n) / float64(of)
	if n > 0 {
		c.Any++
	}
	if n == of {
		c.All++
	}
}

func (f *Figures) rank(found []recall.Found, evidence []string) {
	first := 0
	for i, hit := range found {
		if !slices.Contains(evidence, hit.ID) {
			continue
		}
		first = cmp.Or(first, i+1)
		share := 1 / float64(len(evidence))
		if i < 5 {
			f.R5 += share
		}
		if i < 10 {
			f.R10 += share
		}
	}
	if first > 0 {
		f.MRR += 1 / float64(first)
	}
}

// Print writes the means as a table.
func (r Report) Print(w io.Writer, title string, categories []string) error {
	var b strings.Builder
	fmt.Fprintf(&b, "%s: %d memories, %d turns\n", title, r.Memories, r.Turns)
	fmt.Fprintf(&b, "  %-26s %5s %6s %6s %6s", "category", "n", "R@5", "R@10", "MRR")
	for _, budget := range Budgets() {
		fmt.Fprintf(&b, " | %4d: %6s %6s %6s", budget, "recall", "any", "all")
	}
	b.WriteByte('\n')
	for _, c := range categories {
		r.By[c].print(&b, c)
	}
	r.Answered.print(&b, "with an answer")
	fmt.Fprintf(&b, "  questions that get a context, by threshold:\n  %-26s", "")
	for _, t := range Thresholds() {
		fmt.Fprintf(&b, " %6.2f", t)
	}
	b.WriteByte('\n')
	for _, c := range categories {
		if r.By[c].Composed[Budgets()[0]].Tokens == 0 { // without an answer
			r.By[c].contexts(&b, c)
		}
	}
	r.Answered.contexts(&b, "with an answer")
	_, err := io.WriteString(w, b.String())
	return err
}

func (f *Figures) print(b *strings.Builder, name string) {
	n := float64(f.N)
	if f.N == 0 || f.Composed[Budgets()[0]].Tokens == 0 && f.MRR == 0 {
		return
	}
	fmt.Fprintf(b, "  %-26s %5d %6.3f %6.3f %6.3f", name, f.N, f.R5/n, f.R10/n, f.MRR/n)
	for _, budget := range Budgets() {
		c := f.Composed[budget]
		fmt.Fprintf(b, " | %5s %6.3f %6.3f %6.3f", "", c.Recall/n, c.Any/n, c.All/n)
	}
	b.WriteByte('\n')
}

func (f *Figures) contexts(b *strings.Builder, name string) {
	if f.N == 0 {
		return
	}
	fmt.Fprintf(b, "  %-26s", name)
	for _, t := range Thresholds() {
		fmt.Fprintf(b, " %6.3f", float64(f.Context[t])/float64(f.N))
	}
	b.WriteByte('\n')
}
