package hooks

import (
	"bytes"
	"encoding/json"
	"io"

	"ltm/memory"
)

// payload is the part of an event's payload that ltm uses.
type payload struct {
	SessionID string `json:"session_id"`
	Source    string `json:"source"`
	Prompt    string `json:"prompt"`
	Summary   string `json:"compact_summary"`

	Transcript string `json:"transcript_path"`
	Tool       string `json:"tool_name"`
	Dir        string `json:"cwd"`

	// Agent is the agent that a session was started for, or that of a subagent. AgentID is that of
	// a subagent, in the payloads of its own events.
	Agent   string `json:"agent_type"`
	AgentID string `json:"agent_id"`

	// Interrupted reports that a person stopped the call.
	Interrupted bool `json:"is_interrupt"`

	// The input and response of a tool as JSON; nil if the payload is too long.
	input, response []byte
	long            bool
}

// readPayload decodes the payload of an event. If it is too long, it reads only the strings at the start, among them
// the session's id, which the client writes first.
func readPayload(in io.Reader, event string) (payload, error) {
	data, err := io.ReadAll(io.LimitReader(in, maxPayload+1))
	if err != nil {
		return payload{}, &memory.Error{Code: memory.CodeInvalid, Kind: memory.KindPayloadUnreadable, Subject: event,
			Message: "cannot read the " + event + " payload", Err: err}
	}
	var p payload
	if len(data) > maxPayload {
		p = scanPayload(data)
		p.long = true
	} else if p, err = decodePayload(data); err != nil {
		return payload{}, &memory.Error{Code: memory.CodeInvalid, Kind: memory.KindPayloadMalformed, Subject: event,
			Message: "the " + event + " payload is not a JSON object", Err: err}
	}
	return p, nil
}

// decodePayload decodes a whole payload. A field of an unexpected type counts as
// missing.
func decodePayload(data []byte) (payload, error) {
	var fields struct {
		SessionID json.RawMessage `json:"session_id"`
		Source    json.RawMessage `json:"source"`
		Prompt    json.RawMessage `json:"prompt"`
		Summary   json.RawMessage `json:"compact_summary"`

		Transcript json.RawMessage `json:"transcript_path"`
		Tool       json.RawMessage `json:"tool_name"`
		Dir        json.RawMessage `json:"cwd"`
		Agent      json.RawMessage `json:"agent_type"`
		AgentID    json.RawMessage `json:"agent_id"`

		Interrupted json.RawMessage `json:"is_interrupt"`

		Input    json.RawMessage `json:"tool_input"`
		Response json.RawMessage `json:"tool_response"`
		Error    json.RawMessage `json:"error"`
	}
	if trimmed := bytes.TrimSpace(data); len(trimmed) == 0 || trimmed[0] != '{' {
		return payload{}, io.ErrUnexpectedEOF
	}
	if err := json.Unmarshal(data, &fields); err != nil {
		return payload{}, err
	}
	response := fields.Response
	if len(response) == 0 {
		response = fields.Error
	}
	return payload{SessionID: text(fields.SessionID), Source: text(fields.Source), Prompt: text(fields.Prompt),
		Summary: text(fields.Summary), Transcript: text(fields.Transcript),
		Tool: text(fields.Tool), Agent: text(fields.Agent),
		AgentID: text(fields.AgentID), Dir: text(fields.Dir), Interrupted: string(fields.Interrupted) == "true",
		input: fields.Input, response: response}, nil
}

func text(raw json.RawMessage) string {
	var s string
	if json.Unmarshal(raw, &s) != nil {
		return ""
	}
	return s
}

// scanPayload reads the top-level strings of a payload up to where it is cut off.
func scanPayload(data []byte) payload {
	var p payload
	d := json.NewDecoder(bytes.NewReader(data))
	if t, err := d.Token(); err != nil || t != json.Delim('{') {
		return p
	}
	for d.More() {
		key, err := d.Token()
		if err != nil {
			return p
		}
		var raw json.RawMessage
		if err := d.Decode(&raw); err != nil {
			return p
		}
		switch key {
		case "session_id":
			p.SessionID = text(raw)
		case "source":
			p.Source = text(raw)
		case "transcript_path":
			p.Transcript = text(raw)
		case "tool_name":
			p.Tool = text(raw)
		case "agent_type":
			p.Agent = text(raw)
		case "agent_id":
			p.AgentID = text(raw)
		}
	}
	return p
}
