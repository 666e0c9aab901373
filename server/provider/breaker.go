package provider

import (
	"sync"
	"time"
)

// How the circuit breaker works.
const (
	breakAfter  = 5                // failures in a row: more than the attempts of one call
	firstOpen   = 30 * time.Second // a restart of a local server of models takes about that
	longestOpen = 5 * time.Minute
)

// breaker stops attempts after failures in a row. When its time has passed, one attempt probes the endpoint: it closes
// the circuit if it succeeds, otherwise it doubles the time.
type breaker struct {
	mu       sync.Mutex
	failures int
	open     time.Duration // how long it is open, 0 if closed
	until    time.Time
	probing  bool
}

// enter reports whether an attempt may be made, and otherwise for how long not. Each attempt that may must be followed
// by leave, which is told whether it is a probe.
func (b *breaker) enter(now time.Time) (probe bool, wait time.Duration, ok bool) {
	b.mu.Lock()
	defer b.mu.Unlock()
	switch {
	case b.open == 0:
		return false, 0, true
	case now.Before(b.until):
		return false, b.until.Sub(now), false
	case b.probing:
		return false, time.Second, false
	}
	b.probing = true
	return true, 0, true
}

// outcome is what an attempt says about the endpoint.
type outcome int

const (
	unknown outcome = iota // the caller ended the attempt, or its input was at fault
	well
	ill
)

// leave notes how an attempt went. While the circuit is open only the probe counts: other attempts began before.
func (b *breaker) leave(now time.Time, probe bool, o outcome) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if probe {
		b.probing = false
	} else if b.open != 0 {
		return
	}
	switch o {
	case well:
		b.failures, b.open = 0, 0
	case ill:
		b.failures++
		switch {
		case probe:
			b.open = min(2*b.open, longestOpen)
			b.until = now.Add(b.open)
		case b.failures >= breakAfter:
			b.open = firstOpen
			b.until = now.Add(b.open)
		}
	}
}

// outcomeOf returns what an attempt's error says about the endpoint. A refused key or model counts against it: each
// further call would be refused too. A request that it finds malformed or too long does not.
func outcomeOf(err *Error) outcome {
	switch {
	case err == nil:
		return well
	case err.Kind == Canceled, err.Kind == BadInput, err.Kind == UsedUp, err.Kind == CircuitOpen:
		return unknown
	case err.Kind == Refused && (err.Status == 400 || err.Status == 413 || err.Status == 422):
		return unknown
	}
	return ill
}
