package transcript

import "slices"

// counter adds up the counts of lines.
type counter struct {
	work  Work
	state State
	line  line
}

// newCounter continues from s, which it does not change.
func newCounter(s State) *counter {
	s.Open = newest(slices.Clone(s.Open), maxOpen)
	s.Failed = newest(slices.Clone(s.Failed), maxFailed)
	s.Messages = newest(slices.Clone(s.Messages), maxMessages)
	s.Lines = newest(slices.Clone(s.Lines), maxLines)
	return &counter{state: s}
}

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

// add counts a line. It reports false for one that cannot be read.
func (c *counter) add(raw []byte) bool {
	l := &c.line
	if !l.read(raw, l.counted) {
		return false
	}
	to := &c.work.Main
	if l.side {
		to = &c.work.Subagents
	}
	switch {
	case l.kind == boundary && c.fresh(l.uuid):
		to.Compactions++
	case l.kind == assistant && (l.spoke || l.has("tool_use")) && c.fresh(l.uuid):
		to.OutputTokens += c.news(l.message, l.tokens)
		for b := range l.of("tool_use") {
			c.call(to, Call{ID: hash(b.id), Target: target(b.name, b.input)})
		}
	case l.kind == user && l.has("tool_result") && c.fresh(l.uuid):
		for b := range l.of("tool_result") {
			c.result(to, b)
		}
	}
	return true
}

// counted reports whether what is read of a line suffices to count it. The rest is mostly the result again, and adds
// nothing, except that for a failure it may say who refused.
func (l *line) counted() bool {
	if !l.messaged || !l.sided || l.uuid == nil {
		return false
	}
	failed := func(b block) bool { return b.failed }
	return l.kind == assistant || l.kind == user && !slices.ContainsFunc(l.blocks, failed)
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
	if c.line.side {
		call.Target++ // a subagent's call does not retry one of the session's, nor the reverse
	}
	to.Calls++
	if c.forget(call.Target) {
		to.Retries++
	}
	c.state.Open = newest(append(c.state.Open, call), maxOpen)
}

func (c *counter) result(to *Counts, res block) {
	to.ResultChars += resultChars(res.content)
	call, id := Call{}, hash(res.call)
	i := slices.IndexFunc(c.state.Open, func(o Call) bool { return o.ID == id })
	if i >= 0 {
		call = c.state.Open[i]
		c.state.Open = without(c.state.Open, i)
	}
	switch {
	case res.failed && (c.line.denied || refused(res.content)):
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
