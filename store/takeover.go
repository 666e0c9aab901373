package store

import (
	"encoding/json"
	"maps"
	"os"

	"ltm/internal/atomicfile"
	"ltm/internal/regular"
	"ltm/memory"
)

// The predecessor of this program kept stats.json and state.json beside the
// memories. They are taken over at the first change: counters and settings, not
// the sessions, which name files of the machine they were written on. The old
// files stay where they are, for the predecessor may still be in use.

// doubtful reports whether an error tells that a file cannot be understood. Such a
// file in the work tree counts for nothing: a repository can bring it, and must not be
// able to stop anyone.
func doubtful(err error) bool {
	code := memory.CodeOf(err)
	return code == memory.CodeUnreadable || code == memory.CodeConflict
}

// own returns the directory of this clone's stats and state. As long as the clone
// has no state, those that are in the work tree count: of the time before the project
// became a repository, or the predecessor's.
func (v *View) own() (root *os.Root, older bool) {
	if v.ownRoot == nil && v.root != nil {
		v.ownRoot, v.ownOlder = v.clone, false
		switch {
		case hasFile(v.clone, stateFile):
		case v.openLocal():
			v.ownRoot, v.ownOlder = v.local, true
		case hasFile(v.root, stateFile) || hasFile(v.root, statsFile):
			v.ownRoot, v.ownOlder = v.root, true
		}
	}
	return v.ownRoot, v.ownOlder
}

func hasFile(root *os.Root, name string) bool {
	if root == nil {
		return false
	}
	_, err := root.Lstat(name)
	return err == nil
}

// openLocal opens the directory in which the store kept what belongs to this machine
// before the project became a repository. It reports false where there is none, and
// where it is still in use. Only counters and settings are read there: a repository
// can bring such a directory, so its trust record counts for nothing.
func (v *View) openLocal() bool {
	if v.store.places.Local || v.root == nil {
		return false
	}
	if v.local == nil {
		local, err := regular.OpenDir(v.root, LocalFolder)
		if err != nil {
			return false
		}
		v.local = local
	}
	return hasFile(v.local, stateFile) || hasFile(v.local, statsFile)
}

// counters returns what is taken over of a state in the work tree.
func (s *State) counters() *State {
	config := maps.Clone(s.Config)
	maps.DeleteFunc(config, func(_ string, raw json.RawMessage) bool { return !json.Valid(raw) })
	return (&State{SessionCount: max(0, s.SessionCount), CompactionCount: max(0, s.CompactionCount), LastEviction: s.LastEviction, Config: config}).complete()
}

// takeOver writes the counters in the work tree into the clone's directory. The state
// comes last: while it is missing, all of this is done again.
func (tx *Tx) takeOver() error {
	if _, older := tx.own(); !older {
		return nil
	}
	stats, err := tx.readStats()
	if err != nil {
		return err
	}
	state, err := tx.readState()
	if err != nil {
		return err
	}
	tx.ownRoot, tx.ownOlder = tx.clone, false
	data, err := encodeStats(stats)
	if err != nil {
		return err
	}
	if !hasFile(tx.clone, statsFile) {
		if err := atomicfile.ReplaceFast(tx.clone, statsFile, data); err != nil {
			return storageError(err, "write", statsFile)
		}
	}
	if data, err = encodeJSON(state); err != nil {
		return err
	}
	tx.tookOver = true
	return storageError(atomicfile.ReplaceFast(tx.clone, stateFile, data), "write", stateFile)
}

// TookOver reports whether this change began with taking over the counters in the
// work tree.
func (tx *Tx) TookOver() bool { return tx.tookOver }
