package store

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"strings"
	"unicode/utf8"
)

// The file of a packet is named after its id, in a form that is the same on every system and in
// which no two ids differ by upper and lower case alone. Packets may have any id:
//
//   - Digits, "-", "_" and capital letters are kept, so that a ULID is its own name.
//   - "~" switches to small letters and back: a UUID is 550~e8400-e29b-41d4-a716-446655440000.
//   - Every other byte is "=" and two hex digits of that byte.
//   - A name that would be too long is "+" and the SHA-256 of the id, from which the id cannot be
//     told.
const (
	caseMark = '~'
	byteMark = '='
	sumMark  = '+'

	// plainBytes are kept, wherever they are.
	plainBytes = "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_"

	// maxPacketName is the length of a name without its ending. A temporary file's is longer.
	maxPacketName = 200

	// maxPacketID and minPacketID are the lengths of ids, in code points.
	maxPacketID = 64
	minPacketID = 10
)

// PacketName returns the name of a packet's file, without its ending.
func PacketName(id string) string {
	var b strings.Builder
	small := false
	for i := range len(id) {
		c := id[i]
		switch {
		case 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z':
			if lower := c >= 'a'; lower != small {
				b.WriteByte(caseMark)
				small = lower
			}
			b.WriteByte(c)
		case '0' <= c && c <= '9' || c == '-' || c == '_':
			b.WriteByte(c)
		default:
			fmt.Fprintf(&b, "%c%02X", byteMark, c)
		}
	}
	if b.Len() > maxPacketName {
		sum := sha256.Sum256([]byte(id))
		return string(sumMark) + hex.EncodeToString(sum[:])
	}
	return b.String()
}

// PacketID returns the id of the packet whose file has a name, without its ending. known is false
// if the name is a checksum, from which the id cannot be told, and ok if no packet has such a name.
func PacketID(name string) (id string, known, ok bool) {
	if sum, hashed := strings.CutPrefix(name, string(sumMark)); hashed {
		return "", false, isSum(sum) && strings.ToLower(sum) == sum
	}
	if strings.Trim(name, plainBytes) == "" && minPacketID <= len(name) && len(name) <= maxPacketID {
		return name, true, true // as those of ULIDs
	}
	var b strings.Builder
	for i := 0; i < len(name); i++ {
		c := name[i]
		if c == caseMark {
			continue // whether it is in its place is seen below
		}
		if c == byteMark {
			value, err := hex.DecodeString(name[i+1 : min(i+3, len(name))])
			if err != nil || len(value) != 1 {
				return "", false, false
			}
			c = value[0]
			i += 2
		}
		b.WriteByte(c)
	}
	id = b.String()
	count := utf8.RuneCountInString(id)
	ok = utf8.ValidString(id) && minPacketID <= count && count <= maxPacketID && PacketName(id) == name
	if !ok {
		return "", false, false
	}
	return id, true, true
}
