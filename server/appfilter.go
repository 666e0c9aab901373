package server

import (
	"bytes"
	"encoding/json"
	"errors"
	"maps"
	"math"
	"slices"
	"strings"

	"ltm/server/threads"
)

// The bounds of filters.
const (
	maxFilterDepth  = 8
	maxFilterParts  = 64
	maxFilterValues = 100
	maxFilterText   = 1024 // bytes of a value
)

// filterDoc is a filter as clients write it. Exactly one of and, or, not and field is given, and with field exactly
// one of eq, in, range and exists.
type filterDoc struct {
	And    []filterDoc       `json:"and,omitempty" doc:"All of these."`
	Or     []filterDoc       `json:"or,omitempty" doc:"One of these at least."`
	Not    *filterDoc        `json:"not,omitempty" doc:"Not this."`
	Field  string            `json:"field,omitempty" doc:"A field, or meta.KEY with a key that the application declares."`
	Eq     json.RawMessage   `json:"eq,omitempty" doc:"It has this value."`
	In     []json.RawMessage `json:"in,omitempty" doc:"It has one of these values."`
	Range  *filterRange      `json:"range,omitempty" doc:"It is a number or time in this range."`
	Exists *bool             `json:"exists,omitempty" doc:"It has a value, or has none."`

	twice bool // it has a key more than once
}

type filterRange struct {
	From json.RawMessage `json:"from,omitempty" doc:"Inclusive."`
	To   json.RawMessage `json:"to,omitempty" doc:"Exclusive."`

	twice bool
}

// UnmarshalJSON implements json.Unmarshaler.
func (d *filterDoc) UnmarshalJSON(b []byte) error {
	type plain filterDoc
	_, d.twice = fieldsOf(b)
	return unknownKey(decodeStrict(b, (*plain)(d)),
		"a part has and, or, not, or field with one of eq, in, range and exists")
}

// UnmarshalJSON implements json.Unmarshaler.
func (r *filterRange) UnmarshalJSON(b []byte) error {
	type plain filterRange
	_, r.twice = fieldsOf(b)
	return unknownKey(decodeStrict(b, (*plain)(r)), "range has from and to")
}

// unknownKey says which keys are allowed instead of one that is not.
func unknownKey(err error, allowed string) error {
	if err != nil && strings.HasPrefix(err.Error(), "json: unknown field ") {
		return badFilter("there is no %s; %s", clip(strings.TrimPrefix(err.Error(), "json: unknown field ")), allowed)
	}
	return err
}

func decodeStrict(b []byte, into any) error {
	d := json.NewDecoder(bytes.NewReader(b))
	d.DisallowUnknownFields()
	return d.Decode(into)
}

// filterer checks filters against fields.
type filterer struct {
	fields map[string]string // with their types
	parts  int
	used   map[string]bool
}

// newFilterer returns one for events or claims of an application.
func newFilterer(c *call, kinds ...threads.Kind) *filterer {
	f := &filterer{fields: map[string]string{}, used: map[string]bool{}}
	if slices.Contains(kinds, threads.KindEvent) {
		maps.Copy(f.fields, eventFields(c))
	}
	if slices.Contains(kinds, threads.KindClaim) {
		maps.Copy(f.fields, threads.ClaimFields())
	}
	return f
}

// eventFields returns the fields of events that an application's filters may name.
func eventFields(c *call) map[string]string {
	fields := threads.EventFields()
	for key, kind := range c.app.app.Settings.Fields {
		fields["meta."+key] = kind
	}
	return fields
}

// filterParam reads a filter that is a parameter; "" means no filter.
func (f *filterer) param(text string) (*threads.Filter, error) {
	if text == "" {
		return nil, nil
	}
	if depth([]byte(text)) > 2*maxFilterDepth+2 {
		return nil, badFilter("it is nested deeper than %d", maxFilterDepth)
	}
	var doc filterDoc
	d := json.NewDecoder(strings.NewReader(text))
	d.DisallowUnknownFields()
	err := d.Decode(&doc)
	var own *Problem
	if errors.As(err, &own) {
		return nil, own
	}
	if err != nil || d.More() {
		return nil, badFilter("it must be a JSON object of and, or, not, or field with eq, in, range or exists")
	}
	return f.body(&doc)
}

// body checks a filter of a body; nil means no filter.
func (f *filterer) body(doc *filterDoc) (*threads.Filter, error) {
	if doc == nil {
		return nil, nil
	}
	out, err := f.part(doc, 1)
	if err != nil {
		return nil, err
	}
	return &out, nil
}

func badFilter(format string, args ...any) *Problem {
	return problem(kindRequest, "invalid filter: "+format, args...)
}

