package threads

import (
	"bufio"
	"bytes"
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"hash"
	"io"
	"os"
	"slices"
	"strings"
)

const (
	// exportPage is how many rows are read at once.
	exportPage = 500
	// inMemory is how many bytes of a user are held in memory; more go to a temporary file.
	inMemory = 8 << 20
)

// Export writes a user, or the whole application if User is empty, as one file. Each user is as of one moment. A user
// without rows is [ErrNotFound]; an application without users is a file without rows.
func (s *Service) Export(ctx context.Context, who Subject, w io.Writer) error {
	out := newLineWriter(w)
	if err := out.write(header{portableFormat, portableVersion}); err != nil {
		return err
	}
	if who.User != "" {
		if err := s.exportUser(ctx, who, out); err != nil {
			return err
		}
		return out.end()
	}
	if _, err := s.o.Storage.AppOf(ctx, who.App); err != nil {
		return err
	}
	after := ""
	err := eachOf(func() ([]string, error) { return s.o.Storage.Users(ctx, who.App, after, exportPage) },
		func(user string) error {
			after = user
			err := s.exportUser(ctx, Subject{who.App, user}, out)
			if errors.Is(err, ErrNotFound) { // erased meanwhile
				return nil
			}
			return err
		})
	if err != nil {
		return err
	}
	return out.end()
}

// exportUser writes what there is of a user. The rows are collected first, because a slow reader must not hold a
// transaction open.
func (s *Service) exportUser(ctx context.Context, who Subject, out *lineWriter) error {
	rows := &spool{}
	defer rows.close()
	err := s.o.Storage.View(ctx, who, func(v View) error {
		if err := rows.reset(); err != nil {
			return err
		}
		version, err := v.Version()
		if err != nil {
			return err
		}
		if version == 0 {
			return ErrNotFound
		}
		return userExport{v, newLineWriter(rows)}.write(who)
	})
	if err != nil {
		return err
	}
	in, err := rows.reader()
	if err != nil {
		return err
	}
	return out.copy(in)
}

// userExport writes the lines of one user.
type userExport struct {
	v   View
	out *lineWriter
}

func (x userExport) write(who Subject) error {
	if err := x.out.row(lineUser, userLine{who.User}); err != nil {
		return err
	}
	for _, part := range []func() error{x.threads, x.events, x.summaries, x.acts, x.reactions} {
		if err := part(); err != nil {
			return err
		}
	}
	return x.out.flush()
}

func (x userExport) threads() error {
	return x.eachThread(func(t Thread) error { return x.out.row(lineThread, t) })
}

// eachThread calls a function for every thread, the newest first.
func (x userExport) eachThread(do func(Thread) error) error {
	q := ThreadQuery{Limit: exportPage}
	return eachOf(func() ([]Thread, error) { return x.v.Threads(q) }, func(t Thread) error {
		q.After = &Place{At: t.CreatedAt, ID: t.ID}
		return do(t)
	})
}

// eachOf calls do with the rows of pages until one is not full.
func eachOf[T any](next func() ([]T, error), do func(T) error) error {
	for {
		found, err := next()
		if err != nil {
			return err
		}
		for _, row := range found {
			if err := do(row); err != nil {
				return err
			}
		}
		if len(found) < exportPage {
			return nil
		}
	}
}

func (x userExport) events() error {
	q := EventQuery{Limit: exportPage}
	return eachOf(func() ([]Event, error) { return x.v.Events(q) }, func(e Event) error {
		q.After = e.Seq
		return x.out.row(lineEvent, lineOfEvent(e))
	})
}

func (x userExport) summaries() error {
	found, err := x.v.Summaries("")
	slices.SortFunc(found, func(a, b Summary) int {
		return cmp.Or(a.CreatedAt.Compare(b.CreatedAt), strings.Compare(a.ID, b.ID))
	})
	for _, s := range found {
		err = cmp.Or(err, x.out.row(lineSummary, lineOfSummary(s)))
	}
	return err
}

