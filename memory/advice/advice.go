// Package advice adds to the core's errors and notes what an edge's readers can do next.
//
// Errors and notes of the core say what happened, and their kind identifies the situation. The next step depends on the
// reader: a person types a command, a model calls a tool, a page has a button. [Common] has the steps that are the same
// for all readers; every edge merges its own [Table] over it.
//
// If a write was refused, the package also adds that nothing was changed: see [memory.Refused].
package advice

import (
	"errors"
	"maps"
	"reflect"
	"strings"

	"ltm/memory"
)

// Table maps kinds to what the readers of an edge do next. [Subject] in a line is replaced by the subject. A kind
// without a line, or with an empty one, has no next step: there is nothing to do, or the message already says it.
type Table map[memory.Kind]string

// Subject is the placeholder for the subject in a line of a [Table].
const Subject = "{}"

// Merge combines tables. If several have a line for a kind, the last one counts.
func Merge(tables ...Table) Table {
	all := Table{}
	for _, t := range tables {
		maps.Copy(all, t)
	}
	return all
}

// Operation is the kind of operation that failed.
type Operation int

const (
	Reading Operation = iota // it never changes anything a person would miss
	Writing
)

// Unchanged is the text that a refused write gets.
const Unchanged = "nothing was changed"

// Line returns the next step for a kind.
func (t Table) Line(kind memory.Kind, subject string) string {
	return strings.ReplaceAll(t[kind], Subject, subject)
}

// Split returns what was wrong, and what to do next or "".
func (t Table) Split(err error, op Operation) (message, hint string) {
	message, list, _ := strings.Cut(err.Error(), "\n")
	var parts []string
	if step := t.Step(err); step != "" {
		parts = append(parts, step)
	}
	var begun *partial
	if op == Writing && memory.Refused(err) && !errors.As(err, &begun) {
		parts = append(parts, Unchanged)
	}
	hint = Join(parts...)
	if list != "" {
		hint += "\n" + list
	}
	return message, hint
}

// Tell returns the text of an error and what to do next.
func (t Table) Tell(err error, op Operation) string {
	message, hint := t.Split(err, op)
	if hint == "" || strings.HasPrefix(hint, "\n") {
		return message + hint
	}
	return Join(message, hint)
}

// Step returns only the next step after an error, or "".
func (t Table) Step(err error) string {
	if own, ok := errors.AsType[*advised](err); ok {
		return own.step
	}
	if known, ok := errors.AsType[*memory.Error](err); ok {
		return t.Line(known.Kind, known.Subject)
	}
	return ""
}

// Say returns the text of a note, with the next step after each remark.
func (t Table) Say(n memory.Note) string {
	parts := make([]string, 0, 2*len(n))
	for _, r := range n {
		parts = append(parts, r.Text)
		if r.Kind != "" {
			parts = append(parts, t.Line(r.Kind, r.Subject))
		}
	}
	return Join(parts...)
}

// Join makes one text of parts, of which some may be empty.
func Join(parts ...string) string {
	var b strings.Builder
	for _, part := range parts {
		switch {
		case part == "":
			continue
		case b.Len() == 0:
		case strings.HasSuffix(b.String(), "?"):
			b.WriteString(" ")
		default:
			b.WriteString("; ")
		}
		b.WriteString(part)
	}
	return b.String()
}

// advised is an error with a next step of its own.
type advised struct {
	error
	step string
}

func (a *advised) Unwrap() error { return a.error }

// With gives an error a next step of its own, instead of that of its kind: for errors of the edge itself, and where the
// edge knows more about the situation.
func With(err error, step string) error { return &advised{err, step} }

// partial is an error of an operation that changed something.
type partial struct{ error }

func (p *partial) Unwrap() error { return p.error }

// Partial marks the error of an operation that changed something before it failed, so that
// [Unchanged] is not said. It returns nil for nil.
func Partial(err error) error {
	if err == nil {
		return nil
	}
	return &partial{err}
}

// Spell returns a copy of an answer in which every note is a single text with its next steps.
func (t Table) Spell(answer any) any {
	return t.spell(reflect.ValueOf(answer)).Interface()
}

func (t Table) spell(v reflect.Value) reflect.Value {
	if !v.IsValid() {
		return v
	}
	if v.Type() == reflect.TypeFor[memory.Note]() {
		if text := t.Say(v.Interface().(memory.Note)); text != "" {
			return reflect.ValueOf(memory.Say(text))
		}
		return reflect.Zero(v.Type())
	}
	switch v.Kind() {
	case reflect.Struct:
		out := reflect.New(v.Type()).Elem()
		out.Set(v)
		for i := range v.NumField() {
			if v.Type().Field(i).IsExported() {
				out.Field(i).Set(t.spell(v.Field(i)))
			}
		}
		return out
	case reflect.Pointer:
		if v.IsNil() {
			return v
		}
		out := reflect.New(v.Type().Elem())
		out.Elem().Set(t.spell(v.Elem()))
		return out
	case reflect.Slice:
		switch v.Type().Elem().Kind() {
		case reflect.Struct, reflect.Pointer, reflect.Slice, reflect.Interface:
		default: // which holds no note
			return v
		}
		if v.IsNil() {
			return v
		}
		out := reflect.MakeSlice(v.Type(), v.Len(), v.Len())
		for i := range v.Len() {
			out.Index(i).Set(t.spell(v.Index(i)))
		}
		return out
	case reflect.Interface:
		if !v.IsNil() {
			return t.spell(v.Elem())
		}
	}
	return v
}
