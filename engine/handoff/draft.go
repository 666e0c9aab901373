package handoff

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"sync"
	"unicode"

	"ltm/engine/transcript"
	"ltm/internal/plural"
	"ltm/memory/api"
	"ltm/packet"
)

// DraftTag is the tag of packets that were drafted from a session's record.
const DraftTag = "draft"

// draftTokens is what a draft may take of a session's context, about, without what it takes over from its parent.
const draftTokens = 505

const (
	draftChars   = 1024 // of a text
	goalChars    = 700  // of a goal
	askChars     = 400  // of an ask, what was said last, and a summary within another text
	saidChars    = 270  // of what else was said
	toChars      = 190  // of what was answered
	commandChars = 200  // of a command within another text
	draftFiles   = 12   // edited files that are named
	draftRuns    = 8    // attempts
	draftAnswers = 3
	draftStored  = 6  // memories
	draftTodos   = 16 // entries of each kind
)

type Worked struct {
	Session string
	Outline transcript.Outline
	Roots   []string // the absolute paths of the project, however it is spelled

	// Parent is the packet that the session continues, or the session's last draft if Own is set. It may be nil.
	Parent *packet.Packet
	Own    bool
}

// Draft makes a packet from a session's record, without a model. What the record shows about commands is prefixed by
// "[verified: …]" or "[pending: …]", what the session's texts say by "[unverified]", and what the parent said by
// "[from …]". Credentials and paths of the machine are masked, and paths in the project are relative. ok is false if
// the record names no goal.
func Draft(w Worked) (d api.PacketDraft, ok bool) {
	m := drafter{Worked: w, used: map[int]bool{}, told: map[string]bool{}}
	m.goal()
	if m.p.Goal == "" {
		return d, false
	}
	m.inherit()
	m.histories()
	m.next()
	m.asked()
	m.answered()
	m.attempts()
	m.choose()
	// A packet may have no more of them.
	m.p.SuccessCriteria, m.p.OpenQuestions = last(m.p.SuccessCriteria, 16), last(m.p.OpenQuestions, 32)
	m.p.Attempts = last(m.p.Attempts, 64)
	m.p.Tags = m.tags()
	m.p.Provenance = &packet.Provenance{AuthorModel: m.text(w.Outline.Model, 128), Confidence: packet.Low}
	m.fit()
	return api.PacketDraft{Packet: m.p, Checks: m.checks(), Session: w.Session, Model: m.p.Provenance.AuthorModel,
		Drafted: true}, true
}

// SameWork reports whether two packets say the same, whoever wrote them and when.
func SameWork(a, b packet.Packet) bool {
	bare := func(p packet.Packet) string {
		p.Version, p.ID, p.ParentID, p.CreatedAt = packet.Version02, "0000000000", "", "2000-01-01T00:00:00Z"
		p.Project, p.Provenance = nil, nil
		data, err := p.Canonical()
		if err != nil {
			return err.Error() + p.Goal
		}
		return string(data)
	}
	return bare(a) == bare(b)
}

type drafter struct {
	Worked
	p     packet.Packet
	steps []transcript.Step // of the present work
	first int               // the step with the goal, or -1
	aside string            // the goal that was set aside for it
	used  map[int]bool      // the steps whose texts the packet has
	told  map[string]bool   // the lines of outputs that it has
	runs  []history
	parts []part
}

// part is an entry that the packet gets if there is room.
type part struct {
	rank   int // those of the lowest ranks come first, and the newest of each
	tokens int
	add    func()
}

const (
	mostWanted = iota
	telling    // what was tried
	wanted
	background
)

// offer offers an entry with these texts.
func (m *drafter) offer(rank int, add func(), texts ...string) {
	const frame = 6 // tokens around an entry
	p := part{rank: rank, tokens: frame, add: add}
	for _, s := range texts {
		p.tokens += weight(s) / 4
	}
	m.parts = append(m.parts, p)
}

// choose adds what there is room for, in the order in which it was offered.
func (m *drafter) choose() {
	room := draftTokens - weight(m.p.Goal)/4 - weight(m.p.NextStep)/4
	chosen := make([]bool, len(m.parts))
	for rank := mostWanted; rank <= background; rank++ {
		for i, p := range slices.Backward(m.parts) {
			if p.rank == rank && p.tokens <= room {
				chosen[i] = true
				room -= p.tokens
			}
		}
	}
	for i, p := range m.parts {
		if chosen[i] {
			p.add()
		}
	}
}

