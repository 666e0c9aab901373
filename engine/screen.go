package engine

import (
	"slices"
	"strings"

	"ltm/memory"
	"ltm/secrets"
)

// text is one text of a memory, and what messages call it.
type text struct {
	name  string
	value *string
}

// textsOf lists the texts of a memory that callers give, all of which end up in
// files that are committed. It is the only list that the gate reads: a text that
// is added to a memory is added here, and every way of writing one checks it.
func textsOf(m *memory.Memory) []text {
	all := []text{{"topic", &m.Topic}, {"content", &m.Content}, {"summary", &m.Summary}}
	for i := range m.Tags {
		all = append(all, text{"tag", &m.Tags[i]})
	}
	return all
}

// screen refuses a memory with credentials, or masks them and returns how many
// there were. Texts that before holds already are not written now, and pass: a
// memory with a credential from an earlier time can still get another tag.
func screen(m *memory.Memory, before memory.Memory, redact bool) (masked int, err error) {
	var known []string
	for _, t := range textsOf(&before) {
		known = append(known, *t.value)
	}
	m.Tags = slices.Clone(m.Tags)
	derived := m.Summary == summaryOf(m.Content)
	for _, t := range textsOf(m) {
		if derived && t.value == &m.Summary { // of content that is masked by now
			m.Summary = summaryOf(m.Content)
		}
		if slices.Contains(known, *t.value) {
			continue
		}
		if !redact {
			if err := refuse(memory.KindTextSecret, t.name, *t.value); err != nil {
				return 0, err
			}
			continue
		}
		var n int
		*t.value, n = redactText(*t.value)
		masked += n
	}
	return masked, nil
}

// refuse is an error when a text that is about to be written holds a credential.
// It tells the kind and never the text.
func refuse(kind memory.Kind, name, value string) error {
	found := findSecrets(value)
	if len(found) == 0 {
		return nil
	}
	return memory.NewError(memory.CodeSecret, kind, name,
		"the %s seems to hold a credential (%s)", name, found[0].Kind)
}

// findSecrets looks at a short text twice, the second time in capitals: tags are
// stored in lower case, and a key of capitals and digits is read from that.
func findSecrets(value string) []secrets.Finding {
	found := secrets.Find(value)
	if len(found) == 0 && len(value) <= memory.MaxTagChars {
		found = secrets.Find(strings.ToUpper(value))
	}
	return found
}

// redactText masks what [findSecrets] finds; one that only shows in capitals takes
// the whole text with it.
func redactText(value string) (string, int) {
	if masked, n := secrets.Redact(value); n > 0 {
		return masked, n
	}
	if len(findSecrets(value)) > 0 {
		return secrets.Mask, 1
	}
	return value, 0
}
