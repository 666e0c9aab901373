package clients

import (
	"bytes"
	"cmp"
	"encoding/json"
	"io"
	"path"
	"slices"
	"strings"
)

// Payload is what a client tells a hook: JSON by the names of its fields.
type Payload map[string]json.RawMessage

// Parse reads a payload. It is an error if data is not one JSON object.
func Parse(data []byte) (Payload, error) {
	if trimmed := bytes.TrimSpace(data); len(trimmed) == 0 || trimmed[0] != '{' {
		return nil, io.ErrUnexpectedEOF
	}
	var p Payload
	err := json.Unmarshal(data, &p)
	return p, err
}

// Scan reads the fields of a payload up to where it is cut off.
func Scan(data []byte) Payload {
	p := Payload{}
	d := json.NewDecoder(bytes.NewReader(data))
	if t, err := d.Token(); err != nil || t != json.Delim('{') {
		return p
	}
	for d.More() {
		key, err := d.Token()
		var raw json.RawMessage
		if err != nil || d.Decode(&raw) != nil {
			return p
		}
		if name, ok := key.(string); ok {
			p[name] = raw
		}
	}
	return p
}

// Event returns the name of the event that the payload is about, or "".
func (p Payload) Event() string {
	return cmp.Or(Client{}.Text(p, "hook_event_name"), Client{}.Text(p, "hookEventName"))
}

// Detect returns the client that a payload comes from. What the payload says counts most: a client that another one
// started inherits the other's variables.
func Detect(p Payload, getenv func(string) string) Client {
	all := All()
	isThere := func(key string) bool { return p[key] != nil }
	for _, c := range all {
		if slices.ContainsFunc(c.Keys, isThere) || c.records(c.Text(p, "transcript_path")) {
			return c
		}
	}
	for _, c := range all {
		if c.Variable != "" && getenv(c.Variable) != "" {
			return c
		}
	}
	return Claude()
}

// records reports whether a path has the form of the client's records.
func (c Client) records(name string) bool {
	if c.Record == "" || name == "" {
		return false
	}
	parts := strings.Split(strings.ReplaceAll(name, `\`, "/"), "/")
	n := strings.Count(c.Record, "/") + 1
	ok, _ := path.Match(c.Record, strings.Join(parts[max(0, len(parts)-n):], "/"))
	return ok
}

// Field returns a field of a payload by Claude Code's name, or nil.
func (c Client) Field(p Payload, name string) json.RawMessage {
	if raw := p[name]; raw != nil {
		return raw
	}
	for _, other := range c.Fields[name] {
		if raw := p[other]; raw != nil {
			return raw
		}
	}
	return nil
}

// Text returns a field that is a text by Claude Code's name, or "".
func (c Client) Text(p Payload, name string) (s string) {
	_ = json.Unmarshal(c.Field(p, name), &s) // another type counts as missing
	return s
}

// Failed reports whether the response of a tool says that the call failed.
func (c Client) Failed(response json.RawMessage) bool {
	if c.Failure == "" {
		return false
	}
	var fields map[string]json.RawMessage
	if json.Unmarshal(response, &fields) != nil {
		return false
	}
	raw := fields[c.Failure]
	return raw != nil && string(raw) != "null"
}

// Prompt returns what the person wrote of a prompt: some clients repeat there what hooks had added.
func (c Client) Prompt(text string) string {
	begin, end := "<"+c.Wrapper+">", "</"+c.Wrapper+">"
	for c.Wrapper != "" && strings.HasPrefix(text, begin) {
		_, rest, closed := strings.Cut(text, end)
		if !closed {
			break
		}
		text = strings.TrimLeft(rest, "\n")
	}
	return text
}

// Context returns the answer of a hook that adds a text to the model's context at an event, which has Claude Code's
// name.
func (c Client) Context(event, text string) ([]byte, error) {
	text = c.fit(text)
	var answer any
	switch c.Answer {
	case Top:
		answer = map[string]string{"additionalContext": text}
	case Snake:
		answer = map[string]string{"additional_context": text}
	default:
		answer = specific{hookOutput{c.event(event), text}}
	}
	data, err := json.Marshal(answer)
	return append(data, '\n'), err
}

// specific is the answer that Claude Code reads. Some clients refuse one with more fields.
type specific struct {
	Output hookOutput `json:"hookSpecificOutput"`
}

type hookOutput struct {
	Event   string `json:"hookEventName"`
	Context string `json:"additionalContext"`
}

// left stands for the lines that do not fit.
const left = "(more did not fit; recall finds it)"

// fit leaves out lines at the end of a text that the client would otherwise cut in its middle. The last line stays: it
// closes the block.
func (c Client) fit(text string) string {
	if c.MaxContext == 0 || len(text) <= c.MaxContext {
		return text
	}
	lines := strings.SplitAfter(text, "\n")
	last := lines[len(lines)-1]
	room := c.MaxContext - len(left) - 1 - len(last)
	var kept strings.Builder
	for _, line := range lines[:len(lines)-1] {
		if kept.Len()+len(line) > room {
			break
		}
		kept.WriteString(line)
	}
	return kept.String() + left + "\n" + last
}