// text returns a text of the record as a packet may have it.
func (m *drafter) text(s string, most int) string { return clip(clean(s, m.Roots), most) }

// line is text on one line. Of a long one, the middle is left out.
func (m *drafter) line(s string, most int) string {
	return middle(clean(strings.Join(strings.Fields(s), " "), m.Roots), most)
}

// command returns a run as a prefix has it.
func (m *drafter) command(r *transcript.Run) string {
	return strings.TrimPrefix(m.line(r.Name, commandChars), "cd . && ")
}

// goal takes the first thing that was asked for in the present work, and leaves what was ended by a commit.
func (m *drafter) goal() {
	all := m.Outline.Steps
	says := func(s transcript.Step) bool {
		return s.Kind == transcript.Asked && transcript.Words(s.Text) >= transcript.AskWords
	}
	work := 0
	for _, s := range all {
		if says(s) {
			work = s.Work
		}
	}
	m.steps = all[max(0, slices.IndexFunc(all, func(s transcript.Step) bool { return s.Work >= work })):]
	m.first = slices.IndexFunc(m.steps, says)
	for i, s := range m.steps { // not a question that was only answered
		if m.first >= 0 && i > m.first && says(s) && m.onlyAnswered(i) {
			m.first = i
		}
	}
	if m.first < 0 { // however little it says
		m.first = slices.IndexFunc(m.steps, func(s transcript.Step) bool { return s.Kind == transcript.Asked })
	}
	m.setAside(says)
	if m.first >= 0 {
		m.p.Goal = middle(clean(m.steps[m.first].Text, m.Roots), goalChars)
	}
	if m.Parent == nil {
		return
	}
	m.p.ParentID = m.Parent.ID
	asked := func(s transcript.Step) bool {
		return s.Kind == transcript.Asked && middle(clean(s.Text, m.Roots), goalChars) == m.Parent.Goal
	}
	if m.aside == "" && (!m.Own || !slices.ContainsFunc(all, asked)) { // or that draft had it from its own parent
		m.p.Goal, m.first = m.Parent.Goal, -1
	}
}

// setAside moves the goal to the last ask that sets aside what was asked for before it, or to the next one if that ask
// says nothing else.
func (m *drafter) setAside(says func(transcript.Step) bool) {
	goal := ""
	if m.Parent != nil && !m.Own {
		goal = m.Parent.Goal
	} else if m.first >= 0 {
		goal = m.steps[m.first].Text
	}
	before := goal
	for i, s := range m.steps {
		if s.Kind != transcript.Asked {
			continue
		}
		if rest, ok := setsAside(s.Text, before); ok && i > m.first {
			m.first, m.aside = i, goal
			next := slices.IndexFunc(m.steps[i+1:], says)
			if transcript.Words(rest) < transcript.AskWords && next >= 0 {
				m.first += 1 + next
			}
		}
		before += " " + s.Text
	}
}

// asideForm finds a clause that sets aside what was asked for before. The first group is its object, the second what
// the clause says besides.
var asideForm = sync.OnceValue(func() *regexp.Regexp {
	const when = `(?:for now|for later|on hold|aside|erst ?mal)`
	return regexp.MustCompile(`^(?:(?:ok|okay|no|wait|stop|actually|please|let's|lets|und|nein|warte|halt) )*(?:` +
		`(?:never ?mind|(?:forget(?: about)?|scrap|drop|vergiss|lass) (?:that|it|this|das|es))(?: ` + when + `)?|` +
		`changes? of plans?|new plan|(?:do|work on) something else|` +
		`(?:leave|park|pause|postpone|put|skip|shelve|defer|drop|stop) (.+?) ` + when + `(?: (.*))?)$`)
})

