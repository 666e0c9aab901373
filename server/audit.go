package server

import (
	"cmp"
	"context"
	"time"
)

// AuditEntry is a line of the audit log: who did what to which thing, and when. It has ids, and no texts.
type AuditEntry struct {
	At time.Time
	// "user:ID", "key:ID" of an application's key, "key:ID:USER" if the request named its user, "operator"; "": the
	// server itself
	Actor  string
	Act    string // such as "token.issue"
	ID     string // of what it was done to
	Within string // the id of the team, user or application that this belongs to; "": of none
}

type operatorKey struct{}

// operator is the person who runs commands on the server's machine.
const operator = "operator"

// ByOperator returns a context in which changes are the operator's.
func ByOperator(ctx context.Context) context.Context {
	return context.WithValue(ctx, operatorKey{}, operator)
}

// ActorUser returns the name of a user as an actor.
func ActorUser(id string) string { return "user:" + id }

// ActorOf returns whose changes those in a context are, as an [AuditEntry] has it. A [Storage] asks when it changes
// something: in the context of a request, that is who was let in.
func ActorOf(ctx context.Context) string {
	if by, ok := ctx.Value(operatorKey{}).(string); ok {
		return by
	}
	c, ok := ctx.Value(callKey{}).(*call)
	switch {
	case ok && c.app != nil:
		if user := cmp.Or(c.app.user, c.app.named); user != "" {
			return "key:" + c.app.key.ID + ":" + user
		}
		return "key:" + c.app.key.ID
	case ok && c.user.ID != "":
		return ActorUser(c.user.ID)
	}
	return ""
}
