package change

import (
	"slices"
	"strings"

	"ltm/memory"
	"ltm/memory/api"
	"ltm/store"
	"ltm/text/abridge"
)

// changesOf lists the fields in which a memory differs from its earlier state. If it was archived or brought back, that
// is all there is to say: a stub has no other fields.
func changesOf(was, is memory.Memory) []api.FieldChange {
	changes := []api.FieldChange{}
	add := func(field, before, after string) {
		if before != after {
			changes = append(changes, api.FieldChange{Field: field, Before: before, After: after})
		}
	}
	state := func(m memory.Memory) string { return memory.State(m.Phase, m.IsStub(), m.ArchivedReason) }
	add("state", state(was), state(is))
	if was.IsStub() || is.IsStub() {
		return changes
	}
	for _, f := range api.Fields() {
		if !slices.Contains([]string{"content", "summary", "refs"}, f.Name) {
			add(f.Name, f.Text(was), f.Text(is))
		}
	}
	for _, text := range []struct{ field, was, is string }{{"summary", ownSummary(was), ownSummary(is)},
		{"text", was.Content, is.Content}} {
		if text.was != text.is {
			changes = append(changes, api.FieldChange{Field: text.field, Lines: max(1, otherLines(text.was, text.is),
				otherLines(text.is, text.was))})
		}
	}
	for _, hidden := range []struct {
		field string
		same  bool
	}{{"refs", slices.Equal(was.Refs, is.Refs)}, {"signature", was.Signature == is.Signature},
		{"merge", was.Conflicted == is.Conflicted}} {
		if !hidden.same {
			changes = append(changes, api.FieldChange{Field: hidden.field})
		}
	}
	return changes
}

// ownSummary returns the summary, unless it is only the beginning of the content.
func ownSummary(m memory.Memory) string {
	if m.Summary == abridge.FirstParagraph(m.Content) {
		return ""
	}
	return m.Summary
}

// otherLines counts the lines of a text that another one lacks.
func otherLines(text, other string) (n int) {
	has := map[string]int{}
	for line := range strings.Lines(other) {
		has[strings.TrimSpace(line)]++
	}
	for line := range strings.Lines(text) {
		if line = strings.TrimSpace(line); has[line] == 0 {
			n++
		} else {
			has[line]--
		}
	}
	return n
}

// packetFields says what a change of a packet's files, which do makes, changes.
func packetFields(v *store.View, id string, do func() error) ([]api.FieldChange, error) {
	was, err := packetState(v, id)
	if err == nil {
		err = do()
	}
	if err != nil {
		return nil, err
	}
	is, err := packetState(v, id)
	switch {
	case err != nil || was == is:
		return []api.FieldChange{}, err
	case was == packetRemoved:
		is = "kept"
	case is == packetRemoved:
		was = "kept"
	}
	return []api.FieldChange{{Field: "state", Before: was, After: is}}, nil
}

const packetRemoved = "removed"

func packetState(v *store.View, id string) (string, error) {
	list, err := v.Packets()
	if err != nil {
		return "", err
	}
	switch f, _ := list.Find(id); {
	case v.PacketSize(f) == 0:
		return packetRemoved, nil
	case f.Done.IsZero():
		return "open", nil
	}
	return "done", nil
}
