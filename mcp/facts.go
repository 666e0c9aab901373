package mcp

import (
	"bytes"
	"encoding/json"
	"slices"
	"strings"
)

// whole adds to the text of an answer what its structured content says beyond it, as JSON in one quoted line. Some
// clients show a model only one of the two, so both have the same facts. A zero, an empty text and false are none.
func (s spec) whole(text string, answer any) string {
	var v any
	data, err := json.Marshal(answer)
	d := json.NewDecoder(bytes.NewReader(data))
	d.UseNumber()
	if err != nil || d.Decode(&v) != nil {
		return text
	}
	said := saying{text: unquoted(text), prints: strings.Fields(s.prints), omits: strings.Fields(s.omits)}
	said.words = strings.FieldsFunc(said.text, func(r rune) bool {
		return r != '.' && r != '_' && (r < '0' || r > '9') && (r < 'a' || r > 'z') // no part of a number
	})
	for _, word := range said.words {
		if strings.Contains(word, ".") {
			said.words = append(said.words, strings.TrimRight(word, "0")) // 0.90 is 0.9
		}
	}
	rest := said.rest(v, "")
	if rest == nil {
		return text
	}
	var out bytes.Buffer
	e := json.NewEncoder(&out)
	e.SetEscapeHTML(false)
	if e.Encode(rest) != nil {
		return text
	}
	return text + "\n\n> " + strings.TrimSuffix(out.String(), "\n")
}

// noTime is a time that is not known.
const noTime = "0001-01-01T00:00:00Z"

// unquoted returns a text in one line and without the signs before quoted lines.
func unquoted(text string) string {
	return strings.Join(strings.Fields(strings.ReplaceAll(text, ">", " ")), " ")
}

// saying is what the text of an answer says. A value that is in it by chance, perhaps in a memory's own words, says
// nothing of a field: only those of prints count, and only where the text has their value.
type saying struct {
	text          string
	words         []string // of the text
	prints, omits []string // as in [spec]
}

// rest returns what of a value the text does not say, or nil. path has the names of the fields that lead to it.
func (t saying) rest(v any, path string) any {
	switch v := v.(type) {
	case map[string]any:
		if id, ok := v["id"].(string); ok && !strings.Contains(t.text, id) {
			t.prints = nil // the text has nothing of it
		}
		rest := map[string]any{}
		for key, value := range v {
			at := strings.TrimPrefix(path+"."+key, ".")
			// An answer without them is an error, which has no structured content.
			if key == "success" || key == "message" || slices.Contains(t.omits, at) {
				continue
			}
			if left := t.rest(value, at); left != nil {
				rest[key] = left
			}
		}
		if len(rest) == 0 {
			return nil
		}
		return rest
	case []any:
		return t.list(v, path)
	case string:
		if v != "" && v != noTime && !(t.says(path) && strings.Contains(t.text, unquoted(v))) {
			return v
		}
	case json.Number:
		if v != "0" && !(t.says(path) && slices.Contains(t.words, v.String())) {
			return v
		}
	case bool:
		if v {
			return v
		}
	}
	return nil
}

func (t saying) says(path string) bool { return slices.Contains(t.prints, path) }

// list returns a list of which the text does not say all, or nil. Of entries that have ids it leaves out what the text
// says of each; any other list is whole.
func (t saying) list(entries []any, path string) any {
	all := make([]any, len(entries))
	untold, named := false, true
	for i, entry := range entries {
		left := t.rest(entry, path)
		untold = untold || left != nil
		of, _ := entry.(map[string]any)
		about, _ := left.(map[string]any)
		if about == nil {
			about = map[string]any{}
		}
		about["id"] = of["id"]
		named = named && of["id"] != nil
		all[i] = about
	}
	switch {
	case !untold:
		return nil
	case !named:
		return entries
	}
	return all
}
