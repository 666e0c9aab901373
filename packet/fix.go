package packet

import (
	"bytes"
	"fmt"
	"reflect"
	"slices"
	"strconv"
	"strings"
)

// Repair is one thing that [Fix] changed: the place in the document that was read, as in [Fault],
// and what. A message quotes keys but never values.
type Repair struct {
	Path    string `json:"path"`
	Message string `json:"message"`
}

// Fix reads a packet that is nearly one, in at most MaxStoredBytes, and returns a legal one with
// everything that it changed. The error is [Faults], with everything that it cannot change without
// guessing or losing text, or an error of ids, which fill in what a writer may leave out.
func Fix(data []byte, ids *IDs) (Packet, []Repair, error) {
	var f fixer
	if rest, ok := bytes.CutPrefix(data, []byte("\ufeff")); ok {
		data = rest
		f.changed("", "removed the byte order mark")
	}
	n, err := bounded(data, MaxStoredBytes)
	if err != nil {
		return Packet{}, nil, err
	}
	rules := document()
	f.fix("", &rules, &n)
	if f.newer && n.str("ltm_version") == Version01 {
		n.get("ltm_version").text = Version02
		f.changed("/ltm_version", fmt.Sprintf("became %q, which has the fields that %q lacks", Version02, Version01))
	}
	if err := checkWith(&checker{draft: true, allowed: true}, &n); err != nil {
		return Packet{}, nil, err
	}
	p := decode(&n)
	if p.Version == "" || p.ID == "" || p.CreatedAt == "" {
		stamped, err := ids.Stamp(p)
		if err != nil {
			return Packet{}, nil, err
		}
		f.fill("/ltm_version", &p.Version, stamped.Version)
		f.fill("/id", &p.ID, stamped.ID)
		f.fill("/created_at", &p.CreatedAt, stamped.CreatedAt)
	}
	if err := p.Check(); err != nil {
		return Packet{}, nil, err
	}
	return p, f.repairs, nil
}

// fixer changes a document and notes what.
type fixer struct {
	repairs []Repair
	newer   bool // it has fields of version 0.2
}

func (f *fixer) changed(path, message string) { f.repairs = append(f.repairs, Repair{path, message}) }

func (f *fixer) fill(path string, field *string, value string) {
	if *field == "" {
		*field = value
		f.changed(path, "was missing, and was filled in")
	}
}

// fix changes a value into what its rule allows, where that is certain.
func (f *fixer) fix(path string, r *rule, n *node) {
	switch {
	case r.form == listForm && n.form == r.item.form:
		*n = node{form: listForm, items: []node{*n}}
		f.changed(path, "became a list")
	case r.form == flagForm && n.form == textForm && (n.text == "true" || n.text == "false"):
		*n = node{form: flagForm, flag: n.text == "true"}
		f.changed(path, "became true or false without quotes")
	}
	switch {
	case n.form != r.form:
	case n.form == textForm && r.check != nil:
		f.fixText(path, r, n)
	case n.form == listForm:
		for i := range n.items {
			f.fix(path+"/"+strconv.Itoa(i), r.item, &n.items[i])
		}
	case n.form == objectForm:
		f.fixObject(path, r, n)
	}
}

// fixText replaces a text by the first way to write it that its rule allows.
func (f *fixer) fixText(path string, r *rule, n *node) {
	allowed := func(s string) bool {
		_, message := r.check(s)
		return message == ""
	}
	trimmed := strings.TrimSpace(n.text)
	lower := strings.ToLower(trimmed)
	words := strings.FieldsFunc(lower, func(c rune) bool { return c == '_' || c == '-' || c == ' ' || c == '.' })
	at := strings.NewReplacer(" ", "T", ",", ".").Replace(strings.ToUpper(trimmed))
	ways := []string{trimmed, lower, strings.Join(words, "-"), at}
	if i := slices.IndexFunc(ways, allowed); i >= 0 && !allowed(n.text) {
		n.text = ways[i]
		f.changed(path, fmt.Sprintf("became %q", n.text))
	}
}

// renamed returns what a key may have meant: the same in lower case, or what the sample on the
// protocol's home page calls differently.
func renamed(path, key string) string {
	if path == "/provenance" && key == "model" {
		return "author_model"
	}
	return strings.ToLower(key)
}

// fixObject renames and removes keys, and fixes the values of the others.
func (f *fixer) fixObject(path string, r *rule, n *node) {
	members := n.members
	n.members = nil
	for _, m := range members {
		at := path + "/" + m.name
		if name := renamed(path, m.name); r.field(m.name) == nil && r.field(name) != nil &&
			!slices.ContainsFunc(members, func(o member) bool { return o.name == name }) &&
			(n.get(name) == nil || reflect.DeepEqual(*n.get(name), m.node)) { // else which one is meant is a guess
			f.changed(path, fmt.Sprintf("the key %s became %q", quoted(m.name), name))
			m.name, at = name, path+"/"+name
		}
		field, before := r.field(m.name), n.get(m.name)
		switch {
		case field == nil && path == "/provenance":
			f.changed(path, "removed "+quoted(m.name)+", which no version has")
		case field != nil && m.form == nullForm && !field.required:
			f.changed(at, "removed: null means that it is missing")
		case before != nil && reflect.DeepEqual(*before, m.node):
			f.changed(path, "removed "+quoted(m.name)+", which it had twice")
		case f.spared(at, &m.node): // filled in
		case field == nil:
			n.members = append(n.members, m)
		default:
			f.newer = f.newer || field.newer
			f.fix(at, field, &m.node)
			n.members = append(n.members, m)
		}
	}
	if outcome := r.field("outcome"); outcome != nil {
		f.fixOutcome(path, outcome, n)
	}
}

// spared reports whether a value says nothing of what [IDs.Stamp] fills in.
func (f *fixer) spared(at string, n *node) bool {
	empty := n.form == nullForm || n.form == textForm && n.text == ""
	return at == "/ltm_version" && (empty || n.form == numberForm) || empty && (at == "/id" || at == "/created_at")
}

// fixOutcome moves an outcome in free text to what was learned, if there is room. Only its words say
// how the attempt ended, so it counts as partial, and that as uncertain.
func (f *fixer) fixOutcome(path string, r *rule, n *node) {
	outcome, learned := n.get("outcome"), n.get("learned")
	if outcome == nil || outcome.form != textForm || outcome.text == "" || outcome.flaw != "" ||
		learned != nil && learned.form != textForm {
		return
	}
	if _, message := r.check(outcome.text); message == "" {
		return
	}
	text := outcome.text
	if learned != nil {
		text += "\n" + learned.text
	}
	if length(text) > maxSentence {
		return
	}
	*outcome = node{form: textForm, text: string(Partial)}
	says := fmt.Sprintf("became %q, and its text is the beginning of \"learned\"", Partial)
	if learned != nil {
		learned.text = text
	} else {
		n.members = append(n.members, member{"learned", node{form: textForm, text: text}})
	}
	if n.get("confidence") == nil {
		n.members = append(n.members, member{"confidence", node{form: textForm, text: string(Low)}})
		f.newer = true
		says += fmt.Sprintf("; \"confidence\" is %q", Low)
	}
	f.changed(path+"/outcome", says)
}
