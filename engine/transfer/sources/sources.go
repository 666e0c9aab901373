// Package sources reads the files that a person asked to import: one document, or the notes of a directory. It opens
// regular files only, follows no link below the directory, and limits how much it reads, because the directory may come
// from anyone.
package sources

import (
	"cmp"
	"context"
	"errors"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"ltm/engine/transfer"
	"ltm/internal/fs/atomicfile"
	"ltm/internal/fs/regular"
	"ltm/internal/plural"
	"ltm/memory"
)

// Limits on the directories that are walked.
const (
	maxDepth   = 32
	maxEntries = 10 * transfer.MaxFiles // names that are looked at
)

// indexName is the only file of a directory that is read without being a note.
const indexName = "index.json"

// Read reads the file or directory at a path. In a directory it reads all markdown files below it, except those in
// hidden directories. The path itself may be a link. Files of a directory that cannot be read have [transfer.File.Err];
// the remarks say what was not looked at.
func Read(ctx context.Context, name string) (transfer.Source, []memory.Remark, error) {
	s := transfer.Source{Name: name}
	info, err := os.Stat(name)
	if err != nil {
		return s, nil, failed("read", err, name)
	}
	if !info.IsDir() {
		file, err := document(name)
		s.Files = []transfer.File{file}
		return s, nil, err
	}
	root, err := os.OpenRoot(name)
	if err != nil {
		return s, nil, failed("read", err, name)
	}
	defer root.Close()
	w := walk{ctx: ctx, name: name}
	if err := w.dir(root, ".", 0); err != nil {
		return s, nil, err
	}
	s.Dir, s.Files = true, w.files
	slices.SortFunc(s.Files, func(a, b transfer.File) int { return cmp.Compare(a.Name, b.Name) })
	return s, w.remarks(), nil
}

// document reads a single file.
func document(name string) (transfer.File, error) {
	real, err := filepath.EvalSymlinks(name) // what a person names may be a link
	if err != nil {
		return transfer.File{}, failed("read", err, name)
	}
	root, err := os.OpenRoot(filepath.Dir(real))
	if err != nil {
		return transfer.File{}, failed("read", err, name)
	}
	defer root.Close()
	file := read(root, filepath.Base(real), transfer.MaxDocumentBytes)
	file.Name = filepath.Base(name)
	if errors.Is(file.Err, regular.ErrSize) {
		return file, tooLarge(name, "%s is larger than %d MiB", memory.Quote(name, maxShown),
			transfer.MaxDocumentBytes>>20)
	}
	return file, failed("read", file.Err, name)
}

// read reads a file of a directory.
func read(root *os.Root, name string, limit int64) transfer.File {
	file := transfer.File{Name: name}
	info, err := regular.Info(root, name)
	if err == nil && info == nil {
		err = fs.ErrNotExist
	}
	if err == nil {
		file.Modified = info.ModTime().UTC()
		file.Data, err = regular.Read(root, name, limit)
	}
	file.Err = err
	return file
}

const maxShown = 200

func tooLarge(name, format string, args ...any) error {
	return memory.NewError(memory.CodeInvalid, memory.KindImportTooLarge, name, format, args...)
}

// failed returns an error of the file system as one of ltm's. verb is what failed: "read" or "write".
func failed(verb string, err error, name string) error {
	kind, code := memory.KindDiskFailed, memory.CodeStorage
	switch {
	case err == nil:
		return nil
	case errors.Is(err, fs.ErrNotExist) && verb == "read":
		kind, code = memory.KindImportMissing, memory.CodeNotFound
	case errors.Is(err, fs.ErrPermission) && verb == "read":
		kind = memory.KindDiskUnreadable
	case errors.Is(err, fs.ErrPermission):
		kind = memory.KindDiskUnwritable
	case errors.Is(err, regular.ErrKind):
		kind = memory.KindDiskNotRegular
	}
	return &memory.Error{Code: code, Kind: kind, Subject: name,
		Message: "cannot " + verb + " " + memory.Quote(name, maxShown), Err: atomicfile.Cause(err)}
}

// walk reads a directory and those below it.
type walk struct {
	ctx     context.Context
	name    string
	files   []transfer.File
	bytes   int64
	entries int
	links   int
	others  int // neither files nor directories
}

func (w *walk) dir(root *os.Root, name string, depth int) error {
	if err := w.ctx.Err(); err != nil {
		return err
	}
	if depth > maxDepth {
		return tooLarge(w.name, "%s has directories more than %d deep", memory.Quote(w.name, maxShown), maxDepth)
	}
	dir, err := root.Open(".")
	if err != nil {
		return failed("read", err, path.Join(w.name, name))
	}
	defer dir.Close()
	for {
		entries, err := dir.ReadDir(1000)
		for _, entry := range entries {
			if w.entries++; w.entries > maxEntries {
				return tooLarge(w.name, "%s has more than %d files", memory.Quote(w.name, maxShown), maxEntries)
			}
			if err := w.entry(root, name, entry, depth); err != nil {
				return err
			}
		}
		if err != nil {
			return nil // the end, or a directory that has gone
		}
	}
}

func (w *walk) entry(root *os.Root, dir string, entry fs.DirEntry, depth int) error {
	base := entry.Name()
	name := path.Join(dir, base)
	switch kind := entry.Type(); {
	case strings.HasPrefix(base, "."): // a program's own
		return nil
	case kind&fs.ModeSymlink != 0:
		w.links++
	case entry.IsDir():
		below, err := regular.OpenDir(root, base)
		if err != nil {
			return failed("read", err, path.Join(w.name, name))
		}
		defer below.Close()
		return w.dir(below, name, depth+1)
	case !strings.EqualFold(path.Ext(name), memory.FileExt) && name != indexName:
	case !kind.IsRegular():
		w.others++
	default:
		return w.file(root, base, name)
	}
	return nil
}

func (w *walk) file(root *os.Root, base, name string) error {
	if len(w.files) == transfer.MaxFiles {
		return tooLarge(w.name, "%s has more than %d notes", memory.Quote(w.name, maxShown), transfer.MaxFiles)
	}
	file := read(root, base, transfer.MaxFileBytes)
	file.Name = name
	if errors.Is(file.Err, fs.ErrNotExist) {
		return nil // it has just gone
	}
	file.Err = atomicfile.Cause(file.Err)
	if w.bytes += int64(len(file.Data)); w.bytes > transfer.MaxDocumentBytes {
		return tooLarge(w.name, "the notes in %s are larger than %d MiB together", memory.Quote(w.name, maxShown),
			transfer.MaxDocumentBytes>>20)
	}
	w.files = append(w.files, file)
	return nil
}

// remarks says what was not looked at.
func (w *walk) remarks() []memory.Remark {
	var texts []string
	if w.links > 0 {
		texts = append(texts, plural.Of(w.links, "link", "links")+" not followed")
	}
	if w.others > 0 {
		texts = append(texts, plural.Of(w.others, "note", "notes")+" left out: not a regular file")
	}
	return memory.Say(texts...)
}
