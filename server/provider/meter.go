package provider

import (
	"sync"
	"time"
)

// Unlimited is the limit of an app that may use any number of tokens.
const Unlimited = -1

// mostTokens keeps sums of what was stored within 64 bits.
const mostTokens = 1 << 60

// maxApp is the length of an app's name in bytes.
const maxApp = 256

// Price is an endpoint's charge per million tokens, in millionths of any currency.
type Price struct {
	Input, Output int64
}

// Usage is the usage of an app on one day.
type Usage struct {
	App       string
	Day       string // of UTC, such as 2026-01-31
	Requests  int64  // that were sent
	Input     int64  // tokens
	Output    int64  // tokens
	Estimated int64  // of these tokens, how many this package estimated, because the endpoint did not say
	Micros    int64  // the cost, in millionths of the prices' currency
}

// Tokens returns what counts against the limit.
func (u Usage) Tokens() int64 { return u.Input + u.Output }

// Meter counts what apps use, and holds their limits of a day of UTC. It is safe for use by several clients at once.
// It is in memory: [Meter.Today] is what a server stores, and [NewMeter] takes it back.
type Meter struct {
	limit func(app string) int64

	mu       sync.Mutex
	day      string
	used     map[string]*Usage
	reserved map[string]int64
}

// NewMeter returns a meter. limit gives an app's tokens for a day, or [Unlimited]; it is called under a lock and must
// not call the meter. used is what was used before, of which only the present day counts.
func NewMeter(limit func(app string) int64, used []Usage, now time.Time) *Meter {
	m := &Meter{limit: limit}
	m.turn(now)
	for _, u := range used {
		if u.Day == m.day && u.App != "" {
			u.Input = min(max(u.Input, 0), mostTokens)
			u.Output = min(max(u.Output, 0), mostTokens)
			m.used[u.App] = &u
		}
	}
	return m
}

// Today returns what an app used on the day of now.
func (m *Meter) Today(app string, now time.Time) Usage {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.turn(now)
	return *m.of(app)
}

// turn starts a new day. Reservations stay: the calls are still under way. A clock that goes back a day does not give
// tokens back.
func (m *Meter) turn(now time.Time) {
	if day := now.UTC().Format(time.DateOnly); day > m.day {
		m.day, m.used = day, map[string]*Usage{}
	}
	if m.reserved == nil {
		m.reserved = map[string]int64{}
	}
}

func (m *Meter) of(app string) *Usage {
	u := m.used[app]
	if u == nil {
		u = &Usage{App: app, Day: m.day}
		m.used[app] = u
	}
	return u
}

// reserve sets tokens aside for a request, or returns a [UsedUp].
func (m *Meter) reserve(app string, tokens int64, now time.Time) *Error {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.turn(now)
	limit := m.limit(app)
	used := m.of(app).Tokens()
	if limit >= 0 && tokens > limit-used-m.reserved[app] {
		midnight := now.UTC().Truncate(24 * time.Hour).Add(24 * time.Hour)
		err := newError(UsedUp, "the app's daily limit of %d tokens does not cover this request: %d are used today, "+
			"%d are reserved by others, and it may take %d", limit, used, m.reserved[app], tokens)
		err.RetryAfter = midnight.Sub(now)
		return err
	}
	m.reserved[app] += tokens
	return nil
}

// spent is what one request took.
type spent struct {
	sent              bool // whether the endpoint may have charged for it
	input, output     int64
	estimated, micros int64
}

// settle replaces a reservation by what the request took.
func (m *Meter) settle(app string, reserved int64, s spent, now time.Time) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.turn(now)
	if m.reserved[app] -= reserved; m.reserved[app] <= 0 {
		delete(m.reserved, app)
	}
	if !s.sent {
		return
	}
	u := m.of(app)
	u.Requests++
	u.Input += s.input
	u.Output += s.output
	u.Estimated += s.estimated
	u.Micros += s.micros
}

// cost returns what tokens cost, in millionths, rounded up: a limit on money should err on the safe side.
func (p Price) cost(input, output int64) int64 {
	const million = 1_000_000
	return (input*p.Input + output*p.Output + million - 1) / million
}
