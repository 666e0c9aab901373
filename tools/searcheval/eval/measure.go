package eval

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"math"
	"slices"
	"strings"
	"time"

	"ltm/text/search"
)

// Task is a set of documents and questions about them.
type Task struct {
	Docs      []Doc      `json:"docs"`
	Questions []Question `json:"queries"`
}

// Doc is a document of a task.
type Doc struct {
	ID      string    `json:"id"`
	Topic   string    `json:"topic"`
	Content string    `json:"content"`
	Tags    []string  `json:"tags"`
	Aliases []string  `json:"aliases"`
	Created time.Time `json:"created"`
}

// Question is a query with its known answers.
type Question struct {
	Text     string   `json:"q"`
	Relevant []string `json:"relevant"` // ids; empty if there is no answer
	Kind     string   `json:"kind"`
}

// Parse reads a task and refuses one whose figures would be meaningless.
func Parse(data []byte) (Task, error) {
	var t Task
	if err := json.Unmarshal(data, &t); err != nil {
		return Task{}, fmt.Errorf("not a task: %w", err)
	}
	ids, err := t.ids()
	if err != nil {
		return Task{}, err
	}
	if len(t.Questions) == 0 {
		return Task{}, errors.New(`"queries" is empty or missing, want at least one`)
	}
	for i, q := range t.Questions {
		if q.Text == "" {
			return Task{}, fmt.Errorf(`queries[%d]: "q" is empty`, i)
		}
		for _, id := range q.Relevant {
			if !ids[id] {
				return Task{}, fmt.Errorf("queries[%d]: relevant id %q is no document", i, id)
			}
		}
	}
	return t, nil
}

func (t *Task) ids() (map[string]bool, error) {
	if len(t.Docs) == 0 {
		return nil, errors.New(`"docs" is empty or missing, want at least one`)
	}
	ids := make(map[string]bool, len(t.Docs))
	for i, d := range t.Docs {
		if d.ID == "" || ids[d.ID] {
			return nil, fmt.Errorf("docs[%d]: id %q is empty or there twice", i, d.ID)
		}
		ids[d.ID] = true
	}
	return ids, nil
}

// Index puts all documents of the task into an index.
func (t *Task) Index() *search.Index {
	x := search.New()
	for _, d := range t.Docs {
		x.Put(search.Doc{ID: d.ID, Topic: d.Topic, Content: d.Content, Tags: d.Tags, Created: d.Created,
			Aliases: d.Aliases})
	}
	return x
}

// cutoff is the number of hits that are evaluated: recall's default.
const cutoff = 10

// MinScore is the lowest score that counts as a find for a question without an answer.
const MinScore = 0.5

// Report is the result of a task.
type Report struct {
	Docs     int
	MinScore float64
	All      Figures
	Kinds    map[string]*Figures
	Misses   []string // descriptions of the questions whose answer is not first
}

// Figures are the results for the questions of one kind.
type Figures struct {
	Answered               int // questions with an answer; the sums are over them
	R1, R5, R10, MRR, NDCG float64

	Unanswered int // questions without an answer
	Nothing    int // of those: nothing was found
	Quiet      int // of those: nothing of the minimum score or more was found
}

// Measure asks every question of t.
func Measure(t Task, minScore float64) *Report {
	x := t.Index()
	r := &Report{Docs: x.Len(), MinScore: minScore, Kinds: make(map[string]*Figures)}
	for _, q := range t.Questions {
		hits, _ := x.Search(search.Parse(q.Text), search.Options{Limit: cutoff})
		kind := r.Kinds[q.Kind]
		if kind == nil {
			kind = &Figures{}
			r.Kinds[q.Kind] = kind
		}
		for _, f := range []*Figures{&r.All, kind} {
			f.count(hits, q.Relevant, minScore)
		}
		if m := miss(q, hits, minScore); m != "" {
			r.Misses = append(r.Misses, m)
		}
	}
	return r
}

// miss describes what went wrong with a question, or returns "".
func miss(q Question, hits []search.Hit, minScore float64) string {
	right := func(h search.Hit) bool { return slices.Contains(q.Relevant, h.ID) }
	switch {
	case len(hits) == 0 && len(q.Relevant) > 0:
		return fmt.Sprintf("%s: %q finds nothing, want %s", q.Kind, q.Text, q.Relevant)
	case len(hits) == 0 || right(hits[0]) || len(q.Relevant) == 0 && hits[0].Score < minScore:
		return ""
	}
	m := fmt.Sprintf("%s: %q finds %s (%.2f)", q.Kind, q.Text, hits[0].ID, hits[0].Score)
	if len(q.Relevant) == 0 {
		return m + ", want nothing"
	}
	if at := slices.IndexFunc(hits, right); at >= 0 {
		return fmt.Sprintf("%s, want %s, which is at %d", m, q.Relevant, at+1)
	}
	return fmt.Sprintf("%s, want %s, which is not among the first %d", m, q.Relevant, cutoff)
}

// count adds one question.
func (f *Figures) count(hits []search.Hit, relevant []string, minScore float64) {
	if len(relevant) == 0 {
		f.Unanswered++
		if len(hits) == 0 {
			f.Nothing++
		}
		if len(hits) == 0 || hits[0].Score < minScore {
			f.Quiet++
		}
		return
	}
	f.Answered++
	var found [cutoff + 1]int // relevant ones among the first i
	var gained, possible float64
	for i := range cutoff {
		found[i+1] = found[i]
		gain := 1 / math.Log2(float64(i)+2)
		if i < len(relevant) {
			possible += gain
		}
		if i < len(hits) && slices.Contains(relevant, hits[i].ID) {
			found[i+1]++
			gained += gain
			if found[i] == 0 {
				f.MRR += 1 / float64(i+1)
			}
		}
	}
	all := float64(len(relevant))
	f.R1 += float64(found[1]) / all
	f.R5 += float64(found[5]) / all
	f.R10 += float64(found[10]) / all
	f.NDCG += gained / possible
}

// Print writes the means, one line for each kind and one for all.
func (r *Report) Print(w io.Writer) error {
	var b strings.Builder
	fmt.Fprintf(&b, "%d documents, %d questions\n", r.Docs, r.All.Answered+r.All.Unanswered)
	fmt.Fprintf(&b, "  %-16s %6s %9s %9s %9s %9s %9s\n", "kind", "n", "recall@1", "recall@5", "recall@10", "MRR",
		"nDCG@10")
	if len(r.Kinds) > 1 {
		for _, kind := range slices.Sorted(maps.Keys(r.Kinds)) {
			r.Kinds[kind].print(&b, kind)
		}
	}
	r.All.print(&b, "all")
	if n := float64(r.All.Unanswered); n > 0 {
		fmt.Fprintf(&b, "  without an answer: %d; nothing found for %.3f, nothing of %.2f or more for %.3f\n",
			r.All.Unanswered, float64(r.All.Nothing)/n, r.MinScore, float64(r.All.Quiet)/n)
	}
	_, err := io.WriteString(w, b.String())
	return err
}

func (f *Figures) print(b *strings.Builder, kind string) {
	if f.Answered == 0 {
		return
	}
	n := float64(f.Answered)
	fmt.Fprintf(b, "  %-16s %6d %9.3f %9.3f %9.3f %9.3f %9.3f\n", kind, f.Answered, f.R1/n, f.R5/n, f.R10/n, f.MRR/n,
		f.NDCG/n)
}
