package conversation

import (
	"slices"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"ltm/text/abridge"
)

// Known is claims with what each states, which serves for many contexts.
type Known struct {
	claims []Claim
	gists  []string          // by claim
	single map[string][]held // what active claims say of slots of one value, by key
	latest time.Time         // when the last of these began
}

// held is what a claim says of a slot of one value.
type held struct {
	claim Claim
	stated
}

// Know prepares all claims of a user, which must not change afterwards.
func Know(claims []Claim) *Known {
	k := &Known{claims: claims, gists: make([]string, len(claims)), single: map[string][]held{}}
	for i, c := range claims {
		if c.State != Suggested && c.Text != "" {
			k.gists[i] = gistOfClaim(c.Text)
		}
		if c.State != Active || len(c.Valid) == 0 {
			continue
		}
		for _, r := range ReadClaim(c.Text) {
			if r.Single() && r.Subject == "" {
				k.single[r.Key()] = append(k.single[r.Key()], held{c, r.stated()})
				if from := c.Valid[len(c.Valid)-1].From; from.After(k.latest) {
					k.latest = from
				}
			}
		}
	}
	return k
}

// since returns the claim that holds at a time in place of what the user says of themselves in a hit: another value of
// a slot that has one, which began later.
func (k *Known) since(h Hit, at time.Time) Claim {
	if h.Role != User || h.Name != "" || h.At.IsZero() || !k.latest.After(h.At) {
		return Claim{}
	}
	var s scan
	for line := range strings.Lines(Said(h.Text)) {
		for _, sentence := range s.line(line) {
			if !sentence.own {
				continue
			}
			for _, r := range Read(sentence.text) {
				if c, ok := k.instead(r.stated(), h.At, at); ok && r.Subject == "" {
					return c
				}
			}
		}
	}
	return Claim{}
}

// instead returns the newest claim about something at a time, if it says otherwise than what was said before it began.
func (k *Known) instead(said stated, before, at time.Time) (Claim, bool) {
	var newest held
	for _, h := range k.single[said.key] {
		if h.claim.Shown(at) && (newest.claim.ID == "" || h.claim.newer(newest.claim)) {
			newest = h
		}
	}
	c := newest.claim
	return c, c.ID != "" && c.Valid[len(c.Valid)-1].From.After(before) &&
		contradiction([]stated{newest.stated}, []stated{said}) == Supersedes
}

// doubt knows what claims stated that are over at the time of a request: corrected, deprecated or expired. What was
// rejected hides nothing, because a rejection says nothing about the sentence that the claim was taken from, and
// neither does what is in dispute.
type doubt struct{ over map[string]bool }

func newDoubt(known *Known, at time.Time) doubt {
	d := doubt{map[string]bool{}}
	for i, c := range known.claims {
		if c.over(at) {
			d.over[known.gists[i]] = true
		}
	}
	for i, c := range known.claims {
		if c.Shown(at) { // the same in another bucket, or in other words
			delete(d.over, known.gists[i])
		}
	}
	return d
}

// over reports whether the claim was true, and is not any more at a time.
func (c Claim) over(at time.Time) bool {
	return c.State != Rejected && c.State != Suggested && c.State != Conflicted && !c.TrueAt(at) &&
		slices.ContainsFunc(c.Valid, func(p Period) bool { return !p.To.IsZero() && !p.To.After(at) })
}

// without returns a text without injected memory and without the sentences in which the user says of themselves what
// is over, or why nothing is left of it. Only whole sentences that say nothing else go: what is said of others, asked,
// quoted, written in code or to be worked on stays. In doubt, a sentence stays.
func (d doubt) without(by Role, text string) (left, reason string) {
	text = strings.TrimSpace(Said(text))
	switch {
	case text == "":
		return "", NoText
	case len(d.over) == 0:
		return text, ""
	}
	var kept strings.Builder
	var s scan
	for line := range strings.Lines(text) {
		stays := ""
		for _, sentence := range s.line(line) {
			if !sentence.own || !d.over[gist(sentence.text, by)] {
				stays += sentence.text
			}
		}
		if stays == line || strings.TrimSpace(stays) != "" {
			kept.WriteString(stays)
		}
	}
	if left = strings.TrimSpace(kept.String()); left == "" {
		return "", NotTrue
	}
	return left, ""
}

// scan reads a text line by line and knows which sentences their author states.
type scan struct {
	code      bool
	quoted    bool // a quotation has begun
	given     bool // the rest is a text to work on, or a role
	announced bool // a line that ends with a colon announces the next paragraph
	inside    bool // which has begun
}

// part is a sentence with the space before it.
type part struct {
	text string
	own  bool
}

// line returns the sentences of the next line, which together are the line.
func (s *scan) line(line string) []part {
	trimmed := strings.TrimSpace(line)
	fence := abridge.IsFence(trimmed)
	s.code = s.code != fence
	if trimmed == "" {
		s.announced, s.inside = s.announced && !s.inside, false
		return []part{{line, false}}
	}
	s.inside = s.announced
	if fence || s.code || s.inside || strings.HasPrefix(trimmed, ">") || len(line) > maxLine {
		return []part{{line, false}}
	}
	s.announced = strings.HasSuffix(trimmed, ":")
	var parts []part
	for labeled := false; line != ""; {
		end := abridge.SentenceEnd(line)
		text := line[:end]
		line = line[end:]
		labeled = labeled || strings.Contains(statement(text), ": ") // "Ann: I love sushi. I live in Rome."
		opened := s.quoted
		s.quote(text)
		own := !opened && !s.quoted && !s.given && !labeled && !borrowed(strings.TrimSpace(text)) &&
			!strings.ContainsAny(text, "?？¿\"“”„«»「」")
		s.given = s.given || read(text).isTask()
		parts = append(parts, part{text, own})
	}
	return parts
}

// quote follows where quotations begin and end. An apostrophe within a word is none.
func (s *scan) quote(text string) {
	inWord := false
	for i, r := range text {
		_, size := utf8.DecodeRuneInString(text[i:]) // 1 for a byte that is no UTF-8
		next, _ := utf8.DecodeRuneInString(text[i+size:])
		switch {
		case r == '"':
			s.quoted = !s.quoted
		case strings.ContainsRune("“„«「‘", r), r == '\'' && !inWord && unicode.IsLetter(next):
			s.quoted = true
		case strings.ContainsRune("”»」", r), strings.ContainsRune("'’", r) && !unicode.IsLetter(next):
			s.quoted = false
		}
		inWord = unicode.IsLetter(r) || unicode.IsDigit(r)
	}
}
