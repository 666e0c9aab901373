package setup

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"

	"ltm/internal/fs/atomicfile"
	"ltm/memory"
)

const (
	claudeDir   = ".claude"
	commandsDir = claudeDir + "/commands"
	storeDir    = claudeDir + "/ltm"
	recordName  = "init.json"
	readmePath  = storeDir + "/README.md"
)

// record is what init notes for undo, in a directory of this work tree alone, where no repository can put one. Without
// a record, undo removes what it recognizes.
type record struct {
	Version int                   `json:"version"`
	By      string                `json:"by,omitempty"`   // see [Written]
	Told    bool                  `json:"told,omitempty"` // a person was told that hooks are missing; nothing was written
	Store   bool                  `json:"store"`          // init made the store's directory
	Dirs    []string              `json:"dirs"`           // directories that init made
	Files   map[string]fileRecord `json:"files"`
}

// fileRecord restores a file that is still as init left it: Old replaces Size bytes at At.
type fileRecord struct {
	Created bool   `json:"created"`
	After   string `json:"after"` // checksum of what init left
	At      int    `json:"at,omitempty"`
	Size    int    `json:"size,omitempty"`
	Old     []byte `json:"old,omitempty"`
}

const recordVersion = 1

// readRecordFile returns the record's file in a directory, which may be missing.
func readRecordFile(dir string) (file, error) {
	if dir == "" {
		return file{name: recordName}, nil
	}
	return readIn(dir, recordName)
}

// writeRecordFile writes the record's file, or removes it when it has no data.
func writeRecordFile(dir string, found file) error {
	if found.data != nil {
		if err := os.MkdirAll(dir, dirPerm); err != nil {
			return storageError(err, "create", dir)
		}
	}
	err := putIn(dir, found)
	if found.data == nil && errors.Is(err, fs.ErrNotExist) {
		err = nil
	}
	return storageError(err, "write", filepath.Join(dir, recordName))
}

// parseRecord returns the record in a file, or nil if it is missing or damaged.
func parseRecord(found file) (*record, error) {
	if found.data == nil {
		return nil, nil
	}
	r := &record{}
	err := json.Unmarshal(found.data, r)
	if r.Version > recordVersion {
		return nil, memory.NewError(memory.CodeConflict, memory.KindSetupNewer, recordName,
			"%s has version %d, and this ltm knows %d", recordName, r.Version, recordVersion)
	}
	if err != nil {
		return nil, nil //nolint:nilerr // a damaged record counts as missing
	}
	return r, nil
}

// Written is what inits wrote in a work tree, by its record.
type Written struct {
	Known bool   // there is a record
	Hooks bool   // hooks are among it
	By    string // the work tree whose init alone wrote here, as in [Options]; empty: an init that ran here
}

// ReadWritten reads the record in the private directory of a work tree, which may be missing. Nothing is known of
// what a damaged one says.
func ReadWritten(private string) Written {
	found, err := readRecordFile(private)
	if err != nil || found.data == nil {
		return Written{}
	}
	w := Written{Known: true}
	if r, err := parseRecord(found); err == nil && r != nil {
		_, local := r.Files[placeLocal]
		_, shared := r.Files[placeShared]
		w.Hooks, w.By = local || shared, r.By
	}
	return w
}

// Told records that a person was told that a work tree has no hooks, unless there is a record. by is as in [Written].
func Told(private, by string) error {
	data, err := (&record{By: by, Told: true, Files: map[string]fileRecord{}}).encode()
	if err != nil {
		return err
	}
	if err := os.MkdirAll(private, dirPerm); err != nil {
		return storageError(err, "create", private)
	}
	f, err := openFolder(private)
	if err != nil {
		return err
	}
	defer f.close()
	return storageError(atomicfile.Create(f.root, recordName, data, 0), "write", recordName)
}

func (r *record) encode() ([]byte, error) {
	r.Version = recordVersion
	slices.Sort(r.Dirs)
	data, err := json.MarshalIndent(r, "", "  ")
	return append(data, '\n'), err
}

func fingerprint(data []byte) string {
	sum := sha256.Sum256(data)
	return hex.EncodeToString(sum[:])
}

// note records that init changed a file from base to after. For a file that init had changed earlier, base is what it
// was before that.
func (r *record) note(name string, created bool, base, after []byte) {
	start, end := 0, 0
	for start < min(len(base), len(after)) && base[start] == after[start] {
		start++
	}
	for end < min(len(base), len(after))-start && base[len(base)-1-end] == after[len(after)-1-end] {
		end++
	}
	r.Files[name] = fileRecord{Created: created, After: fingerprint(after), At: start,
		Size: len(after) - end - start, Old: bytes.Clone(base[start : len(base)-end])}
}

// restore returns what the file was before init, if it is still as init left it.
func (f fileRecord) restore(data []byte) ([]byte, bool) {
	if fingerprint(data) != f.After || f.At < 0 || f.Size < 0 || f.At > len(data) || f.Size > len(data)-f.At {
		return nil, false
	}
	return splice(data, f.At, f.At+f.Size, string(f.Old)), true
}

// missingDirs lists the directories above a file that do not exist.
func missingDirs(f *folder, name string) []string {
	var dirs []string
	for dir := path.Dir(name); dir != "." && !f.exists(dir); dir = path.Dir(dir) {
		dirs = append(dirs, dir)
	}
	return dirs
}
