package mcp

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"log"
	"slices"
	"sync"
	"time"

	mcpgo "github.com/mark3labs/mcp-go/mcp"
	"github.com/mark3labs/mcp-go/server"
	"golang.org/x/sync/semaphore"

	"ltm/internal/fs/longline"
	"ltm/memory/advice"
	"ltm/memory/api"
)

const (
	// MaxLine bounds the bytes of a line from the client. A longer one is never held in memory.
	MaxLine = 16 << 20

	// readers is how many calls run at once that do not wait for the store. Calls that
	// wait for it run one at a time, in order of arrival.
	readers = 8

	// maxOpen is how many messages may wait, for the workers of a kind and to be written each.
	maxOpen = 500

	// maxAsked bounds the bytes of the messages without an answer: nothing more is read while they have as many.
	maxAsked = 32 << 20

	// hangUpCheck is how often Serve checks whether a client that reads nothing has hung up.
	hangUpCheck = 100 * time.Millisecond
)

// connection serves one client.
type connection struct {
	server  *server.MCPServer
	session *session
	waits   map[string]bool // the tools that wait for the store
	faults  *log.Logger
	out     *outbox
	asked   *semaphore.Weighted // of bytes

	reads, writes chan call
	subscriptions chan call // their beginnings and ends, in order of arrival
	wrote         func()    // called after each write

	mu      sync.Mutex
	cancels map[string]cancelable // requests that the client may cancel, by id
}

// cancelable is a call that has not begun, or a listener, which only ends by being canceled.
type cancelable struct {
	cancel  context.CancelFunc
	listens bool
}

// call is a message to be handled.
type call struct {
	message
	ctx   context.Context
	reply func(answer []byte) // called once; a nil answer is not sent
}

func newConnection(s *server.MCPServer, client *session, waits map[string]bool, out io.Writer,
	faults *log.Logger) *connection {
	return &connection{server: s, session: client, waits: waits, faults: faults, out: newOutbox(out), wrote: func() {},
		asked: semaphore.NewWeighted(maxAsked), reads: make(chan call, maxOpen), writes: make(chan call, maxOpen),
		subscriptions: make(chan call, maxOpen), cancels: map[string]cancelable{}}
}

