package threads

import (
	"cmp"
	"encoding/json"
	"slices"
	"strings"
	"time"

	"ltm/server/conversation/recall"
)

// fields returns the fields that a filter names.
func (f *Filter) fields() []string {
	if f == nil {
		return nil
	}
	var out []string
	if f.Field != "" {
		out = append(out, f.Field)
	}
	for _, part := range slices.Concat(f.And, f.Or) {
		out = append(out, part.fields()...)
	}
	return append(out, f.Not.fields()...)
}

// kinds returns those of the kinds, or of all if there are none, that have the fields of a filter.
func (f *Filter) kinds(of []recall.Kind) []recall.Kind {
	events, claims := true, true
	for _, field := range f.fields() {
		events = events && (EventFields()[field] != "" || strings.HasPrefix(field, "meta."))
		claims = claims && ClaimFields()[field] != ""
	}
	var out []recall.Kind
	for kind, ok := range map[recall.Kind]bool{recall.Event: events, recall.Claim: claims} {
		if ok && (len(of) == 0 || slices.Contains(of, kind)) {
			out = append(out, kind)
		}
	}
	return out
}

// Event reports whether an event fulfills the condition. Without a condition every event does. See [EventFields].
func (f *Filter) Event(e Event) bool {
	return f.matches(func(field string) any {
		switch field {
		case "thread":
			return e.Thread
		case "session":
			return e.Session
		case "role":
			return string(e.Role)
		case "lang":
			return e.Lang
		case "agent":
			return e.Agent
		case "importance":
			return float64(e.Importance)
		case "occurred_at":
			return e.Occurred
		case "recorded_at":
			return e.Recorded
		}
		return metaField(e.Meta, field)
	})
}

// Claim reports whether a claim fulfills the condition. Without a condition every claim does. See [ClaimFields].
func (f *Filter) Claim(c Claim) bool {
	return f.matches(func(field string) any {
		switch field {
		case "bucket":
			return string(c.Bucket)
		case "state":
			return string(c.State)
		case "stability":
			return c.Stability
		case "confidence":
			return c.Confidence
		case "reinforced":
			return float64(c.Reinforced)
		case "created_at":
			return c.CreatedAt
		case "updated_at":
			return c.UpdatedAt
		case "expires_at":
			return c.ExpiresAt
		}
		return nil
	})
}

// metaField returns the value of a key of meta, nil if it has none.
func metaField(meta Meta, field string) any {
	key, ok := strings.CutPrefix(field, "meta.")
	var object map[string]json.RawMessage
	if !ok || len(meta) == 0 || json.Unmarshal(meta, &object) != nil {
		return nil
	}
	var v any
	if json.Unmarshal(object[key], &v) != nil { // no such key, or a number that is too large
		return nil
	}
	return v
}

// matches reports whether a row fulfills the condition, all of whose parts hold.
func (f *Filter) matches(value func(field string) any) bool {
	if f == nil {
		return true
	}
	matches := func(g Filter) bool { return g.matches(value) }
	for _, g := range f.And {
		if !matches(g) {
			return false
		}
	}
	if len(f.Or) > 0 && !slices.ContainsFunc(f.Or, matches) || f.Not != nil && f.Not.matches(value) {
		return false
	}
	return f.Field == "" || f.holds(value(f.Field))
}

// holds reports whether the condition on a field holds for its value.
func (f *Filter) holds(v any) bool {
	if f.Op == "exists" {
		at, isTime := v.(time.Time)
		s, isText := v.(string)
		column := !strings.HasPrefix(f.Field, "meta.") // where an empty value means no value
		return v != nil && !(column && isText && s == "") && !(isTime && at.IsZero())
	}
	v, ok := typed(v, f.Type)
	if !ok {
		return false
	}
	switch f.Op {
	case "eq", "in":
		return slices.ContainsFunc(f.Values, func(w any) bool {
			w, ok := typed(w, f.Type)
			return ok && order(v, w) == 0
		})
	case "range":
		return len(f.Values) == 2 && f.bound(v, f.Values[0], -1) && f.bound(v, f.Values[1], 1)
	}
	return false
}

// bound reports whether a value is not below the beginning (side -1) of a range, or below its end (side 1).
func (f *Filter) bound(v, w any, side int) bool {
	if w == nil {
		return true
	}
	w, ok := typed(w, f.Type)
	if !ok {
		return false
	}
	if side < 0 {
		return order(v, w) >= 0
	}
	return order(v, w) < 0
}

// typed returns a value as one of a type, if it is that: a time may be a text of RFC 3339.
func typed(v any, kind string) (any, bool) {
	switch kind {
	case "text":
		s, ok := v.(string)
		return s, ok
	case "number":
		n, ok := v.(float64)
		return n, ok
	case "bool":
		b, ok := v.(bool)
		return b, ok
	case "time":
		if s, ok := v.(string); ok {
			at, err := time.Parse(time.RFC3339Nano, s)
			return at, err == nil
		}
		at, ok := v.(time.Time)
		return at, ok && !at.IsZero()
	}
	return nil, false
}

// order compares two values of one type. Texts are ordered by their bytes, and false comes before true.
func order(v, w any) int {
	switch v := v.(type) {
	case string:
		return strings.Compare(v, w.(string))
	case time.Time:
		return v.Compare(w.(time.Time))
	case bool:
		switch w := w.(bool); {
		case v && !w:
			return 1
		case w && !v:
			return -1
		}
	case float64:
		return cmp.Compare(v, w.(float64))
	}
	return 0
}

// EventFields returns the fields of events that a [Filter] may name, with their types. An application's own are
// those of [Settings.Fields], as "meta.KEY".
func EventFields() map[string]string {
	return map[string]string{"role": "text", "agent": "text", "session": "text", "lang": "text", "thread": "text",
		"importance": "number", "occurred_at": "time", "recorded_at": "time"}
}

// ClaimFields returns the fields of claims that a [Filter] may name, with their types. Claims have no meta.
func ClaimFields() map[string]string {
	return map[string]string{"bucket": "text", "state": "text", "stability": "text", "confidence": "number",
		"reinforced": "number", "created_at": "time", "updated_at": "time", "expires_at": "time"}
}
