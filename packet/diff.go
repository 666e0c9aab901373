package packet

import "strconv"

// ChangeKind says how a value changed.
type ChangeKind string

// The kinds of changes.
const (
	Added   ChangeKind = "added"
	Removed ChangeKind = "removed"
	Changed ChangeKind = "changed"
	Moved   ChangeKind = "moved" // items of this list are in another order
)

// Change is one difference between two packets.
type Change struct {
	// Path is a JSON pointer into the canonical form of the new packet, of the old one for what was removed.
	Path string     `json:"path"`
	Kind ChangeKind `json:"kind"`

	// Old and New are the values: a text, "true" for a locked decision, "{}" for an empty object.
	// Both are empty for Moved.
	Old string `json:"old,omitempty"`
	New string `json:"new,omitempty"`
}

// Diff returns the differences between two packets, in canonical order, those of identity (id,
// time, version) included. It compares values: packets without a difference have the same
// canonical form. Decisions are the same if they have the same What, methods by Name, attempts by
// Tried, other items by their text; of several the first belongs to the first, and so on.
func Diff(from, to *Packet) []Change {
	rules := document()
	a, b := from.tree(), to.tree()
	d := &differ{}
	d.compare("", "", &rules, &a, &b)
	return d.changes
}

type differ struct{ changes []Change }

// compare compares two values with the same rule, at their places. One may be nil.
func (d *differ) compare(was, is string, r *rule, a, b *node) {
	switch {
	case a == nil && b == nil:
	case a == nil:
		b.leaves(is, func(path string, n *node) { d.add(Change{Path: path, Kind: Added, New: n.value()}) })
	case b == nil:
		a.leaves(was, func(path string, n *node) { d.add(Change{Path: path, Kind: Removed, Old: n.value()}) })
	case r.form == listForm:
		d.lists(was, is, r, a, b)
	case r.form != objectForm:
		if a.value() != b.value() {
			d.add(Change{Path: is, Kind: Changed, Old: a.value(), New: b.value()})
		}
	case len(a.members) == 0 && len(b.members) > 0 || len(b.members) == 0 && len(a.members) > 0:
		// the empty object has a value of its own
		d.compare(was, is, r, a, nil)
		d.compare(was, is, r, nil, b)
	default:
		for i := range r.fields {
			f := &r.fields[i]
			d.compare(was+"/"+f.name, is+"/"+f.name, f, a.get(f.name), b.get(f.name))
		}
	}
}

func (d *differ) add(c Change) { d.changes = append(d.changes, c) }

// itemKey identifies an item of a list: by its main text, and how many before it have the same.
type itemKey struct {
	text string
	nth  int
}

// keys returns the keys of a list's items.
func keys(r *rule, n *node) []itemKey {
	all := make([]itemKey, len(n.items))
	seen := map[string]int{}
	for i := range n.items {
		text := n.items[i].text
		if r.item.form == objectForm {
			text = n.items[i].str(r.item.fields[0].name)
		}
		all[i] = itemKey{text: text, nth: seen[text]}
		seen[text]++
	}
	return all
}

func (d *differ) lists(was, is string, r *rule, a, b *node) {
	before := map[itemKey]int{}
	oldKeys, newKeys := keys(r, a), keys(r, b)
	for i, key := range oldKeys {
		before[key] = i
	}
	last, moved := -1, false
	for i, key := range newKeys {
		at, known := before[key]
		delete(before, key)
		var old *node
		if known {
			old = &a.items[at]
			moved = moved || at < last
			last = at
		}
		d.compare(was+"/"+strconv.Itoa(at), is+"/"+strconv.Itoa(i), r.item, old, &b.items[i])
	}
	for i, key := range oldKeys {
		if _, gone := before[key]; gone {
			d.compare(was+"/"+strconv.Itoa(i), "", r.item, &a.items[i], nil)
		}
	}
	if moved {
		d.add(Change{Path: is, Kind: Moved})
	}
}

// value returns what a change shows of a value without others in it.
func (n *node) value() string {
	if n.form == textForm {
		return n.text
	}
	return string(appendNode(nil, n))
}
