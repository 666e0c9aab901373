package api

import (
	"context"
	"time"

	"ltm/memory"
)

type (
	arrivalKey struct{}
	madeKey    struct{}
)

// Made is what a use case did to memories and packets.
type Made struct {
	Changed bool               // it changed at least one
	Undo    []memory.UndoEntry // what takes that back, the oldest first; lacks what could not be noted
}

// WithMade asks for what use cases do with the context that it returns. Made is theirs until they have returned.
func WithMade(ctx context.Context) (context.Context, *Made) {
	made := new(Made)
	return context.WithValue(ctx, madeKey{}, made), made
}

// Note adds a change to what [WithMade] asked for. undo is what takes it back, or nil.
func Note(ctx context.Context, undo *memory.UndoEntry) {
	if made, ok := ctx.Value(madeKey{}).(*Made); ok {
		made.Changed = true
		if undo != nil {
			made.Undo = append(made.Undo, *undo)
		}
	}
}

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
