package transcript

// block is one block of a message's content. Its texts are raw JSON, those of strings without the
// quotes.
type block struct {
	kind, id, name, text, call, input, content []byte
	failed                                     bool
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
