package keyring

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"

	"ltm/internal/fs/atomicfile"
	"ltm/internal/fs/regular"
	"ltm/memory"
	"ltm/store/signing"
)

const (
	dirPerm  = 0o700
	filePerm = 0o600

	// others are the permission bits of everyone but the person.
	others = 0o077

	suffix      = ".key"
	currentFile = "current"
	ignoreFile  = ".gitignore"

	useKey = "use" // what fails with a key that is damaged

	maxKeyBytes = 4096 // of a file
	maxKeys     = 1000
)

// Ring is a directory of keys. It need not exist.
type Ring struct{ dir, none string }

func New(dir string) Ring { return Ring{dir: dir} }

// None returns a ring without keys that takes none, and why there can be none.
func None(why string) Ring { return Ring{none: why} }

func (r Ring) Dir() string { return r.dir }

// Entry is one key of a ring.
type Entry struct {
	Fingerprint string
	Current     bool
	Path        string
	Err         error // why it cannot be used; nil: it can

	key signing.Key
}

// open opens the directory. It returns nil if it does not exist.
func (r Ring) open() (*os.Root, error) {
	if r.none != "" {
		return nil, memory.NewError(memory.CodeInvalid, memory.KindKeyPlace, "", "there can be no keys here: %s",
			r.none)
	}
	root, err := regular.OpenPath(r.dir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, failed("open", r.dir, err)
	}
	info, err := root.Stat(".")
	if err == nil && isExposed(info) {
		err = memory.NewError(memory.CodeStorage, memory.KindKeyExposed, r.dir,
			"the keys in %s are not used: others may read or change the directory", r.dir)
	}
	if err != nil {
		root.Close()
		return nil, failed("open", r.dir, err)
	}
	return root, nil
}

func isExposed(info fs.FileInfo) bool {
	return runtime.GOOS != "windows" && info.Mode().Perm()&others != 0
}

func failed(verb, path string, err error) error {
	if _, ok := errors.AsType[*memory.Error](err); ok || err == nil {
		return err
	}
	cause := atomicfile.Cause(err)
	return &memory.Error{Code: memory.CodeStorage, Kind: kindOf(verb, cause), Subject: path,
		Message: "cannot " + verb + " " + path, Err: cause}
}

func kindOf(verb string, cause error) memory.Kind {
	reads := verb == useKey || verb == "read"
	switch {
	case errors.Is(cause, fs.ErrPermission) && reads:
		return memory.KindDiskUnreadable
	case errors.Is(cause, fs.ErrPermission):
		return memory.KindDiskUnwritable
	case errors.Is(cause, fs.ErrExist), errors.Is(cause, fs.ErrNotExist):
		return memory.KindRequestInvalid // the person named the file
	case verb == useKey:
		return memory.KindKeyDamaged
	}
	return memory.KindDiskFailed
}

// List returns the keys, by fingerprint, those that cannot be used among them.
func (r Ring) List() ([]Entry, error) {
	root, err := r.open()
	if root == nil {
		return nil, err
	}
	defer root.Close()
	names, err := regular.Names(root, ".", maxKeys)
	if err != nil {
		return nil, failed("read", r.dir, err)
	}
	var list []Entry
	for _, name := range names {
		if fingerprint, ok := strings.CutSuffix(name, suffix); ok && signing.IsFingerprint(fingerprint) {
			list = append(list, r.read(root, fingerprint))
		}
	}
	slices.SortFunc(list, func(a, b Entry) int { return strings.Compare(a.Fingerprint, b.Fingerprint) })
	markCurrent(root, list)
	return list, nil
}

// markCurrent marks the key that the directory names.
func markCurrent(root *os.Root, list []Entry) {
	named, err := regular.Read(root, currentFile, maxKeyBytes)
	for i := range list {
		list[i].Current = err == nil && list[i].Err == nil && list[i].Fingerprint == strings.TrimSpace(string(named))
	}
}

func (r Ring) read(root *os.Root, fingerprint string) Entry {
	name := fingerprint + suffix
	e := Entry{Fingerprint: fingerprint, Path: filepath.Join(r.dir, name)}
	info, err := regular.Info(root, name)
	if err == nil && info != nil && isExposed(info) {
		e.Err = memory.NewError(memory.CodeStorage, memory.KindKeyExposed, e.Path,
			"the key %s is not used: others may read its file", fingerprint)
		return e
	}
	if err == nil {
		var text []byte
		if text, err = regular.Read(root, name, maxKeyBytes); err == nil {
			e.key, err = signing.ParseKey(text)
		}
	}
	if err == nil && e.key.Fingerprint() != fingerprint {
		err = errors.New("it holds another key")
	}
	e.Err = failed(useKey, e.Path, err)
	return e
}

// Keys returns the keys that can be used, and which of them is the current one, if any is.
func (r Ring) Keys() (all []signing.Key, current signing.Key, ok bool) {
	list, err := r.List()
	if err != nil {
		return nil, current, false
	}
	for _, e := range list {
		if e.Err != nil {
			continue
		}
		all = append(all, e.key)
		if e.Current {
			current, ok = e.key, true
		}
	}
	return all, current, ok
}

// leastPrefix is how many digits of a fingerprint name a key.
const leastPrefix = 4

// Find returns the key whose fingerprint begins with a prefix; "" is the current key.
func (r Ring) Find(prefix string) (Entry, error) {
	list, err := r.List()
	if err != nil {
		return Entry{}, err
	}
	prefix = strings.ToLower(strings.TrimSpace(prefix))
	found := slices.DeleteFunc(list, func(e Entry) bool {
		return !(prefix == "" && e.Current) && (len(prefix) < leastPrefix || !strings.HasPrefix(e.Fingerprint, prefix))
	})
	switch {
	case len(found) == 1:
		return found[0], nil
	case len(found) > 1:
		return Entry{}, memory.NewError(memory.CodeInvalid, memory.KindKeyAmbiguous, prefix,
			"%d keys begin with %s", len(found), prefix)
	case prefix == "":
		return Entry{}, memory.NewError(memory.CodeNotFound, memory.KindKeyNone, "", "there is no current key")
	}
	return Entry{}, memory.NewError(memory.CodeNotFound, memory.KindKeyUnknown, prefix, "no key begins with %s",
		memory.Quote(prefix, 40))
}

// Secret returns the text of a key, for the person's own backup.
func (e Entry) Secret() ([]byte, error) {
	if e.Err != nil {
		return nil, e.Err
	}
	return e.key.Text(), nil
}
