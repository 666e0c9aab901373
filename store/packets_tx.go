package store

import (
	"errors"
	"io/fs"
	"os"
	"slices"
	"strings"
	"time"

	"ltm/internal/atomicfile"
	"ltm/internal/busyfile"
	"ltm/memory"
)

// WritePacket writes the file of a packet and, if notes is not empty, the notes about it. Both are
// on the disk when it returns. The notes come first, so that a crash in between can leave notes
// about no packet, and never a packet without its notes. It never replaces a packet; the file of
// one that was removed is free.
func (tx *Tx) WritePacket(id string, data, notes []byte) error {
	f := PacketFile{Name: PacketName(id), ID: id}
	dir, err := tx.ensurePackets("")
	if err != nil {
		return err
	}
	if info, err := busyfile.Lstat(dir, f.Name+packetExt); err == nil && (info.Size() > 0 || !info.Mode().IsRegular()) {
		return memory.NewError(memory.CodeConflict, memory.KindPacketTaken, id, "there is a packet %s already",
			memory.Quote(id, maxQuotedID))
	}
	if len(notes) > maxNotesBytes {
		return memory.NewError(memory.CodeInvalid, memory.KindDiskTooLarge, f.NotesPath(),
			"the notes about the packet have %d bytes, more than %d", len(notes), maxNotesBytes)
	}
	step := packetStep{id: id}
	if len(notes) > 0 {
		if err := tx.replacePacketFile(&step, f.NotesPath(), notes); err != nil {
			return err
		}
	}
	err = tx.replacePacketFile(&step, f.Path(), data)
	tx.noteStep(step)
	return err
}

// maxQuotedID is how much of an id a message quotes, in characters.
const maxQuotedID = 70

// ErasePacket removes a packet, with the notes about it and the marks that it is done. Their files
// stay, empty: see packets.go.
func (tx *Tx) ErasePacket(f PacketFile) error {
	step := packetStep{id: f.ID}
	defer func() { tx.noteStep(step) }()
	for _, path := range []string{f.Path(), f.NotesPath()} {
		if tx.size(path) <= 0 {
			continue
		}
		if err := tx.replacePacketFile(&step, path, nil); err != nil {
			return err
		}
	}
	return tx.removeMarks(&step, f)
}

// size returns the size of a file of the store, or -1 if it does not exist.
func (tx *Tx) size(path string) int64 {
	info, err := busyfile.Lstat(tx.root, path)
	if err != nil {
		return -1
	}
	return info.Size()
}

// MarkPacket marks a packet as done at a time, which is kept to the second.
func (tx *Tx) MarkPacket(f PacketFile, at time.Time) error {
	step := packetStep{id: f.ID}
	path := packetsDir + "/" + doneDir + "/" + f.Name + "." + at.UTC().Format(doneLayout)
	err := tx.replacePacketFile(&step, path, nil)
	tx.noteStep(step)
	return err
}

// UnmarkPacket removes all marks that a packet is done.
func (tx *Tx) UnmarkPacket(f PacketFile) error {
	step := packetStep{id: f.ID}
	err := tx.removeMarks(&step, f)
	tx.noteStep(step)
	return err
}

func (tx *Tx) removeMarks(step *packetStep, f PacketFile) error {
	dir, err := tx.packets(doneDir)
	if dir == nil || err != nil {
		return err
	}
	names, _, err := filesIn(dir, packetsDir+"/"+doneDir)
	if err != nil {
		return err
	}
	slices.Sort(names)
	for _, name := range names {
		if packet, _, ok := parseMark(name); !ok || packet != f.Name {
			continue
		}
		path := packetsDir + "/" + doneDir + "/" + name
		if err := atomicfile.Remove(dir, name); err != nil {
			return storageError(err, "remove", path)
		}
		step.files = append(step.files, packetChange{Path: path, Was: true, Gone: true})
	}
	return nil
}

// replacePacketFile writes a file of a packet by its path in the store, and adds to a step how to
// undo that.
func (tx *Tx) replacePacketFile(step *packetStep, path string, data []byte) error {
	sub, name := splitPacketPath(path)
	dir, err := tx.ensurePackets(sub)
	if err != nil {
		return err
	}
	change := packetChange{Path: path, After: checksum(data)}
	before, err := dirRead(dir, name)
	if err != nil {
		return storageError(err, "read", path)
	}
	change.Was, change.Before = before != nil, before
	if err := atomicfile.Replace(dir, name, data); err != nil {
		return storageError(err, "write", path)
	}
	step.files = append(step.files, change)
	return nil
}

// splitPacketPath splits the path of a packet's file in the store.
func splitPacketPath(path string) (sub, name string) {
	name = strings.TrimPrefix(path, packetsDir+"/")
	if before, after, inside := strings.Cut(name, "/"); inside {
		return before, after
	}
	return "", name
}

// ensurePackets opens the directory of packets, or one in it, and makes a missing one.
func (tx *Tx) ensurePackets(sub string) (*os.Root, error) {
	if err := tx.prepare(); err != nil {
		return nil, err
	}
	dir, err := tx.packets(sub)
	if dir != nil || err != nil {
		return dir, err
	}
	parent, name := tx.packetDirs[packetsDir], sub
	if sub == "" {
		parent, name = tx.root, packetsDir
	}
	if err = parent.Mkdir(name, dirPerm); err == nil {
		err = atomicfile.SyncDir(parent, ".") // files in it are only as durable as its name
	}
	if err != nil && !errors.Is(err, fs.ErrExist) {
		return nil, storageError(err, "create", packetsDir+"/"+sub)
	}
	return tx.packets(sub)
}

// sweepPackets removes the temporary files of killed processes.
func (tx *Tx) sweepPackets() {
	for _, sub := range []string{"", notesDir, doneDir} {
		if dir, _ := tx.packets(sub); dir != nil {
			atomicfile.Sweep(dir, ".", ofPacket)
		}
	}
}

// ofPacket reports whether a file has the name of one of a packet's.
func ofPacket(name string, _ fs.FileInfo) bool {
	base, hasExt := strings.CutSuffix(name, packetExt)
	_, _, isPacket := PacketID(base)
	_, _, isMark := parseMark(name)
	return hasExt && isPacket || isMark
}
