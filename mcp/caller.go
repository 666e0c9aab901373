package mcp

import (
	"cmp"
	"context"

	mcpgo "github.com/mark3labs/mcp-go/mcp"
	"github.com/mark3labs/mcp-go/server"

	"ltm/clients"
)

// callerSession is the key of a context for the id of the session that a call belongs to.
type callerSession struct{}

// inSession notes the session that a call names in its metadata. Codex does, and gives its servers no variable that
// tells it.
func inSession(ctx context.Context, meta *mcpgo.Meta) context.Context {
	if meta == nil {
		return ctx
	}
	turn, _ := meta.AdditionalFields["x-codex-turn-metadata"].(map[string]any)
	id, _ := turn["session_id"].(string)
	return context.WithValue(ctx, callerSession{}, id)
}

// sessionOf returns the session of a call, or that of the server if the call does not say it.
func sessionOf(ctx context.Context, server string) string {
	id, _ := ctx.Value(callerSession{}).(string)
	return cmp.Or(id, server)
}

// clientOf returns the client that a call comes from, or "" if ltm does not know it.
func clientOf(ctx context.Context) string {
	from, ok := server.ClientSessionFromContext(ctx).(*session)
	if !ok {
		return ""
	}
	return clients.Introduced(from.name())
}
