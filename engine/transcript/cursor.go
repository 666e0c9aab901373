package transcript

import "bytes"

// cursor walks over JSON text. It decodes only what it is asked for and otherwise just finds the
// end of a value: most of a line is strings, which are skipped at the speed of memory.
type cursor struct {
	b   []byte
	i   int
	bad bool // the text is invalid here; everything after is empty
}

// peek returns the next byte that is not white space, or 0 at the end.
func (c *cursor) peek() byte {
	for c.i < len(c.b) {
		switch b := c.b[c.i]; b {
		case ' ', '\t', '\r', '\n':
			c.i++
		default:
			return b
		}
	}
	return 0
}

// take consumes the next byte if it is b.
func (c *cursor) take(b byte) bool {
	if c.peek() != b {
		return false
	}
	c.i++
	return true
}

// need is take for a byte that JSON requires here.
func (c *cursor) need(b byte) bool {
	if !c.take(b) {
		c.bad = true
	}
	return !c.bad
}

// object calls member for each key; member must consume the value, and returns false to end the
// walk. Keys are raw, with their escapes.
func (c *cursor) object(member func(key []byte) bool) {
	if !c.need('{') || c.take('}') {
		return
	}
	for {
		key := c.text()
		if c.bad || !c.need(':') || !member(key) || c.bad || c.take('}') || !c.need(',') {
			return
		}
	}
}

// members is object for a value that may have another type, which it skips.
func (c *cursor) members(member func(key []byte) bool) {
	if c.peek() != '{' {
		c.value()
		return
	}
	c.object(member)
}

// array calls element for each element, which element must consume.
func (c *cursor) array(element func()) {
	if !c.need('[') || c.take(']') {
		return
	}
	for {
		element()
		if c.bad || c.take(']') || !c.need(',') {
			return
		}
	}
}

// text consumes a string and returns it raw, without its quotes.
func (c *cursor) text() []byte {
	if !c.need('"') {
		return nil
	}
	begin := c.i
	for {
		k := bytes.IndexByte(c.b[c.i:], '"')
		if k < 0 {
			c.bad = true
			return nil
		}
		c.i += k + 1
		escapes := 0
		for j := c.i - 2; j >= begin && c.b[j] == '\\'; j-- {
			escapes++
		}
		if escapes%2 == 0 {
			return c.b[begin : c.i-1]
		}
	}
}

// maybe consumes a value and returns it as text does, or nil if it is not a string.
func (c *cursor) maybe() []byte {
	if c.peek() == '"' {
		return c.text()
	}
	c.value()
	return nil
}

// value consumes a value of any type and returns it raw.
func (c *cursor) value() []byte {
	c.peek()
	begin, depth := c.i, 0
	for !c.bad {
		switch c.peek() {
		case '"':
			c.text()
		case '{', '[':
			depth++
			c.i++
		case '}', ']':
			depth--
			c.i++
		case ',', ':':
			c.bad = depth == 0
			c.i++
			continue
		case 0:
			c.bad = true
		default:
			c.word()
		}
		if c.bad || depth < 0 {
			break
		}
		if depth == 0 {
			return c.b[begin:c.i]
		}
	}
	c.bad = true
	return nil
}

// word consumes a number, true, false, null, or whatever is in their place.
func (c *cursor) word() []byte {
	begin := c.i
	for c.i < len(c.b) {
		switch c.b[c.i] {
		case ' ', '\t', '\r', '\n', ',', ':', '"', '{', '}', '[', ']':
			return c.b[begin:c.i]
		}
		c.i++
	}
	return c.b[begin:]
}

// yes consumes a value and reports whether it is true.
func (c *cursor) yes() bool { return string(c.value()) == "true" }

// maxNumber bounds a number of tokens: a higher one is damaged, and must not dominate the sum.
const maxNumber = 10_000_000

// number consumes a value and returns its integer part, from 0 to maxNumber; 0 if it is not a number.
func (c *cursor) number() int {
	n := 0
	for _, d := range c.value() {
		if d < '0' || d > '9' {
			break
		}
		n = min(10*n+int(d-'0'), maxNumber)
	}
	return n
}