// start starts the workers that handle what read accepts, until ctx is done.
func (c *connection) start(ctx context.Context) {
	for range readers {
		go c.work(ctx, c.reads, func() {})
	}
	go c.work(ctx, c.writes, c.wrote)
	go c.work(ctx, c.subscriptions, func() {})
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

// send queues a message that does not count as open yet.
func (c *connection) send(data []byte) {
	c.out.add(1)
	c.out.put(data)
}

// read accepts messages until the input ends.
func (c *connection) read(ctx context.Context, in io.Reader) error {
	l := longline.NewReader(in, MaxLine)
	for ctx.Err() == nil {
		read, err := l.Next()
		line := read.Text
		switch {
		case err != nil:
			return err
		case read.Long:
			c.send(encode(refusal(read.ID, mcpgo.INVALID_REQUEST,
				advice.Join(fmt.Sprintf("a message has at most %d bytes", MaxLine), advice.Unchanged))))
		case len(bytes.TrimSpace(line)) > 0:
			if err := c.asked.Acquire(ctx, int64(len(line))); err != nil {
				return err
			}
			if isBatch(line) {
				c.acceptBatch(ctx, line)
			} else {
				c.accept(ctx, line)
			}
		}
	}
	return ctx.Err()
}

// accept handles a line that holds one message.
func (c *connection) accept(ctx context.Context, line []byte) {
	c.out.add(1)
	c.dispatch(ctx, line, func(answer []byte) {
		c.answer(1, len(line), answer)
	})
}

// answer queues the answer, if any, to messages that came in one line of so many bytes.
func (c *connection) answer(messages, bytes int, answer []byte) {
	c.asked.Release(int64(bytes))
	if answer == nil {
		c.out.add(-messages)
		return
	}
	c.out.add(1 - messages)
	c.out.put(answer)
}

// acceptBatch handles a line that holds a batch. Its answers are sent as one list.
func (c *connection) acceptBatch(ctx context.Context, line []byte) {
	var all []json.RawMessage
	refuse := func(code int, text string) {
		c.asked.Release(int64(len(line)))
		c.send(encode(refusal(nil, code, text)))
	}
	switch {
	case !json.Valid(line):
		refuse(mcpgo.PARSE_ERROR, "Parse error")
		return
	case c.session.ProtocolVersion() != batchVersion:
		refuse(mcpgo.INVALID_REQUEST, "only protocol version "+batchVersion+" allows a list of messages")
		return
	}
	_ = json.Unmarshal(line, &all) // cannot fail: the line is a valid list
	if len(all) == 0 || len(all) > maxBatch {
		refuse(mcpgo.INVALID_REQUEST,
			advice.Join(fmt.Sprintf("a list has 1 to %d messages, and this one has %d", maxBatch, len(all)),
				advice.Unchanged))
		return
	}
	c.out.add(len(all))
	b := batch{answers: make([][]byte, len(all)), left: len(all)}
	for i, raw := range all {
		c.dispatch(ctx, raw, func(answer []byte) {
			if joined, last := b.add(i, answer); last {
				c.answer(len(all), len(line), joined)
			}
		})
	}
}

// batch collects the answers to a batch.
type batch struct {
	mu      sync.Mutex
	answers [][]byte
	left    int
}

// add records the answer to message i, nil for none. With the last one it returns the
// list of answers, or nil if there are none.
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

// dispatch handles a message, or has it handled: tool calls by the workers, listeners in
// a goroutine of their own, and everything else before it returns.
func (c *connection) dispatch(ctx context.Context, raw json.RawMessage, reply func([]byte)) {
	m := parseMessage(raw)
	switch {
	case m.answer:
		reply(nil)
	case m.method == methodCancelled && m.id == nil:
		c.cancel(m.about)
		reply(nil)
	case m.id != nil && !longline.IsID(m.id):
		reply(encode(refusal(nil, mcpgo.INVALID_REQUEST, "an id must be a string or a number")))
	case m.id != nil && m.method == string(mcpgo.MethodToolsCall) && c.waits[m.tool]:
		c.writes <- c.cancelable(api.WithArrival(ctx, time.Now()), m, reply, false)
	case m.id != nil && slices.Contains([]mcpgo.MCPMethod{mcpgo.MethodToolsCall, mcpgo.MethodResourcesList,
		mcpgo.MethodResourcesRead, mcpgo.MethodCompletionComplete}, mcpgo.MCPMethod(m.method)):
		c.reads <- call{m, ctx, reply}
	case m.id != nil && (m.method == string(mcpgo.MethodResourcesSubscribe) ||
		m.method == string(mcpgo.MethodResourcesUnsubscribe)):
		c.subscriptions <- call{m, ctx, reply}
	case m.id != nil && m.method == string(mcpgo.MethodSubscriptionsListen):
		listener := c.cancelable(ctx, m, reply, true)
		go func() { listener.reply(c.handle(listener)) }()
	default:
		reply(c.handle(call{m, ctx, reply}))
	}
}

// cancelable returns a call that the client may cancel.
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

// cancel ends a listener or drops a call that waits for its turn. A call that has begun is finished.
func (c *connection) cancel(id json.RawMessage) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if request, ok := c.cancels[string(id)]; ok {
		request.cancel()
	}
}

// endListening cancels the listeners, which would otherwise never end.
func (c *connection) endListening() {
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, request := range c.cancels {
		if request.listens {
			request.cancel()
		}
	}
}

// work handles calls one at a time, and calls done after each. When ctx is done it drops those that have not begun.
func (c *connection) work(ctx context.Context, calls <-chan call, done func()) {
	for {
		select {
		case next := <-calls:
			if next.ctx.Err() != nil {
				next.reply(nil)
				continue
			}
			next.reply(c.handle(next))
			done()
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

// handle returns the answer to a message, or nil if it has none.
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
