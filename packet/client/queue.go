package client

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/gofrs/flock"

	"ltm/internal/fs/atomicfile"
	"ltm/internal/fs/regular"
	"ltm/memory"
	"ltm/packet"
)

// Queue are the packets that could not be sent yet: a file for each in a directory that belongs to
// the clone. The directory need not exist.
//
// A process takes a packet by renaming its file, so that of several at once only one sends it. If
// that one is killed, the packet waits again after a while; to send one twice has no further effect.
type Queue struct{ dir string }

// NewQueue returns the queue in a directory. Without one it is empty, and takes nothing.
func NewQueue(dir string) Queue { return Queue{dir} }

// Waiting is a packet that waits.
type Waiting struct {
	ID   string    `json:"id"`
	Host string    `json:"host"`
	Team string    `json:"team,omitempty"`
	At   time.Time `json:"queued_at"`

	// Packet is the packet itself, in canonical form, if it is in no store.
	Packet json.RawMessage `json:"packet,omitempty"`

	// Refused says why the server permanently refuses it.
	Refused string `json:"refused,omitempty"`

	// Sending reports that a process sends it just now.
	Sending bool `json:"sending,omitempty"`

	// Err says why the file cannot be read.
	Err error `json:"-"`

	name string
}

type waitingFile struct {
	Version int `json:"version"`
	Waiting
}

const (
	takenSuffix = ".taken"

	maxWaitingBytes = 4 * packet.MaxBytes
	maxWaiting      = 10000
	maxRefusedChars = 1000

	// takenFor is how long a process may have a packet: longer than any request lasts.
	takenFor = 2 * time.Minute
)

func (q Queue) open(create bool) (*os.Root, error) {
	switch {
	case q.dir == "" && create:
		return nil, memory.NewError(memory.CodeInvalid, memory.KindRemotePlace, "",
			"there is no place for packets that wait")
	case q.dir == "":
		return nil, nil
	case create:
		if err := os.MkdirAll(q.dir, dirPerm); err != nil {
			return nil, failed("make", q.dir, err)
		}
	}
	root, err := regular.OpenPath(q.dir)
	if errors.Is(err, fs.ErrNotExist) && !create {
		return nil, nil
	}
	if err != nil {
		return nil, failed("open", q.dir, err)
	}
	return root, nil
}

// Add adds a packet. The same packet that waits for the same server and team already stays as it is,
// unless the server refused it: it is tried again. Another packet of the same id takes its place.
func (q Queue) Add(w Waiting) error {
	root, err := q.open(true)
	if err != nil {
		return err
	}
	defer root.Close()
	sweep(root)
	w.name = key(w.Host, w.Team, w.ID) + suffix
	there := q.read(root, w.name)
	if there.Err == nil && there.Refused == "" && samePacket(there.Packet, w.Packet) {
		return nil
	}
	w.Refused, w.Sending = "", false
	return q.write(root, w)
}

// samePacket reports whether two packets in JSON are the same, or none is given.
func samePacket(a, b json.RawMessage) bool {
	var left, right bytes.Buffer
	json.HTMLEscape(&left, a) // as it is written
	json.HTMLEscape(&right, b)
	return bytes.Equal(left.Bytes(), right.Bytes())
}

func (q Queue) write(root *os.Root, w Waiting) error {
	data, err := json.Marshal(waitingFile{fileVersion, w})
	if err == nil {
		err = write(root, w.name, append(data, '\n'), true)
	}
	return failed("write", filepath.Join(q.dir, w.name), err)
}

// List returns what waits, the oldest first, what cannot be read last.
func (q Queue) List() ([]Waiting, error) {
	root, err := q.open(false)
	if root == nil {
		return nil, err
	}
	defer root.Close()
	names, err := regular.Names(root, ".", maxWaiting)
	if err != nil {
		return nil, failed("read", q.dir, err)
	}
	var list []Waiting
	for _, name := range names {
		if strings.HasPrefix(name, ".") {
			continue
		}
		if free, ok := strings.CutSuffix(name, takenSuffix); ok && strings.HasSuffix(free, suffix) {
			if name = q.returned(root, name, free); name == "" {
				continue
			}
		}
		if !strings.HasSuffix(strings.TrimSuffix(name, takenSuffix), suffix) {
			continue
		}
		w := q.read(root, name)
		w.Sending = strings.HasSuffix(name, takenSuffix)
		if !errors.Is(w.Err, fs.ErrNotExist) {
			list = append(list, w)
		}
	}
	slices.SortFunc(list, func(a, b Waiting) int {
		if (a.Err == nil) != (b.Err == nil) {
			return map[bool]int{true: -1, false: 1}[a.Err == nil]
		}
		return cmp.Or(a.At.Compare(b.At), strings.Compare(a.ID+a.name, b.ID+b.name))
	})
	return list, nil
}

// returned gives a packet back that a process took and did not finish, and returns the name of its
// file now; "" if it is gone.
func (q Queue) returned(root *os.Root, taken, free string) string {
	info, err := root.Lstat(taken)
	if err != nil {
		return ""
	}
	if time.Since(info.ModTime()) < takenFor {
		return taken
	}
	if _, err := root.Lstat(free); err == nil { // it was added again meanwhile
		_ = root.Remove(taken)
		return ""
	}
	if root.Rename(taken, free) != nil {
		return ""
	}
	return free
}

