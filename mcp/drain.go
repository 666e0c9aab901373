package mcp

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"sync"
	"time"
)

// drainWait bounds how long the end of the input waits for answers.
const drainWait = 10 * time.Second

// drain keeps the end of the input from the server until every request that was
// read has been answered: mcp-go drops the calls that are still in its queue
// then.
type drain struct {
	in  *bufio.Reader
	out io.Writer

	mu      sync.Mutex
	pending map[string]int // requests by id, see idKey
	done    chan struct{}  // closed when the input has ended and nothing is pending
	ended   bool
	line    []byte // what Read has not handed on yet
}

func newDrain(in io.Reader, out io.Writer) *drain {
	return &drain{in: bufio.NewReader(in), out: out, pending: map[string]int{}, done: make(chan struct{})}
}

// Read hands on the input line by line. A last line without its end gets one:
// mcp-go drops it otherwise.
func (d *drain) Read(b []byte) (int, error) {
	if len(d.line) == 0 {
		line, err := d.in.ReadBytes('\n')
		if len(line) == 0 && err != nil {
			d.wait()
			return 0, err
		}
		if err != nil {
			line = append(line, '\n')
		}
		d.note(line, +1)
		d.line = line
	}
	n := copy(b, d.line)
	d.line = d.line[n:]
	return n, nil
}

// Write passes one message on; the server writes each with one call.
func (d *drain) Write(b []byte) (int, error) {
	n, err := d.out.Write(b)
	d.note(b, -1)
	return n, err
}

// note counts a request that was read, or an answer that was written.
func (d *drain) note(line []byte, by int) {
	var m struct {
		ID     any             `json:"id"`
		Method string          `json:"method"`
		Result json.RawMessage `json:"result"`
	}
	if json.Unmarshal(line, &m) != nil || m.ID == nil || (m.Method != "") != (by > 0) {
		return
	}
	if by > 0 && len(m.Result) > 0 && string(m.Result) != "null" {
		return // mcp-go takes it for an answer, and is silent
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	key := idKey(m.ID)
	if d.pending[key] += by; d.pending[key] <= 0 {
		delete(d.pending, key)
	}
	if d.ended && len(d.pending) == 0 {
		d.ended = false
		close(d.done)
	}
}

// idKey is the same for a request's id and for its answer's, which mcp-go may
// write in another way: 1.0 as 1, "\u0061" as "a", large numbers rounded.
func idKey(id any) string { return fmt.Sprintf("%T %v", id, id) }

// wait returns when every request is answered, or after drainWait.
func (d *drain) wait() {
	d.mu.Lock()
	if len(d.pending) == 0 {
		d.mu.Unlock()
		return
	}
	d.ended = true
	d.mu.Unlock()
	timer := time.NewTimer(drainWait)
	defer timer.Stop()
	select {
	case <-d.done:
	case <-timer.C:
	}
}
