package store

import (
	"bytes"
	"encoding/json"
	"os"
	"slices"

	"ltm/internal/fs/atomicfile"
	"ltm/internal/fs/regular"
	"ltm/memory"
)

const (
	// logFile has one event per line.
	logFile = "log.jsonl"

	// maxLogBytes is the size limit of the log: a longer one loses its older half.
	maxLogBytes = 256 << 10
)

// Log adds an event to the log. It is written when the change is complete, best effort: nothing depends on it.
func (tx *Tx) Log(e memory.Event) { tx.events = append(tx.events, e) }

// Log returns up to limit events of the memory of that id, or of all if it is empty, the newest first. It skips lines
// that cannot be read.
func (v *View) Log(of memory.ID, limit int) ([]memory.Event, error) {
	events := []memory.Event{}
	if v.clone == nil {
		return events, nil
	}
	data, _, err := regular.Tail(v.clone, logFile, 2*maxLogBytes)
	if err != nil {
		return events, storageError(err, "read", logFile)
	}
	for _, line := range slices.Backward(bytes.Split(data, []byte("\n"))) {
		if len(events) >= limit {
			break
		}
		var e memory.Event
		if json.Unmarshal(line, &e) == nil && e.Action != "" && (of == "" || e.ID == of) {
			events = append(events, e)
		}
	}
	return events, nil
}

// writeLog appends the events of this change.
func (tx *Tx) writeLog() {
	if len(tx.events) == 0 {
		return
	}
	var lines bytes.Buffer
	e := json.NewEncoder(&lines)
	e.SetEscapeHTML(false)
	for _, event := range tx.events {
		_ = e.Encode(event) // encoding plain values never fails
	}
	if size, err := regular.AppendLines(tx.clone, logFile, lines.Bytes()); err == nil && size > maxLogBytes {
		_ = trimLog(tx.clone)
	}
}

// trimLog keeps the newest half of the log.
func trimLog(root *os.Root) error {
	newest, whole, err := regular.Tail(root, logFile, maxLogBytes/2)
	if err != nil {
		return err
	}
	if i := bytes.IndexByte(newest, '\n'); i >= 0 && !whole {
		newest = newest[i+1:]
	}
	return atomicfile.ReplaceFast(root, logFile, newest)
}