func (q Queue) read(root *os.Root, name string) Waiting {
	bad := func(err error) Waiting {
		return Waiting{name: name, Err: failed("read", filepath.Join(q.dir, name), err)}
	}
	text, err := regular.Read(root, name, maxWaitingBytes)
	if errors.Is(err, fs.ErrNotExist) {
		return Waiting{name: name, Err: fs.ErrNotExist}
	}
	if err != nil {
		return bad(err)
	}
	var file waitingFile
	if json.Unmarshal(text, &file) != nil || file.Version != fileVersion {
		return bad(errors.New("it is damaged, or of a newer version"))
	}
	w := file.Waiting
	host, err := ParseHost(w.Host)
	if err != nil || host.String() != w.Host || checkID(w.ID) != nil || w.Team != "" && checkTeam(w.Team) != nil ||
		key(w.Host, w.Team, w.ID)+suffix != strings.TrimSuffix(name, takenSuffix) {
		return bad(errors.New("it is not about the packet that its name says"))
	}
	w.name = name
	return w
}

// Take takes a packet to send it. ok is false if another process has it or sent it meanwhile, or if
// another packet waits in its place now. The caller must call one of the methods of [Taken].
func (q Queue) Take(w Waiting) (t *Taken, ok bool, err error) {
	if w.Sending || w.Err != nil {
		return nil, false, nil
	}
	root, err := q.open(false)
	if root == nil {
		return nil, false, err
	}
	// Without a lock, two would have the packet on Windows, where a rename goes by an open file: it succeeds, too,
	// if another process has renamed the file since it was opened.
	unlock, err := q.lock()
	if err != nil {
		root.Close()
		return nil, false, err
	}
	defer unlock()
	taken := w.name + takenSuffix
	now := time.Now()
	// The time of the file is that of the taking, before others can see it as taken.
	if err = root.Chtimes(w.name, now, now); err == nil {
		if _, there := root.Lstat(taken); there == nil {
			root.Close()
			return nil, false, nil
		}
		err = root.Rename(w.name, taken)
	}
	if err != nil {
		root.Close()
		if errors.Is(err, fs.ErrNotExist) {
			err = nil
		}
		return nil, false, failed("write", filepath.Join(q.dir, w.name), err)
	}
	t = &Taken{q: q, root: root, w: w, name: taken}
	if now := q.read(root, taken); now.Err != nil || now.Refused != w.Refused || !samePacket(now.Packet, w.Packet) {
		return nil, false, t.Return()
	}
	return t, true, nil
}

// lockWait is how long Take waits for others that take a packet, which they do at once.
const lockWait = 10 * time.Second

// lock takes the lock of the queue.
func (q Queue) lock() (unlock func(), err error) {
	ctx, cancel := context.WithTimeout(context.Background(), lockWait)
	defer cancel()
	l := flock.New(filepath.Join(q.dir, "lock"), flock.SetPermissions(0o600))
	if _, err := l.TryLockContext(ctx, time.Millisecond); err != nil {
		return nil, failed("lock", q.dir, err)
	}
	return func() { _ = l.Close() }, nil
}

// Taken is a packet that this process sends.
type Taken struct {
	q    Queue
	root *os.Root
	w    Waiting
	name string
}

// Sent removes the packet from the queue.
func (t *Taken) Sent() error {
	defer t.root.Close()
	return failed("remove", filepath.Join(t.q.dir, t.name), atomicfile.Remove(t.root, t.name))
}

// replaced reports whether another packet waits in the place of this one by now, which stays.
func (t *Taken) replaced() bool {
	_, err := t.root.Lstat(t.w.name)
	return err == nil
}

// Return lets the packet wait again.
func (t *Taken) Return() error {
	if t.replaced() {
		return t.Sent()
	}
	defer t.root.Close()
	return failed("write", filepath.Join(t.q.dir, t.w.name), t.root.Rename(t.name, t.w.name))
}

// Refuse notes that the server does not take the packet, ever. It stays in the queue, and is not sent again by itself.
func (t *Taken) Refuse(why string) error {
	if t.replaced() {
		return t.Sent()
	}
	defer t.root.Close()
	if r := []rune(why); len(r) > maxRefusedChars {
		why = string(r[:maxRefusedChars])
	}
	t.w.Refused = why
	if err := t.q.write(t.root, t.w); err != nil {
		return err
	}
	return failed("remove", filepath.Join(t.q.dir, t.name), atomicfile.Remove(t.root, t.name))
}

// Remove removes a packet from the queue, even if it was refused, and returns how often it was there. An empty host
// means those for any server and team.
func (q Queue) Remove(id, host, team string) (int, error) {
	list, err := q.List()
	if err != nil {
		return 0, err
	}
	root, err := q.open(false)
	if root == nil {
		return 0, err
	}
	defer root.Close()
	removed := 0
	for _, w := range list {
		if w.Err != nil || w.ID != id || w.Sending || host != "" && (w.Host != host || w.Team != team) {
			continue
		}
		if err := atomicfile.Remove(root, w.name); err != nil {
			return removed, failed("remove", filepath.Join(q.dir, w.name), err)
		}
		removed++
	}
	return removed, nil
}
