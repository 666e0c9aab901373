package handoff

import (
	"cmp"
	"fmt"
	"strings"
	"unicode/utf8"

	"ltm/memory"
	"ltm/packet"
)

// The prefixes of texts that say what backs them. They are written here: a writer can
// claim them, but "verified" stays only if a check says so.
const (
	verifiedWord   = "verified"
	unverifiedWord = "unverified"
	pendingWord    = "pending"
	fromWord       = "from"
)

// claim is a text, and what it says about itself.
type claim struct {
	from  string // the id of the packet that said it first
	state string // one of the words, or ""
	by    string // the command or the check
	text  string
}

func parseClaim(s string) claim {
	var c claim
	for {
		s = strings.TrimLeft(s, " ")
		inner, rest, ok := bracketed(s)
		word, by, _ := strings.Cut(inner, ":")
		by = strings.TrimSpace(by)
		switch id, from := strings.CutPrefix(inner, fromWord+" "); {
		case !ok:
			c.text = s
			return c
		case from && c.from == "":
			c.from = id
		case (word == verifiedWord || word == pendingWord) && by != "" || inner == unverifiedWord:
			c.state, c.by = word, by
		default:
			c.text = s
			return c
		}
		s = rest
	}
}

// bracketed splits a text that begins with a bracket.
func bracketed(s string) (inner, rest string, ok bool) {
	if !strings.HasPrefix(s, "[") {
		return "", "", false
	}
	end := closing(s[1:])
	if end < 0 || strings.ContainsAny(s[1:1+end], "\r\n") {
		return "", "", false
	}
	return s[1 : 1+end], s[2+end:], true
}

func (c claim) String() string {
	var b strings.Builder
	if c.from != "" {
		fmt.Fprintf(&b, "[%s %s] ", fromWord, c.from)
	}
	switch {
	case c.by != "":
		fmt.Fprintf(&b, "[%s: %s] ", c.state, c.by)
	case c.state != "":
		fmt.Fprintf(&b, "[%s] ", c.state)
	}
	return b.String() + c.text
}

// claims sets right what texts say about themselves. A draft from a session's record is right.
func (w *writing) claims() {
	if w.draft.Drafted {
		return
	}
	w.passed = map[string]bool{}
	for _, c := range w.draft.Checks {
		w.passed[oneLine(c.Command)] = c.Passed // the last run counts
	}
	w.knownAs = map[string]claim{}
	if w.parent != nil {
		parent := clone(*w.parent)
		eachText(&parent, func(path string, _ int, s *string) {
			c := parseClaim(*s)
			if c.state != "" || c.from != "" || strings.HasSuffix(path, "/tried") { // an attempt is a claim in itself
				w.knownAs[oneLine(c.text)] = c
			}
		})
	}
	eachText(&w.p, w.setRight)
}

// oneLine makes texts that differ in white space alone the same.
func oneLine(s string) string { return strings.Join(strings.Fields(s), " ") }

// setRight sets right what one text says about itself.
func (w *writing) setRight(path string, most int, s *string) {
	c := parseClaim(*s)
	if looksVerified(c.text) { // a prefix that is not one, such as one without its end
		c.state, c.by = verifiedWord, ""
		if utf8.RuneCountInString(unverified+c.text) > most {
			c.text = "(" + strings.TrimLeft(c.text, " [")
		}
	}
	proven := c.state == verifiedWord && c.by != "" && w.passed[oneLine(c.by)]
	if !proven {
		known, old := w.knownAs[oneLine(c.text)]
		if old && c.text != "" {
			c = takenOver(c, known, w.parent.ID)
		} else if c.state == verifiedWord {
			w.note(memory.KindPacketUnproven, path, "%s is not verified: no check of this session says that %s passed",
				path, memory.Quote(c.by, maxID))
		}
		if c.state == verifiedWord {
			c.state, c.by = unverifiedWord, ""
		}
	}
	if c.state == "" && c.from == "" && c.text == strings.TrimLeft(*s, " ") {
		return
	}
	if text := c.String(); utf8.RuneCountInString(text) <= most {
		*s = text
	} else if c.from = ""; utf8.RuneCountInString(c.String()) <= most {
		*s = c.String()
	} else {
		*s = c.text
	}
}

// looksVerified reports whether a reader would take a text for one with the prefix of a claim that was checked.
func looksVerified(s string) bool {
	word := strings.TrimLeft(s, " [")
	return word != s && len(word) >= len(verifiedWord) && strings.EqualFold(word[:len(verifiedWord)], verifiedWord)
}

// takenOver returns a claim that the parent made, too.
func takenOver(c, known claim, parent string) claim {
	if c.state == "" {
		c.state, c.by = known.state, known.by
	}
	if c.from == "" && c.state != pendingWord {
		if c.from = known.from; c.from == "" && plainID(parent) {
			c.from = parent
		}
		c.from = cmp.Or(c.from, "the parent")
	}
	return c
}

// plainID reports whether an id can be in a prefix.
func plainID(id string) bool {
	return strings.Trim(id, "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz-_.") == ""
}

// eachText visits the texts in which a packet says something about the work, with their places and
// their greatest lengths.
func eachText(p *packet.Packet, visit func(path string, most int, s *string)) {
	const most, mostHow = 1024, 2048
	list := func(name string, texts []string) {
		for i := range texts {
			visit(fmt.Sprintf("/%s/%d", name, i), most, &texts[i])
		}
	}
	visit("/goal", most, &p.Goal)
	list("success_criteria", p.SuccessCriteria)
	list("constraints", p.Constraints)
	for i := range p.Decisions {
		d, path := &p.Decisions[i], fmt.Sprintf("/decisions/%d", i)
		visit(path+"/what", most, &d.What)
		visit(path+"/why", most, &d.Why)
		visit(path+"/consequences", most, &d.Consequences)
	}
	for i := range p.Methods {
		m, path := &p.Methods[i], fmt.Sprintf("/methods/%d", i)
		visit(path+"/when_applicable", most, &m.WhenApplicable)
		visit(path+"/how", mostHow, &m.How)
	}
	for i := range p.Attempts {
		a, path := &p.Attempts[i], fmt.Sprintf("/attempts/%d", i)
		visit(path+"/tried", most, &a.Tried)
		visit(path+"/learned", most, &a.Learned)
	}
	list("open_questions", p.OpenQuestions)
	visit("/next_step", most, &p.NextStep)
}
