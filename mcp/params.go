package mcp

import (
	"encoding/json"
	"fmt"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"

	"ltm/api"
	"ltm/memory"
)

// params decodes the arguments of a call. The first thing that is wrong is kept;
// after it every value is empty. It accepts what models send: numbers as
// strings, one tag or tags with commas in a string, null for what is left out.
type params struct {
	raw    map[string]json.RawMessage
	known  []string
	absent string // the first parameter that must be given and is not
	err    error
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

// finish returns the first error. A parameter that nothing asked for is one, and
// comes before one that is missing: the first is often the second, misspelt.
func (p *params) finish() error {
	for _, name := range slices.Sorted(maps.Keys(p.raw)) {
		if !slices.Contains(p.known, name) {
			allowed := "this tool takes none"
			if len(p.known) > 0 {
				allowed = "allowed: " + strings.Join(p.known, ", ")
			}
			p.fail("there is no parameter %s; %s", shown(quoted(name)), allowed)
		}
	}
	if p.absent != "" {
		p.fail("the parameter %q is missing", p.absent)
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
		if p.absent == "" {
			p.absent = name
		}
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
	if other, ok := p.raw["memory_id"]; ok {
		if id, both := p.raw["id"]; both && string(id) != string(other) {
			p.fail("id is %s and memory_id is %s; give one of them", shown(id), shown(other))
		}
		p.raw["id"] = other
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

// limit returns an optional whole number from 1 to most. One outside of these bounds
// is moved to the nearer one, for a model loses a call to every refusal.
func (p *params) limit(name string, fallback, most int) int {
	allowed := fmt.Sprintf("a whole number from 1 to %d", most)
	v := p.optionalNumber(name, allowed)
	if v == nil {
		return fallback
	}
	if *v != math.Trunc(*v) {
		p.fail("%s takes %s, and %s was given", name, allowed, strconv.FormatFloat(*v, 'f', -1, 64))
		return fallback
	}
	return int(min(max(*v, 1), float64(most)))
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

// words returns an optional list of texts, or nil. One text stands for the words
// between its commas, or for the list that it holds as JSON.
func (p *params) words(name string) *[]string {
	raw, ok := p.take(name)
	if !ok {
		return nil
	}
	list, ok := texts(raw)
	if one := ""; !ok && json.Unmarshal(raw, &one) == nil {
		if strings.HasPrefix(strings.TrimSpace(one), "[") {
			list, ok = texts([]byte(one))
		} else {
			list, ok = parts(one), true
		}
	}
	if !ok {
		p.fail("%s takes a list of texts, and %s was given", name, shown(raw))
		return nil
	}
	return &list
}

// texts decodes a list that holds nothing but texts.
func texts(raw []byte) ([]string, bool) {
	var list []*string // a null stays one, where a string would become empty
	if json.Unmarshal(raw, &list) != nil {
		return nil, false
	}
	out := make([]string, 0, len(list))
	for _, s := range list {
		if s == nil {
			return nil, false
		}
		out = append(out, *s)
	}
	return out, true
}

// parts splits a text at its commas.
func parts(s string) []string {
	out := []string{}
	for part := range strings.SplitSeq(s, ",") {
		if part = strings.TrimSpace(part); part != "" {
			out = append(out, part)
		}
	}
	return out
}

// phase returns an optional phase.
func (p *params) phase(name string) *memory.Phase {
	raw, ok := p.take(name)
	if !ok {
		return nil
	}
	text := strings.ToLower(strings.TrimSpace(strings.Trim(string(raw), `"`)))
	phase, err := memory.ParsePhase(strings.TrimSuffix(text, ".0"))
	if err != nil {
		p.fail("%s takes 0 (full), 1 (hint) or 2 (abstract), and %s was given", name, shown(raw))
		return nil
	}
	return &phase
}

// scope returns among which memories to look.
func (p *params) scope(name string) api.Include {
	s := p.optionalText(name)
	if s == nil {
		return ""
	}
	scope, err := api.ParseInclude(*s)
	if err != nil {
		p.fail("%s takes active, archives or all, and %s was given", name, shown(quoted(*s)))
	}
	return scope
}

// importance returns an optional level, or "".
func (p *params) importance(name string) memory.Importance {
	text := p.textOr(name)
	if text == "" {
		return ""
	}
	level, err := memory.ParseImportance(text)
	if err != nil {
		p.fail("%s takes critical, important, normal or low, and %s was given", name, shown(quoted(text)))
	}
	return level
}

// level returns an optional level, or "". Unlike that of a filter it is not empty
// when it is given.
func (p *params) level(name string) memory.Importance {
	text := p.optionalText(name)
	if text == nil {
		return ""
	}
	level, err := memory.ParseImportance(*text)
	if err != nil {
		p.fail("%s takes critical, important, normal or low, and %s was given", name, shown(quoted(*text)))
	}
	return level
}

// list returns an optional list of texts that is not empty when it is given.
func (p *params) list(name string) []string {
	list := p.words(name)
	if list == nil {
		return nil
	}
	if len(*list) == 0 {
		p.fail("%s takes a list of texts, and %s was given", name, shown(p.raw[name]))
	}
	return *list
}

// quoted is a text as JSON has it, on one line.
func quoted(s string) json.RawMessage { return json.RawMessage(strconv.Quote(s)) }

// shown is a JSON value, short enough for a message.
func shown(raw json.RawMessage) string {
	const most = 60
	s := []rune(string(raw))
	if len(s) > most {
		return string(s[:most]) + "…"
	}
	return string(s)
}
