package server

import (
	"crypto/sha256"
	"encoding/base64"
	"encoding/binary"
	"fmt"
	"time"
	"unicode/utf8"
)

// A cursor is where a page of a list ended. It tells nothing that the list did not, and a list shows
// only what its caller sees, so it needs no secret: a checksum of the place and the list holds that
// it is unharmed and belongs to the same list, whichever server made it.
const (
	cursorVersion = 1
	cursorSum     = 8
	cursorHead    = 1 + cursorSum + 8 // version, checksum, time
	maxCursorID   = 64 * utf8.UTFMax
)

// cursorText returns a cursor as clients get it.
func cursorText(q PacketQuery, place PacketPlace) string {
	sum := q.sum(place)
	b := append([]byte{cursorVersion}, sum[:]...)
	b = binary.BigEndian.AppendUint64(b, uint64(place.Created.UnixMicro()))
	return base64.RawURLEncoding.EncodeToString(append(b, place.ID...))
}

// readCursor reads a cursor. ok is false if it was not made for this list.
func readCursor(text string, q PacketQuery) (place PacketPlace, ok bool) {
	if len(text) > base64.RawURLEncoding.EncodedLen(cursorHead+maxCursorID) {
		return place, false
	}
	b, err := base64.RawURLEncoding.Strict().DecodeString(text)
	if err != nil || len(b) <= cursorHead || b[0] != cursorVersion {
		return place, false
	}
	place.Created = time.UnixMicro(int64(binary.BigEndian.Uint64(b[1+cursorSum : cursorHead]))).UTC()
	place.ID = string(b[cursorHead:])
	return place, q.sum(place) == [cursorSum]byte(b[1:])
}

// sum identifies a place in a list: whose it is, and what it selects.
func (q PacketQuery) sum(place PacketPlace) [cursorSum]byte {
	h := sha256.New()
	for _, part := range append([]string{fmt.Sprint(place.Created.UnixMicro()), place.ID, q.Caller, q.Team, q.Tag,
		q.Project, q.Parent, q.Since.UTC().Format(time.RFC3339Nano)}, q.Words...) {
		fmt.Fprintf(h, "%d:%s", len(part), part)
	}
	return [cursorSum]byte(h.Sum(nil))
}
