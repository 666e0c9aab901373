package api

import (
	"context"
	"time"
)

type arrivalKey struct{}

// WithArrival tells a use case when its request came, where requests wait for
// their turn: what it waits for other processes counts from there.
func WithArrival(ctx context.Context, at time.Time) context.Context {
	return context.WithValue(ctx, arrivalKey{}, at)
}

// Arrival returns when the request of a use case came, as far as that was told.
func Arrival(ctx context.Context) (at time.Time, known bool) {
	at, known = ctx.Value(arrivalKey{}).(time.Time)
	return at, known
}
