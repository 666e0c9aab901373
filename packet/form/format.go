package form

import (
	"strings"

	"ltm/packet"
)

// opening is the comment that the form begins with.
const opening = `<!-- Where the work stands, for the session that goes on with it. Id, time, project and author are
filled in. Write no credentials and no paths of this machine. Empty sections are left out, and so
are comments like this one. -->
`

// Format returns the text of a draft, with comments that say what belongs where. remarks are said at its beginning.
func Format(d Draft, remarks ...string) string {
	var b strings.Builder
	if len(remarks) > 0 {
		b.WriteString(commentBegin + " " + uncommented(strings.Join(remarks, "\n")) + " " + commentEnd + "\n")
	}
	b.WriteString(opening)
	for _, s := range sections() {
		b.WriteString("\n" + mark + s.heading + "\n")
		if body := d.body(s); body != "" {
			b.WriteString(body)
			continue
		}
		b.WriteString(commentBegin + " " + s.hint + " " + commentEnd + "\n")
	}
	return b.String()
}

// WithRemarks returns a text of a person with remarks at its beginning, in place of the comment that
// it begins with, if that has the same first words.
func WithRemarks(text, first string, remarks []string) string {
	if rest, ok := strings.CutPrefix(text, commentBegin+" "+first); ok {
		if _, after, ok := strings.Cut(rest, commentEnd+"\n"); ok {
			text = after
		}
	}
	return commentBegin + " " + first + "\n" + uncommented(strings.Join(remarks, "\n")) + " " + commentEnd + "\n" + text
}

// uncommented takes what ends a comment out of a text.
func uncommented(s string) string { return strings.ReplaceAll(s, commentEnd, "-- >") }

// body returns the text of a section, or "".
func (d *Draft) body(s section) string {
	var b strings.Builder
	switch s.field {
	case "tags":
		if len(d.Packet.Tags) > 0 {
			b.WriteString(plain(strings.Join(d.Packet.Tags, ", ")) + "\n")
		}
	case listDecisions:
		for _, e := range d.Packet.Decisions {
			formatDecision(&b, e)
		}
	case listAttempts:
		for _, e := range d.Packet.Attempts {
			formatAttempt(&b, e)
		}
	case listMethods:
		for _, e := range d.Packet.Methods {
			item(&b, s.field, e.Name)
			detail(&b, s.field, partWhen, e.WhenApplicable)
			detail(&b, s.field, partHow, e.How)
		}
	case listChecks:
		for _, e := range d.Checks {
			item(&b, s.field, e.Command)
			b.WriteString(indent + map[bool]string{true: partPassed, false: partFailed}[e.Passed] + "\n")
		}
	default:
		if text := d.field(s.field); text != nil {
			if *text != "" {
				b.WriteString(plain(*text) + "\n")
			}
			break
		}
		for _, text := range *d.texts(s.field) {
			item(&b, s.field, text)
		}
	}
	return b.String()
}

func formatDecision(b *strings.Builder, e packet.Decision) {
	item(b, listDecisions, e.What)
	detail(b, listDecisions, partWhy, e.Why)
	if e.Consequences != "" {
		detail(b, listDecisions, partConsequences, e.Consequences)
	}
	if e.Locked {
		b.WriteString(indent + partLocked + "\n")
	}
}

func formatAttempt(b *strings.Builder, e packet.Attempt) {
	item(b, listAttempts, e.Tried)
	switch e.Outcome {
	case packet.Failed, packet.Partial, packet.Succeeded:
		b.WriteString(indent + string(e.Outcome) + "\n")
	case "":
	default:
		detail(b, listAttempts, partOutcome, string(e.Outcome))
	}
	if e.Learned != "" {
		detail(b, listAttempts, partLearned, e.Learned)
	}
	if e.Confidence != "" {
		detail(b, listAttempts, partConfidence, string(e.Confidence))
	}
}

// item writes the first text of an entry.
func item(b *strings.Builder, list, text string) { b.WriteString("- " + continued(list, text) + "\n") }

// detail writes a labeled part of an entry.
func detail(b *strings.Builder, list, label, text string) {
	b.WriteString(indent + label + ": " + continued(list, text) + "\n")
}

// continued returns a text that begins behind something else on its line: its other lines are
// indented, and escaped where they would mean something.
func continued(list, text string) string {
	lines := strings.Split(trim(text), "\n")
	for i := 1; i < len(lines); i++ {
		found, _ := match(lines[i], "\n", labelsOf(list))
		if found != "" || strings.HasPrefix(lines[i], escape) || isComment(lines[i]) {
			lines[i] = escape + lines[i]
		}
		lines[i] = indent + lines[i]
	}
	return strings.Join(lines, "\n")
}

// plain returns a text that has lines of its own, escaped where they would mean something.
func plain(text string) string {
	lines := strings.Split(trim(text), "\n")
	for i, line := range lines {
		if strings.HasPrefix(line, escape) || strings.HasPrefix(line, mark) || isComment(line) {
			lines[i] = escape + line
		}
	}
	return strings.Join(lines, "\n")
}

func isComment(line string) bool {
	return strings.HasPrefix(strings.TrimLeft(line, " \t"), commentBegin)
}
