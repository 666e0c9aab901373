package conversation

import (
	"cmp"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"ltm/secrets"
)

const (
	// recentShare is the share of the budget, as parts of 5, that recent events may take before memory is placed.
	// Both sides get what the other leaves. A conversation needs its own last turns more than its memory, but without
	// a limit a long conversation would push memory out.
	recentShare = 3
	// maxHit is the longest passage of a hit in characters: two or three sentences.
	maxHit = 400
	// maxReaction is the longest quotation of an answer with a reaction in characters; it only has to be recognized.
	maxReaction = 120
	// maxReactions is the number of reactions: older ones say little about the answer that comes next.
	maxReactions = 8
)

// Tokens estimates the tokens of a text without a tokenizer: four ASCII characters to a token, and one other
// character. It estimates too many rather than too few for most models.
func Tokens(text string) int {
	ascii, other := 0, 0
	for _, r := range text {
		if r < utf8.RuneSelf {
			ascii++
		} else {
			other++
		}
	}
	return (ascii+3)/4 + other
}

// Source is where an item of a context comes from.
type Source string

// The sources, in the order in which a context shows them.
const (
	FromSummary  Source = "summary"
	FromClaim    Source = "claim"
	FromHit      Source = "hit"
	FromReaction Source = "reaction"
	FromRecent   Source = "recent"
)

// The reasons why something was left out of a context.
const (
	NoRoom   = "no room"
	NotTrue  = "not true"
	NoText   = "no text of its own"
	Repeated = "already there"
)

// Hit is a passage that a search found.
type Hit struct {
	Event string
	Role  Role
	Text  string
	Score float64
}

// Reaction is a user's mark on an answer.
type Reaction struct {
	Event string
	Name  string // such as "thumbs_up"
	Text  string // of the answer
}

// Request is what a context is composed of.
type Request struct {
	// Budget is the greatest size of the whole context in tokens, by [Tokens].
	Budget int
	// AsOf is the time for which claims must be true.
	AsOf    time.Time
	Summary *Summary
	// Claims are all claims of the user, in any state, because what is no longer true must be known to be left out.
	Claims    []Claim
	Hits      []Hit      // in any order
	Reactions []Reaction // newest first
	Recent    []Event    // of the thread, oldest first
}

// Left is something that did not get into a context.
type Left struct {
	Source Source
	ID     string // of the event or claim
	Reason string
}

// Context is what a model is shown: a block of memory, and the recent events as messages behind it.
type Context struct {
	Memory  string // fenced, see [Said]; empty if there is none
	Recent  []Event
	LeftOut []Left // by source, then in the order of the request
	Tokens  int
}

// item is a candidate of a context.
type item struct {
	source Source
	id     string
	text   string
	place  int // in its source, for the order of reading
	cost   int
	event  Event // of FromRecent
}

// Compose puts a context together that is never larger than the budget. Memory is placed in the order summary, claims,
// hits, reactions; recent events newest first, without gaps. Text that states a claim which is not true is left out,
// from whatever source, and so are credentials in memory. Equal requests give equal bytes.
func Compose(r Request) Context {
	var c Context
	wrong := newDoubt(r)
	recent := recentItems(r, wrong, &c)
	frame := Tokens(fenceOpen+"\n") + Tokens(fenceClose+"\n")
	room := r.Budget
	taken := map[*item]bool{}
	framed := false
	place := func(items []*item, limit int, gaps bool) {
		for _, it := range items {
			cost := it.cost
			if it.source != FromRecent && !framed {
				cost += frame
			}
			switch {
			case taken[it]:
			case cost <= room && cost <= limit:
				taken[it] = true
				framed = framed || it.source != FromRecent
				room, limit = room-cost, limit-cost
			case !gaps:
				return
			}
		}
	}
	place(recent, r.Budget*recentShare/5, false)
	first := slices.DeleteFunc(slices.Clone(recent), func(it *item) bool { return !taken[it] })
	memory := candidates(r, wrong, first, &c)
	place(memory, room, true)
	place(recent, room, false)
	c.Memory = render(memory, taken)
	for _, it := range slices.Backward(recent) {
		if taken[it] {
			c.Recent = append(c.Recent, it.event)
		}
	}
	for _, it := range slices.Concat(memory, recent) {
		if !taken[it] {
			c.LeftOut = append(c.LeftOut, Left{it.source, it.id, NoRoom})
		}
	}
	order := []Source{FromSummary, FromClaim, FromHit, FromReaction, FromRecent}
	slices.SortStableFunc(c.LeftOut, func(a, b Left) int {
		return cmp.Compare(slices.Index(order, a.Source), slices.Index(order, b.Source))
	})
	c.Tokens = r.Budget - room
	return c
}

