package memory

import (
	"encoding/hex"
	"strings"
)

// ID names a memory: "mem_" and eight lower-case hex digits. It is also the
// name of the memory's file, so nothing else may ever pass [ParseID].
type ID string

const (
	idPrefix = "mem_"
	idDigits = 8

	// FileExt ends the name of a memory's file.
	FileExt = ".md"
)

// NewID makes an id of four random bytes.
func NewID(random [idDigits / 2]byte) ID {
	return ID(idPrefix + hex.EncodeToString(random[:]))
}

// ParseID accepts an id as people write it: surrounding space, upper case, a
// ".md" at the end, or only the eight digits.
func ParseID(s string) (ID, error) {
	t := strings.ToLower(strings.TrimSpace(s))
	t = strings.TrimSuffix(t, FileExt)
	if len(t) == idDigits {
		t = idPrefix + t
	}
	if !isID(t) {
		return "", Errorf(CodeInvalid, `an id is "mem_" and 8 hex digits, as `+DoRecall+` and `+DoList+` show it; nothing was changed`,
			"%q is not a memory id", Clip(s, 60))
	}
	return ID(t), nil
}

// ParseIDPrefix accepts the beginning of an id as people write it, as [ParseID] does, of
// at least one digit, and returns it with "mem_" before it.
func ParseIDPrefix(s string) (string, bool) {
	t := strings.TrimSuffix(strings.ToLower(strings.TrimSpace(s)), FileExt)
	digits := strings.TrimPrefix(t, idPrefix)
	whole := idPrefix + digits + strings.Repeat("0", max(0, idDigits-len(digits)))
	return idPrefix + digits, digits != "" && isID(whole)
}

// IDFromFile returns the id that a file name stands for, and whether it is
// exactly the name that ltm gives to a memory's file.
func IDFromFile(name string) (ID, bool) {
	base, ok := strings.CutSuffix(name, FileExt)
	if !ok || !isID(base) {
		return "", false
	}
	return ID(base), true
}

// File returns the name of the memory's file.
func (id ID) File() string { return string(id) + FileExt }

func isID(s string) bool {
	digits, ok := strings.CutPrefix(s, idPrefix)
	if !ok || len(digits) != idDigits {
		return false
	}
	for i := range len(digits) {
		c := digits[i]
		if (c < '0' || c > '9') && (c < 'a' || c > 'f') {
			return false
		}
	}
	return true
}
