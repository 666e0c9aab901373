package transcript

import "bytes"

// cursor walks over JSON text. It looks at what it is asked for, and only finds
// the end of what is passed over: a line is read at the speed of memory, most
// of it being strings.
type cursor struct {
	b   []byte
	i   int
	bad bool // the text is no JSON here; everything after is empty
}

// peek returns the next byte that is no white space, 0 at the end.
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

// take passes over the byte if it is the next one.
func (c *cursor) take(b byte) bool {
	if c.peek() != b {
		return false
	}
	c.i++
	return true
}

// need is take where nothing else may stand.
func (c *cursor) need(b byte) bool {
	if !c.take(b) {
		c.bad = true
	}
	return !c.bad
}

// object calls member for each key, which must take the value; false ends the
// walk there. Keys are as they are written, escapes and all.
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

// members is object for what may be something else, which is passed over.
func (c *cursor) members(member func(key []byte) bool) {
	if c.peek() != '{' {
		c.value()
		return
	}
	c.object(member)
}

// array calls element at each element, which it must take.
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

// text takes a string, as it is written between its quotes.
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

// maybe takes a string, or any other value and returns nil.
func (c *cursor) maybe() []byte {
	if c.peek() == '"' {
		return c.text()
	}
	c.value()
	return nil
}

// value takes a value of any kind and returns it as it is written.
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

// word takes a number, true, false, null, or what stands in their place.
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

// yes takes a value and says whether it is true.
func (c *cursor) yes() bool { return string(c.value()) == "true" }

// maxNumber bounds a number of tokens: what is higher is damaged, and must not
// drown the rest.
const maxNumber = 10_000_000

// number takes a value and returns its whole part, from 0 to maxNumber; 0 for
// what is no number.
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
