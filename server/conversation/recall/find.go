package recall

import (
	"cmp"
	"fmt"
	"math"
	"regexp"
	"slices"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"ltm/text/search"
)

// Query is a question.
type Query struct {
	Text   string                  // plain words, without syntax
	Kinds  []Kind                  // none: all
	Thread string                  // only events and summaries of it; "" all
	Until  time.Time               // only events and summaries not after it; zero: all
	When   func(at time.Time) bool // whether the question asks for that time; nil: it names none
	Claims func(id string) bool    // which claims may answer; nil: all
	Limit  int                     // of each kind; 0: all
	Least  float64                 // score
	// Widen adds the events around the first ones that were found, a little behind each: what was said next to an
	// answer explains it, or is the answer.
	Widen bool
	Near  []Near // what vectors found, nearest first; empty without vectors
	// Weight is what vectors count beside words, 0..1.
	Weight float64
}

// Near is a row whose vector is near to that of the question.
type Near struct {
	Kind   Kind
	ID     string
	Cosine float64
}

// Found is a row that answers a question.
type Found struct {
	Kind Kind
	ID   string
	// Score is how much of the question it answers, 0..1: see [search.Hit], or the cosine if that is greater.
	Score  float64
	Cosine float64 // 0 if no vector found it
	Words  bool    // words found it, its own or those of its neighbors
	Beside string  // the event next to which it was said, if it has its place because of that

	order float64
	place int // among equals
}

const (
	// rankOffset is the offset of the fusion of two orders: 1/(offset+rank) of each is summed. 60 is the value of its
	// authors, Cormack, Clarke and Büttcher (SIGIR 2009), and the order depends little on it.
	rankOffset = 60
	// leastCosine is the nearness below which a vector finds nothing: the nearest row of a thousand unrelated ones is
	// always somewhere. It is below what common models give to related texts.
	leastCosine = 0.25
	// agentBonus is what an event gains that was said by someone whom the question names: more than a word in a
	// question of eight. It and the half weight of the name itself were chosen on half of LoCoMo and confirmed on the
	// other half.
	agentBonus = 0.15
	// timeBonus is what an event gains that was said at the time which the question names. More than the best of other
	// times have of a word, so that among what has some word of the question, the time decides.
	timeBonus = 0.5
)

// Find returns what answers a question, best first. Equal rows are ordered by kind, as [Kinds] has them, then the
// newest first.
func (x *Index) Find(q Query) []Found {
	words := search.Words(q.Text).Ready()
	var all []Found
	for _, kind := range Kinds() {
		if len(q.Kinds) > 0 && !slices.Contains(q.Kinds, kind) {
			continue
		}
		var found []Found
		if kind == Event {
			found = x.findEvents(q, words)
		} else {
			found = x.findNotes(kind, q, words)
		}
		near := x.nearest(kind, q)
		if kind == Event && q.Widen { // each by its own scores: fused ranks say too little of how good a row is
			found, near = x.widen(q, found), x.widen(q, near)
		}
		found = fuse(found, near, q.Weight)
		for i := range found {
			found[i].place = i
		}
		all = append(all, slices.DeleteFunc(found, func(f Found) bool { return f.Score < q.Least })...)
	}
	slices.SortStableFunc(all, func(a, b Found) int { return cmp.Compare(b.order, a.order) })
	return all
}

// Enough returns how many rows are looked at for a context of a size in tokens: more than fit, so that short ones can
// take the room that long ones leave.
func Enough(budget int) int { return min(20+budget/12, 400) }

func (x *Index) findEvents(q Query, words search.Query) []Found {
	o := search.Options{Limit: q.Limit}
	if q.Thread != "" || !q.Until.IsZero() {
		allows := x.allowed(q)
		o.Keep = func(id string) bool { return allows(x.rowOf(id)) }
	}
	named := x.named(q.Text)
	favors := len(named) > 0 || q.When != nil
	if favors && q.Limit > 0 {
		o.Limit = 2 * q.Limit
	}
	hits, _ := x.events.Search(words, o)
	if rest := x.withoutNames(q.Text, named); rest != q.Text {
		others, _ := x.events.Search(search.Words(rest), o)
		hits = halfway(hits, others)
	}
	found := make([]Found, len(hits))
	for i, h := range hits {
		r := x.rowOf(h.ID)
		found[i] = Found{Kind: Event, ID: r.id, Score: h.Score, Words: true, order: h.Score}
		if r.agent > 0 && named[r.agent] {
			found[i].order += agentBonus
		}
		if q.When != nil && q.When(time.UnixMicro(r.at).UTC()) {
			found[i].order += timeBonus
		}
	}
	if favors {
		slices.SortStableFunc(found, func(a, b Found) int { return cmp.Compare(b.order, a.order) })
		if q.Limit > 0 {
			found = found[:min(len(found), q.Limit)]
		}
	}
	return found
}

