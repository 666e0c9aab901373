package engine

import (
	"slices"
	"strings"

	"ltm/memory"
	"ltm/text/secrets"
)

// screen refuses a memory with credentials or, with redact, masks them and returns how many there
// were. Texts that before already has are not checked again, so that a memory with an old
// credential can still be tagged.
func screen(m *memory.Memory, before memory.Memory, redact bool) (masked int, err error) {
	var known []string
	for _, t := range textsOf(&before) {
		known = append(known, *t.value)
	}
	m.Tags, m.Aliases = slices.Clone(m.Tags), slices.Clone(m.Aliases)
	derived := m.Summary == summaryOf(m.Content)
	for _, t := range textsOf(m) {
		if derived && masked > 0 && t.value == &m.Summary { // the content is masked by now
			m.Summary = summaryOf(m.Content)
		}
		if slices.Contains(known, *t.value) {
			continue
		}
		n, err := t.screen(redact)
		if err != nil {
			return 0, err
		}
		masked += n
	}
	return masked, nil
}

// screen refuses a text with credentials or, with redact, masks them.
func (t text) screen(redact bool) (masked int, err error) {
	if !redact {
		return 0, refuse(memory.KindTextSecret, t.name, *t.value)
	}
	*t.value, masked = redactText(*t.value)
	return masked, nil
}

// refuse returns an error if a text that is about to be written holds a credential. The error
// tells what kind of credential it is, and never the text.
func refuse(kind memory.Kind, name, value string) error {
	found := findSecrets(value)
	if len(found) == 0 {
		return nil
	}
	return memory.NewError(memory.CodeSecret, kind, name,
		"the %s seems to hold a credential (%s)", name, found[0].Kind)
}

// findSecrets scans a text for credentials. It scans a short text again in upper case: tags are
// stored in lower case, which hides keys that are made of capitals and digits.
func findSecrets(value string) []secrets.Finding {
	found := secrets.Find(value)
	if len(found) == 0 && len(value) <= memory.MaxTagChars {
		found = secrets.Find(strings.ToUpper(value))
	}
	return found
}

// redactText masks what [findSecrets] finds. A credential that is only found in upper case masks
// the whole text.
func redactText(value string) (string, int) {
	if masked, n := secrets.Redact(value); n > 0 {
		return masked, n
	}
	if len(findSecrets(value)) > 0 {
		return secrets.Mask, 1
	}
	return value, 0
}
