//go:build e2e

package agents_test

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"
)

// step is what the model does next: it calls a tool, found by the end of its name, or says a text.
type step struct {
	tool string
	args map[string]any
	text string
	used int // tokens of the context, as the answer reports them; 0: a few
}

func (s step) tokens() int { return max(s.used, 1000) }

// model is a server that answers as the APIs of OpenAI, Google and Anthropic do.
type model struct {
	*httptest.Server
	mu       sync.Mutex
	steps    []step
	requests []string // the bodies of requests that offer tools
	calls    int
}

func newModel(t *testing.T) *model {
	m := &model{}
	m.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(r.Body)
		if err != nil {
			return
		}
		m.answer(w, r.URL.Path, body)
	}))
	t.Cleanup(m.Close)
	return m
}

// play replaces what the model does next, and forgets what it was told.
func (m *model) play(steps ...step) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.steps, m.requests = steps, nil
}

// told returns the requests since play.
func (m *model) told() []string {
	m.mu.Lock()
	defer m.mu.Unlock()
	return slices.Clone(m.requests)
}

// offered is a tool that a request offers; namespace is only used by Codex.
type offered struct{ namespace, name string }

// toolsOf returns the tools of a request in any of the forms.
func toolsOf(body []byte) (all []offered) {
	type tool struct {
		Type, Name           string
		Function             struct{ Name string }
		Tools                []struct{ Name string }
		FunctionDeclarations []struct{ Name string }
	}
	var v struct{ Tools []tool }
	_ = json.Unmarshal(body, &v)
	for _, t := range v.Tools {
		for _, inner := range t.Tools {
			all = append(all, offered{t.Name, inner.Name})
		}
		for _, inner := range t.FunctionDeclarations {
			all = append(all, offered{"", inner.Name})
		}
		if name := t.Function.Name + t.Name; name != "" && len(t.Tools) == 0 {
			all = append(all, offered{"", name})
		}
	}
	return all
}

// next returns the step for a request, with the name by which its tool is offered. A request with fewer than two tools
// is one for a title or the like.
func (m *model) next(body []byte) (step, offered, string) {
	tools := toolsOf(body)
	m.mu.Lock()
	defer m.mu.Unlock()
	m.calls++
	id := fmt.Sprint("call_", m.calls)
	if len(tools) < 2 {
		return step{text: "ok"}, offered{}, id
	}
	m.requests = append(m.requests, string(body))
	if len(m.steps) == 0 {
		return step{text: "done"}, offered{}, id
	}
	s := m.steps[0]
	m.steps = m.steps[1:]
	for _, t := range tools {
		prefix, ok := strings.CutSuffix(t.name, s.tool)
		if s.tool != "" && ok && (prefix == "" || strings.ContainsAny(prefix[len(prefix)-1:], "_-/")) {
			return s, t, id
		}
	}
	return s, offered{"", s.tool}, id
}

func (m *model) answer(w http.ResponseWriter, path string, body []byte) {
	events := func(all ...any) {
		w.Header().Set("Content-Type", "text/event-stream")
		for _, event := range all {
			data, _ := json.Marshal(event)
			if o, ok := event.(object); ok && o["type"] != nil {
				fmt.Fprintf(w, "event: %s\n", o["type"])
			}
			fmt.Fprintf(w, "data: %s\n\n", data)
		}
	}
	switch {
	case strings.HasSuffix(path, "/responses"):
		events(m.response(body)...)
	case strings.HasSuffix(path, "/chat/completions"):
		events(m.chat(body)...)
		fmt.Fprint(w, "data: [DONE]\n\n")
	case strings.HasSuffix(path, "/messages"):
		events(m.message(body)...)
	case strings.HasSuffix(path, ":streamGenerateContent"):
		events(m.gemini(body))
	case strings.HasSuffix(path, "enerateContent"):
		_ = json.NewEncoder(w).Encode(m.gemini(body))
	default:
		fmt.Fprint(w, `{"object":"list","data":[{"id":"fake-model","object":"model"}],"models":[],"totalTokens":100}`)
	}
}

type object = map[string]any

