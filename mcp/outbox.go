package mcp

import (
	"context"
	"io"
	"sync/atomic"
	"time"

	"golang.org/x/sync/semaphore"
)

// piece bounds the bytes of a single write, so that a slow client can be told from one that does not read.
const piece = 64 << 10

// maxUnsent bounds the bytes of the messages that are not written. A longer message is alone.
const maxUnsent = 8 << 20

// outbox writes messages in order, one per line. It holds maxOpen of them, of maxUnsent bytes: then a client that does
// not read its answers has to wait.
type outbox struct {
	out    io.Writer
	queue  chan []byte
	room   *semaphore.Weighted // in bytes
	over   context.Context     // done when nothing is written any more
	end    context.CancelFunc
	broken chan struct{} // closed when a write has failed
	stuck  chan struct{} // has a value when a write has made no progress for a while

	open  atomic.Int64              // messages without an answer, or whose answer is not written
	quiet chan struct{}             // has a value when open has become 0
	since atomic.Pointer[time.Time] // when the current write began; nil: none
}

func newOutbox(out io.Writer) *outbox {
	over, end := context.WithCancel(context.Background())
	return &outbox{out: out, queue: make(chan []byte, maxOpen), room: semaphore.NewWeighted(maxUnsent), over: over,
		end: end, broken: make(chan struct{}), stuck: make(chan struct{}, 1), quiet: make(chan struct{}, 1)}
}

// size is what a message takes of the room.
func size(data []byte) int64 { return int64(min(len(data), maxUnsent)) }

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
	if o.room.Acquire(o.over, size(data)) != nil {
		return
	}
	select {
	case o.queue <- data:
	case <-o.over.Done():
	}
}

// write writes the queued messages until it is over or a write fails.
func (o *outbox) write() {
	for {
		select {
		case data := <-o.queue:
			if o.writeAll(append(data, '\n')) != nil {
				close(o.broken)
				return
			}
			o.room.Release(size(data))
			o.add(-1)
		case <-o.over.Done():
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
