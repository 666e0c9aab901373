package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"

	"ltm/internal/fs/atomicfile"
	"ltm/server/sqlstore"
)

// standardStream means standard input or output instead of a file.
const standardStream = "-"

// backupCommand writes everything into one file, while servers go on.
func (a *app) backupCommand() *cobra.Command {
	return &cobra.Command{
		Use:  "backup FILE",
		Args: arguments(1, "a file"),
		RunE: a.onStorage(func(ctx context.Context, s database, given []string) error {
			err := a.output(given[0], "backup", "back up", func(w io.Writer) error { return s.Dump(ctx, w) })
			if err != nil {
				return err
			}
			if err := s.BackedUp(ctx, a.now()); err != nil {
				a.notice("the database does not know of this backup: %v", err)
			}
			return nil
		}),
	}
}

// output writes standard output or a new file, which is a backup or an export of everything.
func (a *app) output(name, what, do string, write func(io.Writer) error) error {
	if name == standardStream {
		if err := write(a.stdout); err != nil {
			return failed("cannot "+do+" everything", err)
		}
		return nil
	}
	if err := newFile(name, what, write); err != nil {
		return err
	}
	a.notice("wrote %s", name)
	return nil
}

// input opens a file, which is a backup or the like, or standard input.
func (a *app) input(name, what string) (io.ReadCloser, error) {
	if name == standardStream {
		return io.NopCloser(a.stdin), nil
	}
	f, err := os.Open(name)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, &fault{status: exitNotFound, message: "there is no " + what + " " + name}
	}
	if err != nil {
		return nil, &fault{status: exitInvalid, message: "cannot read the " + what, cause: err}
	}
	return f, nil
}

// newFile writes a new file that only its owner can read. Half a file is removed.
func newFile(path, what string, write func(io.Writer) error) error {
	f, err := os.OpenFile(path, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600)
	if errors.Is(err, fs.ErrExist) {
		return &fault{status: exitConflict, message: path + " exists", next: "give a file that does not"}
	}
	if err != nil {
		return &fault{status: exitInvalid, message: "cannot write the " + what, cause: err}
	}
	err = errors.Join(write(f), f.Sync(), f.Close())
	if err == nil {
		err = syncDir(filepath.Dir(path))
	}
	if err != nil {
		return failed("cannot write the whole "+what, errors.Join(err, os.Remove(path)))
	}
	return nil
}

func syncDir(dir string) error {
	root, err := os.OpenRoot(dir)
	if err != nil {
		return err
	}
	return errors.Join(atomicfile.SyncDir(root, "."), root.Close())
}

// restoreCommand fills an empty database from a backup.
func (a *app) restoreCommand() *cobra.Command {
	return &cobra.Command{
		Use:  "restore FILE",
		Args: arguments(1, "a file"),
		RunE: func(c *cobra.Command, given []string) error {
			in, err := a.input(given[0], "backup")
			if err != nil {
				return err
			}
			defer in.Close()
			name := given[0]
			if name == standardStream {
				name = "standard input"
			}
			return a.restore(c.Context(), in, name)
		},
	}
}

// restore reads a backup. If it fails, a file that it made is removed.
func (a *app) restore(ctx context.Context, from io.Reader, name string) error {
	made := false
	if !a.options.postgres() {
		_, err := os.Lstat(a.options.db)
		made = errors.Is(err, fs.ErrNotExist)
	}
	j, err := a.openJournal() // one that cannot be read is found before anything is changed
	if err != nil {
		return err
	}
	s, err := a.open(ctx, true)
	if err != nil {
		return err
	}
	err = s.Restore(ctx, from)
	if err == nil {
		a.notice("restored %s into %s", name, a.options.shownDatabase())
		if err := errors.Join(a.restored(ctx, s.Threads(), j), s.Close()); err != nil {
			return failed("cannot finish the restore", err)
		}
		return nil
	}
	if closed := s.Close(); closed != nil {
		err = errors.Join(err, closed)
	}
	if made {
		for _, suffix := range []string{"", "-wal", "-shm", ".lock"} {
			if gone := os.Remove(a.options.db + suffix); !errors.Is(gone, fs.ErrNotExist) {
				err = errors.Join(err, gone)
			}
		}
	}
	switch {
	case errors.Is(err, sqlstore.ErrNotEmpty):
		return &fault{status: exitConflict, message: a.options.shownDatabase() + " is not empty",
			next: "--db or LTM_SERVER_DB names another place; nothing was changed"}
	case errors.Is(err, sqlstore.ErrDamaged):
		return &fault{status: exitInvalid, message: "cannot restore " + name, cause: err, next: "nothing was changed"}
	}
	return failed(fmt.Sprintf("cannot restore %s", name), err)
}
