package mcp

import (
	"encoding/json"
	"fmt"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"

	"ltm/memory"
)

// params decodes the arguments of a call. The first thing that is wrong is kept;
// after it every value is empty. It accepts what models send: numbers as
// strings, one tag or tags with commas in a string, null for what is left out.
type params struct {
	raw   map[string]json.RawMessage
	known []string
	err   error
}

// newParams takes the arguments as the client sent them.
func newParams(raw any) *params {
	p := &params{raw: map[string]json.RawMessage{}}
	if raw == nil {
		return p
	}
	data, ok := raw.(json.RawMessage)
	if !ok {
		var err error
		if data, err = json.Marshal(raw); err != nil {
			p.fail("the arguments cannot be read: %v", err)
			return p
		}
	}
	if err := json.Unmarshal(data, &p.raw); err != nil {
		p.fail("the arguments are not an object of names and values")
		return p
	}
	maps.DeleteFunc(p.raw, func(_ string, v json.RawMessage) bool { return string(v) == "null" })
	return p
}

func (p *params) fail(format string, args ...any) {
	if p.err == nil {
		p.err = memory.Errorf(memory.CodeInvalid, "nothing was changed", format, args...)
	}
}

// finish returns the first error; a parameter that nothing asked for is one.
func (p *params) finish() error {
	for _, name := range slices.Sorted(maps.Keys(p.raw)) {
		if !slices.Contains(p.known, name) {
			allowed := "this tool takes none"
			if len(p.known) > 0 {
				allowed = "allowed: " + strings.Join(p.known, ", ")
			}
			p.fail("there is no parameter %q; %s", name, allowed)
		}
	}
	return p.err
}

// take returns a parameter's JSON value, and whether it was given.
func (p *params) take(name string) (json.RawMessage, bool) {
	p.known = append(p.known, name)
	v, ok := p.raw[name]
	return v, ok
}

// text returns a string that must be given.
func (p *params) text(name string) string {
	s := p.optionalText(name)
	if s == nil {
		p.fail("the parameter %q is missing", name)
		return ""
	}
	return *s
}

// optionalText returns a string, or nil.
func (p *params) optionalText(name string) *string {
	raw, ok := p.take(name)
	if !ok {
		return nil
	}
	var s string
	if json.Unmarshal(raw, &s) != nil {
		p.fail("%s takes a text, and %s was given", name, shown(raw))
		return nil
	}
	return &s
}

// textOr returns a string, or "".
func (p *params) textOr(name string) string {
	if s := p.optionalText(name); s != nil {
		return *s
	}
	return ""
}

// id returns the memory's id, which may also be called memory_id.
func (p *params) id() string {
	if v, ok := p.raw["memory_id"]; ok {
		if _, both := p.raw["id"]; !both {
			p.raw["id"] = v
		}
		delete(p.raw, "memory_id")
	}
	return p.text("id")
}

// optionalNumber returns a number, also one in a string, or nil.
func (p *params) optionalNumber(name, allowed string) *float64 {
	raw, ok := p.take(name)
	if !ok {
		return nil
	}
	var s string
	if json.Unmarshal(raw, &s) != nil {
		s = string(raw)
	}
	v, err := strconv.ParseFloat(strings.TrimSpace(s), 64)
	if err != nil || math.IsNaN(v) || math.IsInf(v, 0) {
		p.fail("%s takes %s, and %s was given", name, allowed, shown(raw))
		return nil
	}
	return &v
}

// number returns an optional whole number within bounds.
func (p *params) number(name string, fallback, least, most int) int {
	allowed := fmt.Sprintf("a whole number from %d to %d", least, most)
	v := p.optionalNumber(name, allowed)
	if v == nil {
		return fallback
	}
	if *v != math.Trunc(*v) || *v < float64(least) || *v > float64(most) {
		p.fail("%s takes %s, and %s was given", name, allowed, strconv.FormatFloat(*v, 'f', -1, 64))
		return fallback
	}
	return int(*v)
}

// share returns an optional number from 0 to 1, or nil.
func (p *params) share(name string) *float64 {
	const allowed = "a number from 0 to 1"
	v := p.optionalNumber(name, allowed)
	if v != nil && (*v < 0 || *v > 1) {
		p.fail("%s takes %s, and %s was given", name, allowed, strconv.FormatFloat(*v, 'f', -1, 64))
		return nil
	}
	return v
}

// flag returns an optional yes or no.
func (p *params) flag(name string, fallback bool) bool {
	raw, ok := p.take(name)
	if !ok {
		return fallback
	}
	switch strings.ToLower(strings.Trim(string(raw), `"`)) {
	case "true":
		return true
	case "false":
		return false
	}
	p.fail("%s takes true or false, and %s was given", name, shown(raw))
	return fallback
}

// words returns an optional list of texts, or nil.
func (p *params) words(name string) *[]string {
	raw, ok := p.take(name)
	if !ok {
		return nil
	}
	list := []string{}
	if json.Unmarshal(raw, &list) == nil {
		return &list
	}
	var one string
	if json.Unmarshal(raw, &one) == nil {
		list = strings.Split(one, ",")
		return &list
	}
	p.fail("%s takes a list of texts, and %s was given", name, shown(raw))
	return nil
}

// phase returns an optional phase.
func (p *params) phase(name string) *memory.Phase {
	raw, ok := p.take(name)
	if !ok {
		return nil
	}
	phase, err := memory.ParsePhase(strings.Trim(string(raw), `"`))
	if err != nil {
		p.fail("%s takes 0 (full), 1 (hint) or 2 (abstract), and %s was given", name, shown(raw))
		return nil
	}
	return &phase
}

// shown is a JSON value, short enough for a message.
func shown(raw json.RawMessage) string {
	const most = 60
	s := []rune(string(raw))
	if len(s) > most {
		return string(s[:most]) + "…"
	}
	return string(s)
}
