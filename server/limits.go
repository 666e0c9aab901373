package server

import (
	"context"
	"crypto/sha256"
	"math"
	"time"
)

// Limits keeps what several servers have counted, so that a limit holds for all of them together.
type Limits interface {
	// Spend notes what was counted of each name, and returns how long it takes, by name, until what all servers have
	// noted is made up for; nothing is 0 or less. That is most at most, whatever was noted.
	Spend(ctx context.Context, most time.Duration, all []Spent) (debts map[[32]byte]time.Duration, err error)

	// Forget removes what was made up for a while ago.
	Forget(ctx context.Context) error
}

// Spent is what one server has counted of a name since it told the others.
type Spent struct {
	Name [32]byte      // a keyed hash of the limit and of what is limited: an address is not stored
	Cost time.Duration // that the limit takes to make up for it
	Ago  time.Duration // since the first of it
}

// LimitsEvery is how often servers tell each other: until then, each lets in what it would by itself.
const LimitsEvery = time.Second

// told is what the others are told of a bucket.
type told struct {
	*bucket
	n     int
	since time.Time
}

// ShareLimits tells the other servers what this one has counted, and learns what they have. Requests never wait for
// it. If it fails, each server goes on by itself, and tells the others later.
func (s *Server) ShareLimits(ctx context.Context) error {
	if s.opts.Limits == nil {
		return nil
	}
	for name, l := range map[string]*limiter{"token": s.tokens, "address": s.addresses, "failure": s.failures,
		"invite": s.invites, "device": s.devices, "code": s.codes, "key": s.keys, "user": s.users} {
		if err := s.share(ctx, name, l); err != nil {
			return err
		}
	}
	return s.opts.Limits.Forget(ctx)
}

// share is [Server.ShareLimits] for one limit.
func (s *Server) share(ctx context.Context, name string, l *limiter) error {
	now := s.opts.Now()
	of := map[[32]byte]told{}
	var all []Spent
	for _, t := range l.tell() {
		hashed := [sha256.Size]byte(sign(s.sharedKey, "limit", []byte(name+":"+t.key)))
		of[hashed] = t
		all = append(all, Spent{Name: hashed, Cost: l.takes(t.n), Ago: now.Sub(t.since)})
	}
	if len(all) == 0 {
		return nil
	}
	// Several servers can each have let in what may come at once.
	debts, err := s.opts.Limits.Spend(ctx, 2*l.takes(l.rate.Burst), all)
	now = s.opts.Now()
	for name, t := range of {
		l.learn(t, debts[name], err != nil, now)
	}
	return err
}

// takes returns how long it takes to make up for events.
func (l *limiter) takes(n int) time.Duration {
	return time.Duration(float64(n) / l.rate.PerSecond * float64(time.Second))
}

// tell returns the buckets that the others should know of, and takes what was counted in them as told.
func (l *limiter) tell() (all []told) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for b := range l.hot {
		all = append(all, told{b, b.untold, b.since})
		b.untold = 0
	}
	clear(l.hot)
	return all
}

// learn takes over what all servers have counted, or, if the others could not be told, tells them later.
func (l *limiter) learn(t told, debt time.Duration, failed bool, now time.Time) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if e, known := l.byKey[t.key]; !known || e.Value != t.bucket {
		return // it was forgotten meanwhile
	}
	if failed {
		t.bucket.untold += t.n
		t.bucket.since = t.since
		l.hot[t.bucket] = true
		return
	}
	left := float64(l.rate.Burst) - debt.Seconds()*l.rate.PerSecond - float64(t.untold)
	if others := int(math.Round(t.count.TokensAt(now) - left)); others > 0 {
		t.count.ReserveN(now, min(others, l.rate.Burst))
	}
}

// count notes events that the others are to be told of, or takes them back. They are told once they are a fiftieth of
// what may come at once: less makes no difference.
func (l *limiter) count(b *bucket, n int, now time.Time) {
	if !l.shared {
		return
	}
	if b.untold == 0 {
		b.since = now
	}
	least := max(l.rate.Burst/50, 1)
	if b.untold < least && b.untold+n >= least {
		l.hot[b] = true
	}
	b.untold += n
}