// setsAside reports whether an ask sets aside what was asked for before it, such as "leave the cart for now, first …",
// and returns what else it says.
func setsAside(ask, before string) (rest string, ok bool) {
	clauses := strings.FieldsFunc(ask, func(r rune) bool { return strings.ContainsRune(".,;:!?\n", r) })
	known := wordsOf(before)
	for i, clause := range clauses {
		found := asideForm().FindStringSubmatch(strings.Join(wordsOf(clause), " "))
		if found != nil && (slices.Contains([]string{"", "that", "it", "this"}, found[1]) || isAll(found[1], known)) {
			return strings.Join(append(clauses[i+1:], found[2]), " "), true
		}
	}
	return "", false
}

// isAll reports whether an object is what was asked for, by its words: "the invoice tests" are only a part of the work
// on invoices.
func isAll(object string, known []string) bool {
	words := slices.DeleteFunc(strings.Fields(object), func(w string) bool {
		return len(w) < 4 || slices.Contains([]string{"this", "that", "work", "task", "thing", "issue", "ticket"}, w)
	})
	return len(words) > 0 && !slices.ContainsFunc(words, func(w string) bool { return !slices.Contains(known, w) })
}

// wordsOf returns the words of a text, in small letters.
func wordsOf(text string) []string {
	return strings.FieldsFunc(strings.ToLower(strings.ReplaceAll(text, "’", "'")), func(r rune) bool {
		return !unicode.IsLetter(r) && r != '\''
	})
}

// onlyAnswered reports whether the first ask is a question for which nothing was done before a later step.
func (m *drafter) onlyAnswered(until int) bool {
	return strings.HasSuffix(m.steps[m.first].Text, "?") &&
		!slices.ContainsFunc(m.steps[m.first:until], func(s transcript.Step) bool {
			return s.Kind == transcript.Edited || s.Kind == transcript.Ran
		})
}

func (m *drafter) last(kind transcript.Kind) int {
	for i, s := range slices.Backward(m.steps) {
		if s.Kind == kind {
			return i
		}
	}
	return -1
}

func (m *drafter) next() {
	var parts []string
	add := func(format string, args ...any) { parts = append(parts, fmt.Sprintf(format, args...)) }
	pending := m.pending()
	doing := m.todos("in_progress")
	switch stale := m.stale(); {
	case len(pending) > 0:
		h := pending[0]
		r := m.steps[h.open].Run
		add("[pending: %s] It failed%s%s%s%s. Make it pass.", m.command(r), ended(r),
			ifSet(m.editedSince(h.open), "; files were edited since"),
			ifSet(h.similar, "; a similar command passed since"),
			ifSet(h.unclear, "; it ran again, and nothing says how it ended"))
	case len(doing) > 0:
		add("[unverified] Go on with: %s", doing[0])
	case stale != nil:
		add("[pending: %s] Run it again: %s.", m.command(stale), ifSet(stale.Ended == transcript.Passed,
			"it passed before files were edited")+ifSet(stale.Ended == transcript.Unknown, "nothing says how it ended"))
	}
	for _, h := range pending[:min(len(pending), 3)] {
		criterion := fmt.Sprintf("[pending: %s] It passes.", m.command(m.steps[h.open].Run))
		m.p.SuccessCriteria = append(m.p.SuccessCriteria, criterion)
	}
	asked, said := m.last(transcript.Asked), m.last(transcript.Said)
	if asked > max(said, m.first) && transcript.Words(m.steps[asked].Text) >= transcript.AskWords {
		m.used[asked] = true
		add("[unverified] Asked last: %s", m.line(m.steps[asked].Text, askChars))
	}
	if said >= 0 {
		m.used[said] = true
		add("[unverified] Said last: %s", m.line(m.steps[said].Text, askChars))
	}
	if len(parts) == 0 {
		parts = append(parts, "[unverified] See what the goal still lacks: the record has no failing command and no "+
			"task in progress.")
	}
	m.p.NextStep = clip(strings.Join(parts, "\n"), draftChars)
	for _, todo := range slices.Concat(m.todos("in_progress"), m.todos("pending")) {
		m.offer(wanted, func() {
			m.p.OpenQuestions = append(m.p.OpenQuestions, clip("[unverified] To do: "+todo, draftChars))
		}, todo)
	}
}

func ended(r *transcript.Run) string {
	if r.Status <= 0 || !r.Sure {
		return ""
	}
	return fmt.Sprintf(" with status %d", r.Status)
}

func ifSet(set bool, text string) string {
	if !set {
		return ""
	}
	return text
}

