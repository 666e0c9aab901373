package transcript

import (
	"encoding/json"
	"path"
	"strings"
)

// Form is the form of a client's record: which lines it has, and what they mean.
type Form int

// The forms. Codex, Copilot 1.0.102, Gemini CLI 0.61.0 and Qwen Code 0.24.4 were observed.
const (
	Claude Form = iota
	Codex
	Copilot
	Gemini
	Qwen
)

// FormOf returns the form of the record at a path, by the name that its client gives it.
func FormOf(name string) Form {
	name = strings.ReplaceAll(name, `\`, "/")
	base, inChats := path.Base(name), path.Base(path.Dir(name)) == "chats"
	switch {
	case strings.HasPrefix(base, "rollout-"):
		return Codex
	case base == "events.jsonl":
		return Copilot
	case inChats && strings.HasPrefix(base, "session-"):
		return Gemini
	case inChats:
		return Qwen
	}
	return Claude
}

// fact is what a line says that counts.
type fact struct {
	called    bool // id names a call, with name and input
	ended     bool // the call id ended, with content
	failed    bool
	refused   bool // it did not run, or was stopped by a person
	id, name  string
	input     json.RawMessage
	content   json.RawMessage // as in a tool_result
	tokens    int             // of the answer id
	once      bool            // later lines repeat it
	compacted bool
}

// addOther counts a line of another client than Claude Code. It reports false for one that cannot be read.
func (c *counter) addOther(form Form, raw []byte) bool {
	read := map[Form]func([]byte) ([]fact, error){Codex: codexFacts, Copilot: copilotFacts, Gemini: geminiFacts,
		Qwen: qwenFacts}[form]
	facts, err := read(raw)
	if err != nil {
		return false
	}
	to := &c.work.Main
	for _, f := range facts {
		if f.once && !c.fresh([]byte(f.id)) {
			continue
		}
		if f.compacted {
			to.Compactions++
		}
		if f.tokens > 0 {
			to.OutputTokens += c.news([]byte(f.id), min(f.tokens, maxNumber))
		}
		if f.called {
			c.call(to, Call{ID: hash([]byte(f.id)), Target: target([]byte(f.name), f.input)})
		}
		if f.ended {
			c.line.denied = f.refused
			c.result(to, block{call: []byte(f.id), failed: f.failed || f.refused, content: f.content})
		}
	}
	return true
}

// codexFacts reads a line of Codex. How a command or a call of a server ended is told by an item that comes before
// its output.
func codexFacts(raw []byte) ([]fact, error) {
	var l struct {
		Type    string
		Payload struct {
			Type, Name, Arguments, Input string

			Call     string `json:"call_id"`
			Response string `json:"response_id"`
			Output   json.RawMessage
			Usage    struct {
				Output int `json:"output_tokens"`
			}
			Item struct {
				Type, ID, Status string

				Exit   int `json:"exit_code"`
				Result struct{ IsError bool }
			}
		}
	}
	err := json.Unmarshal(raw, &l)
	p := l.Payload
	switch {
	case err != nil:
	case l.Type == "compacted":
		return []fact{{compacted: true}}, nil
	case l.Type == "token_usage_record":
		return []fact{{id: p.Response, tokens: p.Usage.Output}}, nil
	case l.Type == "event_msg" && p.Type == "item_completed":
		failed := p.Item.Status == "failed" || p.Item.Exit != 0 || p.Item.Result.IsError
		declined := p.Item.Status == "declined"
		if failed || declined {
			return []fact{{ended: true, failed: failed, refused: declined, id: p.Item.ID}}, nil
		}
	case l.Type == "response_item" && (p.Type == "function_call" || p.Type == "custom_tool_call"):
		input := json.RawMessage(p.Arguments)
		if !json.Valid(input) {
			input, _ = json.Marshal(p.Arguments + p.Input) // cannot fail for a text
		}
		return []fact{{called: true, id: p.Call, name: p.Name, input: input}}, nil
	case l.Type == "response_item" && (p.Type == "function_call_output" || p.Type == "custom_tool_call_output"):
		return []fact{{ended: true, id: p.Call, content: p.Output}}, nil
	}
	return nil, err
}

// copilotFacts reads a line of Copilot. A command that exits with another status than 0 counts there as a success.
func copilotFacts(raw []byte) ([]fact, error) {
	var l struct {
		Type string
		Data struct {
			Call      string `json:"toolCallId"`
			Tool      string `json:"toolName"`
			Arguments json.RawMessage
			Success   bool
			Outcome   string
			Shell     struct{ ExitCode int } `json:"shellExecution"`
			Result    struct{ Content json.RawMessage }
			Error     struct{ Message, Code string }
			Usage     struct {
				Output int    `json:"outputTokens"`
				Call   string `json:"apiCallId"`
			}
		}
	}
	err := json.Unmarshal(raw, &l)
	d := l.Data
	switch {
	case err != nil:
	case l.Type == "session.compaction_complete" && d.Outcome == "applied":
		return []fact{{compacted: true}}, nil
	case l.Type == "session.usage_record":
		return []fact{{id: d.Usage.Call, tokens: d.Usage.Output}}, nil
	case l.Type == "tool.execution_start":
		return []fact{{called: true, id: d.Call, name: d.Tool, input: d.Arguments}}, nil
	case l.Type == "tool.execution_complete":
		content := d.Result.Content
		if !d.Success {
			content, _ = json.Marshal(d.Error.Message) // cannot fail for a text
		}
		refused := d.Error.Code == "denied" || d.Error.Code == "rejected"
		return []fact{{ended: true, failed: !d.Success || d.Shell.ExitCode != 0, refused: refused, id: d.Call,
			content: content}}, nil
	}
	return nil, err
}

// ran is a call that has ended, as Gemini CLI and Qwen Code note it.
func ran(status string) (ended, failed, refused bool) {
	switch status {
	case "success":
		return true, false, false
	case "error":
		return true, true, false
	case "cancelled":
		return true, false, true
	}
	return false, false, false
}

// geminiFacts reads a line of Gemini CLI. An answer is written again with the calls that it made, once they have ended.
func geminiFacts(raw []byte) ([]fact, error) {
	var l struct {
		Type, ID string

		Tokens struct{ Output int }
		Calls  []struct {
			ID, Name, Status string

			Args, Result json.RawMessage
		} `json:"toolCalls"`
	}
	if err := json.Unmarshal(raw, &l); err != nil || l.Type != "gemini" {
		return nil, err
	}
	facts := []fact{{id: l.ID, tokens: l.Tokens.Output}}
	for _, call := range l.Calls {
		if ended, failed, refused := ran(call.Status); ended {
			facts = append(facts, fact{called: true, ended: true, failed: failed, refused: refused, once: true,
				id: call.ID, name: call.Name, input: call.Args, content: responseText(call.Result)})
		}
	}
	return facts, nil
}

func qwenFacts(raw []byte) ([]fact, error) {
	type part struct {
		Call struct {
			ID, Name string

			Args json.RawMessage
		} `json:"functionCall"`
	}
	var l struct {
		Type, UUID string

		Message struct{ Parts json.RawMessage }
		Usage   struct {
			Output int `json:"candidatesTokenCount"`
		} `json:"usageMetadata"`
		Result struct {
			Call   string `json:"callId"`
			Status string
		} `json:"toolCallResult"`
	}
	if err := json.Unmarshal(raw, &l); err != nil {
		return nil, err
	}
	switch l.Type {
	case "assistant":
		var parts []part
		if err := json.Unmarshal(l.Message.Parts, &parts); err != nil {
			return nil, err
		}
		facts := []fact{{id: l.UUID, tokens: l.Usage.Output}}
		for _, p := range parts {
			if p.Call.ID != "" {
				facts = append(facts, fact{called: true, id: p.Call.ID, name: p.Call.Name, input: p.Call.Args})
			}
		}
		return facts, nil
	case "tool_result":
		ended, failed, refused := ran(l.Result.Status)
		return []fact{{ended: ended, failed: failed, refused: refused, id: l.Result.Call,
			content: responseText(l.Message.Parts)}}, nil
	}
	return nil, nil
}

// responseText returns what the model got of a call as one JSON text: the output or the error of its response.
func responseText(parts json.RawMessage) json.RawMessage {
	var all []struct {
		Response struct {
			Response struct{ Output, Error string }
		} `json:"functionResponse"`
	}
	_ = json.Unmarshal(parts, &all) // no text, then
	var text strings.Builder
	for _, p := range all {
		text.WriteString(p.Response.Response.Output + p.Response.Response.Error)
	}
	content, _ := json.Marshal(text.String()) // cannot fail for a text
	return content
}
