package scan

import "os"

// Watch reports whether something changed in some directories. It must not be used by two goroutines at
// once.
type Watch struct{ events *watch }

// NewWatch watches open directories, but not those in them. It returns nil where the kernel does not
// report every change.
func NewWatch(folders ...*os.Root) *Watch {
	if w := newWatch(folders...); w != nil {
		return &Watch{w}
	}
	return nil
}

// Changed reports whether files in the directories have changed since the last call. If known is
// false, more may have changed: a directory itself or one in it, or the kernel dropped events.
// Then the watch is of no more use.
func (w *Watch) Changed() (changed, known bool) { return w.events.changed() }

// Quiet reports whether nothing at all has happened in the directories or to them since the last call.
// If alive is false, the watch is of no more use.
func (w *Watch) Quiet() (quiet, alive bool) { return w.events.quiet() }

// Close ends the watch.
func (w *Watch) Close() { w.events.close() }
