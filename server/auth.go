package server

import (
	"container/list"
	"context"
	"errors"
	"net/http"
	"strings"
	"sync"
	"time"

	"golang.org/x/time/rate"
)

// maxToken is the length of a token that is looked up.
const maxToken = 256

// authenticate finds out whose request it is, and refuses it if there were too many.
func (s *Server) authenticate(r *http.Request, c *call) error {
	token, given := bearer(r.Header.Values("Authorization"))
	if !given {
		return problem(kindUnauthorized, "missing bearer token").challenge("")
	}
	err := s.letIn(r.Context(), c, Hash(token), len(token) <= maxToken)
	if err != nil && c.user.DisabledAt.IsZero() {
		return err
	}
	if wait, ok := s.tokens.take(c.token.ID, s.opts.Now()); !ok {
		s.metrics.limited.WithLabelValues("token").Inc()
		return problem(kindRate, "too many requests with this token").retry(wait)
	}
	return err
}

// bearer returns the token of a request.
func bearer(headers []string) (token string, ok bool) {
	if len(headers) != 1 {
		return "", false
	}
	scheme, token, _ := strings.Cut(headers[0], " ")
	token = strings.Trim(token, " ")
	return token, strings.EqualFold(scheme, "Bearer") && token != ""
}

// letIn sets the user and the token of a call from the token's hash. possible is false for what cannot be a token.
func (s *Server) letIn(ctx context.Context, c *call, hash [32]byte, possible bool) error {
	err := error(ErrNotFound)
	if possible {
		c.token, c.user, err = s.store.Authenticate(ctx, hash, s.opts.Now())
	}
	if errors.Is(err, ErrNotFound) || errors.Is(err, ErrGone) {
		c.token, c.user = Token{}, User{}
		return s.missed(c, s.failures, "token", problem(kindUnauthorized, "invalid token").challenge("invalid_token"))
	}
	if err == nil && !c.user.DisabledAt.IsZero() {
		return problem(kindForbidden, "the operator of this server disabled you: your token and what is yours are kept")
	}
	return err
}

// missed counts a wrong token, key or code of the client. It returns the problem that says so, or, after too many from
// the client's address, that of asking too often. A valid credential is never counted and always looked up: a program
// with an old token must not lock out who else is behind its address. How often the database is asked is limited for
// the address as a whole.
func (s *Server) missed(c *call, budget *limiter, what string, wrong *Problem) *Problem {
	s.metrics.failures.WithLabelValues(what).Inc()
	if wait, ok := budget.take(limitKey(c.client.addr), s.opts.Now()); !ok {
		s.metrics.limited.WithLabelValues("failures").Inc()
		return problem(kindRate, "too many wrong tokens, keys or codes from your address").retry(wait)
	}
	return wrong
}

// maxLimited is how many addresses or tokens a limiter remembers: about 2 MB. Beyond that, it forgets
// who was quiet for the longest time.
const maxLimited = 10_000

// limiter counts events by key, each in a bucket of its own. Its memory is bounded.
type limiter struct {
	rate   Rate
	most   int
	shared bool // with other servers

	mu    sync.Mutex
	byKey map[string]*list.Element
	order *list.List       // of *bucket, the most recent first
	hot   map[*bucket]bool // of which other servers should be told
}

type bucket struct {
	key    string
	count  *rate.Limiter
	untold int       // events that other servers do not know of
	since  time.Time // the first of them
}

func newLimiter(r Rate, most int, shared bool) *limiter {
	return &limiter{rate: r, most: most, shared: shared, byKey: map[string]*list.Element{}, order: list.New(),
		hot: map[*bucket]bool{}}
}

// take counts an event. If there were too many, it returns how long to wait.
func (l *limiter) take(key string, now time.Time) (wait time.Duration, ok bool) {
	_, wait, ok = l.reserve(key, now)
	return wait, ok
}

// reserve is take for an event that may turn out not to count: free takes it back.
func (l *limiter) reserve(key string, now time.Time) (free func(), wait time.Duration, ok bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	b := l.bucket(key)
	r := b.count.ReserveN(now, 1)
	if wait = r.DelayFrom(now); wait > 0 {
		r.CancelAt(now)
		return nil, wait, false
	}
	l.count(b, 1, now)
	return func() {
		l.mu.Lock()
		defer l.mu.Unlock()
		r.CancelAt(now)
		l.count(b, -1, now)
	}, 0, true
}

// bucket returns the bucket of a key.
func (l *limiter) bucket(key string) *bucket {
	if e, known := l.byKey[key]; known {
		l.order.MoveToFront(e)
		return e.Value.(*bucket)
	}
	if l.order.Len() >= l.most {
		oldest := l.order.Remove(l.order.Back()).(*bucket)
		delete(l.byKey, oldest.key)
		delete(l.hot, oldest)
	}
	b := &bucket{key: key, count: rate.NewLimiter(rate.Limit(l.rate.PerSecond), l.rate.Burst)}
	l.byKey[key] = l.order.PushFront(b)
	return b
}
