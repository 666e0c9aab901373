package conversation

import (
	"cmp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"ltm/text/abridge"
	"ltm/text/search"
	"ltm/text/secrets"
)

const (
	// perStep is what a step of importance weighs. Words decide between sentences of equal importance.
	perStep = 10
	// maxWordy is the number of words of content beyond which a longer sentence is no better.
	maxWordy = 9
	// settled is the importance of what is decided, or asked for from now on, without one of the forms of a claim.
	settled = 2
	// maxCandidates bounds the lines that are compared with each other, those of least weight left out: four batches of
	// turns have fewer, and pasted texts thousands.
	maxCandidates = 100
	// covered is what a sentence loses of whose kind a summary has another: a step and a half.
	covered = 15
)

// candidate is a line that may be chosen, with its place and what it says.
type candidate struct {
	Line
	at      int
	terms   []string
	figures []string
	moved   bool     // it says that something changed
	drops   []string // words of what it says to be over
	says    []stated
}

// weighed prepares lines, those of greatest weight.
func weighed(all []Line) []candidate {
	var found []candidate
	for i, l := range all {
		found = append(found, candidate{Line: l, at: i})
	}
	slices.SortStableFunc(found, func(a, b candidate) int {
		return cmp.Or(cmp.Compare(b.Weight, a.Weight), cmp.Compare(b.at, a.at))
	})
	found = found[:min(len(found), maxCandidates)]
	slices.SortFunc(found, func(a, b candidate) int { return cmp.Compare(a.at, b.at) })
	for i, c := range found {
		ws := words(c.Text)
		c.terms, c.figures = search.TermsOf(c.Text), figures(ws)
		if read(c.Text).question || has(ws, listed("unsettled")...) { // "Should we move it?", "It is not moved"
			ws = nil
		}
		c.moved = has(ws, "moved", "moves", "postponed", "delayed", "shifted", "changed", "rescheduled", "now",
			"instead", "anymore", "no longer", "update", "updated", "raised", "lowered", "extended")
		for _, cue := range []string{"dropped", "instead of", "no longer", "canceled", "cancelled", "gave up"} {
			_, rest, ok := strings.Cut(" "+strings.Join(ws, " "), " "+cue+" ")
			if ok && has(ws, "i", "we", "our", "my") { // not what a shop dropped
				over := strings.Fields(rest)
				c.drops = append(c.drops, search.TermsOf(strings.Join(over[:min(len(over), 4)], " "))...)
			}
		}
		for _, r := range Read(c.Text) {
			c.says = append(c.says, r.stated())
		}
		found[i] = c
	}
	return found
}

// choose returns lines of a summary and sentences of new turns, in their order: one after the other the one that weighs
// most, where words that the chosen ones have count nothing, and a slot that they have counts less. What was said
// later takes the place of what it changes, and of what says the same.
func choose(prior []Line, kept []Turn) []Line {
	all := slices.Clone(prior)
	for i, t := range kept {
		said := lines(t)
		if len(prior) == 0 && i == 0 {
			ofSubject(said)
		}
		all = append(all, said...)
	}
	var left []candidate
	for _, c := range weighed(all) {
		left = slices.DeleteFunc(left, func(old candidate) bool {
			if old.Event == c.Event || !c.replaces(old) {
				return false
			}
			c.Weight = max(c.Weight, old.Weight)
			return true
		})
		left = append(left, c)
	}
	var chosen []candidate
	for len(left) > 0 && len(chosen) < maxLines {
		best := slices.MaxFunc(left, func(a, b candidate) int {
			return cmp.Or(cmp.Compare(a.gain(chosen), b.gain(chosen)), cmp.Compare(a.at, b.at))
		})
		like := search.NewLikeness(best.Text)
		if !slices.ContainsFunc(chosen, func(c candidate) bool { return like.To(c.Text) >= search.Near }) {
			chosen = append(chosen, best)
		}
		left = slices.DeleteFunc(left, func(c candidate) bool { return c.at == best.at })
	}
	slices.SortFunc(chosen, func(a, b candidate) int { return cmp.Compare(a.at, b.at) })
	var found []Line
	for _, c := range chosen {
		found = append(found, c.Line)
	}
	return found
}

// ofSubject gives the first of an episode's lines that wants something as much weight as who someone is: it says what
// the episode is about.
func ofSubject(said []Line) {
	wants := func(l Line) bool { return l.Role == User && has(words(l.Text), listed("wants")...) }
	if at := slices.IndexFunc(said, wants); at >= 0 {
		said[at].Weight += perStep * max(0, identity-said[at].Weight/perStep)
	}
}

