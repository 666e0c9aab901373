package store

import (
	"bytes"
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"

	"ltm/internal/atomicfile"
	"ltm/internal/busyfile"
	"ltm/internal/regular"
	"ltm/memfile"
	"ltm/memory"
)

// The trust record says which contents were written or approved in this clone. It
// is a text file to which every change appends a line, so that noting one content
// costs the same however many there are:
//
//	mem_1a2b3c4d 4c5dc9b7708905f77f5e5d16316b5dfb   this content of this memory
//	mem_1a2b3c4d -                                  no content of this memory
//	all 9e107d9d372bb6826bd81d3542a419d6            marks are not wanted in this clone
//	all -                                           marks are wanted
//
// The later line counts. Each value is the beginning of an HMAC-SHA256 over the id
// and the content, with "\n" line ends, under a secret that was made at random on
// this machine and is no part of any repository. So a record, or a line of one,
// that was written elsewhere holds nothing.
const (
	trustFile = "trust"
	keyName   = "trust.key"

	keyBytes = 32
	macBytes = 16

	// allEntry is in the place of an id where a line is about all memories.
	allEntry = "all"
	noEntry  = "-"

	// maxHashes is how many contents of one memory count: a checkout of another
	// branch brings back what was written here before.
	maxHashes = 64

	// compactAt is how many lines a record has, at least, before lines that no
	// longer count are dropped.
	compactAt = 1000

	keyPerm     = 0o600
	maxKeyBytes = 4096
)

// Trust is what this clone wrote or approved.
type Trust struct {
	key    []byte // nil: there is no secret, so nothing was
	raw    []byte // the record's lines
	hashes map[memory.ID][]string
}

// Holds reports whether a memory with these bytes was written or approved here.
func (t *Trust) Holds(id memory.ID, data []byte) bool {
	known := t.of(id)
	return len(known) > 0 && slices.Contains(known, t.mac(string(id), data))
}

// Knows reports whether any content of a memory was: if not, none need be read.
func (t *Trust) Knows(id memory.ID) bool { return len(t.of(id)) > 0 }

// All reports whether a person has turned marks off, in this clone.
func (t *Trust) All() bool {
	all := t.of(allEntry)
	return len(all) > 0 && all[len(all)-1] == t.mac(allEntry, nil)
}

// of returns the values of an entry, the newest last. A session's start asks for a
// dozen of what can be thousands, so the lines are searched, not decoded.
func (t *Trust) of(id memory.ID) []string {
	if t.key == nil {
		return nil
	}
	if known, ok := t.hashes[id]; ok || len(t.raw) == 0 {
		return known
	}
	var found []string
	mark := []byte("\n" + string(id) + " ")
	for rest := t.raw; ; {
		at := bytes.Index(rest, mark)
		if at < 0 {
			break
		}
		rest = rest[at+len(mark):]
		end := bytes.IndexByte(rest, '\n')
		if end < 0 {
			break // a process was killed while it wrote the line
		}
		found = appendValue(found, string(rest[:end]))
		rest = rest[end:]
	}
	if t.hashes == nil {
		t.hashes = map[memory.ID][]string{}
	}
	t.hashes[id] = found
	return found
}

// appendValue adds what a line says to the values before it.
func appendValue(values []string, value string) []string {
	if value == noEntry {
		return nil
	}
	if len(value) != 2*macBytes || slices.Contains(values, value) {
		return values
	}
	values = append(values, value)
	return values[max(0, len(values)-maxHashes):]
}

func (t *Trust) mac(id string, data []byte) string {
	h := hmac.New(sha256.New, t.key)
	_, _ = io.WriteString(h, id+"\n")
	_, _ = h.Write(unixLines(data))
	return hex.EncodeToString(h.Sum(nil)[:macBytes])
}

// Trust returns the record. Without a record or its secret it is empty. One that
// cannot be read is an error, beside an empty one.
func (v *View) Trust() (*Trust, error) { return v.record.get(v.readTrust) }

func (v *View) readTrust() (*Trust, error) {
	if v.clone == nil {
		return &Trust{}, nil
	}
	data, err := regular.Read(v.clone, trustFile, maxJSONBytes)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return &Trust{key: v.key()}, nil
	case err != nil:
		return &Trust{}, memory.NewError(memory.CodeUnreadable, memory.KindTrustDamaged, trustFile,
			"the trust record %s cannot be read: %v", v.Path(trustFile), atomicfile.Cause(err))
	}
	return &Trust{key: v.key(), raw: append([]byte("\n"), data...)}, nil
}

// key returns the secret, or nil when there is none.
func (v *View) key() []byte {
	root, err := openPath(filepath.Dir(v.store.places.Key))
	if err != nil || v.store.places.Key == "" {
		return nil
	}
	defer root.Close()
	text, err := regular.Read(root, filepath.Base(v.store.places.Key), maxKeyBytes)
	if err != nil {
		return nil
	}
	key, err := hex.DecodeString(strings.TrimSpace(string(text)))
	if err != nil || len(key) != keyBytes {
		return nil
	}
	return key
}

// makeKey makes the secret when there is none. In the clone's directory that must
// work: without it, what is stored would count as from elsewhere. A person's own
// directory may be read-only, which is no reason not to store a memory.
func (tx *Tx) makeKey() ([]byte, error) {
	path := tx.store.places.Key
	if path == "" {
		return nil, nil
	}
	key, err := tx.placeKey(path)
	if tx.store.places.Local && (errors.Is(err, fs.ErrPermission) || errors.Is(err, syscall.EROFS)) {
		return nil, nil
	}
	return key, storageError(err, "write", path)
}

