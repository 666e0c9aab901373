package trust

import (
	"bytes"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"slices"
	"strconv"
	"strings"

	"ltm/internal/fs/atomicfile"
	"ltm/internal/fs/regular"
	"ltm/memory"
	"ltm/memory/memfile"
)

const (
	// File is the name of the record.
	File = "trust"

	// maxBytes is the size limit of a record.
	maxBytes = 16 << 20

	macBytes = 16 // of an HMAC

	// allEntry is in place of an id in lines about all memories, noEntry in place of a value.
	allEntry = "all"
	noEntry  = "-"

	// approval begins a line that tells how many of the next ones an approval has added, and its name, if it has one.
	// No id is like it.
	approval = "@"

	// maxHashes is how many contents of one memory count. There are several because a
	// checkout of another branch brings earlier contents back.
	maxHashes = 64

	// compactAt is how many lines a record has before lines that no longer count are dropped.
	compactAt = 1000
)

// Record is what was written or approved in one clone. The zero value has nothing.
type Record struct {
	key    []byte // nil: there is no secret, so no line counts
	raw    []byte // the record's lines, after a "\n"
	hashes map[memory.ID][]string
	lines  *lines // of raw; nil: not made yet
}

// fewSearches is for how many entries all lines are searched. A list of titles asks for more.
const fewSearches = 8

// Holds reports whether a memory with these bytes was written or approved here.
func (t *Record) Holds(id memory.ID, data []byte) bool {
	known := t.of(id)
	return len(known) > 0 && slices.Contains(known, t.mac(string(id), data))
}

// Knows reports whether any content of a memory was. If not, it need not be read.
func (t *Record) Knows(id memory.ID) bool { return len(t.of(id)) > 0 && !t.Revoked(id) }

// Revoked reports whether a person has withdrawn the approval of a memory, and approved nothing
// since. A signature does not bring it back.
func (t *Record) Revoked(id memory.ID) bool {
	known := t.of(id)
	return len(known) == 1 && known[0] == noEntry
}

// All reports whether marks are turned off in this clone.
func (t *Record) All() bool {
	all := t.of(allEntry)
	return len(all) > 0 && all[len(all)-1] == t.mac(allEntry, nil)
}

// of returns the values of an entry, the newest last. The start of a session asks for a
// dozen of maybe thousands of entries, so it searches the lines and does not decode all.
func (t *Record) of(id memory.ID) []string {
	if t.key == nil {
		return nil
	}
	if known, ok := t.hashes[id]; ok || len(t.raw) == 0 {
		return known
	}
	if t.lines == nil && len(t.hashes) >= fewSearches {
		t.lines = linesOf(t.raw)
	}
	var found []string
	if t.lines != nil {
		found = t.lines.of(id)
	} else {
		found = t.search(id)
	}
	if t.hashes == nil {
		t.hashes = map[memory.ID][]string{}
	}
	t.hashes[id] = found
	return found
}

// search returns the values of an entry, by a search through all lines.
func (t *Record) search(id memory.ID) (found []string) {
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
	return found
}

// appendValue adds the value of a line to those of the lines before it, which it cancels if it is noEntry.
func appendValue(values []string, value string) []string {
	if value == noEntry {
		return []string{noEntry}
	}
	if len(values) == 1 && values[0] == noEntry {
		values = nil
	}
	if len(value) != 2*macBytes || slices.Contains(values, value) {
		return values
	}
	values = append(values, value)
	return values[max(0, len(values)-maxHashes):]
}

func (t *Record) mac(id string, data []byte) string {
	h := hmac.New(sha256.New, t.key)
	_, _ = io.WriteString(h, id+"\n")
	_, _ = h.Write(memfile.UnixLines(data))
	return hex.EncodeToString(h.Sum(nil)[:macBytes])
}

// Read returns the record in a directory. key is the secret, or nil without one.
// Without a record or its secret, nothing counts as written here.
func Read(root *os.Root, key []byte) (*Record, error) {
	data, err := regular.Read(root, File, maxBytes)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return &Record{key: key}, nil
	case err != nil:
		return &Record{}, err
	}
	return &Record{key: key, raw: append([]byte("\n"), data...)}, nil
}

// HasKey reports whether there is a secret. Without one nothing can be noted.
func (t *Record) HasKey() bool { return t.key != nil }

// SetKey keys a record that has no secret yet.
func (t *Record) SetKey(key []byte) { t.key = key }

// Note records a content of a memory as written here.
func (t *Record) Note(root *os.Root, id memory.ID, data []byte) error {
	if t.key == nil || t.Holds(id, data) {
		return nil
	}
	return t.append(root, id, t.mac(string(id), data))
}

