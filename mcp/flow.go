package mcp

import "sync"

const (
	// maxHeld and maxAsked bound the messages that are held, and the bytes of those
	// that are not answered, beyond which nothing is read.
	maxHeld  = 1000
	maxAsked = 32 << 20

	// maxUnsent bounds the bytes of answers beyond which no call begins.
	maxUnsent = 8 << 20
)

// flow counts what is held for the client, so that one that does not read what it
// asks for is asked to wait.
type flow struct {
	mu      sync.Mutex
	changed chan struct{} // closed at the next change
	held    int           // messages that are not answered, or whose answers are not written
	asked   int           // bytes of the first
	unsent  int           // bytes of the second
}

func newFlow() *flow { return &flow{changed: make(chan struct{})} }

// add changes the counts, and wakes who waits.
func (f *flow) add(held, asked, unsent int) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.held += held
	f.asked += asked
	f.unsent += unsent
	close(f.changed)
	f.changed = make(chan struct{})
}

// Each of these answers a question, and returns what is closed when the answer may
// be another.

// mayRead: there is room for another line.
func (f *flow) mayRead() (bool, <-chan struct{}) {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.held < maxHeld && f.asked <= maxAsked && f.unsent <= maxUnsent, f.changed
}

// mayCall: another call may begin.
func (f *flow) mayCall() (bool, <-chan struct{}) {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.unsent <= maxUnsent, f.changed
}

// quiet: everything is answered and written.
func (f *flow) quiet() (bool, <-chan struct{}) {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.held == 0, f.changed
}
