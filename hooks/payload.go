package hooks

import (
	"cmp"
	"io"
	"strings"

	"ltm/clients"
	"ltm/memory"
)

// Call is an event of a client, read.
type Call struct {
	Client  clients.Client
	Event   string // by Claude Code's name
	Guessed bool   // nobody named the client
	payload payload
}

// payload is the part of an event's payload that ltm uses.
type payload struct {
	SessionID, Source, Prompt string

	Summary string // of a compaction

	Transcript, Tool, Dir string

	// Agent is the agent that a session was started for, or that of a subagent. AgentID is that of
	// a subagent, in the payloads of its own events.
	Agent, AgentID string

	// Interrupted reports that a person stopped the call.
	Interrupted bool

	// The input and response of a tool as JSON; nil if the payload is too long.
	input, response []byte
	long            bool
}

// Session returns the id of the session that the event belongs to, and the path of its record; empty: unknown.
func (c Call) Session() (id, record string) { return c.payload.SessionID, c.payload.Transcript }

// WithRecord returns the event with another path of the record.
func (c Call) WithRecord(path string) Call {
	c.payload.Transcript = path
	return c
}

// Read reads the payload of an event. If event is empty, the payload says it; if client is, the payload or a variable
// of the environment does. Of a payload that is too long, only what is at the start is read, among it the session's
// id, which clients write first.
func Read(in io.Reader, event, client string, getenv func(string) string) (Call, error) {
	known, ok := clients.Named(client)
	if client != "" && !ok {
		return Call{}, memory.NewError(memory.CodeInvalid, memory.KindClientUnknown, client,
			"%q is not a client that ltm knows; allowed: %s", client, strings.Join(clients.Names(), ", "))
	}
	data, err := io.ReadAll(io.LimitReader(in, maxPayload+1))
	about := cmp.Or(event, "hook's")
	if err != nil {
		return Call{}, &memory.Error{Code: memory.CodeInvalid, Kind: memory.KindPayloadUnreadable, Subject: about,
			Message: "cannot read the " + about + " payload", Err: err}
	}
	var fields clients.Payload
	if len(data) > maxPayload {
		fields = clients.Scan(data)
	} else if fields, err = clients.Parse(data); err != nil {
		return Call{}, &memory.Error{Code: memory.CodeInvalid, Kind: memory.KindPayloadMalformed, Subject: about,
			Message: "the " + about + " payload is not a JSON object", Err: err}
	}
	if !ok {
		known = clients.Detect(fields, getenv)
	}
	if event == "" {
		if event, err = ParseEvent(fields.Event()); err != nil {
			return Call{}, err
		}
	}
	c := Call{Client: known, Event: event, Guessed: !ok, payload: payloadOf(known, fields)}
	if len(data) > maxPayload {
		c.payload.long, c.payload.input, c.payload.response = true, nil, nil
	}
	return c, nil
}

// payloadOf takes what ltm uses of a payload. A field of an unexpected type counts as missing.
func payloadOf(c clients.Client, fields clients.Payload) payload {
	text := func(name string) string { return c.Text(fields, name) }
	p := payload{SessionID: text("session_id"), Source: text("source"), Prompt: c.Prompt(text("prompt")),
		Summary: text("compact_summary"), Transcript: text("transcript_path"), Tool: text("tool_name"),
		Dir: text("cwd"), Agent: text("agent_type"), AgentID: text("agent_id"),
		Interrupted: string(fields["is_interrupt"]) == "true",
		input:       c.Field(fields, "tool_input"), response: c.Field(fields, "tool_response")}
	p.Source = cmp.Or(c.Sources[p.Source], p.Source)
	if len(p.response) == 0 {
		p.response = fields["error"]
	}
	return p
}
