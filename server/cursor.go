package server

import (
	"crypto/sha256"
	"encoding/base64"
	"encoding/binary"
	"fmt"
	"time"
	"unicode/utf8"
)

// cursor is where a page of a list ended. It tells nothing that the list did not, and a list shows
// only what its caller sees, so it needs no signature: it is checked to belong to the same list.
type cursor struct {
	place PacketPlace
	list  [8]byte // see [PacketQuery.filters]
}

const (
	cursorVersion = 1
	cursorHead    = 1 + 8 + 8 // version, list, time
	maxCursorID   = 64 * utf8.UTFMax
)

// filters identifies a list: whose it is, and what it selects.
func (q PacketQuery) filters() [8]byte {
	h := sha256.New()
	for _, part := range append([]string{q.Caller, q.Team, q.Tag, q.Project, q.Parent,
		q.Since.UTC().Format(time.RFC3339Nano)}, q.Words...) {
		fmt.Fprintf(h, "%d:%s", len(part), part)
	}
	return [8]byte(h.Sum(nil)[:8])
}

// String returns a cursor as clients get it.
func (c cursor) String() string {
	b := append([]byte{cursorVersion}, c.list[:]...)
	b = binary.BigEndian.AppendUint64(b, uint64(c.place.Created.UnixMicro()))
	return base64.RawURLEncoding.EncodeToString(append(b, c.place.ID...))
}

// readCursor reads a cursor. ok is false if it was not made for this list.
func readCursor(text string, list [8]byte) (place PacketPlace, ok bool) {
	if len(text) > base64.RawURLEncoding.EncodedLen(cursorHead+maxCursorID) {
		return place, false
	}
	b, err := base64.RawURLEncoding.Strict().DecodeString(text)
	if err != nil || len(b) <= cursorHead || b[0] != cursorVersion || [8]byte(b[1:9]) != list ||
		!utf8.Valid(b[cursorHead:]) {
		return place, false
	}
	at := time.UnixMicro(int64(binary.BigEndian.Uint64(b[9:cursorHead]))).UTC()
	if at.Year() < 0 || at.Year() > 9999 {
		return place, false
	}
	return PacketPlace{Created: at, ID: string(b[cursorHead:])}, true
}
