package mcp

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log"
	"strings"

	mcpgo "github.com/mark3labs/mcp-go/mcp"
	"github.com/mark3labs/mcp-go/server"

	"ltm/memory"
	"ltm/memory/advice"
	"ltm/text/safe"
)

const (
	// maxFault and maxError bound the reported text of an internal fault and of an error, in characters.
	maxFault = 500
	maxError = 2000

	// unreadable replaces errors that quote a file whose text is withheld.
	unreadable = `a file of the store cannot be read, and the reason is withheld while trust is "ask"; ` +
		"a person sees it in a terminal"
)

// spec describes a tool.
type spec struct {
	name        string
	description string
	output      string // JSON schema of what every answer has; "": only the answer says it
	always      bool   // the client loads it in every session
	unlisted    bool   // an old name that is still accepted
	readOnly    bool
	atOnce      bool // does not wait for the store, although it is not readOnly
	destructive bool
	idempotent  bool

	// prints names the fields of the structured content whose values the text says, those of entries by their path, as
	// in "memories.id"; omits names those that only the structured content has.
	prints, omits string
}

// title returns the name of the tool for people: "Store memory" for store_memory.
func (s spec) title() string {
	words := strings.ReplaceAll(strings.TrimPrefix(s.name, "ltm_"), "_", " ")
	return strings.ToUpper(words[:1]) + words[1:]
}

// annotations returns the hints that say something: those of writing have no meaning for a tool that reads.
func (s spec) annotations() mcpgo.ToolAnnotation {
	yes, no := true, false
	hints := mcpgo.ToolAnnotation{OpenWorldHint: &no}
	if s.readOnly {
		hints.ReadOnlyHint = &yes
		return hints
	}
	hints.DestructiveHint = &s.destructive
	if s.idempotent {
		hints.IdempotentHint = &yes
	}
	return hints
}

// boundTool is a tool and its handler, which takes the arguments as the client sent them.
type boundTool struct {
	tool   mcpgo.Tool
	listed bool
	waits  bool // may wait for other processes that change the store
	op     advice.Operation
	handle func(ctx context.Context, arguments any) (*mcpgo.CallToolResult, error)
}

// bind makes a tool from a description, the parameters that are decoded into an In, a use case, and a function that
// renders its result for clients without structured output.
func bind[In, Out any](
	s spec, params func(*In) []param, run func(context.Context, In) (Out, error), text func(Out) string,
) boundTool {
	tool := mcpgo.NewToolWithRawSchema(s.name, s.description, schema(params(new(In))))
	tool.Title = s.title()
	if s.output != "" {
		tool.RawOutputSchema = json.RawMessage(s.output)
	}
	tool.Annotations = s.annotations()
	if s.always {
		tool.Meta = &mcpgo.Meta{AdditionalFields: map[string]any{"anthropic/alwaysLoad": true}}
	}
	handle := func(ctx context.Context, arguments any) (*mcpgo.CallToolResult, error) {
		var in In
		if err := decode(params(&in), arguments); err != nil {
			return nil, err
		}
		// A call that has begun is finished even if the client hangs up: every use case has a deadline of its own.
		out, err := run(context.WithoutCancel(ctx), in)
		if err != nil {
			return nil, err
		}
		shown := plain(out).(Out)
		return mcpgo.NewToolResultStructured(shown, s.whole(text(shown), shown)), nil
	}
	op := advice.Reading
	if !s.readOnly && !s.atOnce {
		op = advice.Writing
	}
	return boundTool{tool, !s.unlisted, op == advice.Writing, op, handle}
}

// guarded turns a handler's errors and panics into tool errors that the model can act
// on. Errors from outside the domain are faults of the server and are logged.
func (t boundTool) guarded(
	faults *log.Logger, withholds func(context.Context) bool, refuse error,
) server.ToolHandlerFunc {
	fault := func(ctx context.Context, what string) *mcpgo.CallToolResult {
		what = safe.Clip(safe.Line(what), maxFault)
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
		err := refuse
		if refuse == nil {
			result, err = t.handle(inSession(ctx, request.Params.Meta), request.GetRawArguments())
		}
		if err == nil {
			return result, nil
		}
		if text, known := told(ctx, err, t.op, withholds); known {
			return mcpgo.NewToolResultError(text), nil
		}
		return fault(ctx, err.Error()), nil
	}
}

// told returns what a model is told of a domain error; ok is false for other errors.
func told(
	ctx context.Context, err error, op advice.Operation, withholds func(context.Context) bool,
) (text string, ok bool) {
	known, ok := errors.AsType[*memory.Error](err)
	if !ok {
		return "", false
	}
	if known.Code == memory.CodeUnreadable && withholds(ctx) {
		return unreadable, true
	}
	return safe.Clip(safe.Line(nextSteps().Tell(err, op)), maxError), true
}
