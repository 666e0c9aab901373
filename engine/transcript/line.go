package transcript

import (
	"bytes"
	"encoding/json"
	"slices"
	"strings"
)

type kind int

const (
	unknown kind = iota // no type seen yet
	other               // neither counted nor outlined
	assistant
	user
	boundary // a compaction
)

// line is what counting and outlining need from a line. Its texts are raw JSON, those of strings without the quotes.
type line struct {
	kind     kind
	system   bool
	side     bool // of a subagent
	sided    bool // the line says whether it is
	denied   bool // the client says that the call did not run
	injected bool // the client wrote it, not a person
	summary  bool // of a compaction
	uuid     []byte
	cwd      []byte
	branch   []byte
	at       []byte

	messaged bool   // the message was read
	message  []byte // the answer's id
	model    []byte
	spoke    bool // the line states its tokens
	tokens   int
	blocks   []block
}

type block struct {
	kind, id, name, text, call, input, content []byte
	failed                                     bool
}

// textKind is the kind of blocks of text, and of a message that is a text.
var textKind = []byte("text")

// read decodes a line until enough is known of it, and reports whether that part is valid. It keeps the memory of
// earlier blocks.
func (l *line) read(raw []byte, enough func() bool) bool {
	*l = line{blocks: l.blocks[:0]}
	if raw[0] != '{' || raw[len(raw)-1] != '}' {
		return false
	}
	c := cursor{b: raw}
	c.object(func(key []byte) bool {
		l.field(&c, key)
		return l.kind != other && !enough()
	})
	if l.kind == boundary && !l.system {
		l.kind = other
	}
	return !c.bad
}

func (l *line) field(c *cursor, key []byte) {
	switch string(key) {
	case "type":
		l.typed(c.maybe())
	case "subtype":
		if string(c.maybe()) == "compact_boundary" && l.kind != other {
			l.kind = boundary
		}
	case "isSidechain":
		l.side, l.sided = c.yes(), true
	case "isCompactSummary":
		l.summary = c.yes()
		l.injected = l.summary || l.injected
	case "isMeta", "isVisibleInTranscriptOnly":
		l.injected = c.yes() || l.injected
	case "promptSource":
		l.injected = string(c.maybe()) == "system" || l.injected
	case "origin":
		l.injected = !byPerson(c.value()) || l.injected
	case "toolDenialKind":
		l.denied = len(c.maybe()) > 0
	case "uuid":
		l.uuid = c.maybe()
	case "timestamp":
		l.at = c.maybe()
	case "cwd":
		l.cwd = c.maybe()
	case "gitBranch":
		l.branch = c.maybe()
	case "message":
		c.members(func(key []byte) bool {
			l.content(c, key)
			return true
		})
		l.messaged = true
	case "attachment":
		l.kind = other // context given to the model, which is long and frequent
	default:
		c.value()
	}
}

func (l *line) typed(name []byte) {
	switch string(name) {
	case "assistant":
		l.kind = assistant
	case "user":
		l.kind = user
	case "system":
		l.system = true // counted if its subtype is compact_boundary
	default:
		l.kind = other
	}
}

// content reads a member of the message of a line. The line's type may come after it.
func (l *line) content(c *cursor, key []byte) {
	switch string(key) {
	case "id":
		l.message = c.maybe()
	case "model":
		l.model = c.maybe()
	case "content":
		switch c.peek() {
		case '"':
			l.blocks = append(l.blocks, block{kind: textKind, text: c.text()})
		case '[':
			c.array(func() { l.blocks = append(l.blocks, readBlock(c)) })
		default:
			c.value()
		}
	case "usage":
		c.members(func(key []byte) bool {
			if string(key) == "output_tokens" {
				l.tokens, l.spoke = c.number(), true
			} else {
				c.value()
			}
			return true
		})
	default:
		c.value()
	}
}

func readBlock(c *cursor) block {
	var b block
	c.members(func(key []byte) bool {
		switch string(key) {
		case "type":
			b.kind = c.maybe()
		case "id":
			b.id = c.maybe()
		case "name":
			b.name = c.maybe()
		case "text":
			b.text = c.maybe()
		case "tool_use_id":
			b.call = c.maybe()
		case "input":
			b.input = c.value()
		case "content":
			b.content = c.value()
		case "is_error":
			b.failed = c.yes()
		default:
			c.value()
		}
		return true
	})
	return b
}

// of yields the blocks of a kind: "text", "tool_use" or "tool_result".
func (l *line) of(kind string) func(func(block) bool) {
	return func(yield func(block) bool) {
		for _, b := range l.blocks {
			if string(b.kind) == kind && !yield(b) {
				return
			}
		}
	}
}

func (l *line) has(kind string) bool {
	return slices.ContainsFunc(l.blocks, func(b block) bool { return string(b.kind) == kind })
}

// text returns the blocks of text, apart from each other by empty lines.
func (l *line) text() string {
	var texts []string
	for b := range l.of("text") {
		if text := unquote(b.text); text != "" {
			texts = append(texts, text)
		}
	}
	return strings.Join(texts, "\n\n")
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

// refused reports whether the result of a call says that the call did not run because of a person,
// a permission or an interruption. Newer clients also say so in a field of the line.
func refused(content []byte) bool {
	text := content[:min(len(content), 1000)]
	// A result is a string, or a list whose first block holds one.
	if i := bytes.Index(text, []byte(`"text":"`)); i >= 0 && text[0] == '[' {
		text = text[i+len(`"text":`):]
	}
	text = bytes.TrimPrefix(text, []byte(`"`))
	for _, begin := range [...]string{
		"The user doesn't want to ",
		"[Request interrupted",
		"[Tool call ",
		"[Agent call interrupted",
		"Permission for this ",
		"Permission to use ",
		"Claude requested permissions to ",
		"<tool_use_error>Error: Streaming fallback - tool execution discarded",
	} {
		if bytes.HasPrefix(text, []byte(begin)) {
			return true
		}
	}
	return bytes.Contains(text, []byte(" was blocked. For security, Claude Code may only "))
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
