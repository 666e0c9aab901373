//go:build e2e

package e2e

import (
	"encoding/json"
	"fmt"
	"strings"
)

// block is one content block of a message, in either direction.
type block struct {
	Type      string          `json:"type"`
	Text      string          `json:"text,omitempty"`
	ID        string          `json:"id,omitempty"`
	Name      string          `json:"name,omitempty"`
	Input     json.RawMessage `json:"input,omitempty"`
	ToolUseID string          `json:"tool_use_id,omitempty"`
	Content   json.RawMessage `json:"content,omitempty"`
	IsError   bool            `json:"is_error,omitempty"`

	tokens int // the tokens of the request according to the answer; 0 estimates them from its size
}

// request is a request of the client to the model.
type request struct {
	Model    string          `json:"model"`
	Stream   bool            `json:"stream"`
	System   json.RawMessage `json:"system"`
	Messages []struct {
		Role    string          `json:"role"`
		Content json.RawMessage `json:"content"`
	} `json:"messages"`
	Tools []struct {
		Name        string          `json:"name"`
		Description string          `json:"description"`
		InputSchema json.RawMessage `json:"input_schema"`
	} `json:"tools"`
}

// blocks decodes content that is a string or a list of blocks.
func blocks(raw json.RawMessage) []block {
	var s string
	if json.Unmarshal(raw, &s) == nil {
		return []block{{Type: "text", Text: s}}
	}
	var list []block
	if json.Unmarshal(raw, &list) != nil {
		return nil
	}
	return list
}

// plain returns the text in content, including tool results.
func plain(raw json.RawMessage) string {
	var b strings.Builder
	for _, c := range blocks(raw) {
		b.WriteString(c.Text)
		b.Write(c.Input)
		if len(c.Content) > 0 {
			b.WriteString(plain(c.Content))
		}
		b.WriteByte('\n')
	}
	return b.String()
}

// seen returns everything that the model would have read: system prompt and messages.
func (r *request) seen() string {
	return plain(r.System) + r.conversation()
}

// conversation returns only the messages.
func (r *request) conversation() string {
	var b strings.Builder
	for _, m := range r.Messages {
		b.WriteString(plain(m.Content))
	}
	return b.String()
}

// pending returns the messages since the model's last answer.
func (r *request) pending() string {
	var b strings.Builder
	for i := len(r.Messages) - 1; i >= 0 && r.Messages[i].Role != "assistant"; i-- {
		b.WriteString(plain(r.Messages[i].Content))
	}
	return b.String()
}

// toolNames lists the tools whose schemas are in the request.
func (r *request) toolNames() []string {
	var names []string
	for _, t := range r.Tools {
		names = append(names, t.Name)
	}
	return names
}

// fullName returns the name under which the client offers a tool. A deferred tool is not offered,
// but runs if it is called.
func (r *request) fullName(bare string) string {
	for _, t := range r.Tools {
		if t.Name == bare || strings.HasSuffix(t.Name, "__"+bare) {
			return t.Name
		}
	}
	return "mcp__plugin_ltm_ltm__" + bare
}

// isCompaction reports whether the client asks for a summary of the session. Such a request has the
// same tools as those of the main loop.
func (r *request) isCompaction() bool {
	return strings.Contains(r.pending(), "Do NOT call any tools")
}

// isMain reports whether the request belongs to the main loop, and not to a title or the like.
func (r *request) isMain() bool { return len(r.Tools) > 3 && !r.isCompaction() }

// step is one answer of the scripted model to a request of the main loop.
type step func(r *request) []block

// text answers with prose, which ends the turn.
func text(s string) step {
	return func(*request) []block { return []block{{Type: "text", Text: s}} }
}

// tool calls a tool by its bare name.
func tool(name string, input any) step {
	return func(r *request) []block {
		raw, err := json.Marshal(input)
		if err != nil {
			panic(fmt.Sprintf("input of %s: %v", name, err))
		}
		return []block{{Type: "tool_use", Name: r.fullName(name), Input: raw}}
	}
}

// together puts several tool calls, which then run in parallel, into one answer.
func together(steps ...step) step {
	return func(r *request) []block {
		var all []block
		for _, s := range steps {
			all = append(all, s(r)...)
		}
		return all
	}
}

// window is the size of the context window that the client is given.
const window = 200_000

// full makes an answer report a nearly full context window, so that the client compacts the session
// before it continues.
func full(s step) step {
	return func(r *request) []block {
		answer := s(r)
		answer[0].tokens = window - 10_000
		return answer
	}
}

// input is the input of a tool call.
type input = map[string]any

// bash calls the Bash tool.
func bash(command string) step {
	return tool("Bash", input{"command": command, "description": "run it"})
}
