package store

import (
	"cmp"
	"errors"
	"io/fs"
	"os"
	"path"
	"slices"
	"strings"
	"time"

	"ltm/internal/fs/busyfile"
	"ltm/internal/fs/regular"
	"ltm/memory"
)

// Packets are in the work tree, each in a file that never changes:
//
//	packets/NAME.json         the packet
//	packets/notes/NAME.json   what this store notes about it, also write-once
//	packets/done/NAME.TIME    empty: the work is done
//
// Merges need nothing but git: files with other contents have other names, and empty files are
// never taken for the source of a rename. For the same reason the files of a removed packet stay,
// empty, if git has them: see [Store.KeepNames]. If two branches that removed one packet had both
// added others like it, a merge would mix the texts of those.
//
// Packets that were drafted for a session, and that no person has kept yet, are in the clone's directory in the same
// form, as drafts/NAME.json and so on: all work trees of the clone have them, and git has not.
const (
	packetsDir = "packets"
	draftsDir  = "drafts"
	notesDir   = "notes"
	doneDir    = "done"

	packetExt = ".json"

	// doneLayout is the time in the name of a mark, in UTC.
	doneLayout = "20060102T150405Z"

	maxPacketBytes = 1 << 20  // what a server may give back
	maxNotesBytes  = 64 << 10 // of the notes about one packet
)

// PacketFile is what the names of files tell about a packet.
type PacketFile struct {
	Name string    // of its file, without the ending: see [PacketName]
	ID   string    // empty: the name does not tell
	Done time.Time // when its work was done; zero: it is not

	Draft bool // it is in the clone's directory, and not in the store's
}

func (f PacketFile) folder() string {
	if f.Draft {
		return draftsDir
	}
	return packetsDir
}

// Path returns the path of the packet's file in the store.
func (f PacketFile) Path() string { return f.folder() + "/" + f.Name + packetExt }

// NotesPath returns the path of the notes about the packet in the store.
func (f PacketFile) NotesPath() string { return f.folder() + "/" + notesDir + "/" + f.Name + packetExt }

// PacketFiles lists the files of packets.
type PacketFiles struct {
	Files  []PacketFile // in the descending order of their names: of ULIDs, the newest first
	Others []string     // paths in the store of what is no file of a packet, or no directory of them
	Cut    bool         // there are more than MaxFiles files, and some were not looked at
}

// Find returns the file of the packet with an id.
func (l *PacketFiles) Find(id string) (PacketFile, bool) {
	name := PacketName(id)
	i, found := slices.BinarySearchFunc(l.Files, name, func(f PacketFile, name string) int {
		return cmp.Compare(name, f.Name)
	})
	if !found {
		return PacketFile{}, false
	}
	return l.Files[i], true
}

// Packets lists the files of packets, drafts among them. It opens none of them, and does not tell which packets were
// removed: see [View.ReadPacket].
func (v *View) Packets() (PacketFiles, error) {
	list, err := v.packetsIn(packetsDir)
	if err != nil {
		return list, err
	}
	drafts, err := v.packetsIn(draftsDir)
	list.Cut = list.Cut || drafts.Cut
	list.Others = append(list.Others, drafts.Others...)
	list.Files = append(list.Files, slices.DeleteFunc(drafts.Files, func(f PacketFile) bool {
		_, kept := list.Find(f.ID) // a crash came between the two steps of keeping it
		return kept
	})...)
	slices.SortFunc(list.Files, func(a, b PacketFile) int { return cmp.Compare(b.Name, a.Name) })
	slices.Sort(list.Others)
	return list, err
}

// packetsIn lists the files in one of the two directories.
func (v *View) packetsIn(folder string) (PacketFiles, error) {
	var list PacketFiles
	dir, err := v.packets(folder, "")
	if memory.KindOf(err) == memory.KindDiskNotRegular {
		list.Others = []string{folder}
		return list, nil
	}
	if dir == nil || err != nil {
		return list, err
	}
	names, cut, err := filesIn(dir, folder)
	if err != nil {
		return list, err
	}
	list.Cut = cut
	for _, name := range names {
		base, hasExt := strings.CutSuffix(name, packetExt)
		id, _, ok := PacketID(base)
		switch {
		case hasExt && ok:
			list.Files = append(list.Files, PacketFile{Name: base, ID: id, Draft: folder == draftsDir})
		case name != notesDir && name != doneDir && !strings.HasPrefix(name, tempMark):
			list.Others = append(list.Others, folder+"/"+name)
		}
	}
	slices.SortFunc(list.Files, func(a, b PacketFile) int { return cmp.Compare(b.Name, a.Name) })
	if _, err := v.packets(folder, notesDir); err != nil {
		list.Others = append(list.Others, folder+"/"+notesDir)
	}
	return list, v.readDone(folder, &list)
}

