package store

import (
	"encoding/json"
	"maps"
	"os"

	"ltm/internal/fs/atomicfile"
	"ltm/internal/fs/regular"
	"ltm/memory"
)

// The predecessor of this program keeps stats.json and state.json beside the memories. The first change takes their
// counters and settings over, but not the sessions, which name files of another machine. The old files stay, since the
// predecessor may still be in use.

// doubtful reports whether an error means that a file cannot be understood. Such a file in the work tree is ignored: a
// repository can bring it, and must not be able to block every change.
func doubtful(err error) bool {
	code := memory.CodeOf(err)
	return code == memory.CodeUnreadable || code == memory.CodeConflict
}

// own returns the directory of this clone's stats and state. As long as the clone has no state, that is the work
// tree's: LocalFolder, from before the project became a repository, or else the predecessor's files.
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

// openLocal opens LocalFolder if it is from before the project became a repository, and
// reports whether it has counters. Only those and the settings are read there: a
// repository can bring such a directory, so its trust record is ignored.
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

// counters returns the part of a state in the work tree that is taken over.
func (s *State) counters() *State {
	config := maps.Clone(s.Config)
	maps.DeleteFunc(config, func(_ string, raw json.RawMessage) bool { return !json.Valid(raw) })
	taken := &State{LastEviction: s.LastEviction, Config: config}
	taken.SessionCount, taken.CompactionCount = max(0, s.SessionCount), max(0, s.CompactionCount)
	return taken.complete()
}

// takeOver writes the counters of the work tree into the clone's directory. The state
// comes last: while it is missing, the next change starts over.
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

// TookOver reports whether this change took over the counters of the work tree.
func (tx *Tx) TookOver() bool { return tx.tookOver }
