package hooks

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"

	"ltm/memory"
	"ltm/memory/api"
)

// Engine has the use cases that hooks call.
type Engine interface {
	StartSession(context.Context, api.SessionStart) (string, error)
	PromptContext(ctx context.Context, session, prompt string) (string, error)
	AgentContext(ctx context.Context, agent string) (string, error)
	RecordTool(context.Context, api.ToolUse) (string, error)
	BeforeCompaction(context.Context, api.Compaction) (string, error)
	LeaveDraft(context.Context, api.Leaving) error
	EndSession(ctx context.Context, session string) error
}

// The events that ltm handles, as the client names them.
const (
	SessionStart       = "SessionStart"
	UserPromptSubmit   = "UserPromptSubmit"
	SubagentStart      = "SubagentStart"
	PostToolUse        = "PostToolUse"
	PostToolUseFailure = "PostToolUseFailure"
	PreCompact         = "PreCompact"
	PostCompact        = "PostCompact"
	SessionEnd         = "SessionEnd"
)

// Events lists the events in the order of a session.
func Events() []string {
	return []string{SessionStart, UserPromptSubmit, SubagentStart, PostToolUse, PostToolUseFailure, PreCompact,
		PostCompact, SessionEnd}
}

// maxPayload bounds the bytes that are read of a payload. The output of a tool can be
// longer; its call is still counted.
const maxPayload = 8 << 20

// ParseEvent accepts the name of an event in any case, with or without hyphens.
func ParseEvent(name string) (string, error) {
	folded := strings.ToLower(strings.ReplaceAll(name, "-", ""))
	for _, event := range Events() {
		if strings.ToLower(event) == folded {
			return event, nil
		}
	}
	return "", unknownEvent(name)
}

func unknownEvent(name string) error {
	return memory.NewError(memory.CodeInvalid, memory.KindEventUnknown, name,
		"%q is not a hook event of ltm; allowed: %s", name, strings.Join(Events(), ", "))
}

// Run handles one event: it reads the payload from in and writes the output for the
// client to out. The output is complete or empty.
func Run(ctx context.Context, e Engine, event string, in io.Reader, out io.Writer) error {
	p, err := readPayload(in, event)
	if err != nil {
		return err
	}
	switch event {
	case SessionStart:
		start := api.SessionStart{Session: p.SessionID, Source: p.Source, Transcript: p.Transcript, Agent: p.Agent}
		text, err := e.StartSession(ctx, start)
		return errors.Join(err, writeContext(out, event, text))
	case UserPromptSubmit:
		text, err := e.PromptContext(ctx, p.SessionID, p.Prompt)
		return errors.Join(err, writeContext(out, event, text))
	case SubagentStart:
		text, err := e.AgentContext(ctx, p.Agent)
		return errors.Join(err, writeContext(out, event, text))
	case PostToolUse, PostToolUseFailure:
		if p.Interrupted {
			return nil // a person stopped the call: the work did not fail
		}
		text, err := e.RecordTool(ctx, api.ToolUse{Session: p.SessionID, Subagent: p.AgentID != "",
			Failed: event == PostToolUseFailure, Long: p.long, Tool: p.Tool, Input: p.input, Dir: p.Dir,
			Response: p.response, Transcript: p.Transcript})
		return errors.Join(err, writeContext(out, event, text))
	case PreCompact:
		text, err := e.BeforeCompaction(ctx, api.Compaction{Session: p.SessionID, Transcript: p.Transcript})
		return errors.Join(err, writeText(out, text))
	case PostCompact:
		return e.LeaveDraft(ctx, api.Leaving{Session: p.SessionID, Transcript: p.Transcript, Summary: p.Summary})
	case SessionEnd:
		err := e.LeaveDraft(ctx, api.Leaving{Session: p.SessionID, Transcript: p.Transcript, Ends: true})
		return cmp.Or(e.EndSession(ctx, p.SessionID), err)
	}
	return unknownEvent(event)
}

// writeText writes plain text, which the client adds to the instructions for the summary before it
// compacts a session. It reads no JSON there. Nothing is written if text is empty.
func writeText(out io.Writer, text string) error {
	if text == "" {
		return nil
	}
	_, err := fmt.Fprintf(out, "%s\n", text)
	return err
}

// output is the JSON that the client reads. It passes nothing else on to the model.
type output struct {
	Specific specific `json:"hookSpecificOutput"`
}

type specific struct {
	Event   string `json:"hookEventName"`
	Context string `json:"additionalContext"`
}

// writeContext writes the output that adds text to the model's context. It writes
// nothing if text is empty.
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
