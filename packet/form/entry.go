package form

import (
	"slices"
	"strings"

	"ltm/packet"
)

// Check is a command that was run, and how it ended.
type Check struct {
	Command string
	Passed  bool
}

// label names a part of an entry.
type label struct {
	name  string
	words []string // how people write it, in lower case

	// alone reports that the words are complete by themselves, as in "locked". Otherwise a colon and a text follow.
	alone bool
}

const (
	partWhy          = "why"
	partConsequences = "rules out"
	partLocked       = "locked"
	partUnlocked     = "not locked"
	partLearned      = "learned"
	partConfidence   = "confidence"
	partOutcome      = "outcome"
	partWhen         = "when"
	partHow          = "how"
	partFailed       = "failed"
	partPartial      = "partial"
	partSucceeded    = "succeeded"
	partPassed       = "passed"
)

func named(name string, others ...string) label {
	return label{name: name, words: append(others, name)}
}

func alone(name string, others ...string) label {
	return label{name: name, words: append(others, name), alone: true}
}

// labelsOf returns the labels of a kind of entry, by the field of its list.
func labelsOf(list string) []label {
	switch list {
	case listDecisions:
		return []label{named(partWhy), named(partConsequences, "consequences"),
			alone(partLocked, "locked: yes", "locked: true"), alone(partUnlocked, "locked: no", "locked: false")}
	case listAttempts:
		return []label{named(partLearned), named(partConfidence), named(partOutcome),
			alone(partFailed), alone(partPartial, "partly"), alone(partSucceeded, "worked")}
	case listMethods:
		return []label{named(partWhen, "when_applicable"), named(partHow)}
	case listChecks:
		return []label{alone(partPassed), alone(partFailed)}
	}
	return nil
}

// part is a labeled part of an entry. That of the entry's own text has the label "".
type part struct {
	label string
	text  string
	line  int // of the part, from 0 for that of the entry
}

// isAlone reports whether a label is that of the part and takes no text.
func (p part) isAlone(l label) bool { return l.alone && l.name == p.label }

// parts takes an entry apart. A part begins where a label follows one of the separators.
func parts(text, separators string, labels []label) []part {
	all := []part{{}}
	from, lines := 0, 0
	end := func(at int) {
		last := &all[len(all)-1]
		last.text += text[from:at]
	}
	for i := 0; i < len(text); i++ {
		if text[i] == '\n' {
			lines++
		}
		if strings.IndexByte(separators, text[i]) < 0 {
			continue
		}
		found, length := match(text[i+1:], separators, labels)
		if found == "" {
			continue
		}
		end(i)
		all = append(all, part{label: found, line: lines})
		from = i + 1 + length
		i = from - 1
	}
	end(len(text))
	return all
}

// match returns the label at the beginning of a text, and the length of what belongs to it.
func match(text, separators string, labels []label) (name string, length int) {
	blanks := len(text) - len(strings.TrimLeft(text, " \t"))
	rest := text[blanks:]
	for _, l := range labels {
		for _, word := range l.words {
			if len(rest) < len(word) || !strings.EqualFold(rest[:len(word)], word) {
				continue
			}
			after := rest[len(word):]
			if l.alone {
				if end := strings.TrimLeft(after, " \t."); end == "" ||
					strings.IndexByte(separators+"\n", end[0]) >= 0 {
					return l.name, len(text) - len(end)
				}
				continue
			}
			if trimmed := strings.TrimLeft(after, " \t"); strings.HasPrefix(trimmed, ":") {
				return l.name, len(text) - len(trimmed) + 1
			}
		}
	}
	return "", 0
}

// entry is an entry that was taken apart.
type entry struct {
	text   string
	parts  map[string]string
	faults []Fault
}

// readEntry takes an entry of a list apart. clean makes the text of a part what is meant.
func readEntry(text, separators, list string, clean func(string) string) entry {
	e := entry{parts: map[string]string{}}
	for i, p := range parts(text, separators, labelsOf(list)) {
		value := clean(p.text)
		if _, twice := e.parts[p.label]; twice && i > 0 {
			e.faults = append(e.faults, Fault{Line: p.line, Message: "has \"" + p.label + "\" twice"})
			continue
		}
		if i == 0 {
			e.text = value
			continue
		}
		e.parts[p.label] = value
		if value != "" && slices.ContainsFunc(labelsOf(list), p.isAlone) {
			e.faults = append(e.faults, Fault{Line: p.line, Message: "has a text behind \"" + p.label + "\""})
		}
	}
	return e
}

