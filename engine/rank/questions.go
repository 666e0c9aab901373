package rank

import (
	"slices"
	"strings"
	"sync"
	"time"

	"ltm/engine/trust"
	"ltm/memory"
	"ltm/memory/api"
	"ltm/text/search"
)

// A session that asks in vain, soon asks again in other words, and then opens what the second question found, has told
// what the first one was about: it is kept as a learned alias of that memory, in the clone's own data. A session may as
// well have gone on to something else, so that something must connect the first question with the memory: a word of the
// second question, a word of the memory, or that the first question found nothing at all. Learned aliases count little
// in a search (see [search.Doc]), so that no session can put a memory before one that says itself what was asked.

const (
	// trailLength and trailAge bound how many questions before an answer count, and how old they may be.
	trailLength = 4
	trailAge    = 10 * time.Minute

	// firstHits is how many hits a question may have before the memory, for it to be found by that question.
	firstHits = 3

	// askedAgain is how soon the question comes that finds the memory: what is asked later is about the next thing.
	askedAgain = 2 * time.Minute

	// atOnce is too short to read an answer and ask again: questions within it are about different things.
	atOnce = time.Second

	// answered is the score from which a question has its answer: the session went on to something else.
	answered = 0.7

	// learnedTogether is how many memories a session may open at once to have learned something.
	learnedTogether = 3

	// learnedASession bounds the aliases that a memory gets from the questions to one process.
	learnedASession = 3
)

type Questions struct {
	mu    sync.Mutex
	asked []asked
	given map[memory.ID]int // aliases by memory
	guess memory.ID         // the one memory that got questions which nothing but their time connects with it
}

// asked is one that was asked, and what it found.
type asked struct {
	text string
	hits []memory.ID
	own  map[memory.ID]bool // those of the person
	best float64            // score of the first hit
	at   time.Time
}

// Add notes a question that a session asked.
func (t *Questions) Add(q api.Query, r api.Recall, now time.Time) {
	if !q.Asked || q.Include != api.IncludeActive {
		return
	}
	asked := asked{text: q.Text, hits: make([]memory.ID, len(r.Memories)), at: now}
	for i, h := range r.Memories {
		asked.hits[i] = h.ID
		if h.Scope == api.ScopeUser {
			if asked.own == nil {
				asked.own = map[memory.ID]bool{}
			}
			asked.own[h.ID] = true
		}
	}
	if len(r.Memories) > 0 {
		asked.best = r.Memories[0].Score
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	t.asked = append(t.asked, asked)
	t.asked = t.asked[max(0, len(t.asked)-trailLength):]
}

// opened returns what a memory teaches that a session opens, and whether it is the person's. Questions up to the one
// that found it are settled then, so that none teaches more than one memory.
func (t *Questions) opened(id memory.ID, now time.Time) (lessons []lesson, own bool) {
	t.mu.Lock()
	defer t.mu.Unlock()
	last := len(t.asked) - 1
	for last >= 0 && !slices.Contains(t.asked[last].hits, id) {
		last--
	}
	if last < 0 {
		return nil, false
	}
	found := t.asked[last]
	for _, q := range t.asked[:last] {
		tie := q.tieTo(found)
		guessed := tie == byTime && t.guess != "" && t.guess != id
		had := slices.Contains(q.hits[:min(len(q.hits), firstHits)], id)
		if tie == none || guessed || now.Sub(q.at) > trailAge || had || t.given[id] >= learnedASession {
			continue
		}
		if tie == byTime {
			t.guess = id
		}
		if t.given == nil {
			t.given = map[memory.ID]int{}
		}
		t.given[id]++
		lessons = append(lessons, lesson{id, q.text, tie == byMemory})
	}
	t.asked = slices.Clone(t.asked[last+1:])
	return lessons, found.own[id]
}

// tie is what connects a question with the one that found a memory.
type tie int

const (
	none     tie = iota
	byWord       // they share a word
	byTime       // the first found nothing at all
	byMemory     // nothing, unless the memory has a word of the first
)

// tieTo returns what connects a question with a later one that found a memory.
func (q asked) tieTo(later asked) tie {
	words, others := Subjects(q.text), Subjects(later.text)
	shared, gap := SharedWords(words, others), later.at.Sub(q.at)
	same := shared == len(words) && shared == len(others)
	switch {
	case len(words) == 0 || same || q.best >= answered || gap > askedAgain:
		return none
	case shared > 0:
		return byWord
	case gap < atOnce:
		return none
	case len(q.hits) == 0:
		return byTime
	}
	return byMemory
}

// SharedWords returns how many words are in another list, too.
func SharedWords(words, others []string) (shared int) {
	for _, w := range words {
		if slices.Contains(others, w) {
			shared++
		}
	}
	return shared
}

func Subjects(text string) []string { return search.TermsOf(search.Parse(text).Text) }

// lesson is a question that a memory answers, maybe only if it has a word of it.
type lesson struct {
	id       memory.ID
	text     string
	needWord bool
}

func (l lesson) holdsFor(m memory.Memory) bool {
	if !l.needWord {
		return true
	}
	text := slices.Concat([]string{m.Topic, m.Content}, m.PlainTags(), m.Aliases)
	return SharedWords(Subjects(l.text), search.Terms(strings.Join(text, "\n"))) > 0
}

// LearnFrom notes what opening memories teaches. It is written with the count of the access. Lessons of the person's
// memories go to own, unless it is nil.
func (e *Engine) LearnFrom(own *Accesses, ids ...string) {
	if len(ids) > learnedTogether {
		return
	}
	for _, id := range ids {
		parsed, err := memory.ParseID(id)
		if err != nil {
			continue
		}
		lessons, isOwn := e.Questions.opened(parsed, e.Now())
		to := &e.Accesses
		if isOwn && own != nil {
			to = own
		}
		for _, l := range lessons {
			to.teach(l)
		}
	}
}

// withLearned returns the learned aliases of a memory with one more, or what it has if a question cannot be one.
func withLearned(m memory.Memory, known []string, text string) []string {
	clean, err := memory.NormalizeAlias(clipQuestion(search.Parse(text).Text))
	if err != nil || clean == "" || strings.EqualFold(clean, m.Topic) ||
		search.NewSnippets(search.Words(clean)).Alias([]string{clean}) == "" || // it has stop words alone
		memory.HasAlias(m.Aliases, clean) || len(trust.FindSecrets(text)) > 0 {
		return known
	}
	known = slices.DeleteFunc(slices.Clone(known), func(a string) bool { return strings.EqualFold(a, clean) })
	known = append(known, clean)
	return known[max(0, len(known)-memory.MaxAliases):]
}

// clipQuestion cuts a question between words to the length of an alias.
func clipQuestion(text string) string {
	words := strings.Fields(text)
	for i, n := 0, -1; i < len(words); i++ {
		if n += 1 + len([]rune(words[i])); n > memory.MaxAliasChars {
			return strings.Join(words[:i], " ")
		}
	}
	return strings.Join(words, " ")
}

// learned returns the learned aliases of all memories, or nil.
func (u Usage) learned() map[memory.ID][]string {
	if !u.Settings.LearnAliases {
		return nil
	}
	var all map[memory.ID][]string
	for id, st := range u.Stats {
		if st.Learned != nil {
			if all == nil {
				all = map[memory.ID][]string{}
			}
			all[id] = st.Questions()
		}
	}
	return all
}
