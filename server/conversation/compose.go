package conversation

import (
	"cmp"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"ltm/text/secrets"
)

const (
	// recentShare is the share of the budget, as parts of 5, that recent events may take before memory is placed.
	// Both sides get what the other leaves. A conversation needs its own last turns more than its memory, but without
	// a limit a long conversation would push memory out.
	recentShare = 3
	// profileShare, summaryShare and claimShare are the parts of the budget, of 20, that the claims which are not asked
	// for, the summary, and the claims that are asked for may take before hits are placed. What hits leave goes to
	// them, too.
	profileShare, summaryShare, claimShare = 4, 4, 3
	// memoryShare is what memories of stores may take before hits are placed, in the same parts: two or three of them.
	// They are about the world of the application and not about the user.
	memoryShare = 4
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
	FromClaim      Source = "claim"
	FromSummary    Source = "summary"
	FromHit        Source = "hit"
	FromBackground Source = "background" // what there is, where a question asks for no more than that
	FromMemory     Source = "memory"
	FromReaction   Source = "reaction"
	FromRecent     Source = "recent"
)

// The reasons why something was left out of a context.
const (
	NoRoom   = "no room"
	NotTrue  = "not true"
	NoText   = "no text of its own"
	Trivial  = "says nothing"
	Repeated = "already there"
)

// Hit is a passage that a search found.
type Hit struct {
	// FromHit, FromSummary if it is a summary's text, or FromBackground if it is what there is without an answer; "" is
	// FromHit
	Source Source
	Event  string // its id, or that of the summary
	Role   Role
	Name   string // of who said it, if it is to be shown in place of the role
	Text   string
	Score  float64
	At     time.Time // the day is shown, because "yesterday" is another day later; zero: none is
}

// Memory is a memory of a store of files that answers the question.
type Memory struct {
	ID       string
	Text     string
	Score    float64
	At       time.Time // the day is shown; zero: none is
	Foreign  bool      // not approved by a person; shown
	Disputed bool      // another memory contradicts it; shown
}

// Reaction is a user's mark on an answer.
type Reaction struct {
	Event string
	Name  string // such as "thumbs_up"
	Text  string // of the answer
}

// Request holds everything that a context is composed of.
type Request struct {
	// Budget is the greatest size of the whole context in tokens, by [Tokens].
	Budget int
	// AsOf is the time for which claims must be true.
	AsOf time.Time
	// Memory is the greatest size of the memory block in tokens; 0: as large as the budget allows.
	Memory  int
	Summary *Summary
	// Claims are all claims of the user, in any state, because what is no longer true must be known to be left out.
	Claims []Claim
	// Known, if it is not nil, is what [Know] made of the claims, which then counts instead of Claims.
	Known *Known
	// About lists the ids of the claims that may be shown, if they are true, the most important first. Nil: all, by
	// confidence.
	About     []string
	Asked     []string   // those of About that the question is about
	Hits      []Hit      // in any order
	Memories  []Memory   // in any order
	Reactions []Reaction // newest first
	Recent    []Event    // of the thread, oldest first
}

// Left is something that did not get into a context.
type Left struct {
	Source Source
	ID     string // of the event or claim
	Reason string
}

// Context is what a model is shown: a block of memory, followed by the recent events as messages.
type Context struct {
	Memory  string // fenced, see [Said]; may be empty
	Recent  []Event
	Placed  []Placed // what Memory shows, in its order
	LeftOut []Left   // by source, then in the order of the request
	Tokens  int
}

// Placed is a line of a memory block.
type Placed struct {
	Source Source
	ID     string // of the event, claim or summary
	Text   string // without credentials
	Tokens int    // of the line
	Since  string // of a hit: the claim that holds instead of what it says; may be empty
}

// asked is the share of claims that the question is about.
const asked Source = "asked"