// need notes a part that is missing.
func (e *entry) need(label, example string) string {
	value, ok := e.parts[label]
	if !ok {
		e.faults = append(e.faults, Fault{Message: "has no \"" + label + "\": add " + example})
	}
	return value
}

// oneOf notes parts that exclude each other, and returns the one that is there.
func (e *entry) oneOf(labels ...string) string {
	found := ""
	for _, l := range labels {
		if _, ok := e.parts[l]; !ok {
			continue
		}
		if found != "" {
			e.faults = append(e.faults, Fault{Message: "is \"" + found + "\" and \"" + l + "\""})
		}
		found = l
	}
	return found
}

func (e *entry) decision() packet.Decision {
	return packet.Decision{What: e.text, Why: e.need(partWhy, `"why: THE REASON"`),
		Consequences: e.parts[partConsequences], Locked: e.oneOf(partLocked, partUnlocked) == partLocked}
}

func (e *entry) attempt() packet.Attempt {
	outcome := e.oneOf(partFailed, partPartial, partSucceeded, partOutcome)
	if outcome == partOutcome {
		outcome = e.parts[partOutcome]
	}
	if outcome == "" {
		e.faults = append(e.faults, Fault{Message: `does not say how it ended: add "failed", "partial" or "succeeded"`})
	}
	return packet.Attempt{Tried: e.text, Outcome: packet.Outcome(outcome), Learned: e.parts[partLearned],
		Confidence: packet.Level(e.parts[partConfidence])}
}

func (e *entry) method() packet.Method {
	return packet.Method{Name: e.text, WhenApplicable: e.need(partWhen, `"when: WHEN IT HELPS"`),
		How: e.need(partHow, `"how: WHAT TO DO"`)}
}

func (e *entry) check() Check {
	how := e.oneOf(partPassed, partFailed)
	switch {
	case e.text == "":
		e.faults = append(e.faults, Fault{Message: "names no command"})
	case how == "":
		e.faults = append(e.faults, Fault{Message: `does not say how it ended: add "passed" or "failed"`})
	}
	return Check{Command: e.text, Passed: how == partPassed}
}

// The separators of a line for a flag: it has no lines of its own.
const flagSeparators = ";\n"

// readFlag takes the text of a flag apart.
func readFlag(text, list string) entry { return readEntry(text, flagSeparators, list, trim) }

// Decision reads "WHAT; why: WHY; rules out: CONSEQUENCES; locked". If it has no why, the first
// colon with a blank behind it separates WHAT and WHY. The faults have no line.
func Decision(text string) (packet.Decision, []Fault) {
	e := readFlag(text, listDecisions)
	if _, has := e.parts[partWhy]; !has {
		if what, why, ok := strings.Cut(e.text, ": "); ok {
			e.text, e.parts[partWhy] = strings.TrimSpace(what), strings.TrimSpace(why)
		}
	}
	return e.decision(), e.withoutLines()
}

// Attempt reads "TRIED; failed; learned: LESSON; confidence: high". The faults have no line.
func Attempt(text string) (packet.Attempt, []Fault) {
	e := readFlag(text, listAttempts)
	return e.attempt(), e.withoutLines()
}

// Method reads "NAME; when: WHEN; how: HOW". The faults have no line.
func Method(text string) (packet.Method, []Fault) {
	e := readFlag(text, listMethods)
	return e.method(), e.withoutLines()
}

// ReadCheck reads "COMMAND; passed" or "COMMAND: failed". The faults have no line.
func ReadCheck(text string) (Check, []Fault) {
	e := readEntry(text, ":"+flagSeparators, listChecks, trim)
	return e.check(), e.withoutLines()
}

func (e *entry) withoutLines() []Fault {
	for i := range e.faults {
		e.faults[i].Line = 0
	}
	return e.faults
}