func (f *filterer) part(doc *filterDoc, depth int) (out threads.Filter, err error) {
	if f.parts++; f.parts > maxFilterParts || depth > maxFilterDepth {
		return out, badFilter("it has more than %d parts, or is nested deeper than %d", maxFilterParts, maxFilterDepth)
	}
	if doc.twice || doc.Range != nil && doc.Range.twice {
		return out, badFilter("a part has a key more than once")
	}
	given := 0
	for _, is := range []bool{doc.And != nil, doc.Or != nil, doc.Not != nil, doc.Field != ""} {
		if is {
			given++
		}
	}
	if given != 1 {
		return out, badFilter("each part has exactly one of and, or, not and field")
	}
	if doc.Field == "" && (doc.Eq != nil || doc.In != nil || doc.Range != nil || doc.Exists != nil) {
		return out, badFilter("eq, in, range and exists need a field")
	}
	switch {
	case doc.Field != "":
		return f.leaf(doc)
	case doc.Not != nil:
		inner, err := f.part(doc.Not, depth+1)
		out.Not = &inner
		return out, err
	case doc.And != nil:
		out.And, err = f.all(doc.And, depth)
	default:
		out.Or, err = f.all(doc.Or, depth)
	}
	return out, err
}

func (f *filterer) all(docs []filterDoc, depth int) (out []threads.Filter, err error) {
	if len(docs) == 0 {
		return nil, badFilter("and and or need at least one part")
	}
	for i := range docs {
		one, err := f.part(&docs[i], depth+1)
		if err != nil {
			return nil, err
		}
		out = append(out, one)
	}
	return out, nil
}

// leaf checks a condition on a field.
func (f *filterer) leaf(doc *filterDoc) (out threads.Filter, err error) {
	kind, known := f.fields[doc.Field]
	if !known {
		return out, badFilter("unknown field %q; there are %s", clip(doc.Field), listed(f.fields))
	}
	f.used[doc.Field] = true
	out = threads.Filter{Field: doc.Field, Type: kind}
	given := 0
	if doc.Eq != nil {
		given, out.Op = given+1, "eq"
		err = f.values(&out, []json.RawMessage{doc.Eq}, false)
	}
	if doc.In != nil {
		given, out.Op = given+1, "in"
		if len(doc.In) == 0 || len(doc.In) > maxFilterValues {
			return out, badFilter("in needs 1 to %d values", maxFilterValues)
		}
		err = f.values(&out, doc.In, false)
	}
	if doc.Range != nil {
		given, out.Op = given+1, "range"
		if kind != "number" && kind != "time" {
			return out, badFilter("%q is neither a number nor a time, and has no range", doc.Field)
		}
		if isNone(doc.Range.From) && isNone(doc.Range.To) {
			return out, badFilter("range needs from or to")
		}
		err = f.values(&out, []json.RawMessage{doc.Range.From, doc.Range.To}, true)
	}
	if doc.Exists != nil {
		given, out.Op = given+1, "exists"
	}
	if err == nil && given != 1 {
		err = badFilter("a field needs exactly one of eq, in, range and exists")
	}
	if err == nil && doc.Exists != nil && !*doc.Exists {
		out = threads.Filter{Not: &threads.Filter{Field: out.Field, Type: out.Type, Op: out.Op}}
	}
	return out, err
}

// listed names fields.
func listed(fields map[string]string) string {
	return strings.Join(slices.Sorted(maps.Keys(fields)), ", ")
}

func isNone(raw json.RawMessage) bool {
	raw = bytes.TrimSpace(raw)
	return len(raw) == 0 || string(raw) == "null"
}

// values reads the values of a condition, which must have the field's type.
func (f *filterer) values(out *threads.Filter, raws []json.RawMessage, open bool) error {
	for _, raw := range raws {
		if open && isNone(raw) {
			out.Values = append(out.Values, nil)
			continue
		}
		v, ok := value(out.Type, raw)
		if !ok {
			return badFilter("a value of %q must be a %s", out.Field, out.Type)
		}
		if id, isText := v.(string); isText && out.Field == "thread" {
			if known, ok := uuid(id); ok { // as in paths
				v = known
			}
		}
		out.Values = append(out.Values, v)
	}
	return nil
}

// value reads a value of a type.
func value(kind string, raw json.RawMessage) (any, bool) {
	var v any
	if json.Unmarshal(raw, &v) != nil {
		return nil, false
	}
	switch v := v.(type) {
	case string:
		if kind == "time" {
			at, err := timeOf("it", v)
			return at, err == nil && v != ""
		}
		return v, kind == "text" && len(v) <= maxFilterText
	case float64:
		return v, kind == "number" && !math.IsInf(v, 0)
	case bool:
		return v, kind == "bool"
	}
	return nil, false
}

// kindsOf returns the kinds of rows that have all fields which were named: a filter on the role of events must not
// let all claims through. asked are the kinds that were asked for; none: whichever fit.
func (f *filterer) kindsOf(c *call, asked []threads.Kind) ([]threads.Kind, error) {
	var fit []threads.Kind
	for kind, fields := range map[threads.Kind]map[string]string{threads.KindEvent: eventFields(c),
		threads.KindClaim: threads.ClaimFields()} {
		has := true
		for name := range f.used {
			has = has && fields[name] != ""
		}
		if has {
			fit = append(fit, kind)
		}
	}
	slices.Sort(fit)
	if len(asked) == 0 && len(fit) > 0 {
		return fit, nil
	}
	has := "events have " + listed(eventFields(c)) + ", and claims have " + listed(threads.ClaimFields())
	for _, kind := range asked {
		if !slices.Contains(fit, kind) {
			return nil, badFilter("what is searched as %s does not have all of its fields; %s", kind, has)
		}
	}
	if len(fit) == 0 {
		return nil, badFilter("nothing has all of its fields; %s", has)
	}
	return asked, nil
}
