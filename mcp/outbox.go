package mcp

import (
	"io"
	"sync"
	"time"
)

// piece bounds the bytes of a single write, so that a slow client can be told from one
// that does not read.
const piece = 64 << 10

// outbox writes messages in order, one per line.
type outbox struct {
	out    io.Writer
	flow   *flow
	broken chan struct{} // closed when a write has failed

	mu    sync.Mutex
	queue [][]byte
	ready chan struct{} // has a value when the queue may not be empty
	since time.Time     // when the current write began; zero: none
}

// put queues a message, which flow already counts as unsent.
func (o *outbox) put(data []byte) {
	o.mu.Lock()
	o.queue = append(o.queue, data)
	o.mu.Unlock()
	select {
	case o.ready <- struct{}{}:
	default:
	}
}

// write writes the queued messages until done is closed or a write fails.
func (o *outbox) write(done <-chan struct{}) {
	for {
		select {
		case <-o.ready:
		case <-done:
			return
		}
		for data := o.take(); data != nil; data = o.take() {
			if o.writeAll(append(data, '\n')) != nil {
				close(o.broken)
				return
			}
			o.flow.add(-1, 0, -len(data))
		}
	}
}

func (o *outbox) take() []byte {
	o.mu.Lock()
	defer o.mu.Unlock()
	if len(o.queue) == 0 {
		return nil
	}
	data := o.queue[0]
	o.queue[0] = nil
	o.queue = o.queue[1:]
	return data
}

func (o *outbox) writeAll(data []byte) error {
	for len(data) > 0 {
		o.mark(time.Now())
		n, err := o.out.Write(data[:min(len(data), piece)])
		o.mark(time.Time{})
		if err != nil {
			return err
		}
		data = data[n:]
	}
	return nil
}

func (o *outbox) mark(since time.Time) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.since = since
}

// stalled reports whether the current write has made no progress for d.
func (o *outbox) stalled(d time.Duration) bool {
	o.mu.Lock()
	defer o.mu.Unlock()
	return !o.since.IsZero() && time.Since(o.since) >= d
}