func (x userExport) acts() error {
	found, err := x.v.Acts("")
	for _, a := range found {
		err = cmp.Or(err, x.out.row(lineAct, lineOfAct(a)))
	}
	return err
}

func (x userExport) reactions() error {
	return x.eachThread(func(t Thread) error {
		found, err := x.v.Reactions(t.ID, 0)
		slices.SortFunc(found, func(a, b Reaction) int { return strings.Compare(a.Event, b.Event) })
		for _, r := range found {
			err = cmp.Or(err, x.out.row(lineReaction, r))
		}
		return err
	})
}

// lineWriter writes lines and sums them up.
type lineWriter struct {
	out  *bufio.Writer
	sum  hash.Hash
	rows int64
}

func newLineWriter(w io.Writer) *lineWriter {
	sum := sha256.New()
	return &lineWriter{out: bufio.NewWriterSize(io.MultiWriter(w, sum), 1<<16), sum: sum}
}

// row writes a line of a kind.
func (w *lineWriter) row(kind string, v any) error {
	w.rows++
	return w.write(map[string]any{kind: v})
}

func (w *lineWriter) write(v any) error {
	b, err := marshal(v)
	if err != nil {
		return err
	}
	_, err = w.out.Write(append(b, '\n'))
	return err
}

// copy writes lines that another one wrote.
func (w *lineWriter) copy(r io.Reader) error {
	in := bufio.NewReaderSize(r, 1<<16)
	for {
		part, err := in.ReadSlice('\n')
		if _, failed := w.out.Write(part); failed != nil {
			return failed
		}
		switch {
		case err == nil:
			w.rows++
		case errors.Is(err, io.EOF):
			return nil
		case !errors.Is(err, bufio.ErrBufferFull):
			return err
		}
	}
}

func (w *lineWriter) flush() error { return w.out.Flush() }

// end writes the last line.
func (w *lineWriter) end() error {
	if err := w.flush(); err != nil {
		return err
	}
	end := ending{Rows: w.rows, SHA256: hex.EncodeToString(w.sum.Sum(nil))}
	if err := w.write(map[string]any{lineEnd: end}); err != nil {
		return err
	}
	return w.flush()
}

// spool holds bytes that are written once and read often: in memory, or in a temporary file that has no name where
// the system allows it, so that nothing is left of it after a crash.
type spool struct {
	memory bytes.Buffer
	file   *os.File
	named  bool
}

// Write implements [io.Writer].
func (s *spool) Write(b []byte) (int, error) {
	if s.file == nil && s.memory.Len()+len(b) <= inMemory {
		return s.memory.Write(b)
	}
	if s.file == nil {
		if err := s.toFile(); err != nil {
			return 0, err
		}
	}
	return s.file.Write(b)
}

func (s *spool) toFile() error {
	f, err := os.CreateTemp("", "ltm-") // with mode 0600
	if err != nil {
		return fmt.Errorf("there is no room for a temporary file: %w", err)
	}
	s.file, s.named = f, os.Remove(f.Name()) != nil // Windows removes no open file
	_, err = s.memory.WriteTo(f)
	s.memory = bytes.Buffer{}
	return err
}

// reader returns all that was written, from its beginning.
func (s *spool) reader() (io.ReadSeeker, error) {
	if s.file == nil {
		return bytes.NewReader(s.memory.Bytes()), nil
	}
	_, err := s.file.Seek(0, io.SeekStart)
	return s.file, err
}

// reset forgets what was written.
func (s *spool) reset() error {
	s.memory.Reset()
	if s.file == nil {
		return nil
	}
	_, err := s.file.Seek(0, io.SeekStart)
	return errors.Join(err, s.file.Truncate(0))
}

func (s *spool) close() {
	if s.file == nil {
		return
	}
	_ = s.file.Close() // it is gone either way
	if s.named {
		_ = os.Remove(s.file.Name())
	}
}
