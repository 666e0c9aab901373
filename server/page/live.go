package page

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"sync"
	"time"

	"ltm/memory"
	"ltm/text/safe"
)

const (
	// eventsPath is the address of the stream of changes.
	eventsPath = "/events"

	// maxStreams bounds the streams that are open at once. A browser has one, however many tabs it has.
	maxStreams = 16

	lookEvery = time.Second      // how often a stream looks for changes
	beatEvery = 15 * time.Second // how often it says that it is alive
	sendLimit = 10 * time.Second // how long a visitor may take to read what is sent
)

// news is what a stream sends of a change.
type news struct {
	Version int    `json:"version"`
	What    string `json:"what,omitempty"` // what was changed by whom, as far as a log says so
	Address string `json:"address,omitempty"`
}

// live counts the changes of the stores. Without streams and pages, nothing looks at them.
type live struct {
	look func() string // see [Options.Stamp]
	done chan struct{} // closed once streams are to end
	end  func()

	mu      sync.Mutex
	version int
	stamp   string
	streams int
}

func newLive(look func() string) *live {
	l := &live{look: look, done: make(chan struct{})}
	l.end = sync.OnceFunc(func() { close(l.done) })
	return l
}

// now returns the version of what is stored: a number that grows with every change that is noticed.
func (l *live) now() int {
	l.mu.Lock()
	defer l.mu.Unlock()
	stamp := l.look()
	switch {
	case l.version == 0:
		// after those of an earlier run, which tabs may remember
		l.version, l.stamp = int(time.Now().UnixMilli()), stamp
	case stamp != l.stamp:
		l.version, l.stamp = l.version+1, stamp
	}
	return l.version
}

// versionKey is where the context of a request has the version of before its answer was made.
type versionKey struct{}

// versioned notes the version before a page is made of what is stored, so that no later change is missed.
func (l *live) versioned(r *http.Request) *http.Request {
	return r.WithContext(context.WithValue(r.Context(), versionKey{}, l.now()))
}

// open reports whether one more stream may be open. The caller closes it.
func (l *live) open() bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.streams >= maxStreams {
		return false
	}
	l.streams++
	return true
}

func (l *live) close() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.streams--
}

// EndStreams ends all streams of changes, and those to come, so that a server can end.
func (s *Site) EndStreams() { s.live.end() }

// events sends the version of what is stored, at once and after every change, until the visitor leaves.
func (s *Site) events(w http.ResponseWriter, r *http.Request) {
	if !s.live.open() {
		w.Header().Set("Retry-After", "5")
		http.Error(w, "too many streams are open", http.StatusServiceUnavailable)
		return
	}
	defer s.live.close()
	w.Header().Set("Content-Type", "text/event-stream")
	if r.Method == http.MethodHead {
		return
	}
	out := stream{http.NewResponseController(w), w}
	look, beat := time.NewTicker(lookEvery), time.NewTicker(beatEvery)
	defer look.Stop()
	defer beat.Stop()
	sent, event, waited := s.live.now(), s.newestEvent(r.Context()), false
	err := out.send(news{Version: sent})
	for err == nil {
		select {
		case <-r.Context().Done():
			return
		case <-s.live.done:
			return
		case <-beat.C:
			err = out.write("event: beat\ndata:\n\n")
		case <-look.C:
			version := s.live.now()
			if version == sent {
				continue
			}
			newest := s.newestEvent(r.Context())
			if isSame(newest, event) && !waited { // the log is written after the files
				waited = true
				continue
			}
			err = out.send(newsOf(version, event, newest))
			sent, event, waited = version, newest, false
		}
	}
}

// newestEvent returns the newest event in the logs of the stores; none has no time.
func (s *Site) newestEvent(ctx context.Context) (newest memory.Event) {
	for _, scope := range s.scopes() {
		k, err := s.options.Keeper(scope)
		if err != nil {
			continue
		}
		history, err := k.History(ctx, "", 1)
		if err == nil && len(history.Events) > 0 && history.Events[0].Time.After(newest.Time) {
			newest = history.Events[0]
		}
	}
	return newest
}

// isSame reports whether two events of the logs are one. Times are whole seconds there, so that several can share one.
func isSame(a, b memory.Event) bool {
	return a.Time.Equal(b.Time) && a.Action == b.Action && a.ID == b.ID && a.Packet == b.Packet
}

// newsOf describes a change by the event that is newest after it, and the one before. They are the same if the change
// is in no log, as is one by git.
func newsOf(version int, before, after memory.Event) news {
	c := news{Version: version}
	if isSame(after, before) {
		return c
	}
	c.What = safe.Line(after.Action)
	if after.Topic != "" {
		c.What += ": " + safe.ClipLine(after.Topic, 80)
	}
	if after.Session != 0 {
		c.What += fmt.Sprintf(", in session %d", after.Session)
	}
	if after.ID != "" {
		c.Address = "memory/" + string(after.ID)
	}
	return c
}

// stream writes events to a visitor that may be slow.
type stream struct {
	control *http.ResponseController
	out     http.ResponseWriter
}

func (o stream) send(c news) error {
	data, err := json.Marshal(c)
	if err != nil {
		return err
	}
	return o.write("data: " + string(data) + "\n\n")
}

func (o stream) write(text string) error {
	_ = o.control.SetWriteDeadline(time.Now().Add(sendLimit)) // not every server has one
	if _, err := o.out.Write([]byte(text)); err != nil {
		return err
	}
	return o.control.Flush()
}
