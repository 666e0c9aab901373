package hooks

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"

	"ltm/api"
	"ltm/memory"
)

// Engine is what hooks need of the use cases.
type Engine interface {
	StartSession(context.Context, api.SessionStart) (string, error)
	PromptContext(ctx context.Context, session, prompt string) (string, error)
	RecordTool(context.Context, api.ToolUse) (string, error)
	MarkCompacted(ctx context.Context, session string) error
	EndSession(ctx context.Context, session string) error
}

// The events that ltm acts on, as the client names them.
const (
	SessionStart       = "SessionStart"
	UserPromptSubmit   = "UserPromptSubmit"
	PostToolUse        = "PostToolUse"
	PostToolUseFailure = "PostToolUseFailure"
	PreCompact         = "PreCompact"
	SessionEnd         = "SessionEnd"
)

// Events lists the events in the order of a session.
func Events() []string {
	return []string{SessionStart, UserPromptSubmit, PostToolUse, PostToolUseFailure, PreCompact, SessionEnd}
}

const (
	// maxPayload bounds what is read of a payload. A tool's output can be long;
	// what is over the bound still counts as a call.
	maxPayload = 8 << 20
)

// ParseEvent accepts an event as the client writes it or in kebab case.
func ParseEvent(name string) (string, error) {
	folded := strings.ToLower(strings.ReplaceAll(name, "-", ""))
	for _, event := range Events() {
		if strings.ToLower(event) == folded {
			return event, nil
		}
	}
	return "", memory.Errorf(memory.CodeInvalid, "allowed: "+strings.Join(Events(), ", "), "%q is not a hook event of ltm", name)
}

// Run handles one event: it reads the payload from in and writes what the client
// should see to out. The output is complete or empty.
func Run(ctx context.Context, e Engine, event string, in io.Reader, out io.Writer) error {
	p, err := readPayload(in, event)
	if err != nil {
		return err
	}
	switch event {
	case SessionStart:
		text, err := e.StartSession(ctx, api.SessionStart{Session: p.SessionID, Source: p.Source, Transcript: p.Transcript})
		return errors.Join(err, writeContext(out, event, text))
	case UserPromptSubmit:
		text, err := e.PromptContext(ctx, p.SessionID, p.Prompt)
		return errors.Join(err, writeContext(out, event, text))
	case PostToolUse, PostToolUseFailure:
		if p.Interrupted {
			return nil // a person steered: no failure of the work
		}
		text, err := e.RecordTool(ctx, api.ToolUse{Session: p.SessionID, Failed: event == PostToolUseFailure, Long: p.long,
			Tool: p.Tool, Input: p.input, Response: p.response, Transcript: p.Transcript})
		return errors.Join(err, writeContext(out, event, text))
	case PreCompact:
		return e.MarkCompacted(ctx, p.SessionID)
	case SessionEnd:
		return e.EndSession(ctx, p.SessionID)
	}
	return memory.Errorf(memory.CodeInvalid, "allowed: "+strings.Join(Events(), ", "), "%q is not a hook event of ltm", event)
}

// output is the JSON that the client reads. Only this shape reaches the model.
type output struct {
	Specific specific `json:"hookSpecificOutput"`
}

type specific struct {
	Event   string `json:"hookEventName"`
	Context string `json:"additionalContext"`
}

// writeContext puts text into the model's context; without text it writes
// nothing.
func writeContext(out io.Writer, event, text string) error {
	if text == "" {
		return nil
	}
	data, err := json.Marshal(output{specific{event, text}})
	if err != nil {
		return err
	}
	_, err = fmt.Fprintf(out, "%s\n", data)
	return err
}
