package mcp

import (
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"ltm/memory"
	"ltm/memory/api"
)

// The kinds accept more than their schemas declare, because models send it: numbers and
// lists in strings, a list as one string with commas, words in any case.

// takes is the error for a value that is not allowed.
func takes(allowed string, given json.RawMessage) error {
	return fmt.Errorf("takes %s, and %s was given", allowed, shown(given))
}

// orNil makes a kind whose variable is a pointer, nil if the parameter is omitted.
func orNil[T any](to **T, of func(*T) kind) kind {
	v := new(T)
	k := of(v)
	return kind{k.schema, func(given json.RawMessage) error {
		*to = v
		return k.set(given)
	}}
}

// orEmpty makes a kind that treats an empty text as an omitted parameter.
func orEmpty(k kind) kind {
	return kind{k.schema, func(given json.RawMessage) error {
		if string(given) == `""` {
			return nil
		}
		return k.set(given)
	}}
}

func text(to *string) kind {
	return kind{`"type":"string"`, func(given json.RawMessage) error {
		if json.Unmarshal(given, to) != nil {
			return takes("a text", given)
		}
		return nil
	}}
}

// oneOf is one of several words, as parse reads them.
func oneOf[T ~string](to *T, parse func(string) (T, error), words ...T) kind {
	names := make([]string, len(words))
	for i, w := range words {
		names[i] = string(w)
	}
	last := len(names) - 1
	allowed := strings.Join(names[:last], ", ") + " or " + names[last]
	return kind{`"type":"string","enum":["` + strings.Join(names, `","`) + `"]`, func(given json.RawMessage) error {
		var s string
		err := text(&s).set(given)
		if err != nil {
			return err
		}
		if *to, err = parse(s); err != nil || !slices.Contains(words, *to) {
			return takes(allowed, quoted(s))
		}
		return nil
	}}
}

func importance(to *memory.Importance) kind {
	return oneOf(to, memory.ParseImportance, memory.Critical, memory.Important, memory.Normal, memory.Low)
}

// anyCategory is the kind of memories, or an empty text, for the engine to check.
func anyCategory(to *memory.Category) kind { return text((*string)(to)) }

// scope is whose memories: one of these.
func scope(to *api.Scope, of ...api.Scope) kind { return oneOf(to, api.ParseScope, of...) }

func phase(to *memory.Phase) kind {
	return kind{`"type":"integer"`, func(given json.RawMessage) (err error) {
		word := strings.ToLower(strings.TrimSpace(strings.Trim(string(given), `"`)))
		if *to, err = memory.ParsePhase(strings.TrimSuffix(word, ".0")); err != nil {
			return takes(memory.PhaseNames, given)
		}
		return nil
	}}
}

func flag(to *bool) kind {
	return kind{`"type":"boolean"`, func(given json.RawMessage) error {
		switch strings.ToLower(strings.Trim(string(given), `"`)) {
		case "true":
			*to = true
		case "false":
			*to = false
		default:
			return takes("true or false", given)
		}
		return nil
	}}
}

// flagOr is a flag with a default.
func flagOr(to *bool, fallback bool) kind {
	*to = fallback
	k := flag(to)
	k.schema += fmt.Sprintf(`,"default":%t`, fallback)
	return k
}

// share is a number from 0 to 1.
func share(to *float64) kind {
	return kind{`"type":"number","minimum":0,"maximum":1`, func(given json.RawMessage) (err error) {
		*to, err = number(given, "a number from 0 to 1", func(v float64) bool { return v >= 0 && v <= 1 })
		return err
	}}
}

// limit is a whole number from 1 to most. A number outside these bounds is moved to the nearest one, because a refusal
// costs the model a call. For the same reason the schema omits the bounds: clients may enforce it.
func limit(to *int, fallback, most int) kind {
	*to = fallback
	return kind{fmt.Sprintf(`"type":"integer","default":%d`, fallback), func(given json.RawMessage) error {
		v, err := number(given, wholeNumbers(1, most), isWhole)
		*to = int(min(max(v, 1), float64(most)))
		return err
	}}
}

// offset is a whole number from 0 to most.
func offset(to *int, most int) kind {
	return kind{`"type":"integer","default":0,"minimum":0`, func(given json.RawMessage) error {
		fits := func(v float64) bool { return isWhole(v) && v >= 0 && v <= float64(most) }
		v, err := number(given, wholeNumbers(0, most), fits)
		*to = int(v)
		return err
	}}
}

func wholeNumbers(least, most int) string {
	return fmt.Sprintf("a whole number from %d to %d", least, most)
}

func isWhole(v float64) bool { return v == math.Trunc(v) }

// number decodes a finite number that fits, also from a string.
func number(given json.RawMessage, allowed string, fits func(float64) bool) (float64, error) {
	var s string
	if json.Unmarshal(given, &s) != nil {
		s = string(given)
	}
	v, err := strconv.ParseFloat(strings.TrimSpace(s), 64)
	switch {
	case err != nil || math.IsNaN(v) || math.IsInf(v, 0):
		return 0, takes(allowed, given)
	case !fits(v):
		return 0, takes(allowed, json.RawMessage(strconv.FormatFloat(v, 'f', -1, 64)))
	}
	return v, nil
}

// texts is a list of texts, which may be empty. A single text is read as a JSON list or split at its commas.
func texts(to *[]string) kind {
	return kind{`"type":"array","items":{"type":"string"}`, func(given json.RawMessage) error {
		list, ok := textsIn(given)
		if one := ""; !ok && json.Unmarshal(given, &one) == nil {
			if strings.HasPrefix(strings.TrimSpace(one), "[") {
				list, ok = textsIn([]byte(one))
			} else {
				list, ok = parts(one), true
			}
		}
		if !ok {
			return takes("a list of texts", given)
		}
		*to = list
		return nil
	}}
}

// sentences is texts, but a single text that is not a JSON list is one entry: it may have commas.
func sentences(to *[]string) kind {
	k := texts(to)
	return kind{k.schema, func(given json.RawMessage) error {
		one := ""
		if json.Unmarshal(given, &one) == nil && !strings.HasPrefix(strings.TrimSpace(one), "[") {
			*to = []string{one}
			return nil
		}
		return k.set(given)
	}}
}

// someTexts is a list of texts that is not empty.
func someTexts(to *[]string) kind {
	k := texts(to)
	return kind{k.schema, func(given json.RawMessage) error {
		err := k.set(given)
		if err == nil && len(*to) == 0 {
			return takes("a list of texts", given)
		}
		return err
	}}
}

// ids is one id or several with commas. A list is accepted too: the schema says less to be short.
func ids(to *[]string) kind {
	return kind{`"type":"string"`, func(given json.RawMessage) error {
		if texts(to).set(given) != nil {
			return takes("a text", given)
		}
		return nil
	}}
}

// textsIn decodes a JSON list that holds only texts.
func textsIn(raw []byte) ([]string, bool) {
	var list []*string // a []string would hold "" for null
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

// parts splits a text at its commas and omits empty parts.
func parts(s string) []string {
	out := strings.Split(s, ",")
	for i := range out {
		out[i] = strings.TrimSpace(out[i])
	}
	return slices.DeleteFunc(out, func(part string) bool { return part == "" })
}
