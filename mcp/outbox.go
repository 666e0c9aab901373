package mcp

import (
	"io"
	"sync/atomic"
	"time"
)

// piece bounds the bytes of a single write, so that a slow client can be told from one
// that does not read.
const piece = 64 << 10

// outbox writes messages in order, one per line. It holds maxOpen of them: then a client that does not read its answers
// has to wait.
type outbox struct {
	out    io.Writer
	queue  chan []byte
	over   chan struct{} // closed when nothing is written any more
	broken chan struct{} // closed when a write has failed
	stuck  chan struct{} // has a value when a write has made no progress for a while

	open  atomic.Int64              // messages without an answer, or whose answer is not written
	quiet chan struct{}             // has a value when open has become 0
	since atomic.Pointer[time.Time] // when the current write began; nil: none
}

func newOutbox(out io.Writer) *outbox {
	return &outbox{out: out, queue: make(chan []byte, maxOpen), over: make(chan struct{}), broken: make(chan struct{}),
		stuck: make(chan struct{}, 1), quiet: make(chan struct{}, 1)}
}

// add changes how many messages are open.
func (o *outbox) add(n int) {
	if o.open.Add(int64(n)) == 0 {
		signal(o.quiet)
	}
}

// signal leaves a value in a channel with room for one.
func signal(c chan struct{}) {
	select {
	case c <- struct{}{}:
	default:
	}
}

// put queues a message, which counts as open already, and waits while there is no room for it.
func (o *outbox) put(data []byte) {
	select {
	case o.queue <- data:
	case <-o.over:
	}
}

// write writes the queued messages until over is closed or a write fails.
func (o *outbox) write() {
	for {
		select {
		case data := <-o.queue:
			if o.writeAll(append(data, '\n')) != nil {
				close(o.broken)
				return
			}
			o.add(-1)
		case <-o.over:
			return
		}
	}
}

func (o *outbox) writeAll(data []byte) error {
	for len(data) > 0 {
		now := time.Now()
		o.since.Store(&now)
		timer := time.AfterFunc(stall, func() { signal(o.stuck) })
		n, err := o.out.Write(data[:min(len(data), piece)])
		timer.Stop()
		o.since.Store(nil)
		if err != nil {
			return err
		}
		data = data[n:]
	}
	return nil
}

// stalled reports whether the current write has made no progress for a while.
func (o *outbox) stalled() bool {
	since := o.since.Load()
	return since != nil && time.Since(*since) >= stall
}
