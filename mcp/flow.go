package mcp

import "sync"

const (
	// Nothing is read while maxOpen messages are open, or the unanswered ones have more
	// than maxAsked bytes.
	maxOpen  = 1000
	maxAsked = 32 << 20

	// Nothing is read and no call begins while the unsent answers have more than
	// maxUnsent bytes.
	maxUnsent = 8 << 20
)

// flow counts what the server holds for the client, so that a client that does not
// read its answers has to wait.
type flow struct {
	mu      sync.Mutex
	changed chan struct{} // closed at the next change
	open    int           // messages without an answer, or whose answer is not written
	asked   int           // bytes of the messages without an answer
	unsent  int           // bytes of the answers that are not written
}

// add changes the counts and wakes the waiters.
func (f *flow) add(open, asked, unsent int) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.open += open
	f.asked += asked
	f.unsent += unsent
	close(f.changed)
	f.changed = make(chan struct{})
}

// The following methods also return a channel that is closed when their answer may have
// changed.

// mayRead reports whether there is room for another line.
func (f *flow) mayRead() (bool, <-chan struct{}) {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.open < maxOpen && f.asked <= maxAsked && f.unsent <= maxUnsent, f.changed
}

// mayCall reports whether another call may begin.
func (f *flow) mayCall() (bool, <-chan struct{}) {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.unsent <= maxUnsent, f.changed
}

// quiet reports whether everything is answered and written.
func (f *flow) quiet() (bool, <-chan struct{}) {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.open == 0, f.changed
}
