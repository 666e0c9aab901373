package forms

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"strings"

	"ltm/engine/transfer"
	"ltm/memory"
)

// Signatures are those of a Claude-LTM database, by the ids of memories, with the key that made them.
type Signatures struct {
	key     []byte
	entries map[string]string
}

// ReadSignatures reads a JSON object with "signatures": {ID: {"signature": HEX}}. The key is the
// text that Claude-LTM keeps as signing_key; white space around it does not count.
func ReadSignatures(data, key []byte) (*Signatures, error) {
	s := &Signatures{key: []byte(strings.TrimSpace(string(key))), entries: map[string]string{}}
	if len(s.key) == 0 {
		return nil, memory.NewError(memory.CodeInvalid, memory.KindImportKey, "", "the key is empty")
	}
	var found map[string]struct {
		Signature string `json:"signature"`
	}
	err := transfer.Object(data, map[string]func(*json.Decoder) error{"signatures": transfer.Into(&found)})
	if err == nil && found == nil {
		err = transfer.Malformed("", `the key "signatures" is missing`)
	}
	if err != nil {
		return nil, &memory.Error{Code: memory.CodeInvalid, Kind: memory.KindImportKey,
			Message: "the signatures cannot be read", Err: err}
	}
	for id, entry := range found {
		s.entries[id] = entry.Signature
	}
	return s, nil
}

// judge sets the proof of an entry. A signature covers the original text, and not the shortened one:
// that is taken only if shortening the original gives it.
func (s *Signatures) judge(item *transfer.Item, e claudeEntry) {
	signature, ok := s.entries[item.Key]
	if !ok || item.Forgets != "" {
		return
	}
	payload := strings.Join([]string{plain(e.ID), item.Agent, plain(e.Region), plain(e.ProjectID), plain(e.Kind),
		plain(e.Original), plain(e.Impact), plain(e.CreatedAt)}, "|")
	mac := hmac.New(sha256.New, s.key)
	mac.Write([]byte(payload))
	want := mac.Sum(nil)
	if got, err := hex.DecodeString(signature); err != nil || !hmac.Equal(got, want) {
		item.Proof = transfer.Disproven
		item.Remarks = append(item.Remarks, memory.Remark{
			Text: "its signature is not valid: it was changed after it was signed, or signed with another key"})
		return
	}
	item.Proof = transfer.Proven
	if m := &item.Memory; m.Summary != "" && !isCompacted(m.Summary, m.Content) {
		m.Summary = ""
		item.Remarks = append(item.Remarks, memory.Remark{
			Text: "its short text was left out: the signature does not cover it"})
	}
}

// plain returns the text of a JSON string, or "" for anything else.
func plain(raw json.RawMessage) string {
	var s string
	_ = json.Unmarshal(raw, &s)
	return s
}

// maxCompactions is how often Claude-LTM may have shortened a text that is recognized.
const maxCompactions = 50

// isCompacted reports whether Claude-LTM makes the short text from the original, in one or more steps.
func isCompacted(short, original string) bool {
	for range maxCompactions {
		next := compact(original)
		if next == short {
			return true
		}
		if next == original {
			return false
		}
		original = next
	}
	return false
}

// The limits of Claude-LTM's compaction, in characters.
const (
	compactFrom = 20
	compactTo   = 200
)

// compact shortens a text once, as Claude-LTM does.
func compact(text string) string {
	if len([]rune(text)) <= compactFrom {
		return text
	}
	for _, phrase := range []string{"I think ", "I believe ", "We discussed ", "It turns out ", "After investigation ",
		"Spent time ", "Was frustrating ", "Learned that "} {
		text = strings.ReplaceAll(text, phrase, "")
	}
	runes := []rune(text)
	if len(runes) <= compactTo {
		return text
	}
	if parts := strings.Split(text, ". "); len(parts) > 1 {
		return parts[0] + ". [...] " + parts[len(parts)-1]
	}
	return string(runes[:compactTo]) + "..."
}
