package trust

import (
	"slices"
	"strings"

	"ltm/memory"
	"ltm/memory/api"
	"ltm/text/abridge"
	"ltm/text/secrets"
)

// Screen refuses a memory with credentials or, with redact, masks them and returns how many there were. Texts that
// before already has are not checked again, so that a memory with an old credential can still be tagged.
func Screen(m *memory.Memory, before memory.Memory, redact bool) (masked int, err error) {
	var known []string
	for _, t := range TextsOf(&before) {
		known = append(known, *t.value)
	}
	m.Tags, m.Aliases = slices.Clone(m.Tags), slices.Clone(m.Aliases)
	derived := m.Summary == SummaryOf(m.Content)
	for _, t := range TextsOf(m) {
		if derived && masked > 0 && t.value == &m.Summary { // the content is masked by now
			m.Summary = SummaryOf(m.Content)
		}
		if slices.Contains(known, *t.value) {
			continue
		}
		n, err := t.Screen(redact)
		if err != nil {
			return 0, err
		}
		masked += n
	}
	return masked, nil
}

// Screen refuses a text with credentials or, with redact, masks them.
func (t text) Screen(redact bool) (masked int, err error) {
	if !redact {
		return 0, Refuse(memory.KindTextSecret, t.name, *t.value)
	}
	*t.value, masked = redactText(*t.value)
	return masked, nil
}

// Refuse returns an error if a text that is about to be written holds a credential. The error
// tells what kind of credential it is, and never the text.
func Refuse(kind memory.Kind, name, value string) error {
	found := FindSecrets(value)
	if len(found) == 0 {
		return nil
	}
	return memory.NewError(memory.CodeSecret, kind, name, "the %s seems to hold a credential (%s)", name, found[0].Kind)
}

// FindSecrets scans a text for credentials. It scans a short text again in upper case: tags are
// stored in lower case, which hides keys that are made of capitals and digits.
func FindSecrets(value string) []secrets.Finding {
	found := secrets.Find(value)
	if len(found) == 0 && len(value) <= memory.MaxTagChars {
		found = secrets.Find(strings.ToUpper(value))
	}
	return found
}

// redactText masks what [FindSecrets] finds. A credential that is only found in upper case masks the whole text.
func redactText(value string) (string, int) {
	if masked, n := secrets.Redact(value); n > 0 {
		return masked, n
	}
	if len(FindSecrets(value)) > 0 {
		return secrets.Mask, 1
	}
	return value, 0
}

// text is one text of a memory, and its name in messages.
type text struct {
	name  string
	value *string
}

// TextsOf lists the texts of a memory that callers give. All of them end up in files that are
// committed. [Screen] goes by this list alone: a new value of one line is in it by its row in [api.Fields].
func TextsOf(m *memory.Memory) []text {
	all := []text{{"topic", &m.Topic}, {"content", &m.Content}, {"summary", &m.Summary}}
	for _, f := range api.Fields() {
		if f.Line != nil && *f.Line(m) != "" {
			all = append(all, text{f.Name, f.Line(m)})
		}
	}
	for i := range m.Tags {
		all = append(all, text{"tag", &m.Tags[i]})
	}
	for i := range m.Aliases {
		all = append(all, text{"alias", &m.Aliases[i]})
	}
	return all
}

// SummaryOf derives the summary of a content that was given none, or returns "".
func SummaryOf(content string) string {
	summary, err := memory.NormalizeSummary(abridge.FirstParagraph(content))
	if err != nil {
		return "" // readers take it from the content
	}
	return summary
}
