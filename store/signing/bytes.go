package signing

import (
	"slices"
	"strconv"
	"strings"
	"time"

	"ltm/memory"
)

// purpose is the first field of what is signed. A change of the fields needs another one.
const purpose = "ltm memory 1"

// Bytes returns what the signature of a memory covers: each field as its length in bytes in decimal, a colon, its bytes
// and a comma. Lengths leave no separator to forge. The memory must have its full text.
//
// The fields are the purpose "ltm memory 1", the id of the store, the memory's id, kind, importance, confidence (1 if
// not set), supersedes and disputes (ids, sorted, with commas between them), topic, created_at (RFC 3339 in UTC),
// summary and content, both with "\n" line ends, and then the agent, if there is one: it decides who is shown the
// memory. Aliases decide when: if there are any, the last field is "aliases" and each of them, with "\n" before each.
// Text is not normalized. Other tags, the phase and counters are left out, because they change without a new text, and
// so is restored_from_archive: whoever restores a memory need not be able to sign it.
func Bytes(m memory.Memory, store string) []byte {
	confidence := 1.0
	if m.Confidence != nil {
		confidence = *m.Confidence
	}
	created := ""
	if !m.CreatedAt.IsZero() {
		created = m.CreatedAt.UTC().Format(time.RFC3339Nano)
	}
	fields := []string{
		purpose, store, string(m.ID), string(m.Category), string(m.Importance()),
		strconv.FormatFloat(confidence, 'f', -1, 64), ids(m.Supersedes), ids(m.Disputes), m.Topic, created,
		memory.UnixLines(m.Summary), memory.UnixLines(m.Content),
	}
	if m.Agent != "" {
		fields = append(fields, m.Agent)
	}
	if len(m.Aliases) > 0 {
		fields = append(fields, "aliases\n"+strings.Join(m.Aliases, "\n"))
	}
	var out []byte
	for _, field := range fields {
		out = strconv.AppendInt(out, int64(len(field)), 10)
		out = append(append(append(out, ':'), field...), ',')
	}
	return out
}

// ids returns ids in one order: a merge can reorder a list, which changes nothing.
func ids(list []memory.ID) string {
	names := make([]string, len(list))
	for i, id := range list {
		names[i] = string(id)
	}
	slices.Sort(names)
	return strings.Join(slices.Compact(names), ",")
}
