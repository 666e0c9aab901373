package provider

import (
	"net/http"
	"strconv"
	"strings"
	"time"
)

// How attempts follow each other.
const (
	firstDelay = 500 * time.Millisecond // long enough for a load balancer to pick another machine
	maxDelay   = 8 * time.Second        // a job's worker is busy meanwhile: longer waits are for its queue
)

// backoff returns how long to wait after the attempt-th attempt (from 1): the doubled delay, between its half and its
// whole by random, which is in [0, 1). Half of it is fixed so that a wait is never none.
func backoff(attempt int, random float64) time.Duration {
	delay := maxDelay
	if shift := max(attempt-1, 0); shift < 8 {
		delay = min(firstDelay<<shift, maxDelay)
	}
	random = min(max(random, 0), 1)
	return delay/2 + time.Duration(float64(delay/2)*random)
}

// retryAfter returns what the header Retry-After asks for: seconds, or a date of HTTP. It is 0 if the header is
// missing, is in the past or cannot be read, and at most a day.
func retryAfter(value string, now time.Time) time.Duration {
	const most = 24 * time.Hour
	value = strings.TrimSpace(value)
	if seconds, err := strconv.ParseFloat(value, 64); err == nil {
		if !(seconds > 0) { // also not a number
			return 0
		}
		return time.Duration(min(seconds, most.Seconds()) * float64(time.Second))
	}
	date, err := http.ParseTime(value)
	if err != nil {
		return 0
	}
	return min(max(date.Sub(now), 0), most)
}
