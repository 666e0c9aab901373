package hooks

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"strings"

	"ltm/clients"
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

// Events lists the events in the order of a session.
func Events() []string {
	var names []string
	for _, e := range clients.Claude().Events {
		names = append(names, e.As)
	}
	return names
}

// maxPayload bounds the bytes that are read of a payload. The output of a tool can be
// longer; its call is still counted.
const maxPayload = 8 << 20

// ParseEvent returns an event by any client's name of it, in any case, with or without hyphens.
func ParseEvent(name string) (string, error) {
	if event, ok := clients.EventOf(name); ok {
		return event, nil
	}
	return "", unknownEvent(name)
}

func unknownEvent(name string) error {
	return memory.NewError(memory.CodeInvalid, memory.KindEventUnknown, name,
		"%q is not a hook event of ltm; allowed: %s", name, strings.Join(Events(), ", "))
}

// Run handles an event and writes the output for the client to out. The output is complete or empty.
func (c Call) Run(ctx context.Context, e Engine, out io.Writer) error {
	p := c.payload
	switch c.Event {
	case clients.SessionStart:
		start := api.SessionStart{Session: p.SessionID, Source: p.Source, Transcript: p.Transcript, Agent: p.Agent}
		text, err := e.StartSession(ctx, start)
		return errors.Join(err, c.writeContext(out, text))
	case clients.UserPromptSubmit:
		text, err := e.PromptContext(ctx, p.SessionID, p.Prompt)
		return errors.Join(err, c.writeContext(out, text))
	case clients.SubagentStart:
		text, err := e.AgentContext(ctx, p.Agent)
		return errors.Join(err, c.writeContext(out, text))
	case clients.PostToolUse, clients.PostToolUseFailure:
		if p.Interrupted {
			return nil // a person stopped the call: the work did not fail
		}
		text, err := e.RecordTool(ctx, api.ToolUse{Session: p.SessionID, Subagent: p.AgentID != "",
			Failed: c.Event == clients.PostToolUseFailure || c.Client.Failed(p.response), Long: p.long, Tool: p.Tool,
			Input: p.input, Dir: p.Dir, Response: p.response, Transcript: p.Transcript})
		return errors.Join(err, c.writeContext(out, text))
	case clients.PreCompact:
		text, err := e.BeforeCompaction(ctx, api.Compaction{Session: p.SessionID, Transcript: p.Transcript})
		return errors.Join(err, c.writeText(out, text))
	case clients.PostCompact:
		return e.LeaveDraft(ctx, api.Leaving{Session: p.SessionID, Transcript: p.Transcript, Summary: p.Summary})
	case clients.SessionEnd:
		err := e.LeaveDraft(ctx, api.Leaving{Session: p.SessionID, Transcript: p.Transcript, Ends: true})
		return cmp.Or(e.EndSession(ctx, p.SessionID), err)
	}
	return unknownEvent(c.Event)
}

// writeText writes plain text, which the client adds to the instructions for the summary before it
// compacts a session. It reads no JSON there. Nothing is written if text is empty, or if the client adds nothing.
func (c Call) writeText(out io.Writer, text string) error {
	if text == "" || !c.Client.Summary {
		return nil
	}
	_, err := fmt.Fprintf(out, "%s\n", text)
	return err
}

// writeContext writes the output that adds text to the model's context. It writes nothing if text is empty.
func (c Call) writeContext(out io.Writer, text string) error {
	if text == "" {
		return nil
	}
	data, err := c.Client.Context(c.Event, text)
	if err != nil {
		return err
	}
	_, err = out.Write(data)
	return err
}
