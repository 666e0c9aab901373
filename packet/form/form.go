package form

import (
	"fmt"
	"slices"
	"strings"

	"ltm/packet"
)

// Draft is the text that a person wrote.
type Draft struct {
	Packet packet.Packet
	Checks []Check

	places map[string]int
}

// Fault is something in a text that has no meaning.
type Fault struct {
	Line    int // from 1; 0: not about a line
	Message string
}

// String returns the line and the message.
func (f Fault) String() string {
	if f.Line == 0 {
		return f.Message
	}
	return fmt.Sprintf("line %d: %s", f.Line, f.Message)
}

// Line returns where the text is that a packet has at a place (a JSON pointer), or 0.
func (d *Draft) Line(path string) int {
	for ; path != ""; path = path[:max(0, strings.LastIndexByte(path, '/'))] {
		if line := d.places[path]; line > 0 {
			return line
		}
	}
	return 0
}

// The sections that are lists of entries, by their fields.
const (
	listCriteria    = "success_criteria"
	listConstraints = "constraints"
	listDecisions   = "decisions"
	listMethods     = "methods"
	listAttempts    = "attempts"
	listQuestions   = "open_questions"
	listChecks      = "checks"
)

// section is a part of the text.
type section struct {
	field   string
	heading string
	hint    string // what its comment says
	list    bool
}

const mark = "## "

// sections returns all sections, in the order of the form.
func sections() []section {
	return []section{
		{field: "goal", heading: "Goal", hint: "required: the lasting aim, in one sentence"},
		{field: "next_step", heading: "Next step", hint: "required: the first thing that the next session does"},
		{field: listCriteria, heading: "Done when", list: true, hint: `what can be observed when the work is done:
- Drift stays under two seconds after seven days offline.`},
		{field: listDecisions, heading: "Decisions", list: true, hint: `"locked" if it is settled:
- Use the external crystal.
  why: The RC oscillator drifts forty seconds a day.
  rules out: A cheaper board without a crystal.
  locked`},
		{field: listAttempts, heading: "Tried", list: true, hint: `"failed", "partial" or "succeeded"; confidence is low, medium or high:
- Averaging four clock reads.
  failed
  learned: Noise is not the cause.
  confidence: high`},
		{field: listConstraints, heading: "Constraints", list: true, hint: "- Flash budget is 64 KB."},
		{field: listQuestions, heading: "Open questions", list: true, hint: "- Does drift change below zero degrees?"},
		{field: listMethods, heading: "Methods", list: true, hint: `recipes that can be used again, with names of a-z, 0-9 and -:
- calibrate-crystal
  when: A board is new or was reflowed.
  how: Run gauge-cal for ten minutes against the pulse input.`},
		{field: listChecks, heading: "Checks", list: true, hint: `commands that were run; they stay beside the packet:
- make test
  passed`},
		{field: "tags", heading: "Tags", hint: "lower-case letters, digits and hyphens: firmware, rtc"},
		{field: "parent_id", heading: "Continues", hint: "the id of the packet that this one continues"},
	}
}

// field returns a text of the packet that has a section of its own.
func (d *Draft) field(name string) *string {
	p := &d.Packet
	return map[string]*string{"goal": &p.Goal, "next_step": &p.NextStep, "parent_id": &p.ParentID}[name]
}

// texts returns a list of texts of the packet.
func (d *Draft) texts(name string) *[]string {
	p := &d.Packet
	return map[string]*[]string{listCriteria: &p.SuccessCriteria, listConstraints: &p.Constraints,
		listQuestions: &p.OpenQuestions}[name]
}

// trim removes blanks and empty lines around a text.
func trim(s string) string { return strings.Trim(s, " \t\r\n") }

