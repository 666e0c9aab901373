package transcript

import (
	"bytes"
	"unicode/utf8"
)

const (
	// MaxResult bounds the characters counted for one tool result: the client truncates longer
	// ones.
	MaxResult = 100_000

	// CharsPerToken is the usual estimate for English and code.
	CharsPerToken = 3.5

	// editedChars is about what the model gets back from a tool that edits a file: a confirmation.
	// The response that a hook sees contains the whole file.
	editedChars = 110
)

// Tokens measures how much text the work took, from a transcript or from hooks: what the model
// wrote and what tools returned.
func (c Counts) Tokens() int {
	return c.OutputTokens + int(float64(c.ResultChars)/CharsPerToken)
}

// ToolTokens estimates [Counts.Tokens] for one tool call from what a hook gets: the input, which
// the model wrote, and the response or error, both JSON. A hook does not see the model's other
// output.
func ToolTokens(input, response []byte) int {
	return int(float64(utf8.RuneCount(input)+responseChars(response)) / CharsPerToken)
}

// LongTokens is [ToolTokens] for a call that is too long to read.
func LongTokens() int {
	long := float64(MaxResult)
	return int(long / CharsPerToken)
}

// resultChars returns the number of characters of text in the content of a tool_result: a string,
// or a list of blocks, of which only those with a text count.
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

// responseChars estimates the characters that the model gets from a response in the form that hooks
// see, which differs from a tool_result's: it counts all texts in it.
func responseChars(response []byte) int {
	c := cursor{b: response}
	if c.peek() == '{' && bytes.Contains(response, []byte(`"structuredPatch"`)) {
		return editedChars
	}
	return min(c.texts(maxDepth), MaxResult)
}

// maxDepth bounds the nesting in which texts are counted.
const maxDepth = 16

// texts consumes a value and returns the characters of all strings in it except keys.
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

// textChars returns the number of characters of a raw JSON string without its quotes.
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
