package packet

import (
	"strings"
	"time"
)

// instant is a time as created_at has it.
type instant struct {
	at   time.Time // in UTC, cut to nanoseconds
	text string    // in normal form
}

const wantedTime = "is not a time such as 2026-01-31T09:30:00Z or 2026-01-31T09:30:00.5+02:00"

// readInstant reads an RFC 3339 time with a capital T and Z, or says what is wrong with it. The
// normal form keeps the offset and every digit, but has no final zeros in the fraction, and "Z"
// for an offset of zero, as the reference's. (Since RFC 9557, "Z" and "-00:00" mean the same.)
func readInstant(s string) (i instant, message string) {
	const layout = "2006-01-02T15:04:05"
	if len(s) <= len(layout) {
		if _, err := time.ParseInLocation(layout, s, time.UTC); err == nil {
			return i, "has no offset: it ends neither with Z nor with one such as +02:00"
		}
		return i, wantedTime
	}
	local, rest := s[:len(layout)], s[len(layout):]
	if !hasShape(local, "0000-00-00T00:00:00") {
		return i, wantedTime
	}
	at, err := time.ParseInLocation(layout, local, time.UTC)
	if err != nil {
		return i, "is a day or a time of day that does not exist"
	}
	if fraction, ok := strings.CutPrefix(rest, "."); ok {
		rest = strings.TrimLeft(fraction, "0123456789")
		fraction = fraction[:len(fraction)-len(rest)]
		if fraction == "" {
			return i, wantedTime
		}
		at = at.Add(nanoseconds(fraction))
		if fraction = strings.TrimRight(fraction, "0"); fraction != "" {
			local += "." + fraction
		}
	}
	offset, message := readOffset(rest)
	if message != "" {
		return i, message
	}
	if offset == 0 {
		rest = "Z"
	}
	return instant{at: at.Add(-offset), text: local + rest}, ""
}

// readOffset reads "Z" or an offset.
func readOffset(s string) (offset time.Duration, message string) {
	switch {
	case s == "Z":
		return 0, ""
	case s == "":
		return 0, "has no offset: it ends neither with Z nor with one such as +02:00"
	case !hasShape(s, "+00:00") && !hasShape(s, "-00:00"):
		return 0, wantedTime
	}
	at, err := time.ParseInLocation("15:04", s[1:], time.UTC)
	if err != nil {
		return 0, "has an offset that does not exist: it ends at 23:59"
	}
	offset = time.Duration(at.Hour())*time.Hour + time.Duration(at.Minute())*time.Minute
	if s[0] == '-' {
		offset = -offset
	}
	return offset, ""
}

// hasShape reports whether s has the characters of shape, and any digit for each 0.
func hasShape(s, shape string) bool {
	if len(s) != len(shape) {
		return false
	}
	for i := range len(s) {
		if shape[i] == '0' && !isDigit(s[i]) || shape[i] != '0' && s[i] != shape[i] {
			return false
		}
	}
	return true
}

// nanoseconds returns the value of the digits behind a decimal point.
func nanoseconds(fraction string) time.Duration {
	n := time.Duration(0)
	for i := range 9 {
		n *= 10
		if i < len(fraction) {
			n += time.Duration(fraction[i] - '0')
		}
	}
	return n
}

// Time returns when the packet was created, in UTC and cut to nanoseconds, or the zero time if
// CreatedAt is not a time. Compare these and not the texts: as a text, "…30.5Z" comes before
// "…30Z".
func (p *Packet) Time() time.Time {
	i, _ := readInstant(p.CreatedAt)
	return i.at
}

// FormatTime returns a time as packets made here have it: in UTC and whole seconds, as the lists
// of servers do.
func FormatTime(t time.Time) string { return t.UTC().Format("2006-01-02T15:04:05Z") }