func (m *drafter) todos(status string) []string {
	var all []string
	for _, t := range m.Outline.Todos {
		if t.Status != status || len(all) == draftTodos {
			continue
		}
		if text := m.line(t.Text, askChars); text != "" {
			all = append(all, text)
		}
	}
	return all
}

// asked offers what else was asked for, as constraints, and what was forbidden before the last commit.
func (m *drafter) asked() {
	before := m.Outline.Steps[:len(m.Outline.Steps)-len(m.steps)]
	short := m.first >= 0 && transcript.Words(m.steps[m.first].Text) < 2*transcript.AskWords
	offer := func(rank int, format, text string) {
		text = fmt.Sprintf(format, m.line(text, askChars))
		m.offer(rank, func() { m.p.Constraints = append(m.p.Constraints, text) }, text)
	}
	for _, s := range before {
		if s.Kind == transcript.Asked && transcript.Words(s.Text) >= transcript.AskWords && (short || forbids(s.Text)) {
			offer(background, "[unverified] Asked before the last commit: %s", s.Text)
		}
	}
	if m.aside != "" {
		offer(mostWanted, "[unverified] Asked before, and set aside: %s", m.aside)
	}
	for i, s := range m.steps {
		if s.Kind == transcript.Asked && i > m.first && !m.used[i] && transcript.Words(s.Text) >= transcript.AskWords {
			offer(mostWanted, "[unverified] Asked: %s", s.Text)
		}
	}
}

// forbids reports whether an ask seems to say what holds for more than the work that it begins.
func forbids(ask string) bool {
	return slices.ContainsFunc(wordsOf(ask), func(word string) bool {
		return slices.Contains(strings.Fields("never don't not must mustn't no without only always keep nie "+
			"niemals nicht kein keine keinen ohne nur immer muss darf dürfen"), word)
	})
}

// answered offers what a person answered to a question of the model, as decisions.
func (m *drafter) answered() {
	type answer struct{ what, why string }
	var all []answer
	said := -1
	for i, s := range m.steps {
		switch text := m.line(s.Text, saidChars); {
		case s.Kind == transcript.Said:
			said = i
		case s.Kind == transcript.Answered:
			all = append(all, answer{"[unverified] " + text, "[unverified] A person answered the model's question."})
		case s.Kind == transcript.Asked && transcript.Words(s.Text) < transcript.AskWords && said >= 0 &&
			answers(s.Text, m.steps[said].Text):
			m.used[said] = true
			all = append(all, answer{"[unverified] Answered: " + text,
				"[unverified] To: " + m.line(m.steps[said].Text, toChars)})
		}
	}
	for _, a := range last(all, draftAnswers) {
		m.offer(mostWanted, func() {
			m.p.Decisions = append(m.p.Decisions, packet.Decision{What: a.what, Why: a.why})
		}, a.what, a.why)
	}
}

// answers reports whether a short text answers a longer one: that asks, or has the word that was chosen.
func answers(short, long string) bool {
	long = strings.ToLower(long)
	chosen := strings.Fields(strings.ToLower(short))
	return strings.Contains(long, "?") || slices.ContainsFunc(chosen, func(w string) bool {
		w = strings.Trim(w, ".,!?()")
		return w != "" && (strings.Contains(long, "("+w+")") || strings.Contains(long, "option "+w))
	})
}

// files returns the names of the edited files in the project, the last one first, and how many more there are.
func (m *drafter) files() (names []string, more int) {
	for _, file := range slices.Backward(m.Outline.Files) {
		name, inside := relative(file, m.Roots)
		if !inside || len(names) == draftFiles {
			more++
			continue
		}
		names = append(names, m.line(name, commandChars))
	}
	return names, more
}

// listed joins names, and says how many are missing.
func listed(names []string, more int) string {
	text := strings.Join(names, ", ")
	if more == 0 {
		return text
	}
	if text != "" {
		text += " and "
	}
	return text + plural.Of(more, "other", "others")
}

func (m *drafter) tags() []string {
	tags := []string{DraftTag}
	if m.Parent != nil {
		for _, tag := range m.Parent.Tags {
			if tag != DraftTag && len(tags) < 16 {
				tags = append(tags, tag)
			}
		}
	}
	return tags
}
