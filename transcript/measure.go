package transcript

import (
	"bytes"
	"unicode/utf8"
)

const (
	// MaxResult bounds, in characters, what one result of a tool counts: the client
	// cuts what is longer.
	MaxResult = 100_000

	// CharsPerToken is the usual estimate for English and code.
	CharsPerToken = 3.5

	// editedChars is about what a tool that edits a file gives back: that it did.
	// What a hook sees of it holds the whole file, which the model does not get.
	editedChars = 110
)

// Tokens is the one measure of how much text work took, whoever saw it: what the
// model wrote, and what tools gave back.
func (c Counts) Tokens() int {
	return c.OutputTokens + int(float64(c.ResultChars)/CharsPerToken)
}

// ToolTokens estimates [Counts.Tokens] of one tool call from what a hook is given of
// it: its input, which the model wrote, and its response or error, both JSON. A hook
// does not see what else the model wrote.
func ToolTokens(input, response []byte) int {
	return int(float64(utf8.RuneCount(input)+responseChars(response)) / CharsPerToken)
}

// LongTokens is [ToolTokens] of a call that is too long to be read.
func LongTokens() int {
	long := float64(MaxResult)
	return int(long / CharsPerToken)
}

// resultChars returns how many characters of text the content of a tool_result has:
// a string, or a list of blocks, of which those with a text count.
func resultChars(content []byte) int {
	if len(content) > 1 && content[0] == '"' {
		return min(textChars(content[1:len(content)-1]), MaxResult)
	}
	c := cursor{b: content}
	chars := 0
	if c.peek() == '[' {
		c.array(func() {
			c.members(func(key []byte) bool {
				value := c.value()
				if string(key) == "text" && len(value) > 1 && value[0] == '"' {
					chars += textChars(value[1 : len(value)-1])
				}
				return true
			})
		})
	}
	return min(chars, MaxResult)
}

// responseChars returns about how many characters the model gets of a response that
// a hook sees, which has other forms than a tool_result: the texts in it.
func responseChars(response []byte) int {
	c := cursor{b: response}
	if c.peek() == '{' && bytes.Contains(response, []byte(`"structuredPatch"`)) {
		return editedChars
	}
	return min(c.texts(maxDepth), MaxResult)
}

// maxDepth bounds how deep texts are looked for.
const maxDepth = 16

// texts takes a value and returns the characters of all strings in it but keys.
func (c *cursor) texts(depth int) (chars int) {
	switch b := c.peek(); {
	case b == '"':
		return textChars(c.text())
	case b == '{' && depth > 0:
		c.object(func([]byte) bool { chars += c.texts(depth - 1); return true })
	case b == '[' && depth > 0:
		c.array(func() { chars += c.texts(depth - 1) })
	default:
		c.value()
	}
	return chars
}

// textChars returns the characters of a JSON string as it is written between its
// quotes.
func textChars(s []byte) (n int) {
	for i := 0; i < len(s); i++ {
		switch b := s[i]; {
		case b == '\\':
			n++
			i++
			if i < len(s) && s[i] == 'u' {
				i += 4 // the digits
			}
		case b < utf8.RuneSelf || utf8.RuneStart(b):
			n++
		}
	}
	return n
}
