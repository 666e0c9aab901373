package transcript

import "bytes"

// kind is the type of a line, as far as counting needs it.
type kind int

const (
	unknown kind = iota // no type seen yet
	other               // not counted
	assistant
	user
	boundary // a compaction
)

// record is what counting needs from a line.
type record struct {
	kind   kind
	system bool
	side   bool   // of a subagent
	uuid   []byte // of the line
	denied bool   // the client says that the call did not run

	message []byte // the answer's id
	spoke   bool   // the line states its tokens
	tokens  int
	calls   []Call
	results []result
	failed  bool // any of results
}

// result is how a tool call ended.
type result struct {
	call    uint32 // hash of the call's id
	failed  bool
	refused bool
	chars   int // of text that it returned
}

// read decodes as much of a line as counting needs, and reports whether that part is valid.
func (r *record) read(line []byte) bool {
	c := cursor{b: line}
	var seen struct{ message, side bool }
	c.object(func(key []byte) bool {
		switch string(key) {
		case "type":
			r.typed(c.maybe())
		case "subtype":
			if string(c.maybe()) == "compact_boundary" && r.kind != other {
				r.kind = boundary
			}
		case "isSidechain":
			r.side, seen.side = c.yes(), true
		case "uuid":
			r.uuid = c.maybe()
		case "toolDenialKind":
			r.denied = len(c.maybe()) > 0
		case "message":
			r.content(&c)
			seen.message = true
		case "attachment":
			r.kind = other // context given to the model, which is long and frequent
		default:
			c.value()
		}
		// The rest of the line is mostly the result again, and adds nothing, except that for a
		// failure it may say who refused.
		whole := seen.message && seen.side && r.uuid != nil && (r.kind == assistant || r.kind == user && !r.failed)
		return r.kind != other && !whole
	})
	if r.kind == boundary && !r.system {
		r.kind = other
	}
	return !c.bad
}

// typed records the type of the line.
func (r *record) typed(name []byte) {
	switch string(name) {
	case "assistant":
		r.kind = assistant
	case "user":
		r.kind = user
	case "system":
		r.system = true // counted if its subtype is compact_boundary
	default:
		r.kind = other
	}
}

// content reads the message of a line. The line's type may come after it.
func (r *record) content(c *cursor) {
	c.members(func(key []byte) bool {
		switch string(key) {
		case "id":
			r.message = c.maybe()
		case "content":
			if c.peek() != '[' {
				c.value()
				break
			}
			c.array(func() { r.block(readBlock(c)) })
		case "usage":
			r.usage(c)
		default:
			c.value()
		}
		return true
	})
}

func (r *record) usage(c *cursor) {
	c.members(func(key []byte) bool {
		if string(key) == "output_tokens" {
			r.tokens, r.spoke = c.number(), true
		} else {
			c.value()
		}
		return true
	})
}

func (r *record) block(b block) {
	switch string(b.kind) {
	case "tool_use":
		r.calls = append(r.calls, Call{ID: hash(b.id), Target: target(b.name, b.input)})
	case "tool_result":
		r.failed = r.failed || b.failed
		r.results = append(r.results, result{call: hash(b.call), failed: b.failed,
			refused: b.failed && refused(b.content), chars: resultChars(b.content)})
	}
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
