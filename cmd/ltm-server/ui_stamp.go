package main

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"hash"
	"os"
	"path/filepath"
	"sync"
	"time"

	"ltm/engine/locate"
)

// closeLook is how often each file of a store is looked at, and each that a memory refers to. In between, only
// directories are: a file that is replaced changes its directory, but an editor may write into a file.
const closeLook = 5 * time.Second

// stampAll returns a function whose value differs after a change of what is stored, of the commit or branch of a work
// tree, or of what is stale. The first two are looked at at once, and must be fast.
func stampAll(stores, head func() string, stale func() (uint64, error)) func() string {
	w := &staleWatch{look: stale}
	return func() string { return fmt.Sprint(stores(), "\n", head(), "\n", w.stamp()) }
}

// staleWatch follows what is stale. It looks while others go on, as that may take longer than a page should.
type staleWatch struct {
	look func() (uint64, error)

	mu      sync.Mutex
	looking bool
	next    time.Time
	sum     uint64 // as of the last look; 0: nothing is stale
}

// stamp returns what is known, and begins a look if it is time for one.
func (w *staleWatch) stamp() uint64 {
	w.mu.Lock()
	defer w.mu.Unlock()
	now := time.Now()
	if w.next.IsZero() { // the page that is about to be made looks itself
		w.next = now.Add(closeLook)
	}
	if !w.looking && !now.Before(w.next) {
		w.looking, w.next = true, now.Add(closeLook)
		go w.update()
	}
	return w.sum
}

func (w *staleWatch) update() {
	sum, err := w.look()
	w.mu.Lock()
	defer w.mu.Unlock()
	w.looking = false
	if err == nil {
		w.sum = sum
	}
}

// stampStores returns a function whose value differs after a change of one of the stores. It reads no file, and looks
// at each memory's file only once in a while.
func stampStores(every time.Duration, places ...locate.Place) func() string {
	var mu sync.Mutex
	var files string
	var at time.Time
	return func() string {
		mu.Lock()
		defer mu.Unlock()
		sum := sha256.New()
		for _, p := range places {
			if p.Store == "" {
				continue
			}
			for _, name := range []string{"memories", "archives", "packets", "packets/notes", "packets/done",
				"config.json"} {
				addStamp(sum, filepath.Join(p.Store, name))
			}
			for _, name := range []string{"stats.json", "state.json", "trust", "log.jsonl", "candidates.json", "drafts",
				"drafts/done"} {
				addStamp(sum, filepath.Join(p.Clone, name))
			}
		}
		if now := time.Now(); at.IsZero() || now.Sub(at) >= every {
			files, at = closeStamp(places), now
		}
		return hex.EncodeToString(sum.Sum(nil)) + files
	}
}

// addStamp adds what the system says of a file or directory. One that is not there adds its absence.
func addStamp(sum hash.Hash, path string) {
	if info, err := os.Stat(path); err == nil {
		fmt.Fprintf(sum, "%d %d\n", info.Size(), info.ModTime().UnixNano())
	} else {
		fmt.Fprintln(sum, "-")
	}
}

// closeStamp is made of every file of the memories.
func closeStamp(places []locate.Place) string {
	sum := sha256.New()
	for _, p := range places {
		if p.Store == "" {
			continue
		}
		entries, _ := os.ReadDir(filepath.Join(p.Store, "memories")) // without one, there is nothing to see
		for _, e := range entries {
			if info, err := e.Info(); err == nil {
				fmt.Fprintf(sum, "%s %d %d\n", e.Name(), info.Size(), info.ModTime().UnixNano())
			}
		}
	}
	return hex.EncodeToString(sum.Sum(nil))
}
