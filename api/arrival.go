package api

import (
	"context"
	"time"
)

type arrivalKey struct{}

// WithArrival tells a use case when its request arrived. A request that had to wait for
// its turn has that much less time to wait for other processes.
func WithArrival(ctx context.Context, at time.Time) context.Context {
	return context.WithValue(ctx, arrivalKey{}, at)
}

// Arrival returns when a request arrived, if [WithArrival] was called.
func Arrival(ctx context.Context) (at time.Time, known bool) {
	at, known = ctx.Value(arrivalKey{}).(time.Time)
	return at, known
}
