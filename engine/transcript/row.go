package transcript

import (
	"encoding/json"
	"strings"
	"time"
)

// row is what an outline needs from a line.
type row struct {
	kind      kind
	side      bool
	denied    bool
	injected  bool // the client wrote it, not a person
	summary   bool // of a compaction
	directory string
	model     string
	at        time.Time
	text      string // of the blocks of text, apart from each other by empty lines
	calls     []openCall
	results   []rowResult
}

// rowResult is how a call ended.
type rowResult struct {
	call    string
	failed  bool
	content []byte // raw JSON
}

// read decodes as much of a line as an outline needs, and reports whether that part is valid.
func (r *row) read(line []byte) bool {
	c := cursor{b: line}
	c.object(func(key []byte) bool {
		switch string(key) {
		case "type":
			switch string(c.maybe()) {
			case "assistant":
				r.kind = assistant
			case "user":
				r.kind = user
			default:
				r.kind = other
			}
		case "isSidechain":
			r.side = c.yes()
		case "isCompactSummary":
			r.summary = c.yes()
			r.injected = r.summary || r.injected
		case "isMeta", "isVisibleInTranscriptOnly":
			r.injected = c.yes() || r.injected
		case "promptSource":
			r.injected = string(c.maybe()) == "system" || r.injected
		case "origin":
			r.injected = !byPerson(c.value()) || r.injected
		case "toolDenialKind":
			r.denied = len(c.maybe()) > 0
		case "timestamp":
			r.at, _ = time.Parse(time.RFC3339, unquote(c.maybe())) // zero if it is not a time
		case "cwd":
			r.directory = unquote(c.maybe())
		case "message":
			r.message(&c)
		case "attachment":
			r.kind = other
		default:
			c.value()
		}
		return r.kind != other && !r.side
	})
	return !c.bad
}

// byPerson reports whether the origin of a message is a person, as far as a client says so.
func byPerson(origin []byte) bool {
	var o struct{ Kind string }
	if json.Unmarshal(origin, &o) != nil {
		return true
	}
	switch o.Kind {
	case "", "human", "person", "composer", "remote", "suggestion", "voice-call":
		return true
	}
	return false
}

func (r *row) message(c *cursor) {
	c.members(func(key []byte) bool {
		switch string(key) {
		case "model":
			r.model = unquote(c.maybe())
		case "content":
			switch c.peek() {
			case '"':
				r.add(c.text())
			case '[':
				c.array(func() { r.block(readBlock(c)) })
			default:
				c.value()
			}
		default:
			c.value()
		}
		return true
	})
}

func (r *row) block(b block) {
	switch string(b.kind) {
	case "text":
		r.add(b.text)
	case "tool_use":
		r.calls = append(r.calls, openCall{id: string(b.id), tool: string(b.name), input: b.input})
	case "tool_result":
		r.results = append(r.results, rowResult{call: string(b.call), failed: b.failed, content: b.content})
	}
}

// add adds a raw text.
func (r *row) add(raw []byte) {
	if text := unquote(raw); text != "" {
		r.text = strings.TrimPrefix(r.text+"\n\n"+text, "\n\n")
	}
}

// unquote decodes a raw JSON string without its quotes; "" if it is not valid.
func unquote(raw []byte) string {
	if len(raw) == 0 {
		return ""
	}
	var s string
	if json.Unmarshal([]byte(`"`+string(raw)+`"`), &s) != nil {
		return ""
	}
	return s
}

// resultText returns the text of a result: a string, or the texts of a list of blocks.
func resultText(content []byte) string {
	var s string
	if json.Unmarshal(content, &s) == nil {
		return s
	}
	var list []struct{ Text string }
	if json.Unmarshal(content, &list) != nil {
		return ""
	}
	var texts []string
	for _, block := range list {
		texts = append(texts, block.Text)
	}
	return strings.Join(texts, "\n")
}
