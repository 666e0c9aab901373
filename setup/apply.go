package setup

import (
	"bytes"
	"context"
	"errors"
	"io/fs"
	"os"
	"path"
	"slices"
	"strings"

	"ltm/internal/fs/atomicfile"
	"ltm/internal/fs/busyfile"
	"ltm/memory"
)

// runner carries out a plan: all files are written beside their places first, and renamed when only a rename can still
// fail. If one fails, what was done is undone.
type runner struct {
	plan   *Plan
	f      *folder
	staged []*atomicfile.Staged // by the number of their change; nil: committed, or nothing to write
	done   []Change

	doneOutside []Change // of files that are not in the project
}

// Run carries out the plan, all of it or nothing. makeStore makes the store's directory.
func (p *Plan) Run(ctx context.Context, makeStore func(context.Context) error) error {
	if !p.Writes() && !(p.undo && p.recordFile.data != nil) {
		return nil
	}
	f, err := openFolder(p.project)
	if err != nil {
		return err
	}
	defer f.close()
	p.sweep(f)
	r := &runner{plan: p, f: f}
	if err := r.run(ctx, makeStore); err != nil {
		return r.rollBack(err)
	}
	return nil
}

func (r *runner) run(ctx context.Context, makeStore func(context.Context) error) error {
	if r.plan.store == storeMake {
		if err := makeStore(ctx); err != nil {
			return err
		}
	}
	steps := []func() error{r.writeRecord, r.outside, r.inside} // outside before there is something to ignore
	if r.plan.undo {
		steps = []func() error{r.writeRecord, r.inside, r.outside, r.cleanUp}
	}
	for _, step := range steps {
		if err := step(); err != nil {
			return err
		}
	}
	return nil
}

// inside writes the files of the project: all are staged first, so that only a rename can fail after the first one.
func (r *runner) inside() error {
	changes := r.changes()
	for _, c := range changes {
		staged, err := r.stage(c)
		if err != nil {
			return storageError(err, "write", c.Path)
		}
		r.staged = append(r.staged, staged)
	}
	for i, c := range changes {
		staged := r.staged[i]
		r.staged[i] = nil
		if err := r.commit(c, staged); err != nil {
			return storageError(err, "write", c.Path)
		}
		r.done = append(r.done, c)
	}
	return nil
}

// sweep cleans up after a run that was killed, beside every file of the plan.
func (p *Plan) sweep(f *folder) {
	names := map[string][]string{} // by directory
	for _, c := range p.Changes {
		for _, name := range []string{c.Path, c.before.name} {
			if name != "" {
				names[path.Dir(name)] = append(names[path.Dir(name)], path.Base(name))
			}
		}
	}
	for dir, own := range names {
		f.sweep(dir, own...)
	}
}

// changes lists the files to write.
func (r *runner) changes() []Change {
	return slices.DeleteFunc(slices.Clone(r.plan.Changes), func(c Change) bool {
		return c.Action == Kept || c.Path == storeDir || c.dir != ""
	})
}

// writeRecord writes the record, before anything that it knows of.
func (r *runner) writeRecord() error {
	record := r.plan.record
	if record == nil {
		return nil
	}
	for _, name := range ignoredFiles() {
		if r.plan.store == storeMake {
			made, err := r.f.read(name)
			if err != nil {
				return err
			}
			record.note(name, true, nil, made.data)
		}
	}
	data, err := record.encode()
	if err != nil {
		return err
	}
	return writeRecordFile(r.plan.private, file{name: recordName, data: data})
}

// stage makes sure that a file is as the plan found it, and writes the new one beside it.
func (r *runner) stage(c Change) (*atomicfile.Staged, error) {
	now, err := r.f.read(c.Path)
	if err != nil {
		return nil, err
	}
	if !bytes.Equal(now.data, c.before.data) || (now.data == nil) != (c.before.data == nil) {
		return nil, changedMeanwhile(c.Path)
	}
	if c.before.data != nil && c.before.perm&0o200 == 0 {
		return nil, fs.ErrPermission
	}
	if c.after == nil {
		return nil, nil
	}
	if dirs := missingDirs(r.f, c.before.name); len(dirs) > 0 {
		if err := r.f.root.MkdirAll(dirs[0], dirPerm); err != nil {
			return nil, err
		}
	}
	return atomicfile.Stage(r.f.root, c.before.name, c.after, c.before.perm)
}

func (r *runner) commit(c Change, staged *atomicfile.Staged) error {
	if c.after == nil {
		if err := busyfile.Remove(r.f.root, c.before.name); !errors.Is(err, fs.ErrNotExist) {
			return err
		}
		return nil
	}
	return staged.Commit(c.before.name)
}

// cleanUp removes, after an undo, the record and the directories that are empty now.
func (r *runner) cleanUp() error {
	if r.plan.recordFile.data != nil {
		if err := writeRecordFile(r.plan.private, file{name: recordName}); err != nil {
			return err
		}
		_ = os.Remove(r.plan.private) // if nothing else is in it
	}
	if r.plan.store == storeRemove {
		if err := r.removeStore(); err != nil {
			return err
		}
	}
	r.removeDirs()
	return nil
}

// removeStore removes a store that keeps nothing. Only empty directories are removed, so that a memory that is stored
// meanwhile stays.
func (r *runner) removeStore() error {
	names, why, err := r.f.emptyStore(&record{}, true)
	if err != nil || why != "" {
		return err
	}
	// The directories of memories come first: they cannot be removed if something was stored meanwhile.
	for _, name := range append([]string{storeDir + "/memories", storeDir + "/archives"}, names...) {
		if err := r.f.root.Remove(name); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return storageError(err, "remove", name)
		}
	}
	return nil
}

// removeDirs removes the directories of the plan that are empty.
func (r *runner) removeDirs() {
	dirs := slices.Clone(r.plan.dirs)
	slices.Sort(dirs)
	slices.Reverse(dirs) // those inside come first
	for _, dir := range slices.Compact(dirs) {
		if info, err := r.f.root.Lstat(dir); err == nil && info.IsDir() && dir != "." {
			_ = r.f.root.Remove(dir)
		}
	}
}

// rollBack restores everything, and returns the cause, or an error with what it could not restore.
func (r *runner) rollBack(cause error) error {
	for _, staged := range r.staged {
		if staged != nil {
			staged.Discard()
		}
	}
	left := r.putBack()
	if len(left) == 0 {
		return cause
	}
	return &memory.Error{Code: memory.CodeStorage, Kind: memory.KindSetupHalf, Subject: left[0],
		Message: "stopped half-way: " + strings.Join(left, ", ") + " could not be put back", Err: cause}
}

// putBack restores the files that were written, and returns those that it could not restore.
func (r *runner) putBack() (left []string) {
	for _, c := range slices.Backward(r.done) {
		if r.f.put(c.before) != nil {
			left = append(left, c.Path)
		}
	}
	for _, c := range r.doneOutside {
		if putIn(c.dir, c.before) != nil {
			left = append(left, c.Path)
		}
	}
	if r.plan.undo {
		return left
	}
	if r.plan.record != nil && writeRecordFile(r.plan.private, r.plan.recordFile) != nil {
		left = append(left, recordName)
	}
	if r.plan.store == storeMake {
		_ = r.removeStore()
	}
	r.removeDirs()
	return left
}