// placeKey writes a new secret. It returns nil when a damaged one is there, which
// a person sees to.
func (tx *Tx) placeKey(path string) ([]byte, error) {
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return nil, err
	}
	root, err := openPath(filepath.Dir(path))
	if err != nil {
		return nil, err
	}
	defer root.Close()
	name := filepath.Base(path)
	if info, err := root.Lstat(name); err == nil && info.Size() > 0 {
		return nil, nil
	}
	key := make([]byte, keyBytes)
	if _, err := rand.Read(key); err != nil {
		return nil, err
	}
	staged, err := atomicfile.Stage(root, name, []byte(hex.EncodeToString(key)+"\n"), keyPerm)
	if err != nil {
		return nil, err
	}
	// A link fails where another process was first; its secret counts then. It also
	// fails on an empty file, and where the system has no links.
	if staged.Link(name) != nil {
		if other := tx.key(); other != nil {
			staged.Discard()
			return other, nil
		}
		if err := staged.Commit(name); err != nil {
			return nil, err
		}
	}
	return key, atomicfile.SyncDir(root, ".")
}

// loadTrust reads the record for a change.
func (tx *Tx) loadTrust() (*Trust, error) {
	if tx.trust != nil {
		return tx.trust, nil
	}
	t, err := tx.Trust()
	if err != nil {
		return nil, err
	}
	if t.key == nil {
		if t.key, err = tx.makeKey(); err != nil {
			return nil, err
		}
	}
	tx.trust = t
	return t, nil
}

// Approve notes contents of memories and archives as written here.
func (tx *Tx) Approve(id memory.ID, contents ...[]byte) error {
	if _, err := tx.loadTrust(); err != nil {
		return err
	}
	for _, data := range contents {
		if err := tx.noteOwn(id, data); err != nil {
			return err
		}
	}
	return nil
}

// Revoke notes every content of a memory as written elsewhere.
func (tx *Tx) Revoke(id memory.ID) error {
	if _, err := tx.loadTrust(); err != nil {
		return err
	}
	return tx.appendTrust(id, noEntry)
}

// TrustAll notes whether a person has turned marks off in this clone.
func (tx *Tx) TrustAll(all bool) error {
	t, err := tx.loadTrust()
	if err != nil || t.All() == all {
		return err
	}
	if all {
		return tx.appendTrust(allEntry, t.mac(allEntry, nil))
	}
	return tx.appendTrust(allEntry, noEntry)
}

// inherits returns the file of a memory as it is, and whether a change makes a
// content of this clone's: a new memory does, and so does one of which the content
// before was. What came from elsewhere stays so when ltm reduces, tags or restores
// it. A stub has no content: there the archive counts.
func (tx *Tx) inherits(id memory.ID) (before []byte, own bool, err error) {
	t, err := tx.loadTrust()
	if err != nil {
		return nil, false, err
	}
	before, err = regular.Read(tx.root, memoriesDir+"/"+id.File(), memfile.MaxFileBytes)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, false, nil //nolint:nilerr // what cannot be read has no content of ours
	}
	if before != nil && !memfile.IsStubFile(before) {
		return before, t.Holds(id, before), nil
	}
	if before == nil && !tx.Taken(id) {
		return nil, true, nil
	}
	names, err := tx.ArchiveNames(id)
	if err != nil || len(names) == 0 {
		return before, before == nil || t.Holds(id, before), err
	}
	archived, err := regular.Read(tx.root, archivesDir+"/"+names[0], memfile.MaxFileBytes)
	return before, err == nil && t.Holds(id, archived), nil
}

// noteOwn records a content before it is written.
func (tx *Tx) noteOwn(id memory.ID, data []byte) error {
	if tx.trust.key == nil || tx.trust.Holds(id, data) {
		return nil
	}
	return tx.appendTrust(id, tx.trust.mac(string(id), data))
}

// appendTrust adds a line to the record.
func (tx *Tx) appendTrust(id memory.ID, value string) error {
	t := tx.trust
	line := []byte(string(id) + " " + value + "\n")
	if _, err := appendLines(tx.clone, trustFile, line); err != nil {
		return storageError(err, "write", tx.Path(trustFile))
	}
	if len(t.raw) == 0 || t.raw[len(t.raw)-1] != '\n' {
		t.raw = append(t.raw, '\n')
	}
	t.raw = append(t.raw, line...)
	delete(t.hashes, id)
	return tx.compactTrust()
}

// compactTrust writes the record anew when most of its lines no longer count.
func (tx *Tx) compactTrust() error {
	lines := bytes.Count(tx.trust.raw, []byte("\n"))
	if lines < compactAt || lines&(lines-1) != 0 { // looked at when the number doubles
		return nil
	}
	values := map[string][]string{}
	for line := range strings.Lines(string(tx.trust.raw)) {
		if id, value, ok := strings.Cut(strings.TrimSuffix(line, "\n"), " "); ok {
			values[id] = appendValue(values[id], value)
		}
	}
	var b strings.Builder
	kept := 0
	for id, list := range values {
		for _, value := range list {
			b.WriteString(id + " " + value + "\n")
			kept++
		}
	}
	if 2*kept > lines {
		return nil
	}
	tx.trust.raw = append([]byte("\n"), b.String()...)
	return storageError(atomicfile.ReplaceFast(tx.clone, trustFile, []byte(b.String())), "write", tx.Path(trustFile))
}

// RenewTrust starts a record that cannot be read anew. The old one stays beside
// it, and everything counts as from elsewhere until a person approves it.
func (tx *Tx) RenewTrust() error {
	if _, err := tx.Trust(); err == nil {
		return nil
	}
	tx.record.done = false
	err := busyfile.Rename(tx.clone, trustFile, damagedCopy(tx.clone, trustFile))
	return storageError(err, "set aside", tx.Path(trustFile))
}
