package server

import (
	"container/list"
	"sync"
	"time"

	"golang.org/x/time/rate"
)

// maxLimited is how many addresses or tokens a limiter remembers: about 2 MB. Beyond that, it forgets
// who was quiet for the longest time.
const maxLimited = 10_000

// limiter counts events by key, each in a bucket of its own. Its memory is bounded.
type limiter struct {
	rate Rate
	most int

	mu    sync.Mutex
	byKey map[string]*list.Element
	order *list.List // of *bucket, the most recent first
}

type bucket struct {
	key   string
	count *rate.Limiter
}

func newLimiter(r Rate, most int) *limiter {
	return &limiter{rate: r, most: most, byKey: map[string]*list.Element{}, order: list.New()}
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
	r := l.bucket(key).ReserveN(now, 1)
	if wait = r.DelayFrom(now); wait > 0 {
		r.CancelAt(now)
		return nil, wait, false
	}
	return func() { r.CancelAt(now) }, 0, true
}

// bucket returns the bucket of a key.
func (l *limiter) bucket(key string) *rate.Limiter {
	if e, known := l.byKey[key]; known {
		l.order.MoveToFront(e)
		return e.Value.(*bucket).count
	}
	if l.order.Len() >= l.most {
		oldest := l.order.Remove(l.order.Back()).(*bucket)
		delete(l.byKey, oldest.key)
	}
	b := &bucket{key, rate.NewLimiter(rate.Limit(l.rate.PerSecond), l.rate.Burst)}
	l.byKey[key] = l.order.PushFront(b)
	return b.count
}
