package mcp

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"log"
	"sync"
	"time"

	mcpgo "github.com/mark3labs/mcp-go/mcp"
	"github.com/mark3labs/mcp-go/server"

	"ltm/api"
)

const (
	// readers is how many calls that do not wait for the store run at once. Calls
	// that do run one at a time, in the order in which they came.
	readers = 8

	// hangUpCheck is how often a client that is asked to wait is looked at.
	hangUpCheck = 100 * time.Millisecond
)

// connection serves one client.
type connection struct {
	server  *server.MCPServer
	session *session
	waits   map[string]bool // the tools that wait for the store
	faults  *log.Logger
	flow    *flow
	out     *outbox

	reads, writes chan call

	mu      sync.Mutex
	cancels map[string]cancelable // what the client may cancel, by id
}

// cancelable is a request that has not begun, or that listens until it is ended.
type cancelable struct {
	cancel  context.CancelFunc
	listens bool
}

// call is a request on its way.
type call struct {
	message
	ctx   context.Context
	reply func(answer []byte) // called once; nil: there is no answer
}

func newConnection(s *server.MCPServer, waits map[string]bool, out io.Writer, faults *log.Logger) *connection {
	f := newFlow()
	return &connection{server: s, session: newSession(), waits: waits, faults: faults, flow: f, out: newOutbox(out, f),
		reads: make(chan call, maxHeld+maxBatch), writes: make(chan call, maxHeld+maxBatch), cancels: map[string]cancelable{}}
}

// start begins to work off what read will find, until ctx ends.
func (c *connection) start(ctx context.Context) {
	for range readers {
		go c.work(ctx, c.reads)
	}
	go c.work(ctx, c.writes)
	go func() {
		for {
			select {
			case n := <-c.session.notifications:
				c.send(encode(n))
			case <-ctx.Done():
				return
			}
		}
	}()
}

// send writes a message, some time.
func (c *connection) send(data []byte) {
	c.flow.add(1, 0, len(data))
	c.out.put(data)
}

// read takes messages in until the input ends.
func (c *connection) read(ctx context.Context, in io.Reader) error {
	l := newLines(in)
	for {
		if err := c.awaitRoom(ctx, in); err != nil {
			return err
		}
		line, long, err := l.next()
		switch {
		case err != nil:
			return err
		case long != nil:
			c.send(encode(refusal(long.known(), mcpgo.INVALID_REQUEST, fmt.Sprintf("a message has at most %d bytes; nothing was changed", maxLine))))
		case isBatch(line):
			c.acceptBatch(ctx, line)
		case len(bytes.TrimSpace(line)) > 0:
			c.accept(ctx, line)
		}
	}
}

// awaitRoom waits while too much is held for the client. A client that does not
// read and has hung up meanwhile has ended the input, whatever it left in there.
func (c *connection) awaitRoom(ctx context.Context, in io.Reader) error {
	client, _ := in.(interface{ HungUp() bool })
	for {
		room, changed := c.flow.mayRead()
		if room {
			return nil
		}
		select {
		case <-changed:
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(hangUpCheck):
			if client != nil && c.out.stalled(stall) && client.HungUp() {
				return io.EOF
			}
		}
	}
}

// accept handles a line with one message.
func (c *connection) accept(ctx context.Context, line []byte) {
	c.flow.add(1, len(line), 0)
	c.dispatch(ctx, line, func(answer []byte) {
		c.answer(1, len(line), answer)
	})
}

// answer writes the answer, if there is one, to messages that were read in a line
// of so many bytes.
func (c *connection) answer(messages, bytes int, answer []byte) {
	if answer == nil {
		c.flow.add(-messages, -bytes, 0)
		return
	}
	c.flow.add(1-messages, -bytes, len(answer))
	c.out.put(answer)
}

// acceptBatch handles a line with a list of messages: the answers are a list, too.
func (c *connection) acceptBatch(ctx context.Context, line []byte) {
	var all []json.RawMessage
	refuse := func(code int, text string) { c.send(encode(refusal(nil, code, text))) }
	switch {
	case !json.Valid(line):
		refuse(mcpgo.PARSE_ERROR, "Parse error")
		return
	case c.session.ProtocolVersion() != batchVersion:
		refuse(mcpgo.INVALID_REQUEST, "a list of messages is part of protocol version "+batchVersion+" alone")
		return
	}
	_ = json.Unmarshal(line, &all) // it is valid, and a list
	if len(all) == 0 || len(all) > maxBatch {
		refuse(mcpgo.INVALID_REQUEST, fmt.Sprintf("a list has 1 to %d messages, and this one has %d; nothing was changed", maxBatch, len(all)))
		return
	}
	c.flow.add(len(all), len(line), 0)
	b := batch{answers: make([][]byte, len(all)), left: len(all)}
	for i, raw := range all {
		c.dispatch(ctx, raw, func(answer []byte) {
			if joined, last := b.add(i, answer); last {
				c.answer(len(all), len(line), joined)
			}
		})
	}
}

