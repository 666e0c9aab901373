package memory

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"strings"
)

// ID identifies a memory: "mem_" and eight lower-case hex digits. It is also the base name of the
// memory's file, so [ParseID] must never accept anything else.
type ID string

const (
	idPrefix = "mem_"
	idDigits = 8

	// FileExt is the extension of a memory's file.
	FileExt = ".md"
)

// NewID makes an id from four random bytes.
func NewID(random [idDigits / 2]byte) ID {
	return ID(idPrefix + hex.EncodeToString(random[:]))
}

// ParseID accepts an id as people write it: with surrounding space, in upper case, with a final
// ".md", or as only the eight digits.
func ParseID(s string) (ID, error) {
	t := strings.ToLower(strings.TrimSpace(s))
	t = strings.TrimSuffix(t, FileExt)
	if len(t) == idDigits {
		t = idPrefix + t
	}
	if !isID(t) {
		return "", NewError(CodeInvalid, KindIDMalformed, s,
			`%s is not a memory id; an id is "mem_" and 8 hex digits`, Quote(s, 60))
	}
	return ID(t), nil
}

// ParseIDPrefix accepts the beginning of an id as people write it (see [ParseID]), with at least
// one digit, and returns it with its "mem_".
func ParseIDPrefix(s string) (string, bool) {
	t := strings.TrimSuffix(strings.ToLower(strings.TrimSpace(s)), FileExt)
	digits := strings.TrimPrefix(t, idPrefix)
	whole := idPrefix + digits + strings.Repeat("0", max(0, idDigits-len(digits)))
	return idPrefix + digits, digits != "" && isID(whole)
}

// IDFromFile returns the id of a memory's file name. ok is false for any other name.
func IDFromFile(name string) (ID, bool) {
	base, ok := strings.CutSuffix(name, FileExt)
	if !ok || !isID(base) {
		return "", false
	}
	return ID(base), true
}

// Path returns the path of the memory's file in the store.
func (id ID) Path() string { return memoriesDir + id.File() }

// IDFromPath returns the id of the memory whose file a path in the store names.
func IDFromPath(path string) (ID, bool) {
	name, ok := strings.CutPrefix(path, memoriesDir)
	if !ok {
		return "", false
	}
	return IDFromFile(name)
}

const memoriesDir = "memories/" // in the store

// AsIDs returns texts as ids, unchecked.
func AsIDs(texts []string) []ID {
	ids := make([]ID, len(texts))
	for i, text := range texts {
		ids[i] = ID(text)
	}
	return ids
}

// JoinIDs returns the ids with commas between them.
func JoinIDs(ids []ID) string {
	texts := make([]string, len(ids))
	for i, id := range ids {
		texts[i] = string(id)
	}
	return strings.Join(texts, ", ")
}

// File returns the name of the memory's file.
func (id ID) File() string { return string(id) + FileExt }

func isID(s string) bool { return isIDOf(s) && len(s) == len(idPrefix)+idDigits }

// isIDOf reports whether s is "mem_" and hex digits, of any number.
func isIDOf(s string) bool {
	digits, ok := strings.CutPrefix(s, idPrefix)
	return ok && digits != "" && strings.Trim(digits, "0123456789abcdef") == ""
}

// IsOddID reports whether s is an id but for the number of its digits. Other programs make such ids.
// They name no memory, because one could be the beginning of another.
func IsOddID(s string) bool { return isIDOf(s) && !isID(s) && len(s) <= maxOddID }

const maxOddID = 100

// AdoptedID returns the id for a memory that has an odd one, the same in every clone: its digits, cut
// or with zeros behind them, so that the odd id of fewer digits still begins it. If another memory has
// that id, it returns the next of those made from the checksum.
func AdoptedID(odd string, taken func(ID) bool) ID {
	digits := strings.TrimPrefix(odd, idPrefix) + strings.Repeat("0", idDigits)
	for i := 0; ; i++ {
		if id := ID(idPrefix + digits[:idDigits]); !taken(id) {
			return id
		}
		sum := sha256.Sum256(fmt.Appendf(nil, "%s %d", odd, i))
		digits = hex.EncodeToString(sum[:])
	}
}