func (m *model) response(body []byte) []any {
	s, tool, id := m.next(body)
	args, _ := json.Marshal(s.args)
	item := object{"type": "message", "id": "msg_" + id, "role": "assistant", "status": "completed",
		"content": []any{object{"type": "output_text", "text": s.text, "annotations": []any{}}}}
	if s.tool != "" {
		item = object{"type": "function_call", "id": "fc_" + id, "status": "completed", "call_id": id,
			"name": tool.name, "arguments": string(args)}
		if tool.namespace != "" {
			item["namespace"] = tool.namespace
		}
	}
	whole := object{"id": "resp_" + id, "object": "response", "status": "completed", "output": []any{item},
		"usage": object{"input_tokens": s.tokens(), "output_tokens": 50, "total_tokens": s.tokens() + 50}}
	return []any{
		object{"type": "response.created", "response": object{"id": "resp_" + id, "object": "response",
			"status": "in_progress", "output": []any{}}},
		object{"type": "response.output_item.done", "output_index": 0, "item": item},
		object{"type": "response.completed", "response": whole},
	}
}

func (m *model) chat(body []byte) []any {
	s, tool, id := m.next(body)
	args, _ := json.Marshal(s.args)
	chunk := func(delta object, finish any) object {
		return object{"id": "chatcmpl-" + id, "object": "chat.completion.chunk", "created": 1, "model": "fake-model",
			"choices": []any{object{"index": 0, "delta": delta, "finish_reason": finish}}}
	}
	all, finish := []any{chunk(object{"role": "assistant", "content": s.text}, nil)}, "stop"
	if s.tool != "" {
		finish = "tool_calls"
		all = append(all, chunk(object{"tool_calls": []any{object{"index": 0, "id": id, "type": "function",
			"function": object{"name": tool.name, "arguments": string(args)}}}}, nil))
	}
	end := object{"id": "chatcmpl-" + id, "object": "chat.completion.chunk", "created": 1, "model": "fake-model",
		"choices": []any{},
		"usage":   object{"prompt_tokens": s.tokens(), "completion_tokens": 50, "total_tokens": s.tokens() + 50}}
	return append(all, chunk(object{}, finish), end)
}

func (m *model) message(body []byte) []any {
	s, tool, id := m.next(body)
	args, _ := json.Marshal(s.args)
	content, stop := object{"type": "text", "text": ""}, "end_turn"
	delta := object{"type": "text_delta", "text": s.text}
	if s.tool != "" {
		stop = "tool_use"
		content = object{"type": stop, "id": "toolu_" + id, "name": tool.name, "input": object{}}
		delta = object{"type": "input_json_delta", "partial_json": string(args)}
	}
	return []any{
		object{"type": "message_start", "message": object{"id": "msg_" + id, "type": "message", "role": "assistant",
			"model": "fake", "content": []any{}, "stop_reason": nil, "stop_sequence": nil,
			"usage": object{"input_tokens": s.tokens(), "output_tokens": 1}}},
		object{"type": "content_block_start", "index": 0, "content_block": content},
		object{"type": "content_block_delta", "index": 0, "delta": delta},
		object{"type": "content_block_stop", "index": 0},
		object{"type": "message_delta", "delta": object{"stop_reason": stop, "stop_sequence": nil},
			"usage": object{"output_tokens": 50}},
		object{"type": "message_stop"},
	}
}

func (m *model) gemini(body []byte) object {
	s, tool, id := m.next(body)
	part := object{"text": s.text}
	if s.tool != "" {
		part = object{"functionCall": object{"name": tool.name, "args": s.args}}
	}
	return object{"candidates": []any{object{"index": 0, "finishReason": "STOP",
		"content": object{"role": "model", "parts": []any{part}}}}, "responseId": id, "modelVersion": "fake",
		"usageMetadata": object{"promptTokenCount": s.tokens(), "candidatesTokenCount": 50,
			"totalTokenCount": s.tokens() + 50}}
}

// TestTheModelKnowsTools of each form of request.
func TestTheModelKnowsTools(t *testing.T) {
	require.Equal(t, []offered{{"mcp__ltm", "recall"}, {"", "shell"}}, toolsOf([]byte(
		`{"tools":[{"type":"namespace","name":"mcp__ltm","tools":[{"name":"recall"}]},{"type":"function","name":"shell"}]}`)))
	require.Equal(t, []offered{{"", "ltm-recall"}}, toolsOf([]byte(`{"tools":[{"function":{"name":"ltm-recall"}}]}`)))
	require.Equal(t, []offered{{"", "a"}, {"", "b"}}, toolsOf([]byte(
		`{"tools":[{"functionDeclarations":[{"name":"a"},{"name":"b"}]}]}`)))
}
