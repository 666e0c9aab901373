package memory

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Limits on links and on where a memory comes from. Longer values in files count as unreadable.
const (
	MaxLinks          = 50 // of each sort
	MaxAgentChars     = 100
	MaxOriginChars    = 500 // of each of its values
	MaxSignatureChars = 4096

	minCommitDigits = 7
	maxCommitDigits = 64
)

// Origin is where an imported memory comes from. The same origin is the same memory, whatever its id is here.
type Origin struct {
	System string `json:"system"`          // the program that had it, such as "claude-ltm"
	ID     string `json:"id"`              // its name there
	Agent  string `json:"agent,omitempty"` // the agent that it belonged to there
}

// NormalizeLinks returns the ids as [ParseID] reads them, without repeated ones, and nil for none.
// It refuses a link to self.
func NormalizeLinks(self ID, what string, links []ID) ([]ID, error) {
	var out []ID
	for _, link := range links {
		id, err := ParseID(string(link))
		if err != nil {
			return nil, err
		}
		if id == self {
			return nil, NewError(CodeInvalid, KindLinkToSelf, string(self), "%s names the memory itself, %s", what,
				self)
		}
		if !slices.Contains(out, id) {
			out = append(out, id)
		}
		if len(out) > MaxLinks {
			return nil, NewError(CodeInvalid, KindLinksTooMany, what, "%s names %d memories; at most %d are allowed",
				what, len(links), MaxLinks)
		}
	}
	return out, nil
}

// NormalizeAgent returns the name of an agent without surrounding space. An empty name means all agents.
func NormalizeAgent(name string) (string, error) {
	name = strings.TrimSpace(name)
	if !isLine(name, MaxAgentChars) {
		return "", NewError(CodeInvalid, KindAgentMalformed, "agent",
			"%s is not the name of an agent; a name is one line of at most 100 characters", Quote(name, 60))
	}
	return name, nil
}

// IsFor reports whether sessions of an agent see the memory unasked. The empty name is a session without an agent.
func (m Memory) IsFor(agent string) bool { return m.Agent == "" || m.Agent == agent }

// IsCommit reports whether s is a commit's hash, or at least seven digits of one.
func IsCommit(s string) bool {
	if len(s) < minCommitDigits || len(s) > maxCommitDigits {
		return false
	}
	return strings.Trim(s, "0123456789abcdef") == ""
}

// IsValid reports whether an origin can be stored: a system and an id, each on one line.
func (o Origin) IsValid() bool {
	return o.System != "" && o.ID != "" && isLine(o.System, MaxOriginChars) && isLine(o.ID, MaxOriginChars) &&
		isLine(o.Agent, MaxOriginChars)
}

// IsSignature reports whether s has the form of a signature. It does not verify it.
func IsSignature(s string) bool {
	return s != "" && len(s) <= MaxSignatureChars && isLine(s, MaxSignatureChars) && !strings.ContainsRune(s, ' ')
}

// storeIDChars is the length of a store's id.
const storeIDChars = 32

// IsStoreID reports whether s has the form of the id that signatures name a store by: 32 hex digits.
func IsStoreID(s string) bool {
	return len(s) == storeIDChars && strings.Trim(s, "0123456789abcdef") == ""
}

// isLine reports whether s is valid text without control characters, and not longer than most characters.
func isLine(s string, most int) bool {
	return utf8.ValidString(s) && utf8.RuneCountInString(s) <= most && !strings.ContainsFunc(s, unicode.IsControl)
}

// normalizeLinks brings the links and the origin of a memory into their stored form.
func normalizeLinks(m *Memory) (err error) {
	for _, list := range []struct {
		what string
		ids  *[]ID
	}{{"supersedes", &m.Supersedes}, {"disputes", &m.Disputes}, {"related", &m.Related}} {
		if *list.ids, err = NormalizeLinks(m.ID, list.what, *list.ids); err != nil {
			return err
		}
	}
	if m.Agent, err = NormalizeAgent(m.Agent); err != nil {
		return err
	}
	switch {
	case m.Commit != "" && !IsCommit(m.Commit):
		return NewError(CodeInvalid, KindCommitMalformed, m.Commit,
			"%s is not a commit; a commit is 7 to 64 hex digits", Quote(m.Commit, 80))
	case m.Origin != nil && !m.Origin.IsValid():
		return NewError(CodeInvalid, KindOriginMalformed, "origin",
			"the origin %s of %s cannot be stored; an origin is a system and an id of 1 to 500 characters on one line",
			Quote(m.Origin.ID, 60), Quote(m.Origin.System, 60))
	case m.Signature != "" && !IsSignature(m.Signature):
		return NewError(CodeInvalid, KindSignatureMalformed, string(m.ID), "the signature of %s has an unknown form",
			m.ID)
	}
	m.OddLinks, m.OddRefs = false, false
	m.Refs, err = NormalizeRefs(m.Refs)
	return err
}
