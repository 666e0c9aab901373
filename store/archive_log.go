package store

import (
	"errors"
	"io/fs"
	"slices"
	"strings"
	"time"

	"ltm/memory"
)

const (
	// archiveLogDir holds an empty file for every time that a memory was
	// archived. Its name says it all:
	//
	//	mem_1a2b3c4d.20260115T103000Z.evicted
	//
	// The archive itself says neither when nor why: whoever archives a memory
	// must write the same bytes, or branches that did it at different times, or
	// for different reasons, would be in conflict. Names never are: a merge has
	// those of both sides.
	archiveLogDir = "archive_log"

	archivalTime = "20060102T150405Z"

	// maxReason bounds the reason in a name.
	maxReason = 20
)

// Archival is when and why an archive was made.
type Archival struct {
	At     time.Time
	Reason string // a word; "" when it is not known
}

// before orders by time, then by reason: forgotten comes after evicted.
func (a Archival) before(b Archival) bool {
	return a.At.Before(b.At) || (a.At.Equal(b.At) && a.Reason < b.Reason)
}

// Archivals returns when and why the archives of a snapshot were made last. Of
// an archive without a note, as other versions left them, the reason is not
// known, and the time is that of its file in this clone.
func (v *View) Archivals(s *Snapshot) map[memory.ID]Archival {
	noted := v.noted()
	found := make(map[memory.ID]Archival, len(s.Records))
	for _, r := range s.Records {
		a, ok := noted[r.ID]
		if !ok {
			a = unnoted(r.Stamp)
		}
		found[r.ID] = a
	}
	return found
}

// Archival is [View.Archivals] of one memory; false: it has no archive.
func (v *View) Archival(id memory.ID) (Archival, bool) {
	if v.root == nil {
		return Archival{}, false
	}
	info, err := v.root.Lstat(archivesDir + "/" + id.File())
	if err != nil {
		return Archival{}, false
	}
	if a, ok := v.noted()[id]; ok {
		return a, true
	}
	return unnoted(stampOf(info)), true
}

func unnoted(s Stamp) Archival {
	return Archival{At: time.Unix(0, s.ModTime).UTC().Truncate(time.Second)}
}

// noted reads the notes. What is no note is passed over.
func (v *View) noted() map[memory.ID]Archival {
	found := map[memory.ID]Archival{}
	for _, name := range v.noteNames() {
		id, a, ok := parseNote(name)
		if known, again := found[id]; ok && (!again || known.before(a)) {
			found[id] = a
		}
	}
	return found
}

// noteNames returns at most as many as there are archives that are looked at.
func (v *View) noteNames() (names []string) {
	if v.root == nil {
		return nil
	}
	folder, err := openFolder(v.root, archiveLogDir)
	if err != nil {
		return nil
	}
	defer folder.Close()
	dir, err := folder.Open(".")
	if err != nil {
		return nil
	}
	defer dir.Close()
	_ = eachName(dir, func(name string) bool {
		names = append(names, name)
		return len(names) < MaxFiles
	})
	return names
}

func parseNote(name string) (memory.ID, Archival, bool) {
	parts := strings.Split(name, ".")
	if len(parts) != 3 || !isReason(parts[2]) {
		return "", Archival{}, false
	}
	id, ok := memory.IDFromFile(parts[0] + memory.FileExt)
	at, err := time.Parse(archivalTime, parts[1])
	return id, Archival{at, parts[2]}, ok && err == nil
}

func isReason(s string) bool {
	notLetter := func(r rune) bool { return r < 'a' || r > 'z' }
	return s != "" && len(s) <= maxReason && !strings.ContainsFunc(s, notLetter)
}

// NoteArchived notes when and why a memory was archived, when the change is
// complete and as well as it can be: nothing but listings and the age of archives depends on it.
func (tx *Tx) NoteArchived(id memory.ID, a Archival) {
	name := strings.Join([]string{string(id), a.At.UTC().Format(archivalTime), a.Reason}, ".")
	if _, _, ok := parseNote(name); ok {
		tx.notes = append(tx.notes, name)
	}
}

// writeNotes writes the notes of a change, when nothing waits for them any more.
func (tx *Tx) writeNotes() {
	if len(tx.notes) == 0 {
		return
	}
	switch err := tx.root.Mkdir(archiveLogDir, dirPerm); {
	case err == nil:
		_ = syncDir(tx.root)
	case !errors.Is(err, fs.ErrExist):
		return
	}
	folder, err := openFolder(tx.root, archiveLogDir)
	if err != nil {
		return
	}
	defer folder.Close()
	for _, name := range tx.notes {
		_ = createFile(folder, name, nil, filePerm, false)
	}
}

// RemoveArchives removes archives for good, and what was noted of them.
func (tx *Tx) RemoveArchives(ids []memory.ID) error {
	for _, id := range ids {
		if err := tx.RemoveFile(archivesDir + "/" + id.File()); err != nil {
			return err
		}
	}
	for _, name := range tx.noteNames() {
		if id, _, ok := parseNote(name); ok && slices.Contains(ids, id) {
			_ = tx.root.Remove(archiveLogDir + "/" + name)
		}
	}
	return nil
}
