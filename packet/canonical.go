package packet

import (
	"fmt"
	"reflect"
	"strings"
)

// Check returns the faults of a packet that was put together, as [Faults], or nil. Paths are those
// of its canonical form.
func (p *Packet) Check() error {
	n := p.tree()
	if err := checkWith(&checker{}, &n); err != nil {
		return err
	}
	if size := len(appendNode(nil, &n)); size > MaxBytes {
		return fail(KindTooLarge, "it has %d bytes in its shortest form, at most %d are allowed", size, MaxBytes)
	}
	return nil
}

// Canonical returns the shortest JSON of a packet, the same bytes for the same value: the reference's order of keys, no
// white space, no final line break, and escapes only where JSON needs them. CreatedAt is in normal form: without final
// zeros of a fraction, and with "Z" for an offset of zero. The result has at most MaxBytes, and never more than what
// Parse read. The error is that of Check.
func (p *Packet) Canonical() ([]byte, error) {
	if err := p.Check(); err != nil {
		return nil, err
	}
	n := p.tree()
	return appendNode(nil, &n), nil
}

// Text is a text of a packet and its place, a JSON pointer into the canonical form.
type Text struct {
	Path, Value string
}

// Texts returns every text of a packet, in canonical order: also ids, tags and names, because
// each may hold a credential or a local path.
func (p *Packet) Texts() []Text {
	var texts []Text
	n := p.tree()
	n.leaves("", func(path string, n *node) {
		if n.form == textForm {
			texts = append(texts, Text{Path: path, Value: n.text})
		}
	})
	return texts
}

// tree returns a packet as the canonical form has it.
func (p *Packet) tree() node {
	q, rules := *p, document()
	q.CreatedAt = normalTime(p.CreatedAt)
	return rules.tree(reflect.ValueOf(&q))
}

// tree returns a value of the rule's type. The fields of structs have the order of the rules.
func (r *rule) tree(v reflect.Value) node {
	n := node{form: r.form}
	switch r.form {
	case textForm:
		n = textNode(v.String())
	case flagForm:
		n.flag = v.Bool()
	case listForm:
		for i := range v.Len() {
			n.items = append(n.items, r.item.tree(v.Index(i)))
		}
	case objectForm:
		v = reflect.Indirect(v)
		for i := range r.fields {
			f, value := &r.fields[i], v.Field(i)
			isList := value.Kind() == reflect.Slice
			if f.required || isList && value.Len() > 0 || !isList && !value.IsZero() {
				n.members = append(n.members, member{f.name, f.tree(value)})
			}
		}
	}
	return n
}

// decode sets a value of the rule's type to that of a document without faults.
func (r *rule) decode(v reflect.Value, n *node) {
	switch {
	case n == nil:
	case r.form == textForm:
		v.SetString(n.text)
	case r.form == flagForm:
		v.SetBool(n.flag)
	case r.form == listForm && len(n.items) > 0:
		v.Set(reflect.MakeSlice(v.Type(), len(n.items), len(n.items)))
		for i := range n.items {
			r.item.decode(v.Index(i), &n.items[i])
		}
	case r.form == objectForm:
		if v.Kind() == reflect.Pointer {
			v.Set(reflect.New(v.Type().Elem()))
			v = v.Elem()
		}
		for i := range r.fields {
			r.fields[i].decode(v.Field(i), n.get(r.fields[i].name))
		}
	}
}

// normalTime returns a time in normal form, and anything else as it is.
func normalTime(s string) string {
	if i, message := readInstant(s); message == "" {
		return i.text
	}
	return s
}

// leaves calls visit for every value that has no others in it, empty objects and lists included.
func (n *node) leaves(path string, visit func(path string, n *node)) {
	if len(n.items)+len(n.members) == 0 {
		visit(path, n)
	}
	for i := range n.items {
		n.items[i].leaves(fmt.Sprintf("%s/%d", path, i), visit)
	}
	for i := range n.members {
		n.members[i].leaves(path+"/"+n.members[i].name, visit)
	}
}

// appendNode appends the JSON of a value, which has no null and no number.
func appendNode(b []byte, n *node) []byte {
	switch n.form {
	case textForm:
		return appendText(b, n.text)
	case flagForm:
		return fmt.Append(b, n.flag)
	case listForm:
		b = append(b, '[')
		for i := range n.items {
			b = appendNode(separated(b, i), &n.items[i])
		}
		return append(b, ']')
	}
	b = append(b, '{')
	for i := range n.members {
		b = append(appendText(separated(b, i), n.members[i].name), ':')
		b = appendNode(b, &n.members[i].node)
	}
	return append(b, '}')
}

func separated(b []byte, i int) []byte {
	if i > 0 {
		b = append(b, ',')
	}
	return b
}

// appendText appends a text in quotes, with the shortest escape for what must not be in one.
func appendText(b []byte, s string) []byte {
	const values, names = "\"\\\b\f\n\r\t", `"\bfnrt`
	b = append(b, '"')
	from := 0
	for i := range len(s) {
		c := s[i]
		if c >= ' ' && c != '"' && c != '\\' {
			continue
		}
		b = append(b, s[from:i]...)
		from = i + 1
		if j := strings.IndexByte(values, c); j >= 0 {
			b = append(b, '\\', names[j])
		} else {
			b = fmt.Appendf(b, `\u%04x`, c)
		}
	}
	return append(append(b, s[from:]...), '"')
}
