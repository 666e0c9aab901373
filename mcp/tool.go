package mcp

import (
	"context"
	"encoding/json"
	"errors"

	mcpgo "github.com/mark3labs/mcp-go/mcp"
	"github.com/mark3labs/mcp-go/server"

	"ltm/memory"
)

// spec is what a tool says of itself.
type spec struct {
	name        string
	description string
	input       string // JSON schema
	output      string // JSON schema
	always      bool   // at hand without being looked up
	readOnly    bool
	destructive bool
	idempotent  bool
}

// boundTool is a tool with its handler.
type boundTool struct {
	tool   mcpgo.Tool
	handle server.ToolHandlerFunc
}

// bind makes a tool of a spec, a decoder of its arguments, a use case, and the
// text for clients without structured output.
func bind[In, Out any](s spec, decode func(*params) In, run func(context.Context, In) (Out, error), text func(Out) string) boundTool {
	tool := mcpgo.NewToolWithRawSchema(s.name, s.description, json.RawMessage(s.input))
	tool.RawOutputSchema = json.RawMessage(s.output)
	closed := false
	tool.Annotations = mcpgo.ToolAnnotation{ReadOnlyHint: &s.readOnly, DestructiveHint: &s.destructive, IdempotentHint: &s.idempotent, OpenWorldHint: &closed}
	if s.always {
		tool.Meta = &mcpgo.Meta{AdditionalFields: map[string]any{"anthropic/alwaysLoad": true}}
	}
	handle := func(ctx context.Context, request mcpgo.CallToolRequest) (*mcpgo.CallToolResult, error) {
		p := newParams(request.GetRawArguments())
		in := decode(p)
		if err := p.finish(); err != nil {
			return failure(err), nil
		}
		// A call that has begun is finished when the client hangs up meanwhile:
		// every use case has a deadline of its own.
		out, err := run(context.WithoutCancel(ctx), in)
		if err != nil {
			return failure(err), nil
		}
		return mcpgo.NewToolResultStructured(out, text(out)), nil
	}
	return boundTool{tool, handle}
}

// failure is a tool error that the model can act on.
func failure(err error) *mcpgo.CallToolResult {
	var known *memory.Error
	if errors.As(err, &known) {
		return mcpgo.NewToolResultError(err.Error())
	}
	return mcpgo.NewToolResultError("internal error: " + err.Error())
}
