package api

import (
	"context"
	"time"

	"ltm/memory"
)

type (
	arrivalKey struct{}
	oneUndoKey struct{}
	madeKey    struct{}
)

// WithOneUndo asks that what a use case does to several memories is taken back by one undo.
func WithOneUndo(ctx context.Context) context.Context {
	return context.WithValue(ctx, oneUndoKey{}, true)
}

// OneUndo reports whether [WithOneUndo] was called.
func OneUndo(ctx context.Context) bool { return ctx.Value(oneUndoKey{}) != nil }

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

// Note adds a change to what [WithMade] asked for.
func Note(ctx context.Context, undo []memory.UndoEntry) {
	if made, ok := ctx.Value(madeKey{}).(*Made); ok {
		made.Changed = true
		made.Undo = append(made.Undo, undo...)
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