// allowed returns which events may answer.
func (x *Index) allowed(q Query) func(*row) bool {
	thread, until := x.threads[q.Thread], int64(math.MaxInt64)
	if !q.Until.IsZero() {
		until = q.Until.UnixMicro()
	}
	return func(r *row) bool { return (q.Thread == "" || r.thread == thread) && r.at <= until }
}

// named returns the agents whom a question names.
func (x *Index) named(text string) map[uint16]bool {
	if len(x.agents) == 0 {
		return nil
	}
	asked := search.Terms(text)
	var out map[uint16]bool
	for i, name := range x.agents {
		terms := search.TermsOf(name)
		if len(terms) > 0 && !slices.ContainsFunc(terms, func(t string) bool { return !slices.Contains(asked, t) }) {
			if out == nil {
				out = map[uint16]bool{}
			}
			out[uint16(i+1)] = true
		}
	}
	return out
}

// withoutNames returns a question without the names of agents, where it has them as they are written, with a capital
// letter: "Support" may be an agent, and "support" is a word. Who said something rarely says their own name.
func (x *Index) withoutNames(text string, named map[uint16]bool) string {
	for n := range named {
		name := x.agents[n-1]
		if first, _ := utf8.DecodeRuneInString(name); unicode.IsUpper(first) {
			text = regexp.MustCompile(`(^|[^\pL\pN\pM])`+regexp.QuoteMeta(name)+`(?:['’]s)?($|[^\pL\pN\pM])`).
				ReplaceAllString(text, "$1 $2")
		}
	}
	return text
}

// halfway returns the hits of two questions, in no order, with the means of their scores. If the second has none, they
// are those of the first.
func halfway(first, second []search.Hit) []search.Hit {
	if len(second) == 0 {
		return first
	}
	place := make(map[string]int, len(first))
	for i := range first {
		place[first[i].ID] = i
		first[i].Score /= 2
	}
	for _, h := range second {
		h.Score /= 2
		if i, ok := place[h.ID]; ok {
			first[i].Score += h.Score
		} else {
			first = append(first, h)
		}
	}
	return first
}

func (x *Index) findNotes(kind Kind, q Query, words search.Query) []Found {
	n := x.notes[kind]
	hits, _ := n.words.Search(words, search.Options{Limit: q.Limit,
		Keep: func(id string) bool { return n.allows(kind, q, id) }})
	found := make([]Found, len(hits))
	for i, h := range hits {
		found[i] = Found{Kind: kind, ID: h.ID, Score: h.Score, Words: true, order: h.Score}
	}
	return found
}

func (n *notes) allows(kind Kind, q Query, id string) bool {
	if kind == Claim {
		return q.Claims == nil || q.Claims(id)
	}
	note := n.byID[id]
	return (q.Thread == "" || note.Thread == q.Thread) && (q.Until.IsZero() || !note.At.After(q.Until))
}

// nearest returns the rows of a kind that vectors found and that may answer.
func (x *Index) nearest(kind Kind, q Query) []Found {
	var found []Found
	allows := x.allowed(q)
	for _, near := range q.Near {
		ok := near.Kind == kind && near.Cosine >= leastCosine
		switch {
		case !ok:
		case kind == Event:
			var n uint32
			n, ok = x.numbers()[near.ID]
			ok = ok && allows(&x.rows[n])
		default:
			_, ok = x.notes[kind].byID[near.ID]
			ok = ok && x.notes[kind].allows(kind, q, near.ID)
		}
		if ok {
			found = append(found, Found{Kind: kind, ID: near.ID, Score: near.Cosine, Cosine: near.Cosine,
				order: near.Cosine})
		}
	}
	return found
}

// fuse adds what vectors found to the order of words, by rank and with a weight. What words found well moves little,
// because a vector adds no more than words left of the question: vectors that count alike take the place of words,
// however weak the model. What vectors alone found also gets the place that the sum of 1/(offset+rank) of both orders
// gives it. Without vectors the order of words remains as it is.
func fuse(byWords, byVector []Found, weight float64) []Found {
	if len(byVector) == 0 || weight == 0 {
		return byWords
	}
	place, left := make(map[string]int, len(byWords)), 1.0
	orders := make([]float64, len(byWords))
	for i, f := range byWords {
		place[f.ID], orders[i] = i, f.order
		left = min(left, max(0, 1-f.order))
	}
	all := byWords
	for rank, f := range byVector {
		worth := weight * left / float64(1+rank)
		if i, ok := place[f.ID]; ok {
			all[i].order += worth
			all[i].Cosine = f.Cosine
			all[i].Score = max(all[i].Score, f.Score)
			continue
		}
		f.order = worth
		if i := int(float64(rankOffset+rank)/weight) - rankOffset; i < len(orders) {
			f.order = max(f.order, orders[i])
		}
		all = append(all, f)
	}
	slices.SortStableFunc(all, func(a, b Found) int {
		return cmp.Or(cmp.Compare(b.order, a.order), cmp.Compare(b.Score, a.Score), strings.Compare(a.ID, b.ID))
	})
	return all
}

