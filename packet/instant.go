package packet

import (
	"regexp"
	"strings"
	"sync"
	"time"
)

// instant is a time as created_at has it.
type instant struct {
	at   time.Time // in UTC, cut to nanoseconds
	text string    // in normal form
}

const (
	wantedTime    = "is not a time such as 2026-01-31T09:30:00Z or 2026-01-31T09:30:00.5+02:00"
	wantedOffset  = "has no offset: it ends neither with Z nor with one such as +02:00"
	unknownTime   = "is a day or a time of day that does not exist"
	unknownOffset = "has an offset that does not exist: it ends at 23:59"
)

// timeForm matches RFC 3339 with capitals: what is before the fraction, the fraction, and the offset.
var timeForm = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d)(\.\d+)?(Z|[+-]\d\d:\d\d)?$`)
})

// readInstant reads an RFC 3339 time with a capital T and Z, or says what is wrong with it. The
// normal form keeps the offset and every digit, but has no final zeros in the fraction, and "Z"
// for an offset of zero, as the reference's. (Since RFC 9557, "Z" and "-00:00" mean the same.)
func readInstant(s string) (i instant, message string) {
	parts := timeForm().FindStringSubmatch(s)
	if parts == nil {
		return i, wantedTime
	}
	local, fraction, offset := parts[1], parts[2], parts[3]
	if _, err := time.Parse(time.RFC3339, local+"Z"); err != nil {
		return i, unknownTime
	}
	if offset == "" {
		return i, wantedOffset
	}
	if offset != "Z" {
		if _, err := time.Parse("15:04", offset[1:]); err != nil {
			return i, unknownOffset
		}
	}
	at, err := time.Parse(time.RFC3339Nano, s)
	if err != nil {
		return i, wantedTime
	}
	if offset == "+00:00" || offset == "-00:00" {
		offset = "Z"
	}
	fraction = strings.TrimRight(strings.TrimRight(fraction, "0"), ".")
	return instant{at: at.UTC(), text: local + fraction + offset}, ""
}

// Time returns when the packet was created, in UTC and cut to nanoseconds, or the zero time if CreatedAt is not a time.
// Compare these and not the texts: as a text, "…30.5Z" comes before "…30Z".
func (p *Packet) Time() time.Time {
	i, _ := readInstant(p.CreatedAt)
	return i.at
}

// FormatTime returns a time as packets made here have it: in UTC and whole seconds, as the lists of servers do.
func FormatTime(t time.Time) string { return t.UTC().Format("2006-01-02T15:04:05Z") }