// NoteAll records contents of several memories as written here, in one write.
func (t *Record) NoteAll(root *os.Root, contents map[memory.ID][][]byte) error {
	if t.key == nil {
		return nil
	}
	var lines []byte
	for _, id := range slices.Sorted(maps.Keys(contents)) {
		for _, data := range contents[id] {
			if !t.Holds(id, data) {
				lines = append(lines, string(id)+" "+t.mac(string(id), data)+"\n"...)
			}
		}
	}
	if len(lines) == 0 {
		return nil
	}
	return t.appendLines(root, lines)
}

// Approve records contents of a memory as approved by a person, in one write. By its name, which has no spaces,
// [Record.TakeBack] withdraws it; without a name, it cannot be withdrawn.
func (t *Record) Approve(root *os.Root, name string, id memory.ID, contents ...[]byte) error {
	if t.key == nil {
		return nil
	}
	var added []string
	for _, data := range contents {
		if value := t.mac(string(id), data); !slices.Contains(t.of(id), value) && !slices.Contains(added, value) {
			added = append(added, value)
		}
	}
	lines := fmt.Appendf(nil, "%s %s %d", approval, id, len(added))
	if name != "" {
		lines = append(lines, " "+name...)
	}
	lines = append(lines, '\n')
	for _, value := range added {
		lines = append(lines, string(id)+" "+value+"\n"...)
	}
	return t.appendLines(root, lines)
}

// TakeBack removes from the record what an approval of memories has added: what was written, approved or revoked before
// counts again. ok is false, and nothing is changed, if something else was recorded of one of them since, another
// approval included, or the record does not tell.
func (t *Record) TakeBack(root *os.Root, name string, ids ...memory.ID) (ok bool, err error) {
	raw := t.raw
	for _, id := range ids {
		if raw, ok = withoutApproval(raw, name, id); !ok {
			return false, nil
		}
	}
	if err := atomicfile.Replace(root, File, bytes.TrimPrefix(raw, []byte("\n"))); err != nil {
		return false, err
	}
	t.raw = raw
	t.lines = nil
	clear(t.hashes)
	return true, nil
}

// withoutApproval returns lines, after a "\n", without those of the last approval of a memory, if that has a name.
func withoutApproval(raw []byte, name string, id memory.ID) (rest []byte, ok bool) {
	mark := []byte("\n" + approval + " " + string(id) + " ")
	at := bytes.LastIndex(raw, mark)
	if at < 0 {
		return nil, false
	}
	head, after, found := bytes.Cut(raw[at+len(mark):], []byte("\n"))
	count, its, _ := strings.Cut(string(head), " ")
	n, err := strconv.Atoi(count)
	if err != nil || !found || n < 0 || its == "" || its != name {
		return nil, false
	}
	for range n {
		line, next, found := bytes.Cut(after, []byte("\n"))
		if !found || !bytes.HasPrefix(line, []byte(string(id)+" ")) {
			return nil, false
		}
		after = next
	}
	if bytes.Contains(append([]byte("\n"), after...), []byte("\n"+string(id)+" ")) {
		return nil, false
	}
	return slices.Concat(raw[:at+1], after), true
}

// Revoke records that no content of a memory was written here.
func (t *Record) Revoke(root *os.Root, id memory.ID) error { return t.append(root, id, noEntry) }

// SetAll records whether marks are turned off.
func (t *Record) SetAll(root *os.Root, all bool) error {
	switch {
	case t.All() == all:
		return nil
	case all:
		return t.append(root, allEntry, t.mac(allEntry, nil))
	}
	return t.append(root, allEntry, noEntry)
}

// append adds a line to the record.
func (t *Record) append(root *os.Root, id memory.ID, value string) error {
	return t.appendLines(root, []byte(string(id)+" "+value+"\n"))
}

func (t *Record) appendLines(root *os.Root, lines []byte) error {
	if _, err := regular.AppendLines(root, File, lines); err != nil {
		return err
	}
	if len(t.raw) == 0 || t.raw[len(t.raw)-1] != '\n' {
		t.raw = append(t.raw, '\n')
	}
	t.raw = append(t.raw, lines...)
	t.lines = nil
	clear(t.hashes)
	return t.compact(root)
}

// compact rewrites the record when most of its lines no longer count.
func (t *Record) compact(root *os.Root) error {
	lines := bytes.Count(t.raw, []byte("\n"))
	if lines < compactAt || lines&(lines-1) != 0 { // done only when the number has doubled
		return nil
	}
	values := map[string][]string{}
	for line := range strings.Lines(string(t.raw)) {
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
	t.raw, t.lines = append([]byte("\n"), b.String()...), nil
	return atomicfile.ReplaceFast(root, File, []byte(b.String()))
}
