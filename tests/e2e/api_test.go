//go:build e2e

package e2e

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
)

// toolUses numbers tool calls across sessions, so that a resumed session has no duplicate ids.
var toolUses atomic.Int64

// api is a Messages API that plays a script: one step for each request of the main loop, and "done"
// after the last one.
type api struct {
	*httptest.Server

	mu       sync.Mutex
	steps    []step
	calls    []string // ids of the tool calls made, in order
	requests []*request
	other    []*request // compaction, titles and the like
	unknown  []string   // requests for anything else
}

func newAPI(t *testing.T, steps []step) *api {
	a := &api{steps: steps}
	a.Server = httptest.NewServer(a)
	t.Cleanup(a.Close)
	return a
}

func (a *api) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(r.Body)
	if err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	switch {
	case r.Method == http.MethodPost && strings.HasSuffix(r.URL.Path, "/count_tokens"):
		writeJSON(w, input{"input_tokens": len(body) / 4})
	case r.Method == http.MethodPost && strings.HasSuffix(r.URL.Path, "/messages"):
		a.message(w, body)
	default:
		a.mu.Lock()
		a.unknown = append(a.unknown, r.Method+" "+r.URL.Path)
		a.mu.Unlock()
		w.WriteHeader(http.StatusNotFound)
		writeJSON(w, input{"type": "error", "error": input{"type": "not_found_error", "message": "not here"}})
	}
}

func (a *api) message(w http.ResponseWriter, body []byte) {
	req := new(request)
	if err := json.Unmarshal(body, req); err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	answer := a.answer(req)
	stop, tokens := "end_turn", len(body)/4
	for _, b := range answer {
		tokens = max(tokens, b.tokens)
		if b.Type == "tool_use" {
			stop = "tool_use"
		}
	}
	if req.Stream {
		stream(w, req.Model, answer, stop, tokens)
		return
	}
	msg := envelope(req.Model, tokens)
	msg["content"], msg["stop_reason"] = answer, stop
	writeJSON(w, msg)
}

// answer takes the next step of the script if req is a request of the main loop.
func (a *api) answer(req *request) []block {
	a.mu.Lock()
	defer a.mu.Unlock()
	if !req.isMain() {
		a.other = append(a.other, req)
		if req.isCompaction() {
			return text("<analysis>It was short.</analysis><summary>SUMMARY-OF-THE-TALK</summary>")(req)
		}
		return text("ok")(req)
	}
	a.requests = append(a.requests, req)
	if len(a.steps) == 0 {
		return text("done")(req)
	}
	answer := a.steps[0](req)
	a.steps = a.steps[1:]
	for i := range answer {
		if answer[i].Type == "tool_use" {
			answer[i].ID = fmt.Sprintf("toolu_%020d", toolUses.Add(1))
			a.calls = append(a.calls, answer[i].ID)
		}
	}
	return answer
}

// envelope returns a message of the API without its content.
func envelope(model string, tokens int) input {
	return input{
		"id": fmt.Sprintf("msg_%020d", toolUses.Add(1)), "type": "message", "role": "assistant", "model": model,
		"content": []block{}, "stop_reason": nil, "stop_sequence": nil,
		"usage": input{"input_tokens": tokens, "output_tokens": 1},
	}
}

// stream sends a message as the API's server-sent events.
func stream(w http.ResponseWriter, model string, answer []block, stop string, tokens int) {
	w.Header().Set("Content-Type", "text/event-stream")
	send := func(event string, data input) {
		data["type"] = event
		raw, err := json.Marshal(data)
		if err != nil {
			panic(err)
		}
		fmt.Fprintf(w, "event: %s\ndata: %s\n\n", event, raw)
	}
	send("message_start", input{"message": envelope(model, tokens)})
	for i, b := range answer {
		start, delta := input{"type": "text", "text": ""}, input{"type": "text_delta", "text": b.Text}
		if b.Type == "tool_use" {
			start = input{"type": "tool_use", "id": b.ID, "name": b.Name, "input": input{}}
			delta = input{"type": "input_json_delta", "partial_json": string(b.Input)}
		}
		send("content_block_start", input{"index": i, "content_block": start})
		send("content_block_delta", input{"index": i, "delta": delta})
		send("content_block_stop", input{"index": i})
	}
	send("message_delta", input{"delta": input{"stop_reason": stop, "stop_sequence": nil},
		"usage": input{"input_tokens": tokens, "output_tokens": 20}})
	send("message_stop", input{})
}

func writeJSON(w http.ResponseWriter, v any) {
	w.Header().Set("Content-Type", "application/json")
	_ = json.NewEncoder(w).Encode(v)
}