// readDone adds which packets are done.
func (v *View) readDone(folder string, list *PacketFiles) error {
	path := folder + "/" + doneDir
	dir, err := v.packets(folder, doneDir)
	if memory.KindOf(err) == memory.KindDiskNotRegular {
		list.Others = append(list.Others, path)
		return nil
	}
	if dir == nil || err != nil {
		return err
	}
	names, cut, err := filesIn(dir, path)
	if err != nil {
		return err
	}
	list.Cut = list.Cut || cut
	first := make(map[string]time.Time, len(names))
	for _, name := range names {
		base, at, ok := parseMark(name)
		if !ok {
			if !strings.HasPrefix(name, tempMark) {
				list.Others = append(list.Others, path+"/"+name)
			}
			continue
		}
		if known, twice := first[base]; !twice || at.Before(known) {
			first[base] = at
		}
	}
	for i := range list.Files {
		list.Files[i].Done = first[list.Files[i].Name]
	}
	return nil
}

// parseMark reads the name of the mark that a packet's work is done.
func parseMark(name string) (packet string, at time.Time, ok bool) {
	packet, text, _ := strings.Cut(name, ".")
	at, err := time.Parse(doneLayout, text)
	_, _, legal := PacketID(packet)
	return packet, at, err == nil && legal
}

// packets opens a directory of packets, or one in it, once. It returns nil if it does not exist.
func (v *View) packets(folder, sub string) (*os.Root, error) {
	if v.root == nil {
		return nil, nil
	}
	at := path.Join(folder, sub)
	dir, err := v.dir(at)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	return dir, storageError(err, "open", at)
}

// filesIn returns the names of the files of a directory, at most MaxFiles, and whether there are more.
func filesIn(dir *os.Root, path string) (names []string, cut bool, err error) {
	names, err = regular.Names(dir, ".", MaxFiles+1)
	if err != nil {
		return nil, false, storageError(err, "read", path)
	}
	if cut = len(names) > MaxFiles; cut {
		slices.Sort(names)
		names = names[len(names)-MaxFiles:]
	}
	return names, cut, nil
}

// ReadPacket returns the bytes of a packet's file, whatever they are, or nil if it does not exist or
// the packet was removed.
func (v *View) ReadPacket(f PacketFile) ([]byte, error) { return v.readOf(f.Path(), maxPacketBytes) }

// ReadPacketNotes returns the notes about a packet, or nil if there are none, or no directory for them.
func (v *View) ReadPacketNotes(f PacketFile) ([]byte, error) {
	if _, err := v.packets(f.folder(), notesDir); err != nil {
		return nil, nil //nolint:nilerr // View.Packets names it
	}
	return v.readOf(f.NotesPath(), maxNotesBytes)
}

// PacketSize returns the size of a packet's file: 0 if it does not exist or the packet was removed.
func (v *View) PacketSize(f PacketFile) int64 {
	size, _ := v.PacketStamp(f)
	return size
}

// PacketStamp returns the size of a packet's file, as [View.PacketSize], and when the file was written here.
func (v *View) PacketStamp(f PacketFile) (size int64, written time.Time) {
	dir, err := v.packets(f.folder(), "")
	if dir == nil || err != nil {
		return 0, time.Time{}
	}
	info, err := busyfile.Lstat(dir, f.Name+packetExt)
	if err != nil {
		return 0, time.Time{}
	}
	return min(info.Size(), maxPacketBytes), info.ModTime()
}

// readOf returns the bytes of a file of a packet, or nil if it does not exist or is empty.
func (v *View) readOf(path string, limit int64) ([]byte, error) {
	data, err := v.packetBytes(path, limit)
	if len(data) == 0 {
		return nil, err
	}
	return data, err
}
