package packet

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"strings"
	"sync"
	"time"
)

// ulidDigits is Crockford's base 32.
const ulidDigits = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"

const (
	ulidChars = 26
	ulidBits  = 5
	maxMillis = 1<<48 - 1
)

// ErrClock is returned when a clock's time does not fit into a ULID: it is before 1970 or after the year 10889.
var ErrClock = errors.New("the clock's time does not fit into an id")

// IDs makes ULIDs (github.com/ulid/spec): 48 bits of milliseconds and 80 random bits as 26 characters of Crockford's
// base 32. As texts, the ids of one IDs are in the order of their making, also within a millisecond and when the clock
// goes back: such an id is greater than the one before by a random number of 32 bits, so that one cannot be guessed
// from another. It is safe for concurrent use.
type IDs struct {
	now    func() time.Time
	random io.Reader

	mu   sync.Mutex
	last ulid
}

// ulid is an unencoded ULID: its time, and its random bits in two parts.
type ulid struct {
	millis uint64 // 48 bits
	high   uint16
	low    uint64
}

// NewIDs returns a source of ids from a clock and randomness, which should be that of crypto/rand.
func NewIDs(now func() time.Time, random io.Reader) *IDs { return &IDs{now: now, random: random} }

// New returns an id. The error is [ErrClock] or that of the source of randomness.
func (g *IDs) New() (string, error) {
	id, _, err := g.take()
	return id, err
}

// Stamp completes a new packet: it returns p with a new ID, the present time and the lowest version
// that carries p. The error is that of New or of [Packet.Check].
func (g *IDs) Stamp(p Packet) (Packet, error) {
	id, at, err := g.take()
	if err != nil {
		return Packet{}, err
	}
	p.ID, p.CreatedAt, p.Version = id, FormatTime(at), p.Lowest()
	if err := p.Check(); err != nil {
		return Packet{}, err
	}
	return p, nil
}

// take returns an id and the clock's time.
func (g *IDs) take() (string, time.Time, error) {
	g.mu.Lock()
	defer g.mu.Unlock()
	at := g.now()
	millis := at.UnixMilli()
	if millis < 0 {
		return "", at, ErrClock
	}
	var random [10]byte
	if _, err := io.ReadFull(g.random, random[:]); err != nil {
		return "", at, fmt.Errorf("no randomness for an id: %w", err)
	}
	next := ulid{millis: uint64(millis), high: binary.BigEndian.Uint16(random[:2]),
		low: binary.BigEndian.Uint64(random[2:])}
	if next.millis <= g.last.millis {
		step := uint64(binary.BigEndian.Uint32(random[:4])) + 1
		next = g.last.after(step, next)
	}
	if next.millis > maxMillis {
		return "", at, ErrClock
	}
	g.last = next
	return next.String(), at, nil
}

// after returns the ULID that is step greater. Where the random bits of a millisecond are used up,
// that is the next millisecond with the random bits of fresh.
func (u ulid) after(step uint64, fresh ulid) ulid {
	low := u.low + step
	high := u.high
	if low < u.low {
		if high++; high == 0 {
			return ulid{millis: u.millis + 1, high: fresh.high, low: fresh.low}
		}
	}
	return ulid{millis: u.millis, high: high, low: low}
}

// String returns the 26 characters.
func (u ulid) String() string {
	var b [ulidChars]byte
	high := u.millis<<16 | uint64(u.high) // bits 64 to 127 of the whole; low has 0 to 63
	low := u.low
	for i := len(b) - 1; i >= 0; i-- {
		b[i] = ulidDigits[low&(1<<ulidBits-1)]
		low = low>>ulidBits | high<<(64-ulidBits)
		high >>= ulidBits
	}
	return string(b[:])
}

// ULIDTime returns the time in a ULID, to the millisecond and in UTC. ok is false if id is not a
// ULID: a packet may have any other id of 10 to 64 characters.
func ULIDTime(id string) (at time.Time, ok bool) {
	if len(id) != ulidChars || strings.Trim(id, ulidDigits) != "" || id[0] > '7' {
		return at, false
	}
	millis := int64(0)
	for i := range 10 {
		millis = millis<<ulidBits | int64(strings.IndexByte(ulidDigits, id[i]))
	}
	return time.UnixMilli(millis).UTC(), true
}
