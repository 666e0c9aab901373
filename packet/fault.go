package packet

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"
)

// Kind names what is wrong. Edges map kinds to what can be done about them.
type Kind string

// The kinds of faults. After the first six, which concern the document, the packet is not looked
// at any further; all others are listed together.
const (
	KindTooLarge  Kind = "too_large"      // more bytes than allowed
	KindSyntax    Kind = "syntax"         // not JSON, or more than one value
	KindNesting   Kind = "nesting"        // lists and objects in each other more than 64 deep
	KindValues    Kind = "values"         // more than 20,000 values
	KindNotObject Kind = "not_object"     // the document is a list, a text, a number, …
	KindVersion   Kind = "version"        // a version that this package does not know
	KindNoVersion Kind = "no_version"     // ltm_version is missing, empty or not a text
	KindType      Kind = "type"           // a value of another type, or null
	KindMissing   Kind = "missing"        // a required field is missing; the place is the object's
	KindUnknown   Kind = "unknown"        // a key that no version has; the place is the object's
	KindNewer     Kind = "newer"          // a key of version 0.2 in a packet of 0.1; likewise
	KindDuplicate Kind = "duplicate"      // a key stands twice in one object; likewise
	KindEncoding  Kind = "encoding"       // a lone surrogate, or bytes that are not UTF-8
	KindShort     Kind = "too_short"      // a text with fewer characters than required
	KindLong      Kind = "too_long"       // a text with more characters than allowed
	KindMany      Kind = "too_many_items" // a list with more items than allowed
	KindPattern   Kind = "pattern"        // a text with characters that are not allowed there
	KindChoice    Kind = "choice"         // a text that is not one of those allowed
	KindTime      Kind = "time"           // created_at is not a time
	KindMore      Kind = "more"           // the last fault of a list: how many are not listed
)

// Fault is one thing that is wrong with a packet.
type Fault struct {
	// Path is the place, a JSON pointer (RFC 6901): "/decisions/0/why". "" is the document. It
	// consists of known keys and indexes, whatever the input is.
	Path string

	Kind Kind

	// Message says what is wrong and what is allowed, without the place. It quotes keys, cut and
	// with escapes for invisible characters, but never values: they may be secrets.
	Message string
}

// String returns the place and the message.
func (f Fault) String() string {
	if f.Path == "" {
		return f.Message
	}
	return f.Path + ": " + f.Message
}

// maxFaults is the length of a list of faults. The next one says how many more there are.
const maxFaults = 1000

// Faults is the error that the functions of this package return for a packet that is not legal. It is never empty.
type Faults []Fault

// maxErrorFaults is how many faults the text of an error has.
const maxErrorFaults = 10

// Error returns the first faults on one line, and how many there are in all.
func (f Faults) Error() string {
	var b strings.Builder
	for i, fault := range f {
		if i == maxErrorFaults {
			fmt.Fprintf(&b, "; and %d more", len(f)-i)
			break
		}
		if i > 0 {
			b.WriteString("; ")
		}
		b.WriteString(fault.String())
	}
	return b.String()
}

// FaultsOf returns the faults that an error of this package lists, or nil.
func FaultsOf(err error) []Fault {
	faults, _ := errors.AsType[Faults](err)
	return faults
}

// fail returns the error for a single fault of the document.
func fail(kind Kind, message string, args ...any) error {
	return Faults{{Kind: kind, Message: fmt.Sprintf(message, args...)}}
}

// maxQuoted is how much of a key a message quotes, in characters.
const maxQuoted = 40

// quoted returns a key for a message, in quotes, cut, and with escapes for everything invisible.
func quoted(key string) string {
	count := 0
	for i := range key {
		if count == maxQuoted {
			return strconv.Quote(key[:i]) + "…"
		}
		count++
	}
	return strconv.Quote(key)
}

// length returns the number of code points.
func length(s string) int { return utf8.RuneCountInString(s) }
