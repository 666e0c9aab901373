package mcp

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log"

	mcpgo "github.com/mark3labs/mcp-go/mcp"
	"github.com/mark3labs/mcp-go/server"

	"ltm/internal/safetext"
	"ltm/memory"
)

const (
	// maxFault and maxError bound what is told of a fault and of an error, in
	// characters.
	maxFault = 500
	maxError = 2000

	// unreadable is told of a file whose words are withheld: its errors quote them.
	unreadable = `a file of the store cannot be read, and the reason is withheld while trust is "ask"; a person sees it in a terminal`
)

// spec is what a tool says of itself.
type spec struct {
	name        string
	description string
	output      string // JSON schema
	always      bool   // at hand without being looked up
	unlisted    bool   // an old name, which is still understood
	readOnly    bool
	atOnce      bool // what it changes is not waited for
	destructive bool
	idempotent  bool
}

// boundTool is a tool with its handler, which gets the arguments as the client
// sent them.
type boundTool struct {
	tool   mcpgo.Tool
	listed bool
	waits  bool // for other processes that change the store
	handle func(ctx context.Context, arguments any) (*mcpgo.CallToolResult, error)
}

// bind makes a tool of a spec, its parameters as they are decoded into an In, a use
// case, and the text for clients without structured output.
func bind[In, Out any](s spec, params func(*In) []param, run func(context.Context, In) (Out, error), text func(Out) string) boundTool {
	tool := mcpgo.NewToolWithRawSchema(s.name, s.description, schema(params(new(In))))
	tool.RawOutputSchema = json.RawMessage(s.output)
	closed := false
	tool.Annotations = mcpgo.ToolAnnotation{ReadOnlyHint: &s.readOnly, DestructiveHint: &s.destructive, IdempotentHint: &s.idempotent, OpenWorldHint: &closed}
	if s.always {
		tool.Meta = &mcpgo.Meta{AdditionalFields: map[string]any{"anthropic/alwaysLoad": true}}
	}
	handle := func(ctx context.Context, arguments any) (*mcpgo.CallToolResult, error) {
		var in In
		if err := decode(params(&in), arguments); err != nil {
			return nil, err
		}
		// A call that has begun is finished when the client hangs up meanwhile:
		// every use case has a deadline of its own.
		out, err := run(context.WithoutCancel(ctx), in)
		if err != nil {
			return nil, err
		}
		shown := plain(out).(Out)
		return mcpgo.NewToolResultStructured(shown, text(shown)), nil
	}
	return boundTool{tool, !s.unlisted, !s.readOnly && !s.atOnce, handle}
}

// guarded turns a handler's errors and panics into tool errors that the model
// can act on. What is not an error of the domain is a fault of ours, and logged.
func (t boundTool) guarded(faults *log.Logger, withholds func(context.Context) bool) server.ToolHandlerFunc {
	fault := func(ctx context.Context, what string) *mcpgo.CallToolResult {
		what = safetext.Clip(safetext.Line(what), maxFault)
		faults.Printf("%s: internal error: %s", t.tool.Name, what)
		if withholds(ctx) {
			what = "the server's log has the details"
		}
		return mcpgo.NewToolResultError("internal error: " + what)
	}
	return func(ctx context.Context, request mcpgo.CallToolRequest) (result *mcpgo.CallToolResult, _ error) {
		defer func() {
			if v := recover(); v != nil {
				result = fault(ctx, fmt.Sprintf("panic: %v", v))
			}
		}()
		result, err := t.handle(ctx, request.GetRawArguments())
		if err == nil {
			return result, nil
		}
		if text, known := told(ctx, err, withholds); known {
			return mcpgo.NewToolResultError(text), nil
		}
		return fault(ctx, err.Error()), nil
	}
}

// told returns what a model is told of an error of the domain; false: it is another.
func told(ctx context.Context, err error, withholds func(context.Context) bool) (string, bool) {
	var known *memory.Error
	if !errors.As(err, &known) {
		return "", false
	}
	if known.Code == memory.CodeUnreadable && withholds(ctx) {
		return unreadable, true
	}
	return safetext.Clip(safetext.Line(memory.Spell(err.Error(), calledNames)), maxError), true
}
