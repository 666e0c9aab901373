package store

import (
	"errors"
	"io/fs"
	"slices"
	"strings"
	"time"

	"ltm/internal/fs/atomicfile"
	"ltm/internal/fs/busyfile"
	"ltm/internal/fs/regular"
	"ltm/memory"
)

// WritePacket writes the file of a packet and, if notes is not empty, the notes about it. Both are on the disk when it
// returns. The notes come first, so that a crash in between can leave notes about no packet, and never a packet without
// its notes. It never replaces a packet; the file of one that was removed is free.
func (tx *Tx) WritePacket(id string, data, notes []byte) error {
	return tx.WritePacketAs(PacketFile{Name: PacketName(id), ID: id}, data, notes)
}

// WritePacketAs is WritePacket of one that may be in the clone's directory.
func (tx *Tx) WritePacketAs(f PacketFile, data, notes []byte) error {
	if err := tx.prepare(); err != nil {
		return err
	}
	dir, err := tx.ensureFolder(f.folder())
	if err != nil {
		return err
	}
	if info, err := busyfile.Lstat(dir, f.Name+packetExt); err == nil && (info.Size() > 0 || !info.Mode().IsRegular()) {
		return memory.NewError(memory.CodeConflict, memory.KindPacketTaken, f.ID, "there is a packet %s already",
			memory.Quote(f.ID, maxQuotedID))
	}
	if len(notes) > maxNotesBytes {
		return memory.NewError(memory.CodeInvalid, memory.KindDiskTooLarge, f.NotesPath(),
			"the notes about the packet have %d bytes, more than %d", len(notes), maxNotesBytes)
	}
	if len(notes) > 0 {
		if err := tx.PutPacketFile(f.NotesPath(), notes); err != nil {
			return err
		}
	}
	return tx.PutPacketFile(f.Path(), data)
}

// maxQuotedID is how much of an id a message quotes, in characters.
const maxQuotedID = 70

// ErasePacket removes a packet, and then the notes about it and the marks that it is done. What stays, empty, is in
// packets.go.
func (tx *Tx) ErasePacket(f PacketFile) error {
	for _, path := range []string{f.Path(), f.NotesPath()} {
		if err := tx.PutPacketFile(path, nil); err != nil {
			return err
		}
	}
	return tx.UnmarkPacket(f)
}

// MarkPacket marks a packet as done at a time, which is kept to the second.
func (tx *Tx) MarkPacket(f PacketFile, at time.Time) error {
	return tx.PutPacketFile(f.folder()+"/"+doneDir+"/"+f.Name+"."+at.UTC().Format(doneLayout), []byte{})
}

// UnmarkPacket removes all marks that a packet is done.
func (tx *Tx) UnmarkPacket(f PacketFile) error {
	path := f.folder() + "/" + doneDir
	dir, err := tx.packets(f.folder(), doneDir)
	if dir == nil || err != nil {
		return err
	}
	names, _, err := filesIn(dir, path)
	if err != nil {
		return err
	}
	slices.Sort(names)
	for _, name := range names {
		if packet, _, ok := parseMark(name); !ok || packet != f.Name {
			continue
		}
		if err := tx.PutPacketFile(path+"/"+name, nil); err != nil {
			return err
		}
	}
	return nil
}

// PutPacketFile writes a file of a packet by its path in the store, or removes it if data is nil. If its name is to be
// kept, it stays, empty; a mark never does.
func (tx *Tx) PutPacketFile(path string, data []byte) error {
	folder, sub, name := splitPacketPath(path)
	before, err := tx.packetBytes(path, maxPacketBytes)
	if err != nil || before == nil && data == nil {
		return err
	}
	if keep := tx.store.keepNames; data == nil && folder == packetsDir && sub != doneDir &&
		(keep == nil || keep(path)) {
		if data = []byte{}; len(before) == 0 {
			return nil
		}
	}
	if err := tx.prepare(); err != nil {
		return err
	}
	dir, err := tx.ensureFolder(strings.TrimSuffix(path, "/"+name))
	if err != nil {
		return err
	}
	if data == nil {
		err = atomicfile.Remove(dir, name)
	} else {
		err = atomicfile.Replace(dir, name, data)
	}
	if err != nil {
		return storageError(err, "write", path)
	}
	tx.steps = append(tx.steps, undoStep{path, before, data})
	return nil
}

// packetBytes returns the bytes of a file of a packet by its path in the store, or nil if there is none.
func (v *View) packetBytes(path string, limit int64) ([]byte, error) {
	folder, sub, name := splitPacketPath(path)
	dir, err := v.packets(folder, sub)
	if dir == nil || err != nil {
		return nil, err
	}
	data, err := regular.Read(dir, name, limit)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	return data, storageError(err, "read", path)
}

// splitPacketPath splits the path of a packet's file in the store.
func splitPacketPath(path string) (folder, sub, name string) {
	folder, name, _ = strings.Cut(path, "/")
	if before, after, inside := strings.Cut(name, "/"); inside {
		return folder, before, after
	}
	return folder, "", name
}

// sweepPackets removes the temporary files of killed processes.
func (tx *Tx) sweepPackets() {
	for _, folder := range []string{packetsDir, draftsDir} {
		for _, sub := range []string{"", notesDir, doneDir} {
			if dir, _ := tx.packets(folder, sub); dir != nil {
				atomicfile.Sweep(dir, ".", ofPacket)
			}
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
