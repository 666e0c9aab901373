package store

import (
	"errors"
	"fmt"
	"io/fs"
	"os"

	"ltm/internal/fs/atomicfile"
	"ltm/internal/fs/busyfile"
	"ltm/internal/fs/regular"
	"ltm/memory"
)

// Stats returns the use of memories as this change has set it, or as it is in the file.
func (tx *Tx) Stats() (Stats, error) {
	if tx.newStats != nil {
		return tx.newStats, nil
	}
	return tx.View.Stats()
}

// SetStats writes the use of memories when the change is complete. The Tx and its View return it from now on.
func (tx *Tx) SetStats(stats Stats) {
	_, _ = tx.View.Stats() // the file must have been read before its value is replaced
	tx.stats.value, tx.newStats = stats, stats
}

// State returns the state as this change has set it, or as it is in the file.
func (tx *Tx) State() (*State, error) {
	if tx.newState != nil {
		return tx.newState, nil
	}
	return tx.View.State()
}

// SetState writes the state when the change is complete. The Tx and its View return it from now on.
func (tx *Tx) SetState(state *State) {
	_, _ = tx.View.State()
	tx.state.value, tx.newState = state, state
}

func (tx *Tx) commit() error {
	if tx.newStats != nil {
		data, err := encodeStats(tx.newStats)
		if err == nil {
			err = tx.replaceOwn(statsFile, data, tx.stats.sound())
		}
		if err != nil {
			return tx.standing(err)
		}
	}
	if tx.newState != nil {
		data, err := encodeJSON(tx.newState)
		if err == nil {
			err = tx.replaceOwn(stateFile, data, tx.state.sound())
		}
		return tx.standing(err)
	}
	return nil
}

// standing changes the hint of an error that came after memories were written: repeating
// the change would store a memory twice.
func (tx *Tx) standing(err error) error {
	var known *memory.Error
	if !tx.Changed() || !errors.As(err, &known) || known.Code != memory.CodeStorage {
		return err
	}
	return &memory.Error{Code: known.Code, Kind: memory.KindCountersFailed, Subject: known.Subject,
		Message: known.Message, Err: known.Err}
}

// replaceOwn replaces one of the clone's own files. It refuses to replace a file of a
// newer version, and keeps a damaged one under another name.
func (tx *Tx) replaceOwn(name string, data []byte, sound bool) error {
	if !sound {
		if err := tx.renameDamaged(name); err != nil {
			return err
		}
	}
	return storageError(atomicfile.ReplaceFast(tx.clone, name, data), "write", name)
}

func (tx *Tx) renameDamaged(name string) error {
	rename := func() error {
		return storageError(busyfile.Rename(tx.clone, name, damagedCopy(tx.clone, name)), "rename", name)
	}
	old, err := regular.Read(tx.clone, name, maxJSONBytes)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil
	case notOurs(err):
		return rename()
	case err != nil:
		return storageError(err, "read", name)
	}
	var v struct {
		Version int `json:"version"`
	}
	err = decodeVersioned(name, old, &v, &v.Version)
	switch {
	case err != nil:
	case name == stateFile:
		_, err = decodeState(old)
	case name == candidatesFile:
		_, err = decodeCandidates(old)
	default:
		_, err = decodeStats(old)
	}
	if err == nil || memory.CodeOf(err) == memory.CodeConflict {
		return err
	}
	return rename()
}

// damagedCopy returns an unused name for a damaged file. Earlier ones stay, since they can contain a person's settings.
func damagedCopy(root *os.Root, name string) string {
	base := name + damagedSuffix
	free := base
	for i := 2; ; i++ {
		if _, err := root.Lstat(free); err != nil {
			return free
		}
		free = fmt.Sprintf("%s.%d", base, i)
	}
}