// Current returns the lines of a summary, where the text of those is "" that a user's later turns say are not so any
// more. It is for what was said after the summary was written.
func Current(told []Line, later []Event) []Line {
	all := slices.Clone(told)
	for _, t := range turns(later, true) {
		all = append(all, lines(t.Turn)...)
	}
	told = slices.Clone(told)
	among := weighed(all)
	for _, old := range among {
		if old.at < len(told) && slices.ContainsFunc(among, func(c candidate) bool {
			return c.at >= len(told) && c.Role == User && c.replaces(old)
		}) {
			told[old.at].Text = ""
		}
	}
	return told
}

// gain returns what a line adds to those that are chosen.
func (c candidate) gain(chosen []candidate) int {
	fresh, again := 0, false
	for _, t := range c.terms {
		if !slices.ContainsFunc(chosen, func(o candidate) bool { return slices.Contains(o.terms, t) }) {
			fresh++
		}
	}
	for _, o := range chosen {
		for _, a := range c.says {
			again = again || slices.ContainsFunc(o.says, func(b stated) bool { return a.Reading.topic() == b.topic() })
		}
	}
	gain := c.Weight - c.Weight%perStep + min(fresh, maxWordy)
	if again {
		gain -= covered
	}
	return gain
}

// replaces reports whether a line says that an older one is not so any more: by its slots, or of some lines because it
// has another date or number and says that something changed, or because it drops what the other names.
func (c candidate) replaces(old candidate) bool {
	if contradiction(old.says, c.says) != "" {
		return true
	}
	for _, over := range c.says {
		if over.Ended && slices.ContainsFunc(old.says, func(r stated) bool { return over.Reading.ends(r.Reading) }) {
			return true
		}
	}
	// What someone is, such as allergic, is over only by what is read; plans and what has no reading by words alone.
	loose := !slices.ContainsFunc(old.says, func(r stated) bool { return r.Slot != Planned && r.Of != "budget" })
	return loose && (old.concerns(c.drops, 3) ||
		c.moved && len(c.figures) > 0 && len(old.figures) > 0 && dated(c.figures) == dated(old.figures) &&
			!slices.Equal(c.figures, old.figures) && old.concerns(c.terms, 2))
}

// concerns reports whether three words of content of a line are among others; or two, or one of at most so many, of
// which one is what it names with an article, if it does: "call the plumber" is not "call the electrician".
func (c candidate) concerns(others []string, most int) bool {
	figures := search.TermsOf(strings.Join(c.figures, " "))
	isOther := func(t string) bool { return slices.Contains(others, t) }
	own := slices.DeleteFunc(slices.Clone(c.terms), func(t string) bool { return slices.Contains(figures, t) })
	var things []string
	previous := ""
	for _, w := range words(c.Text) {
		if determines(previous) {
			things = append(things, search.TermsOf(w)...)
		}
		previous = w
	}
	things = slices.DeleteFunc(things, func(t string) bool { return !slices.Contains(own, t) })
	of, common := len(own), len(own)-len(slices.DeleteFunc(own, isOther))
	return common > 2 || (common > 1 || common > 0 && of <= most) &&
		(len(things) == 0 || slices.ContainsFunc(things, isOther))
}

// determines reports whether a word tells that a thing is named after it.
func determines(word string) bool {
	return slices.Contains([]string{"the", "a", "an", "my", "our", "your"}, word)
}

// dated reports whether there is a month or a day of the week among words.
func dated(ws []string) bool {
	return slices.ContainsFunc(append(months(), weekdays()...), func(d string) bool { return slices.Contains(ws, d) })
}

// figures returns the numbers, months and days of the week among words.
func figures(ws []string) []string {
	return slices.DeleteFunc(slices.Clone(ws), func(w string) bool {
		return !strings.ContainsFunc(w, unicode.IsDigit) && !dated([]string{w})
	})
}

// lines returns the sentences of a turn that may be in a summary. What only the assistant said counts least, and only
// where the user said nothing to keep.
func lines(t Turn) []Line {
	var found []Line
	for _, e := range t.User {
		for _, s := range sentences(e.Text) {
			if text := tells(s); text != "" {
				found = append(found, line(e, text, weight(e, s)))
			}
		}
	}
	if len(found) == 0 && t.Assistant != nil {
		if s := tells(abridge.FirstSentence(Said(t.Assistant.Text))); s != "" {
			found = append(found, line(*t.Assistant, s, 0))
		}
	}
	return found
}