// item is a candidate of a context.
type item struct {
	source Source
	since  string
	share  Source // a summary that a search found has that of hits, a claim that was found its own
	id     string
	said   string
	text   string // the line
	cost   int
	event  Event // of FromRecent
}

// Compose puts a context together that is never larger than the budget. Memory is placed in the order claims,
// summary, hits, background, memories, reactions, where what comes before hits and memories have a share of the budget
// until hits are placed; recent events newest first, without gaps. Sentences in which the user states a claim that is
// over are left out, from whatever source, and so are credentials in memory. Equal requests give equal bytes.
func Compose(r Request) Context {
	var c Context
	if r.Known == nil {
		r.Known = Know(r.Claims)
	}
	r.Claims = r.Known.claims
	wrong := newDoubt(r.Known, r.AsOf)
	recent := recentItems(r, wrong, &c)
	frame := Tokens(fenceOpen+"\n") + Tokens(fenceClose+"\n")
	room := r.Budget
	taken := map[*item]bool{}
	framed := false
	if r.Memory <= 0 {
		r.Memory = r.Budget
	}
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
	limit := min(room, r.Memory)
	floor := room - limit // what memory leaves to recent events
	for _, s := range []struct {
		source Source
		part   int
	}{{FromClaim, profileShare}, {FromSummary, summaryShare}, {asked, claimShare}, {FromMemory, memoryShare}} {
		share := r.Memory * s.part / 20
		if !framed {
			share += frame
		}
		place(sharing(memory, s.source), min(room-floor, share), true)
	}
	place(sharing(memory, FromHit), room-floor, true)
	place(memory, room-floor, true)
	place(recent, room, false)
	c.Memory = render(memory, taken)
	for _, it := range memory {
		if taken[it] {
			c.Placed = append(c.Placed, Placed{it.source, it.id, it.said, it.cost, it.since})
		}
	}
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
	order := []Source{FromClaim, FromSummary, FromHit, FromBackground, FromMemory, FromReaction, FromRecent}
	slices.SortStableFunc(c.LeftOut, func(a, b Left) int {
		return cmp.Compare(slices.Index(order, a.Source), slices.Index(order, b.Source))
	})
	c.Tokens = r.Budget - room
	return c
}

// sharing returns the items that belong to a source's share.
func sharing(items []*item, source Source) []*item {
	return slices.DeleteFunc(slices.Clone(items), func(it *item) bool { return it.share != source })
}

