package store

import (
	"errors"
	"io/fs"
	"slices"
	"syscall"

	"ltm/internal/fs/atomicfile"
	"ltm/internal/fs/busyfile"
	"ltm/internal/fs/regular"
	"ltm/memory"
	"ltm/memory/memfile"
	"ltm/store/trust"
)

const (
	trustFile = trust.File
	keyName   = "trust.key"
)

// Trust is the record of what was written or approved in this clone.
type Trust = trust.Record

// Trust returns the trust record. Without a record or its secret it is empty. For one
// that cannot be read it returns an empty record and an error.
func (v *View) Trust() (*Trust, error) { return v.record.get(v.readTrust) }

func (v *View) readTrust() (*Trust, error) {
	if v.clone == nil {
		return &Trust{}, nil
	}
	record, err := trust.Read(v.clone, v.key())
	if err != nil {
		return record, memory.NewError(memory.CodeUnreadable, memory.KindTrustDamaged, trustFile,
			"the trust record %s cannot be read: %v", v.Path(trustFile), atomicfile.Cause(err))
	}
	return record, nil
}

// key returns the secret, or nil if it does not exist.
func (v *View) key() []byte {
	if v.store.places.Key == "" {
		return nil
	}
	return trust.ReadKey(v.store.places.Key)
}

// makeKey makes the secret. In the clone's directory that must succeed: without it, what is stored would count as from
// elsewhere. The user's own directory may be read-only: memories can be stored all the same.
func (tx *Tx) makeKey() ([]byte, error) {
	path := tx.store.places.Key
	if path == "" {
		return nil, nil
	}
	key, err := trust.MakeKey(path)
	if tx.store.places.Local && (errors.Is(err, fs.ErrPermission) || errors.Is(err, syscall.EROFS)) {
		return nil, nil
	}
	return key, storageError(err, "write", path)
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
	if !t.HasKey() {
		key, err := tx.makeKey()
		if err != nil {
			return nil, err
		}
		t.SetKey(key)
	}
	tx.trust = t
	return t, nil
}

// Approve records contents of a memory and its archives as written here.
func (tx *Tx) Approve(id memory.ID, contents ...[]byte) error {
	return tx.ApproveAs("", id, contents...)
}

// ApproveAs is Approve with a name, by which [Tx.Unapprove] withdraws it.
func (tx *Tx) ApproveAs(name string, id memory.ID, contents ...[]byte) error {
	t, err := tx.loadTrust()
	if err != nil || tx.foreign {
		return err
	}
	return tx.trustError(t.Approve(tx.clone, name, id, contents...))
}

// Unapprove takes an approval of memories back. ok is false, and nothing is changed, if it is not the last of each.
func (tx *Tx) Unapprove(name string, ids ...memory.ID) (ok bool, err error) {
	t, err := tx.loadTrust()
	if err != nil {
		return false, err
	}
	ok, err = t.TakeBack(tx.clone, name, ids...)
	return ok, tx.trustError(err)
}

// Revoke records every content of a memory as written elsewhere.
func (tx *Tx) Revoke(id memory.ID) error {
	t, err := tx.loadTrust()
	if err != nil {
		return err
	}
	return tx.trustError(t.Revoke(tx.clone, id))
}

// TrustAll records whether marks are turned off in this clone.
func (tx *Tx) TrustAll(all bool) error {
	t, err := tx.loadTrust()
	if err != nil {
		return err
	}
	return tx.trustError(t.SetAll(tx.clone, all))
}

func (tx *Tx) trustError(err error) error { return storageError(err, "write", tx.Path(trustFile)) }

// inherits returns the current file of a memory, and whether its next content counts as written here: that of a new
// memory does, and one that replaces a content which does. So a memory from elsewhere stays so when ltm reduces, tags
// or restores it. A stub has no content: its archive decides.
func (tx *Tx) inherits(id memory.ID) (before []byte, own bool, err error) {
	if _, err = tx.loadTrust(); err != nil {
		return nil, false, err
	}
	before, err = regular.Read(tx.root, memoriesDir+"/"+id.File(), memfile.MaxFileBytes)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, false, nil //nolint:nilerr // a file that cannot be read was not written here
	}
	if before != nil && !memfile.IsStubFile(before) {
		return before, tx.holds(id, before), nil
	}
	if before == nil && !tx.Taken(id) {
		return nil, true, nil
	}
	names, err := tx.ArchiveNames(id)
	if err != nil || len(names) == 0 {
		return before, before == nil || tx.holds(id, before), err
	}
	archived, err := regular.Read(tx.root, archivesDir+"/"+names[0], memfile.MaxFileBytes)
	return before, err == nil && tx.holds(id, archived), nil
}

// Signer signs memories, and knows what signatures prove.
type Signer interface {
	// Proves reports whether a memory with these bytes is signed by a key that counts.
	Proves(v *View, id memory.ID, data []byte) bool

	// Seal returns the bytes to write in place of data, which counts as written here: with a new signature if it needs
	// one and there is a key, and without one that does not match any more. before is what data was made from, or nil.
	Seal(tx *Tx, id memory.ID, before, data []byte) []byte
}

// holds reports whether a memory with these bytes counts as written here. A person's withdrawal
// takes precedence over a signature.
func (tx *Tx) holds(id memory.ID, data []byte) bool {
	return tx.trust.Holds(id, data) || tx.signer != nil && !tx.trust.Revoked(id) && tx.signer.Proves(tx.View, id, data)
}

// WrittenHere reports whether all of these contents of a memory count as written here.
func (tx *Tx) WrittenHere(id memory.ID, contents ...[]byte) (bool, error) {
	if _, err := tx.loadTrust(); err != nil {
		return false, err
	}
	return !slices.ContainsFunc(contents, func(data []byte) bool { return !tx.holds(id, data) }), nil
}

func (tx *Tx) seal(id memory.ID, before, data []byte) []byte {
	if tx.signer == nil || tx.foreign { // a signature must not replace a person's approval
		return data
	}
	return tx.signer.Seal(tx, id, before, data)
}

// RenewTrust starts a new record if the old one cannot be read. The old one stays beside
// it. Everything counts as from elsewhere until a person approves it.
func (tx *Tx) RenewTrust() error {
	if _, err := tx.Trust(); err == nil {
		return nil
	}
	tx.record.done = false
	err := busyfile.Rename(tx.clone, trustFile, damagedCopy(tx.clone, trustFile))
	return storageError(err, "rename", tx.Path(trustFile))
}
