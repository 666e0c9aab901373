package store

import (
	"bytes"
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"io/fs"
	"os"
	"slices"

	"ltm/internal/busyfile"
	"ltm/memory"
)

const (
	// trustFile says which contents were written or approved in this clone. It
	// stands beside state.json, and its dot keeps it out of git in stores whose
	// own rules are older than it.
	trustFile = ".trust.json"

	// maxHashes is how many contents of one memory count: a checkout of another
	// branch brings back what was written here before.
	maxHashes = 8

	// maxGone is how many entries without a file are kept for such a checkout.
	maxGone = 1000
)

// Trust is what this clone wrote or approved. A file from elsewhere can carry
// the name of the record, for a repository may track it; so the record names the
// folder that it was made in, in a way that no repository can know.
type Trust struct {
	hashes map[memory.ID][]string // the newest first; nil: raw has them
	raw    []byte                 // the record as it was written, to look up a few
	all    bool                   // a person has said, in this clone, that marks are not wanted
	before bool                   // there was no record when this clone began; what is here counts
}

type trustJSON struct {
	Version  int                    `json:"version"`
	Folder   string                 `json:"folder"`
	All      bool                   `json:"all,omitempty"`
	Memories map[memory.ID][]string `json:"memories"`
}

// Holds says whether a memory with these bytes was written or approved here.
func (t *Trust) Holds(id memory.ID, data []byte) bool {
	if t.before {
		return true
	}
	known := t.of(id)
	return len(known) > 0 && slices.Contains(known, hashOf(data))
}

// Knows says whether any content of a memory was: if not, none need be read.
func (t *Trust) Knows(id memory.ID) bool { return t.before || len(t.of(id)) > 0 }

// of returns the hashes of a memory. A session's start asks for a dozen of what
// can be thousands, so they are looked up in the text as ltm writes it.
func (t *Trust) of(id memory.ID) []string {
	if t.raw == nil {
		return t.hashes[id]
	}
	// Entries are in order, so halve what is left: lo and hi are starts of
	// entries, or the end.
	mark := []byte("\n    \"")
	for lo, hi := 0, len(t.raw); lo < hi; {
		mid := bytes.LastIndex(t.raw[lo:(lo+hi+1)/2], mark)
		if mid < 0 {
			mid = bytes.Index(t.raw[lo:hi], mark)
		}
		if mid < 0 {
			return nil
		}
		mid += lo
		entry := t.raw[mid+len(mark) : hi]
		end := bytes.IndexByte(entry, ']')
		if end < 0 {
			return nil
		}
		key, list, _ := bytes.Cut(entry[:end], []byte("\": ["))
		switch cmp.Compare(string(id), string(key)) {
		case 0:
			return hashesIn(list)
		case -1:
			hi = mid
		default:
			lo = mid + len(mark) + end
		}
	}
	return nil
}

// hashesIn reads the strings of a list.
func hashesIn(list []byte) []string {
	var hashes []string
	for part := range bytes.SplitSeq(list, []byte(",")) {
		if hash := bytes.Trim(part, " \n\""); len(hash) > 0 {
			hashes = append(hashes, string(hash))
		}
	}
	return hashes
}

// All says whether a person has turned marks off, here.
func (t *Trust) All() bool { return t.all }

// hashOf is the hash of a file's content. Line ends do not count: git changes
// them between systems.
func hashOf(data []byte) string {
	if bytes.Contains(data, []byte("\r\n")) {
		data = bytes.ReplaceAll(data, []byte("\r\n"), []byte("\n"))
	}
	sum := sha256.Sum256(data)
	return hex.EncodeToString(sum[:])
}

func (t *Trust) add(id memory.ID, data []byte) {
	hash := hashOf(data)
	known := slices.DeleteFunc(slices.Clone(t.hashes[id]), func(h string) bool { return h == hash })
	known = append([]string{hash}, known...)
	t.hashes[id] = known[:min(len(known), maxHashes)]
}

func (t *Trust) drop(id memory.ID, data []byte) {
	hash := hashOf(data)
	t.hashes[id] = slices.DeleteFunc(t.hashes[id], func(h string) bool { return h == hash })
}

// Trust returns the record. One that is damaged, or of another folder, reads as
// empty, beside an error of [memory.CodeUnreadable].
func (v *View) Trust() (*Trust, error) {
	empty := &Trust{hashes: map[memory.ID][]string{}}
	if v.root == nil {
		return empty, nil
	}
	t, err := v.record(false)
	switch {
	case err != nil:
		return empty, err
	case t == nil:
		empty.before = v.wasHere()
		return empty, nil
	}
	return t, nil
}

// record reads the file; without one it returns nil. What is only looked into
// need not be whole.
func (v *View) record(whole bool) (*Trust, error) {
	data, err := readBounded(v.volatile, trustFile, maxJSONBytes)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, nil
	case err != nil:
		return nil, memory.Errorf(memory.CodeUnreadable, "", "%s cannot be read: %v", trustFile, cause(err))
	}
	if t := v.glance(data); t != nil && !whole {
		return t, nil
	}
	return v.decode(data)
}

// glance reads the head of a record that is just as ltm wrote it in this folder,
// or returns nil: then it must be decoded.
func (v *View) glance(data []byte) *Trust {
	for _, all := range []bool{false, true} {
		empty, err := encodeJSON(trustJSON{formatVersion, folderMark(v.volatile), all, map[memory.ID][]string{}})
		if err != nil {
			return nil
		}
		// "memories": {}, with something between the braces.
		head, tail := bytes.TrimSuffix(empty, []byte("}\n}\n")), []byte("\n  }\n}\n")
		if bytes.HasPrefix(data, head) && bytes.HasSuffix(data, tail) {
			return &Trust{raw: data[len(head):], all: all}
		}
	}
	return nil
}

