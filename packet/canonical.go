package packet

import (
	"fmt"
	"strings"
)

// Check returns the faults of a packet that was put together, as [Faults], or nil. Paths are those
// of its canonical form.
func (p *Packet) Check() error {
	n := p.tree()
	if err := checkDocument(&n); err != nil {
		return err
	}
	if size := len(appendNode(nil, &n)); size > MaxBytes {
		return fail(KindTooLarge, "it has %d bytes in its shortest form, at most %d are allowed", size, MaxBytes)
	}
	return nil
}

// Canonical returns the shortest JSON of a packet, the same bytes for the same value: the
// reference's order of keys, no white space, no final line break, and escapes only where JSON
// needs them. CreatedAt is in normal form: without final zeros of a fraction, and with "Z" for an
// offset of zero. The result has at most MaxBytes, and never more than what Parse read. The error
// is that of Check.
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
	var n node
	n.add("ltm_version", p.Version)
	n.add("id", p.ID)
	n.addOptional("parent_id", p.ParentID)
	n.add("created_at", normalTime(p.CreatedAt))
	if p.Project != nil {
		var o node
		o.addOptional("name", p.Project.Name)
		o.addOptional("ref", p.Project.Ref)
		n.addNode("project", o.as(objectForm))
	}
	n.add("goal", p.Goal)
	n.addList("success_criteria", textNodes(p.SuccessCriteria))
	n.addList("constraints", textNodes(p.Constraints))
	n.addList("decisions", nodes(p.Decisions, (*Decision).tree))
	n.addList("methods", nodes(p.Methods, (*Method).tree))
	n.addList("attempts", nodes(p.Attempts, (*Attempt).tree))
	n.addList("open_questions", textNodes(p.OpenQuestions))
	n.add("next_step", p.NextStep)
	n.addList("tags", textNodes(p.Tags))
	if p.Provenance != nil {
		var o node
		o.addOptional("author_model", p.Provenance.AuthorModel)
		o.addOptional("author_human", p.Provenance.AuthorHuman)
		o.addOptional("source_hash", p.Provenance.SourceHash)
		o.addOptional("confidence", string(p.Provenance.Confidence))
		n.addNode("provenance", o.as(objectForm))
	}
	return n.as(objectForm)
}

func (d *Decision) tree() (n node) {
	n.add("what", d.What)
	n.add("why", d.Why)
	n.addOptional("consequences", d.Consequences)
	if d.Locked {
		n.addNode("locked", node{form: flagForm, flag: true})
	}
	return n.as(objectForm)
}

func (m *Method) tree() (n node) {
	n.add("name", m.Name)
	n.add("when_applicable", m.WhenApplicable)
	n.add("how", m.How)
	return n.as(objectForm)
}

func (a *Attempt) tree() (n node) {
	n.add("tried", a.Tried)
	n.add("outcome", string(a.Outcome))
	n.addOptional("learned", a.Learned)
	n.addOptional("confidence", string(a.Confidence))
	return n.as(objectForm)
}

func (n node) as(f form) node {
	n.form = f
	return n
}

func (n *node) add(name, text string) { n.addNode(name, textNode(text)) }

func (n *node) addOptional(name, text string) {
	if text != "" {
		n.add(name, text)
	}
}

func (n *node) addList(name string, items []node) {
	if len(items) > 0 {
		n.addNode(name, node{form: listForm, items: items})
	}
}

func (n *node) addNode(name string, value node) {
	n.members = append(n.members, member{name: name, node: value})
}

func textNode(text string) (n node) {
	n.form = textForm
	n.text, n.flaw = validText(text)
	return n
}

func textNodes(texts []string) []node {
	return nodes(texts, func(s *string) node { return textNode(*s) })
}

func nodes[T any](items []T, tree func(*T) node) []node {
	all := make([]node, len(items))
	for i := range items {
		all[i] = tree(&items[i])
	}
	return all
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
