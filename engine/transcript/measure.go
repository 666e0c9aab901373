package transcript

import "unicode/utf8"

const (
	// MaxResult bounds the characters counted for one tool result: the client truncates longer ones.
	MaxResult = 100_000

	// CharsPerToken is the usual estimate for English and code.
	CharsPerToken = 3.5

	// editedChars is about what the model gets back from a tool that edits a file: a confirmation.
	// The response that a hook sees contains the whole file.
	editedChars = 110

	// previewChars is about what the model gets of an output of more than 30,000 characters, which
	// the client saves to a file: the file's name and the first 2,000 characters. A hook sees 30,000.
	previewChars = 2280
)

// Tokens measures how much text the work took, from a transcript or from hooks: what the model
// wrote and what tools returned.
func (c Counts) Tokens() int {
	return c.OutputTokens + int(float64(c.ResultChars)/CharsPerToken)
}

// ToolTokens estimates [Counts.Tokens] for one tool call from what a hook gets: the input, which the model wrote, and
// the response or error, both JSON. A hook does not see the model's other output.
func ToolTokens(input, response []byte) int {
	return int(float64(utf8.RuneCount(input)+responseChars(response)) / CharsPerToken)
}

// LongTokens is [ToolTokens] for a call that is too long to read. A model gets at most a preview of
// so much; it is a file that was edited, or a picture.
func LongTokens() int {
	chars := float64(previewChars)
	return int(chars / CharsPerToken)
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
	most := MaxResult
	chars := c.texts(maxDepth, &most)
	return min(chars, most)
}

// maxDepth bounds the nesting in which texts are counted.
const maxDepth = 16

// texts consumes a value and returns the characters of all strings in it except keys and pictures.
// Where a key shows that the model gets less than that, it lowers most.
func (c *cursor) texts(depth int, most *int) (chars int) {
	switch b := c.peek(); {
	case b == '"':
		return textChars(c.text())
	case b == '{' && depth > 0:
		c.object(func(key []byte) bool {
			switch string(key) {
			case "structuredPatch", "original_file": // of a file, of a notebook
				*most = min(*most, editedChars)
			case "persistedOutputPath":
				*most = min(*most, previewChars)
			case "base64", "data":
				c.value()
				return true
			}
			chars += c.texts(depth-1, most)
			return true
		})
	case b == '[' && depth > 0:
		c.array(func() { chars += c.texts(depth-1, most) })
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
