package conversation

import (
	"cmp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Reading is what a sentence says about a person, as far as its form shows.
type Reading struct {
	// Subject is who it is about: empty for the one who speaks, otherwise as they are named: "sister", "she".
	Subject string
	Slot    Slot
	// Of tells slots of the same name apart: the color of a favorite color, the wife of a name. See [Reading.Key].
	Of     string
	Value  string // in the words of the text, without what follows it; may be empty if it ended
	Denied bool   // it says that this is not so
	Ended  bool   // it says that this is not so any more
	Since  string // as in "since 2019"; may be empty
	Text   string // the part of the sentence that says it, as a sentence of its own
}

// Key names what the reading is about: two readings with the same key and different values contradict each other if
// the slot has a single value.
func (r Reading) Key() string { return r.Subject + "/" + string(r.Slot) + "/" + r.Of }

// Single reports whether a person has one value of the slot at a time.
func (r Reading) Single() bool {
	switch r.Slot {
	case Name, Home, Work, Born, Birthday, Age, Partner, Email, Phone, Favorite:
		// fields, subjects, shops, parts of a date
		return !slices.Contains([]string{"in", "teaches", "runs", "on"}, r.Of)
	}
	return false
}

// Read returns what a sentence in English says about people. Questions, suppositions and quotations say nothing.
func Read(sentence string) []Reading { return readAll(sentence, false) }

// ReadClaim returns what the text of a claim says. It may be in the third person, and lack its subject: "Lives in
// Rome", "The user lives in Rome".
func ReadClaim(text string) []Reading { return readAll(text, true) }

func readAll(text string, claim bool) []Reading {
	var found []Reading
	s := read(text)
	if claim { // "Has two kids"
		s.question = strings.ContainsAny(text, "?？¿")
	}
	rest := s.words[min(1, len(s.words)):] // "Joking, I can't swim"
	n := len(rest) - 1                     // "…, my cousin claims"
	alleged := n > 1 && slices.Contains(listed("alleging"), rest[n]) && rest[n-1] != "in" &&
		!slices.Contains(rest[n-2:n], "i") // "…, I never said"
	if borrowed(text) || has(rest, listed("doubts")...) || alleged {
		return nil
	}
	spoke := false // the clause before is about the speaker
	for _, c := range englishLexicon().clauses(text, s.question) {
		c.skip()
		if supposed(strings.Fields(textOf(c.tokens))) || c.lists["prepositions"].has(c.tokens[0].word) &&
			c.lists["fictions"].any(c.tokens) {
			break // and so is what follows: "If I live in Rome, I pay more"
		}
		if len(c.tokens) > maxStatement {
			continue
		}
		c.claim, c.goesOn = claim, spoke
		spoke = spoke && c.lists["verbs"].has(c.tokens[0].word) || c.list("i|we|im").any(c.tokens[:1])
		found = append(found, c.read()...)
	}
	return found
}

// token is a word of a clause. A field is what stands between spaces; it may have several words.
type token struct {
	word    string
	field   int
	capital bool
	comma   bool // follows
}

// clause is a part of a sentence that can say something by itself.
type clause struct {
	fields []string
	tokens []token
	claim  bool
	goesOn bool // may lack its subject, the speaker: "… and live in Rome"
	*lexicon
	of    string // what a pattern has found; see [clause.match]
	value []token
}

// opens reports whether a clause can begin with a word behind a comma, or with and set, behind "and" and the like.
func (x *lexicon) opens(word string, and bool) bool {
	return x.lists["starts"].has(word) || and && x.lists["verbs"].has(word)
}

// clauses splits a sentence where a new subject begins. Of a question, those before what it asks are left: "I'm vegan,
// what can I cook?".
func (x *lexicon) clauses(text string, question bool) []clause {
	var all []clause
	c := clause{lexicon: x}
	quoted, comma := false, false
	flush := func() {
		if n := len(c.tokens); n > 1 && x.lists["joins"].has(c.tokens[n-1].word) {
			c.tokens = c.tokens[:n-1]
		}
		if len(c.tokens) > 0 {
			all = append(all, c)
		}
		c = clause{lexicon: x}
	}
	for field := range strings.FieldsSeq(text) {
		ws := words(field)
		if len(ws) == 0 {
			comma = comma || !quoted && strings.ContainsAny(field, "-–—")
			continue
		}
		last := ""
		if n := len(c.tokens); n > 0 {
			last = c.tokens[n-1].word
		}
		filler := x.lists["fillers"].has(ws[0]) && ws[0] != "still" && !x.opens(ws[0], true)
		if filler && x.lists["joins"].has(last) { // "… and honestly I'm …"
			c.fields = append(c.fields, field)
			continue
		}
		joined := x.lists["joins"].has(last) || last == "that" && x.lists["tellers"].any(c.tokens)
		apposition := ws[0] == "my" && len(c.tokens) <= 2 // "Priya, my partner"
		whenever := len(c.tokens) > 1 && strings.HasPrefix(c.tokens[0].word, "when") && c.tokens[1].word == "you"
		if !quoted && (comma && !apposition && !whenever && x.opens(ws[0], false) ||
			joined && x.opens(ws[0], last != "that")) {
			flush()
		}
		quoted = quoted != (strings.Count(field, `"`)%2 == 1 || strings.ContainsAny(field, "“”„«»"))
		first, _ := utf8.DecodeRuneInString(strings.TrimLeft(field, "\"'“„«([*_-•–"))
		comma = strings.HasSuffix(field, ",") || strings.HasSuffix(field, ";")
		for i, w := range ws {
			capital := i == 0 && unicode.IsUpper(first)
			c.tokens = append(c.tokens, token{w, len(c.fields), capital, comma && i == len(ws)-1})
		}
		c.fields = append(c.fields, field)
	}
	flush()
	if !question {
		return all
	}
	if n := len(all); n > 1 && len(all[n-1].tokens) > 2 && slices.Contains(listed("asks"), all[n-1].tokens[0].word) &&
		!slices.Contains(listed("asks"), all[0].tokens[0].word) && !has(strings.Fields(Normal(text)), "right", "true") {
		return all[:n-1]
	}
	return nil
}

// text returns the fields of tokens, without the punctuation around them.
func (c clause) text(ts []token) string {
	if len(ts) == 0 {
		return ""
	}
	text := strings.Join(c.fields[ts[0].field:ts[len(ts)-1].field+1], " ")
	return strings.Trim(text, " .!?;,:\"'“”„«»()*")
}

// skip drops leading words that change nothing.
func (c *clause) skip() {
	for again := true; again; {
		again = false
		for _, r := range c.openers {
			if n, ok := c.match(r.pattern, c.tokens); ok && n < len(c.tokens) {
				c.tokens, again = c.tokens[n:], true
				break
			}
		}
	}
}

// read returns what a clause says.
func (c clause) read() []Reading {
	since := ""
	if i := c.list("since").until(c.tokens); i+1 < len(c.tokens) {
		since = c.text(c.tokens[i+1:])
		if i == 0 { // "Since March we live in Rome"
			since = c.text(c.tokens[1:2])
		}
	}
	c.skip()
	whole := c.tokens
	said := c.text(whole)
	for _, f := range c.says {
		if r, ok := c.form(f); ok {
			r.Since, r.Text = since, said
			return []Reading{r}
		}
	}
	if c.lists["prepositions"].has(c.tokens[0].word) { // "In seven weeks I'm moving"
		if n := c.list("i|we").until(c.tokens); n < min(7, len(c.tokens)) {
			c.tokens = c.tokens[n:]
		}
	}
	subject, ok := c.subject()
	if !ok {
		return nil
	}
	if len(whole) == len(c.tokens) && !c.claim {
		said = "I " + said // "… and live in Rome"
	}
	r, ok := c.predicate()
	if !ok {
		return nil
	}
	r.Subject, r.Since, r.Text = subject, since, said
	all := []Reading{r}
	if i := c.list("at|for").until(c.tokens); r.Of == "as" && i+1 < len(c.tokens) { // "I'm a nurse at Siemens"
		if n := organization(c.lexicon, c.tokens[i+1:]); n > 0 {
			r.Of, r.Value = "", c.text(c.tokens[i+1:i+1+n])
			all = append(all, r)
		}
	}
	return all
}

// subject cuts the subject of the clause.
func (c *clause) subject() (string, bool) {
	for _, s := range c.speakers {
		if n, ok := c.match(s.pattern, c.tokens); ok {
			c.tokens = c.tokens[n:]
			if len(c.tokens) > 0 && c.list("are|were|has").has(c.tokens[0].word) {
				c.first()
			}
			return "", true
		}
	}
	for _, s := range c.others {
		if n, ok := c.match(s.pattern, c.tokens); ok {
			who := c.tokens[min(n-1, 1)].word
			c.tokens = c.tokens[n:]
			c.first()
			return who, true
		}
	}
	if c.claim {
		n, _ := c.match(c.pattern("the? user|person|speaker?"), c.tokens)
		c.tokens = c.tokens[n:]
		c.first()
		return "", true
	}
	return "", c.goesOn && c.lists["verbs"].has(c.tokens[0].word) && !c.lists["starts"].has(c.tokens[0].word)
}

// first makes a predicate one in the first person, "lives in Rome" "live in Rome".
func (c *clause) first() {
	c.tokens = slices.Clone(c.tokens)
	irregular := map[string]string{"is": "am", "are": "am", "'s": "am", "has": "have", "does": "do", "were": "was",
		"was": "was"}
	for i, t := range c.tokens {
		w := t.word
		base, ok := irregular[w]
		switch {
		case c.lists["adverbs"].has(w):
			continue
		case ok:
			w = base
		case strings.HasSuffix(w, "ies"):
			w = strings.TrimSuffix(w, "ies") + "y"
		case strings.HasSuffix(w, "ches"), strings.HasSuffix(w, "shes"):
			w = strings.TrimSuffix(w, "es")
		case !strings.HasSuffix(w, "ss"):
			w = strings.TrimSuffix(w, "s")
		}
		c.tokens[i].word = w
		return
	}
}

// predicate reads what is said of a subject that was cut.
func (c *clause) predicate() (Reading, bool) {
	if len(c.tokens) == 0 {
		return Reading{}, false
	}
	start := min(3, len(c.tokens)-1) // "am currently living"
	c.tokens = append(slices.DeleteFunc(slices.Clone(c.tokens[:start]), func(t token) bool {
		return c.lists["adverbs"].has(t.word)
	}), c.tokens[start:]...)
	for _, m := range c.merges {
		c.rewrite(m)
	}
	if r, ok := c.firstOf(c.forms); ok {
		return r, true
	}
	for _, t := range c.turns {
		turned := *c
		if !turned.rewrite(t) || t.how == "ended" && c.list("still").any(c.tokens) { // "I used to and still do"
			continue
		}
		if r, ok := turned.firstOf(c.forms); ok {
			r.Denied = r.Denied || t.how == "denied"
			r.Ended = t.how == "ended" || c.late() || r.Slot == Home || r.Slot == Work
			return r, true
		}
	}
	return Reading{}, false
}

// rewrite puts other words in the place of those at the beginning.
func (c *clause) rewrite(r rewrite) bool {
	n, ok := c.match(r.pattern, c.tokens)
	if !ok || n == len(c.tokens) {
		return false
	}
	var ts []token
	for _, w := range r.instead {
		if w == "*" { // the last word that the pattern covers
			ts = append(ts, c.tokens[n-1])
			continue
		}
		ts = append(ts, token{word: w, field: c.tokens[0].field})
	}
	c.tokens = append(ts, c.tokens[n:]...)
	return true
}

// late reports whether what is denied was so once.
func (c *clause) late() bool {
	return has(strings.Fields(textOf(c.tokens)), "anymore", "any longer", "any more", "no longer", "now")
}

// firstOf returns the reading of the first form that the clause has.
func (c *clause) firstOf(forms []form) (Reading, bool) {
	for _, f := range forms {
		if r, ok := c.form(f); ok {
			return r, true
		}
	}
	return Reading{}, false
}

// form reads the clause by a form, if it has it.
func (c *clause) form(f form) (Reading, bool) {
	c.of, c.value = "", nil
	n, ok := c.match(f.pattern, c.tokens)
	if !ok {
		return Reading{}, false
	}
	value := c.tokens[n:]
	if c.value != nil { // it stands before the rest
		value = c.value
	}
	value = value[:len(value)-c.tail(value)]
	n = 0
	switch {
	case f.value != nil && len(value) > 0:
		n = f.value(c.lexicon, value)
	case c.value != nil:
		n = len(value)
	}
	lasts := f.slot != Limit && f.slot != Likes && f.slot != Dislikes
	moment := has(strings.Fields(textOf(c.tokens)), "now", "at the moment", "today", "tonight", "this morning")
	if f.value != nil && n == 0 || !lasts && moment {
		return Reading{}, false
	}
	ended := f.how == "ended" || f.how == "denied" && c.late() || c.list("anymore|longer").any(c.tokens)
	ended = ended || f.how == "once" && !c.list("since|for|all|always").any(c.tokens)
	return Reading{Slot: f.slot, Of: cmp.Or(f.of, c.of), Value: c.text(value[:n]), Denied: f.how == "denied",
		Ended: ended}, true
}

// tail returns how many words at the end of a value do not belong to it.
func (c *clause) tail(ts []token) int {
	cut := 0
	for again := true; again; {
		again = false
		for _, t := range c.tails {
			at := len(ts) - cut - len(t.pattern)
			if at <= 0 {
				continue
			}
			if _, ok := c.match(t.pattern, ts[at:]); ok {
				cut, again = cut+len(t.pattern), true
			}
		}
	}
	return cut
}

// match returns how many tokens a pattern covers, from the first on. A pattern has words, or alternatives "a|b"; those
// that end with "?" may be missing. W is any word; N, too, PET, REL, who is of the family, MATE, who is a partner, and
// PERSON, who is anyone, are kept in of; NAME is a word with a capital, END the end, and OVER
// the end or what says when or why. V is one to five words, kept in value.
func (c *clause) match(pattern []patternWord, ts []token) (int, bool) {
	if len(pattern) == 0 {
		return 0, true
	}
	p, most := pattern[0], 1
	switch p.name {
	case "END":
		return 0, len(ts) == 0
	case "OVER":
		return 0, c.over(ts)
	}
	if p.name == "V" {
		most = 5
	}
	for n := 1; n <= min(most, len(ts)) && p.covers(ts[n-1]); n++ {
		m, ok := c.match(pattern[1:], ts[n:])
		if !ok {
			continue
		}
		switch p.name {
		case "V":
			c.value = ts[:n]
		case "N", "REL", "MATE", "PERSON", "PET":
			c.of = strings.TrimSpace(ts[0].word + " " + c.of)
		}
		return n + m, true
	}
	if p.optional {
		return c.match(pattern[1:], ts)
	}
	return 0, false
}

// over reports whether there is nothing more, or only when or why it was: "last week", "in 2019", "because …".
func (c *clause) over(ts []token) bool {
	if len(ts) == 0 || c.lists["whens"].has(ts[0].word) {
		return true
	}
	return c.lists["spans"].has(ts[0].word) && slices.ContainsFunc(ts[1:min(3, len(ts))], func(t token) bool {
		return c.lists["times"].has(t.word) || len(t.word) == 4 && t.word[0] <= '9'
	})
}

// covers reports whether a token is what a part of a pattern asks for.
func (p patternWord) covers(t token) bool {
	switch {
	case p.name == "NAME":
		return t.capital
	case p.words.words != nil:
		return p.words.has(t.word)
	}
	return true
}
