package transcript

import (
	"bytes"
	"slices"
)

// counter adds up the counts of lines.
type counter struct {
	work   Work
	state  State
	record record
}

// newCounter continues from s, which it does not change.
func newCounter(s State) *counter {
	s.Open = newest(slices.Clone(s.Open), maxOpen)
	s.Failed = newest(slices.Clone(s.Failed), maxFailed)
	s.Messages = newest(slices.Clone(s.Messages), maxMessages)
	s.Lines = newest(slices.Clone(s.Lines), maxLines)
	return &counter{state: s}
}

// newest returns the last n elements of list.
func newest[T any](list []T, n int) []T {
	if len(list) > n {
		return slices.Delete(list, 0, len(list)-n)
	}
	return list
}

// without returns list without element i. An empty list becomes nil, as it does in JSON.
func without[T any](list []T, i int) []T {
	if len(list) == 1 {
		return nil
	}
	return slices.Delete(list, i, i+1)
}

// line counts a line.
func (c *counter) line(line []byte, long bool) {
	line = bytes.TrimSpace(line)
	if len(line) == 0 && !long {
		return
	}
	r := &c.record
	*r = record{calls: r.calls[:0], results: r.results[:0]} // which keep their memory
	if long || line[0] != '{' || line[len(line)-1] != '}' || !r.read(line) {
		c.work.Unread++
		return
	}
	to := &c.work.Main
	if r.side {
		to = &c.work.Subagents
	}
	switch {
	case r.kind == boundary && c.fresh(r.uuid):
		to.Compactions++
	case r.kind == assistant && (r.spoke || len(r.calls) > 0) && c.fresh(r.uuid):
		to.OutputTokens += c.news(r.message, r.tokens)
		for _, call := range r.calls {
			c.call(to, call)
		}
	case r.kind == user && len(r.results) > 0 && c.fresh(r.uuid):
		for _, res := range r.results {
			c.result(to, res)
		}
	}
}

// fresh reports whether a line has not been counted before.
func (c *counter) fresh(uuid []byte) bool {
	if len(uuid) == 0 {
		return true
	}
	h := hash(uuid)
	if slices.Contains(c.state.Lines, h) {
		return false
	}
	c.state.Lines = newest(append(c.state.Lines, h), maxLines)
	return true
}

// news returns the tokens of an answer that its earlier lines did not count: the numbers only grow,
// and the last one is the total.
func (c *counter) news(message []byte, tokens int) int {
	if len(message) == 0 {
		return tokens
	}
	h := hash(message)
	for i, m := range c.state.Messages {
		if m.ID == h {
			known := max(0, m.Tokens) // a damaged state can hold any number
			c.state.Messages[i].Tokens = max(known, tokens)
			return max(0, tokens-known)
		}
	}
	c.state.Messages = newest(append(c.state.Messages, Message{h, tokens}), maxMessages)
	return tokens
}

func (c *counter) call(to *Counts, call Call) {
	if c.record.side {
		call.Target++ // a subagent's call does not retry one of the session's, nor the reverse
	}
	to.Calls++
	if c.forget(call.Target) {
		to.Retries++
	}
	c.state.Open = newest(append(c.state.Open, call), maxOpen)
}

func (c *counter) result(to *Counts, res result) {
	to.ResultChars += res.chars
	call := Call{}
	i := slices.IndexFunc(c.state.Open, func(o Call) bool { return o.ID == res.call })
	if i >= 0 {
		call = c.state.Open[i]
		c.state.Open = without(c.state.Open, i)
	}
	switch {
	case res.failed && (res.refused || c.record.denied):
		to.Refused++
	case res.failed:
		to.Failures++
		if i >= 0 {
			c.forget(call.Target)
			c.state.Failed = newest(append(c.state.Failed, call.Target), maxFailed)
		}
	case i >= 0:
		c.forget(call.Target)
	}
}

// forget removes a target from those that failed, and reports whether it was one of them.
func (c *counter) forget(target uint32) bool {
	i := slices.Index(c.state.Failed, target)
	if i >= 0 {
		c.state.Failed = without(c.state.Failed, i)
	}
	return i >= 0
}