const (
	commentBegin = "<!--"
	commentEnd   = "-->"
	escape       = `\`
	indent       = "  "
)

// Parse reads a text with sections. Whatever its faults are, the draft has what could be read.
func Parse(text string) (Draft, []Fault) {
	p := &parser{draft: Draft{places: map[string]int{}}, seen: map[string]bool{}}
	lines := strings.Split(strings.ReplaceAll(text, "\r\n", "\n"), "\n")
	if len(lines) > 0 {
		lines[0] = strings.TrimPrefix(lines[0], "\ufeff")
	}
	p.skipComments(lines)
	for i, line := range lines {
		if rest, ok := strings.CutPrefix(line, mark); ok {
			p.end()
			p.begin(i+1, trim(rest))
			continue
		}
		p.body = append(p.body, line)
	}
	p.end()
	slices.SortStableFunc(p.faults, func(a, b Fault) int { return a.Line - b.Line })
	return p.draft, p.faults
}

// parser is the state of Parse.
type parser struct {
	draft   Draft
	faults  []Fault
	seen    map[string]bool
	current *section // nil before the first heading, and after one that is not known
	unknown bool
	line    int // of the first line of body, from 1
	body    []string
}

func (p *parser) fault(line int, format string, args ...any) {
	p.faults = append(p.faults, Fault{line, fmt.Sprintf(format, args...)})
}

// skipComments empties the lines of comments. Text after the end of a comment stays.
func (p *parser) skipComments(lines []string) {
	open := 0
	for i, line := range lines {
		if open == 0 && !strings.HasPrefix(strings.TrimLeft(line, " \t"), commentBegin) {
			continue
		}
		_, after, ends := strings.Cut(line, commentEnd)
		lines[i] = ""
		switch {
		case !ends && open == 0:
			open = i + 1
		case ends:
			open = 0
			if trim(after) != "" {
				p.fault(i+1, "has a text behind the end of a comment (%s)", commentEnd)
			}
		}
	}
	if open > 0 {
		p.fault(open, "has the beginning of a comment (%s), and no line has its end (%s)", commentBegin, commentEnd)
	}
}

// begin starts a section.
func (p *parser) begin(line int, heading string) {
	p.current, p.unknown, p.line, p.body = nil, true, line+1, nil
	for _, s := range sections() {
		if !strings.EqualFold(s.heading, heading) && !strings.EqualFold(s.field, heading) {
			continue
		}
		if p.seen[s.field] {
			p.fault(line, "is a second section %q", s.heading)
			return
		}
		p.seen[s.field] = true
		p.current, p.unknown = &s, false
		return
	}
	var known []string
	for _, s := range sections() {
		known = append(known, s.heading)
	}
	p.fault(line, "is not one of the sections: %s", strings.Join(known, ", "))
}

// end reads the section that has just ended.
func (p *parser) end() {
	switch {
	case p.unknown: // its heading is the fault
	case p.current == nil:
		for i, line := range p.body {
			if trim(line) != "" {
				p.fault(i+1, "is before the first section; sections begin with a line such as %q", mark+"Goal")
				break
			}
		}
	case p.current.list:
		p.readList()
	default:
		p.readText()
	}
}

// readText reads a section that is one text.
func (p *parser) readText() {
	text := trim(unescaped(p.body, 0))
	if text == "" {
		return
	}
	first := slices.IndexFunc(p.body, func(line string) bool { return trim(line) != "" })
	p.draft.places["/"+p.current.field] = p.line + first
	if to := p.draft.field(p.current.field); to != nil {
		*to = text
		return
	}
	between := func(r rune) bool { return strings.ContainsRune(", \t\r\n", r) }
	if tags := strings.FieldsFunc(text, between); len(tags) > 0 {
		p.draft.Packet.Tags = tags
	}
}

// unescaped joins lines: without their indent, from a given line on, and without the backslash that
// makes a line plain text.
func unescaped(lines []string, indented int) string {
	out := slices.Clone(lines)
	for i := indented; i < len(out); i++ {
		if indented > 0 {
			out[i] = dedent(out[i])
		}
		out[i] = strings.TrimPrefix(out[i], escape)
	}
	return strings.Join(out, "\n")
}

// dedent removes the indent of a line of an entry.
func dedent(line string) string {
	if rest, ok := strings.CutPrefix(line, indent); ok {
		return rest
	}
	return strings.TrimLeft(line, " \t")
}

// bullet returns the text of a line that begins an entry.
func bullet(line string) (text string, ok bool) {
	mark, text, _ := strings.Cut(line, " ")
	return text, mark == "-" || mark == "*"
}

// readList reads a section of entries.
func (p *parser) readList() {
	var lines []string
	at := 0
	end := func() {
		if lines != nil {
			p.readItem(at, strings.Join(lines, "\n"))
		}
	}
	for i, line := range p.body {
		text, begins := bullet(line)
		switch {
		case begins:
			end()
			lines, at = []string{text}, p.line+i
		case lines != nil:
			lines = append(lines, line)
		case trim(line) != "":
			p.fault(p.line+i, `has no "- " at its beginning, as the first line of an entry has`)
			lines, at = []string{line}, p.line+i
		}
	}
	end()
}

// readItem reads an entry that begins on a line.
func (p *parser) readItem(line int, text string) {
	if trim(text) == "" {
		return
	}
	e := readEntry(text, "\n", p.current.field, func(s string) string {
		return trim(unescaped(strings.Split(s, "\n"), 1))
	})
	d := &p.draft
	count := 0
	switch p.current.field {
	case listDecisions:
		count = len(d.Packet.Decisions)
		d.Packet.Decisions = append(d.Packet.Decisions, e.decision())
	case listAttempts:
		count = len(d.Packet.Attempts)
		d.Packet.Attempts = append(d.Packet.Attempts, e.attempt())
	case listMethods:
		count = len(d.Packet.Methods)
		d.Packet.Methods = append(d.Packet.Methods, e.method())
	case listChecks:
		count = len(d.Checks)
		d.Checks = append(d.Checks, e.check())
	default:
		list := d.texts(p.current.field)
		count = len(*list)
		*list = append(*list, e.text)
	}
	d.places[fmt.Sprintf("/%s/%d", p.current.field, count)] = line
	for _, f := range e.faults {
		p.faults = append(p.faults, Fault{line + f.Line, f.Message})
	}
}