// tells returns a sentence that has a place in a summary, if it names what it is about, or else the part of it that
// says something of its author and does.
func tells(text string) string {
	if idle(text) {
		return ""
	}
	if names(text) {
		return text
	}
	for _, r := range Read(text) {
		if r.Subject == "" && names(r.Text) {
			return r.Text
		}
	}
	return ""
}

// line returns one sentence as a line.
func line(e Event, text string, weight int) Line {
	text, _ = secrets.RedactTalk(oneLine(text))
	return Line{Event: e.ID, Role: e.Role, Text: clip(text, lineLength), Weight: weight}
}

// weight returns the worth of a user's sentence: ten for each step of importance, so that length only decides between
// sentences of equal importance, and one for each word of content.
func weight(e Event, text string) int {
	e.Text = text
	worth, s, ws := Importance(e), read(text), words(text)
	if !english(e.Lang) || s.question || s.complains || s.unreal || len(Read(text)) > 0 {
		return perStep*worth + min(len(search.TermsOf(text)), maxWordy)
	}
	vague := worth == intent && len(figures(ws)) == 0 && has(ws, "i will", "we will", "let us", "i want to")
	decided := has(ws, "dropped", "chose", "agreed", "from now on", "rule is", "moved to", "postponed", "canceled",
		"cancelled", "signed", "ordered", "booked", "bought", "i will take", "we go with", "can not", "have to",
		"no longer")
	lasts := has(ws, "always", "never", "every time", "each time", "at most", "at least", "no", "all", "only", "first",
		"from now on", "in future")
	passes := has(ws, "tired", "knackered", "hungry", "exhausted", "this week", "today", "tonight", "right now",
		"at the moment", "hate this", "love it", "love this", "excited", "scared", "sorry")
	switch {
	case worth > taste && !vague:
	case decided, has(ws, "please") && lasts:
		worth = settled
	case vague && strings.HasSuffix(text, "!"), passes, s.isTask(): // it may be said to cheer
		worth = 0
	case has(ws, "i", "my", "we", "our"):
		worth = taste
	}
	return perStep*worth + min(len(search.TermsOf(text)), maxWordy)
}

// idle reports whether a sentence has no place in a summary: courtesy, what only cheers the other up, and what goes
// with a picture.
func idle(text string) bool {
	ws := words(text)
	switch {
	case saysNothing(text), shows(text, ws):
		return true
	case len(Read(text)) > 0, len(figures(ws)) > 0:
		return false
	case has(ws, "proud of you", "glad to hear", "happy for you", "congrats", "congratulations", "good luck",
		"hang in there", "can not wait", "must be so", "must be such", "must be great", "must be amazing",
		"must be awesome", "must be incredible", "must be tough", "must be nice", "must be fun", "must be hard"):
		return true
	}
	yours := has(ws, "you", "your", "yours") && !has(ws, "i", "me", "my", "we", "us", "our")
	return yours && !has(ws, "please") || strings.HasSuffix(text, "!") && len(search.TermsOf(text)) <= 3
}

// shows reports whether a sentence goes with a picture.
func shows(text string, ws []string) bool {
	picture := has(ws, "pic", "pics", "photo", "photos", "picture", "pictures", "snap", "selfie", "screenshot", "image",
		"images")
	points := has(ws, "here 's", "here is", "here are", "check out", "look at", "take a look", "attached", "sharing",
		"shared", "sent", "this")
	whole := strings.HasPrefix(text, "[") && strings.HasSuffix(text, "]")
	return strings.Contains(text, "![") || picture && (points || whole) ||
		has(ws, "look at this", "look at that", "check out this", "check this out")
}

// names reports whether what the pronouns of a sentence stand for is named in it before them.
func names(text string) bool {
	named, previous := false, ""
	for i, field := range strings.Fields(text) {
		ws := words(field)
		if len(ws) == 0 {
			continue
		}
		w := ws[0]
		stands := slices.Contains([]string{"he", "she", "they", "it", "him", "them", "his", "her", "hers", "its",
			"their", "theirs"}, w)
		if w == "that" || w == "this" || w == "these" || w == "those" {
			end := strings.TrimRight(field, ".!?,;:)") != field
			stands = end || len(ws) > 1 || i == 0 && w != "this"
		}
		if stands && !named {
			return false
		}
		first, _ := utf8.DecodeRuneInString(strings.TrimLeft(field, "\"'“(*_["))
		verb := i == 1 && !stands && slices.Contains([]string{"is", "was", "are", "were", "has", "have", "moved"}, w)
		capital := i > 0 && unicode.IsUpper(first) && w != "i"
		if determines(previous) || verb || capital || strings.ContainsFunc(field, unicode.IsDigit) {
			named = true
		}
		previous = w
	}
	return true
}