const (
	// wideners is how many of the events that were found lift those around them. A context has room for fewer.
	wideners = 30
	// reach is how far around a found event a context is widened: an answer is rarely further from what it answers.
	reach = 4
	// nextTo is what an event is worth by one that was found next to it, and of that again with each further step. An
	// event before it is worth a share of one behind it, since what follows answers more often. The values were
	// chosen on half of LoCoMo and confirmed on the other half (docs/conversation-eval.md); others near to them do as
	// well.
	nextTo, before = 0.8, 0.9
)

// widen adds the events around the first of those that were found, and lifts those of them that were found, too.
func (x *Index) widen(q Query, found []Found) []Found {
	if len(found) == 0 {
		return found
	}
	numbers, place := x.numbers(), map[uint32]int{}
	for i, f := range found {
		place[numbers[f.ID]] = i
	}
	hits, allows := slices.Clone(found[:min(len(found), wideners)]), x.allowed(q)
	worth := 1.0
	for distance := 1; distance <= reach; distance++ {
		worth *= nextTo
		for _, f := range hits {
			rows := x.rows[numbers[f.ID]].thread.rows
			at, _ := slices.BinarySearch(rows, numbers[f.ID])
			for _, n := range [...]struct {
				at    int
				worth float64
			}{{at + distance, worth}, {at - distance, worth * before}} {
				if n.at < 0 || n.at >= len(rows) {
					continue
				}
				row := rows[n.at]
				i, ok := place[row]
				switch {
				case ok && found[i].Score >= q.Least && found[i].order < n.worth*f.order:
					found[i].order, found[i].Beside = n.worth*f.order, f.ID
				case !ok && n.worth*f.Score >= q.Least && allows(&x.rows[row]):
					place[row] = len(found)
					found = append(found, Found{Kind: Event, ID: x.rows[row].id, Score: n.worth * f.Score, Beside: f.ID,
						order: n.worth * f.order})
				}
			}
		}
	}
	slices.SortStableFunc(found, func(a, b Found) int { return cmp.Compare(b.order, a.order) })
	if q.Limit > 0 {
		found = found[:min(len(found), q.Limit)]
	}
	return found
}

// Reasons says why a question found a row; text is the row's own.
func (f Found) Reasons(question Asked, text string) []string {
	var out []string
	if in := question.in(text); len(in) > 0 {
		out = append(out, "words: "+strings.Join(in, ", "))
	} else if f.Words {
		out = append(out, "words: beside it")
	}
	if f.Beside != "" {
		out = append(out, "said next to "+f.Beside)
	}
	if f.Cosine > 0 {
		out = append(out, fmt.Sprintf("near in meaning: %.2f", f.Cosine))
	}
	return out
}

// maxShared is the number of words that a reason lists.
const maxShared = 8

// Asked is the words of a question, for the reasons of many rows.
type Asked struct {
	words []string
	terms [][]string // by word
}

// Ask analyzes a question.
func Ask(question string) Asked {
	var a Asked
	all := search.TermsOf(question) // without stop words
	for word := range strings.FieldsFuncSeq(question, isSpace) {
		terms := slices.DeleteFunc(search.TermsOf(word), func(t string) bool { return !slices.Contains(all, t) })
		if len(terms) > 0 && !slices.Contains(a.words, word) {
			a.words, a.terms = append(a.words, word), append(a.terms, terms)
		}
	}
	return a
}

// in returns the words of the question that a text has, in any inflection, as they are asked.
func (a Asked) in(text string) []string {
	if len(a.words) == 0 {
		return nil
	}
	own := search.Terms(text)
	var out []string
	for i, word := range a.words {
		has := slices.ContainsFunc(a.terms[i], func(t string) bool { return slices.Contains(own, t) })
		if has && len(out) < maxShared {
			out = append(out, word)
		}
	}
	return out
}

func isSpace(r rune) bool { return !unicode.In(r, unicode.L, unicode.N, unicode.M) }