// batch collects the answers to a list of messages.
type batch struct {
	mu      sync.Mutex
	answers [][]byte
	left    int
}

// add notes an answer, nil for none. With the last one it returns the list of all,
// nil when it is empty.
func (b *batch) add(i int, answer []byte) (joined []byte, last bool) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.answers[i] = answer
	if b.left--; b.left > 0 {
		return nil, false
	}
	for _, a := range b.answers {
		switch {
		case a == nil:
			continue
		case joined == nil:
			joined = append(joined, '[')
		default:
			joined = append(joined, ',')
		}
		joined = append(joined, a...)
	}
	if joined != nil {
		joined = append(joined, ']')
	}
	return joined, true
}

// dispatch sees to it that a message is handled: calls of tools in their lane,
// what never ends by itself beside everything else, and the rest here and now.
func (c *connection) dispatch(ctx context.Context, raw json.RawMessage, reply func([]byte)) {
	m := parseMessage(raw)
	switch {
	case m.answer:
		reply(nil)
	case m.method == methodCancelled && m.id == nil:
		c.cancel(m.about)
		reply(nil)
	case m.id != nil && !isID(m.id):
		reply(encode(refusal(nil, mcpgo.INVALID_REQUEST, "an id is a text or a number")))
	case m.id != nil && m.method == string(mcpgo.MethodToolsCall) && c.waits[m.tool]:
		c.writes <- c.cancelable(api.WithArrival(ctx, time.Now()), m, reply, false)
	case m.id != nil && m.method == string(mcpgo.MethodToolsCall):
		c.reads <- call{m, ctx, reply}
	case m.id != nil && m.method == string(mcpgo.MethodSubscriptionsListen):
		listener := c.cancelable(ctx, m, reply, true)
		go func() { listener.reply(c.handle(listener)) }()
	default:
		reply(c.handle(call{m, ctx, reply}))
	}
}

// cancelable makes a call that the client may cancel.
func (c *connection) cancelable(ctx context.Context, m message, reply func([]byte), listens bool) call {
	ctx, cancel := context.WithCancel(ctx)
	key := string(m.id)
	c.mu.Lock()
	c.cancels[key] = cancelable{cancel, listens}
	c.mu.Unlock()
	return call{m, ctx, func(answer []byte) {
		cancel()
		c.mu.Lock()
		delete(c.cancels, key)
		c.mu.Unlock()
		reply(answer)
	}}
}

// cancel ends a request: one that listens, or one that waits for its turn. What
// has begun is finished.
func (c *connection) cancel(id json.RawMessage) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if request, ok := c.cancels[string(id)]; ok {
		request.cancel()
	}
}

// endListening ends the requests that nothing else would end.
func (c *connection) endListening() {
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, request := range c.cancels {
		if request.listens {
			request.cancel()
		}
	}
}

// work handles calls one after the other. When ctx ends, what has not begun is
// dropped.
func (c *connection) work(ctx context.Context, calls <-chan call) {
	for {
		select {
		case next := <-calls:
			if c.awaitTurn(next.ctx); next.ctx.Err() != nil {
				next.reply(nil)
				continue
			}
			next.reply(c.handle(next))
			continue
		case <-ctx.Done():
		}
		for {
			select {
			case next := <-calls:
				next.reply(nil)
			default:
				return
			}
		}
	}
}

// awaitTurn waits while the client does not read what it has asked for.
func (c *connection) awaitTurn(ctx context.Context) {
	for {
		ready, changed := c.flow.mayCall()
		if ready {
			return
		}
		select {
		case <-changed:
		case <-ctx.Done():
			return
		}
	}
}

// handle answers a message, nil for one that has no answer.
func (c *connection) handle(m call) (answer []byte) {
	defer func() {
		if v := recover(); v != nil {
			c.faults.Printf("%s: internal error: panic: %v", m.method, v)
			if answer = nil; m.id != nil {
				answer = encode(refusal(m.id, mcpgo.INTERNAL_ERROR, fmt.Sprintf("internal error: panic: %v", v)))
			}
		}
	}()
	response := c.server.HandleMessage(c.server.WithContext(m.ctx, c.session), m.raw)
	if response == nil {
		return nil
	}
	return encode(withID(response, m.id))
}
