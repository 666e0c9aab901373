package api

import (
	"context"
	"time"
)

type (
	arrivalKey struct{}
	oneUndoKey struct{}
)

// WithOneUndo asks that what a use case does to several memories is taken back by one undo.
func WithOneUndo(ctx context.Context) context.Context {
	return context.WithValue(ctx, oneUndoKey{}, true)
}

// OneUndo reports whether [WithOneUndo] was called.
func OneUndo(ctx context.Context) bool { return ctx.Value(oneUndoKey{}) != nil }

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