// candidates returns what may get into the memory block, most important first. What is in the messages that are already
// placed is not repeated.
func candidates(r Request, wrong doubt, placed []*item, c *Context) []*item {
	var all []*item
	seen, there := map[string]bool{}, map[string]bool{}
	for _, it := range placed {
		seen[Normal(it.event.Text)], there[it.id] = true, true
	}
	add := func(source Source, id, event, text string) {
		text, _ = secrets.Redact(oneLine(text))
		reason := ""
		switch {
		case Normal(text) == "":
			reason = NoText
		case source != FromClaim && wrong.states(event, text):
			reason = NotTrue
		case seen[Normal(text)], source == FromHit && there[event]:
			reason = Repeated
		}
		if reason != "" {
			c.LeftOut = append(c.LeftOut, Left{source, id, reason})
			return
		}
		seen[Normal(text)] = true
		text = quote + string(source) + ": " + text + "\n"
		all = append(all, &item{source: source, id: id, text: text, place: len(all), cost: Tokens(text)})
	}
	if r.Summary != nil {
		for _, l := range r.Summary.Lines {
			add(FromSummary, l.Event, l.Event, author(l.Role)+l.Text)
		}
	}
	claims := slices.Clone(r.Claims)
	slices.SortFunc(claims, func(a, b Claim) int {
		return cmp.Or(cmp.Compare(b.Confidence, a.Confidence), cmp.Compare(b.Reinforced, a.Reinforced),
			strings.Compare(a.ID, b.ID))
	})
	for _, claim := range claims {
		if shown(claim, r.AsOf) {
			add(FromClaim, claim.ID, "", claim.Text)
		}
	}
	hits := slices.Clone(r.Hits)
	slices.SortFunc(hits, func(a, b Hit) int {
		return cmp.Or(cmp.Compare(b.Score, a.Score), strings.Compare(a.Event, b.Event), strings.Compare(a.Text, b.Text))
	})
	for _, h := range hits {
		text, reason := wrong.without(h.Event, h.Text)
		if reason != "" {
			c.LeftOut = append(c.LeftOut, Left{FromHit, h.Event, reason})
			continue
		}
		add(FromHit, h.Event, h.Event, author(h.Role)+clip(oneLine(text), maxHit))
	}
	for _, x := range r.Reactions[:min(len(r.Reactions), maxReactions)] {
		// a name has one word, so that it cannot be taken for a text
		name := strings.Join(strings.Fields(oneLine(x.Name)), "_")
		add(FromReaction, x.Event, x.Event,
			clip(name, 20)+" on "+strconv.Quote(clip(oneLine(Said(x.Text)), maxReaction)))
	}
	return all
}

// author returns what stands before a text that the user did not write.
func author(r Role) string {
	if r == User || r == "" {
		return ""
	}
	return strings.Map(func(r rune) rune {
		if unicode.IsLetter(r) {
			return r
		}
		return -1
	}, clip(string(r), 20)) + ": "
}

// recentItems returns the recent events, newest first.
func recentItems(r Request, wrong doubt, c *Context) []*item {
	var all []*item
	for _, e := range slices.Backward(r.Recent) {
		text, reason := wrong.without(e.ID, e.Text)
		if reason != "" {
			c.LeftOut = append(c.LeftOut, Left{FromRecent, e.ID, reason})
			continue
		}
		e.Text = text
		all = append(all, &item{source: FromRecent, id: e.ID, cost: Tokens(text), event: e})
	}
	return all
}

// render returns the block of the items that were taken, in the order of their sources.
func render(memory []*item, taken map[*item]bool) string {
	var b strings.Builder
	for _, it := range memory {
		if taken[it] {
			b.WriteString(it.text)
		}
	}
	if b.Len() == 0 {
		return ""
	}
	return fenceOpen + "\n" + b.String() + fenceClose + "\n"
}

// shown reports whether a claim may get into a context.
func shown(c Claim, at time.Time) bool {
	return c.State != Rejected && c.State != Suggested && c.State != Conflicted && c.TrueAt(at)
}