// decode reads a whole record.
func (v *View) decode(data []byte) (*Trust, error) {
	var t trustJSON
	err := decodeVersioned(trustFile, data, &t, &t.Version)
	if t.Folder == "" || t.Folder != folderMark(v.volatile) {
		return nil, memory.Errorf(memory.CodeUnreadable, "", "%s was not made in this folder", trustFile)
	}
	if err != nil {
		return nil, err
	}
	if t.Memories == nil {
		t.Memories = map[memory.ID][]string{}
	}
	return &Trust{hashes: t.Memories, all: t.All}, nil
}

// wasHere says whether an older ltm, which kept no record, has worked in this
// clone: sessions were counted here. That must be this clone's own count, and
// not one that came with the repository.
func (v *View) wasHere() bool {
	state, err := readVersioned(v.volatile, stateFile, (&State{}).complete(), decodeState)
	return err == nil && state.SessionCount > 0 && !state.TrustKept && (v.shared || v.store.untracked(stateFile))
}

// loadTrust reads the record for a change. What was here before there was one is
// taken over, once.
func (tx *Tx) loadTrust() (*Trust, error) {
	if tx.trust != nil {
		return tx.trust, nil
	}
	t, err := tx.Trust()
	if err != nil && memory.CodeOf(err) != memory.CodeUnreadable {
		return nil, err
	}
	if t.raw != nil {
		if t, err = tx.record(true); t == nil { // so far it was only looked into
			t = &Trust{hashes: map[memory.ID][]string{}}
		}
	}
	tx.trustSound = err == nil
	if t.before {
		for _, folder := range []string{archivesDir, memoriesDir} {
			snapshot, err := tx.snapshot(folder, false)
			if err != nil {
				return nil, err
			}
			for _, r := range snapshot.Records {
				if data, err := readBounded(tx.root, folder+"/"+r.ID.File(), memory.MaxFileBytes); err == nil {
					t.add(r.ID, data)
				}
			}
		}
		t.before, tx.trustChanged = false, true
	}
	tx.trust = t
	return t, nil
}

// SettleTrust ends the time in which what an older ltm left may be taken over.
func (tx *Tx) SettleTrust(state *State) error {
	if state.TrustKept {
		return nil
	}
	_, err := tx.loadTrust()
	state.TrustKept = err == nil
	return err
}

// Approve takes contents of memories and archives for written here.
func (tx *Tx) Approve(id memory.ID, contents ...[]byte) error {
	t, err := tx.loadTrust()
	if err != nil {
		return err
	}
	for _, data := range contents {
		t.add(id, data)
	}
	tx.trustChanged = true
	return nil
}

// Revoke takes every content of a memory for written elsewhere.
func (tx *Tx) Revoke(id memory.ID) error {
	t, err := tx.loadTrust()
	if err != nil {
		return err
	}
	delete(t.hashes, id)
	tx.trustChanged = true
	return nil
}

// TrustAll notes whether a person has turned marks off in this clone.
func (tx *Tx) TrustAll(all bool) error {
	t, err := tx.loadTrust()
	if err == nil && t.all != all {
		t.all, tx.trustChanged = all, true
	}
	return err
}

// inherits says whether a change of a memory makes a content of this clone's: a
// new memory does, and so does one of which the content before was. What came
// from elsewhere stays so when ltm reduces, tags or restores it.
func (tx *Tx) inherits(id memory.ID) (bool, error) {
	t, err := tx.loadTrust()
	if err != nil {
		return false, err
	}
	for _, folder := range []string{memoriesDir, archivesDir} {
		data, err := readBounded(tx.root, folder+"/"+id.File(), memory.MaxFileBytes)
		if !errors.Is(err, fs.ErrNotExist) {
			return err == nil && t.Holds(id, data), nil
		}
	}
	return true, nil
}

// noteOwn records a content that was written.
func (tx *Tx) noteOwn(id memory.ID, data []byte) {
	tx.trust.add(id, data)
	tx.trustChanged = true
}

// writeTrust writes the record, whatever became of the rest of a change: what
// was written stands.
func (tx *Tx) writeTrust() error {
	if !tx.trustChanged {
		return nil
	}
	tx.dropGone()
	if !tx.trustSound {
		err := busyfile.Rename(tx.volatile, trustFile, trustFile+damagedSuffix)
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return storageError(err, "set aside", trustFile)
		}
	}
	return tx.trust.write(tx.volatile)
}

// dropGone drops entries without a file, when there are many.
func (tx *Tx) dropGone() {
	files := 0
	tx.store.mu.Lock()
	if memo := tx.store.folders[memoriesDir]; memo != nil && memo.snapshot != nil {
		files = len(memo.snapshot.Records)
	}
	tx.store.mu.Unlock()
	if len(tx.trust.hashes) <= files+maxGone {
		return
	}
	for id := range tx.trust.hashes {
		if !tx.Taken(id) {
			delete(tx.trust.hashes, id)
		}
	}
}

func (t *Trust) write(folder *os.Root) error {
	data, err := encodeJSON(trustJSON{formatVersion, folderMark(folder), t.all, t.hashes})
	if err != nil {
		return err
	}
	return storageError(replaceFast(folder, trustFile, data), "write", trustFile)
}