// candidates returns what may get into the memory block, most important first. What is in the messages that are already
// placed is not repeated.
func candidates(r Request, wrong doubt, placed []*item, c *Context) []*item {
	var all []*item
	seen, there := map[string]bool{}, map[string]bool{}
	for _, it := range placed {
		seen[Essence(it.event.Text)], there[it.id] = true, true
	}
	out := func(source Source, id, reason string) bool {
		if reason != "" {
			c.LeftOut = append(c.LeftOut, Left{source, id, reason})
		}
		return reason != ""
	}
	add := func(source, share Source, id, event, mark, text, since string) {
		text, _ = secrets.RedactTalk(oneLine(text))
		reason, same, found := "", Essence(text), source == FromHit || source == FromBackground
		switch {
		case Normal(text) == "":
			reason = NoText
		case found && saysNothing(text):
			reason = Trivial
		case seen[same], found && there[event]:
			reason = Repeated
		}
		if out(source, id, reason) {
			return
		}
		seen[same] = true
		line := quote + string(source) + mark + ": " + text + "\n"
		all = append(all, &item{source: source, since: since, share: share, id: id, said: text, text: line,
			cost: Tokens(line)})
	}
	for _, claim := range claimsOf(r) {
		share := FromClaim
		if slices.Contains(r.Asked, claim.ID) {
			share = asked
		}
		add(FromClaim, share, claim.ID, "", "", claim.Text, "")
	}
	if r.Summary != nil {
		for _, l := range r.Summary.Lines {
			if text, reason := wrong.without(l.Role, l.Text); !out(FromSummary, l.Event, reason) {
				add(FromSummary, FromSummary, l.Event, l.Event, "", author(l.Role)+text, "")
			}
		}
	}
	hits := slices.Clone(r.Hits)
	slices.SortFunc(hits, func(a, b Hit) int {
		return cmp.Or(compareBool(a.Source == FromBackground, b.Source == FromBackground),
			cmp.Compare(b.Score, a.Score), strings.Compare(a.Event, b.Event), strings.Compare(a.Text, b.Text))
	})
	for _, h := range hits {
		h.Source = cmp.Or(h.Source, FromHit)
		text, reason := wrong.without(h.Role, h.Text)
		if out(h.Source, h.Event, reason) {
			continue
		}
		share, since := FromHit, r.Known.since(h, r.AsOf)
		if h.Source == FromBackground {
			share = FromBackground
		}
		add(h.Source, share, h.Event, h.Event, h.mark(since),
			author(cmp.Or(Role(h.Name), h.Role))+passage(text, maxHit), since.ID)
	}
	for _, m := range memoriesOf(r) {
		add(FromMemory, FromMemory, m.ID, "", m.mark(), passage(Said(m.Text), maxHit), "")
	}
	for _, x := range r.Reactions[:min(len(r.Reactions), maxReactions)] {
		// a name has one word, so that it cannot be taken for a text
		name := strings.Join(strings.Fields(oneLine(x.Name)), "_")
		text, reason := wrong.without(Assistant, x.Text)
		if reason != NotTrue || !out(FromReaction, x.Event, reason) {
			add(FromReaction, FromReaction, x.Event, x.Event, "",
				clip(name, 20)+" on "+strconv.Quote(passage(text, maxReaction)), "")
		}
	}
	return all
}

// mark returns what follows the source of a hit: its day, and what holds since then. The hit stays, because the rest of
// it may hold.
func (h Hit) mark(since Claim) (mark string) {
	if !h.At.IsZero() {
		mark = h.At.UTC().Format(" 2006-01-02")
	}
	if since.ID != "" {
		mark += ", since then " + strconv.Quote(passage(since.Text, maxReaction))
	}
	return mark
}

// claimsOf returns the claims that a context may show, the most important first.
func claimsOf(r Request) []Claim {
	var claims []Claim
	place := map[string]int{}
	for i, id := range r.About {
		place[id] = i
	}
	for _, c := range r.Claims {
		if _, ok := place[c.ID]; c.Shown(r.AsOf) && (ok || r.About == nil) {
			claims = append(claims, c)
		}
	}
	slices.SortFunc(claims, func(a, b Claim) int {
		return cmp.Or(cmp.Compare(place[a.ID], place[b.ID]), cmp.Compare(b.Confidence, a.Confidence),
			cmp.Compare(b.Reinforced, a.Reinforced), strings.Compare(a.ID, b.ID))
	})
	return claims
}

// memoriesOf returns the memories of a request, best first.
func memoriesOf(r Request) []Memory {
	return slices.SortedFunc(slices.Values(r.Memories), func(a, b Memory) int {
		return cmp.Or(cmp.Compare(b.Score, a.Score), strings.Compare(a.ID, b.ID))
	})
}

// mark returns what follows the source of a memory.
func (m Memory) mark() string {
	mark := ""
	if !m.At.IsZero() {
		mark = m.At.UTC().Format(" 2006-01-02")
	}
	if m.Foreign {
		mark += ", from elsewhere"
	}
	if m.Disputed {
		mark += ", disputed"
	}
	return strings.TrimPrefix(mark, ",")
}

// author returns the prefix of a text that the user did not write.
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
		text, reason := wrong.without(e.Role, e.Text)
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

// Shown reports whether a claim may get into a context as of a time: it is true then, and not in doubt.
func (c Claim) Shown(at time.Time) bool {
	return c.State != Rejected && c.State != Suggested && c.State != Conflicted && c.TrueAt(at)
}
