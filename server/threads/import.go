package threads

import (
	"bufio"
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"hash"
	"io"
	"slices"
	"time"

	"ltm/server/conversation"
)

const (
	// maxPortableLine is the most bytes of a line that is read into memory. An event of 64 KiB has at most 400 KiB.
	maxPortableLine = 16 << 20
	// importBatch is how many rows a transaction of an import adds at most, so that others wait for milliseconds.
	importBatch = 500
)

// Import reads a file of [Service.Export] into an application; with a user, the file must be of one user, whose memory
// becomes theirs. The whole file is checked before the first change: one that is not of this form is refused with the
// line and the reason. Rows that are there already stay as they are, so an import that was interrupted can be
// repeated. It returns how many rows it added, by kind.
//
// [ErrTaken]: another subject has an id of the file; rows before it have been added.
func (s *Service) Import(ctx context.Context, who Subject, r io.Reader) (map[string]int64, error) {
	if _, err := s.o.Storage.AppOf(ctx, who.App); err != nil {
		return nil, err
	}
	in, done, err := seekable(r)
	if err != nil {
		return nil, err
	}
	defer done()
	start, err := in.Seek(0, io.SeekCurrent)
	if err != nil {
		return nil, err
	}
	if _, err := CheckImport(who, in); err != nil {
		return nil, err
	}
	if _, err := in.Seek(start, io.SeekStart); err != nil {
		return nil, err
	}
	l := loading{s: s, ctx: ctx, who: who, added: map[string]int64{}}
	return l.added, l.run(newLineReader(in))
}

// CheckImport reads a file as [Service.Import] would, changes nothing, and counts its rows by kind.
func CheckImport(who Subject, r io.Reader) (map[string]int64, error) {
	in, check := newLineReader(r), &lineCheck{single: who.User != ""}
	counts := map[string]int64{}
	if err := in.header(); err != nil {
		return nil, err
	}
	for {
		row, err := in.next()
		if err != nil {
			return nil, err
		}
		if row.kind == lineEnd {
			if who.User != "" && counts[lineUser] == 0 {
				return nil, in.refuse("the file has no user")
			}
			return counts, nil
		}
		if err := check.row(row); err != nil {
			return nil, in.refuse("%v", err)
		}
		counts[row.kind]++
	}
}

// seekable returns a reader that can be read twice.
func seekable(r io.Reader) (in io.ReadSeeker, done func(), err error) {
	if in, ok := r.(io.ReadSeeker); ok {
		if _, err := in.Seek(0, io.SeekCurrent); err == nil { // a pipe is a file that cannot
			return in, func() {}, nil
		}
	}
	kept := &spool{}
	if _, err = io.Copy(kept, r); err == nil {
		in, err = kept.reader()
	}
	if err != nil {
		kept.close()
		return nil, nil, err
	}
	return in, kept.close, nil
}

// loading adds the rows of a checked file.
type loading struct {
	s     *Service
	ctx   context.Context
	who   Subject
	added map[string]int64

	at    Subject
	batch []fileRow
}

func (l *loading) run(in *lineReader) error {
	if err := in.header(); err != nil {
		return err
	}
	for {
		row, err := in.next()
		if err != nil {
			return err
		}
		switch v := row.value.(type) {
		case *ending:
			return l.endUser()
		case *userLine:
			if err := l.endUser(); err != nil {
				return err
			}
			l.at = Subject{l.who.App, v.ID}
			if l.who.User != "" {
				l.at.User = l.who.User
			}
		default:
			l.batch = append(l.batch, row)
			if len(l.batch) < importBatch {
				continue
			}
			if err := l.flush(); err != nil {
				return err
			}
		}
	}
}

// flush adds the rows that were read.
func (l *loading) flush() error {
	if len(l.batch) == 0 {
		return nil
	}
	var added map[string]int64
	err := l.s.o.Storage.Change(l.ctx, l.at, func(tx Tx) error {
		added = map[string]int64{}
		last := int64(0)
		for _, row := range l.batch {
			isNew, err := put(tx, row.value, &last)
			if errors.Is(err, ErrTaken) || errors.Is(err, ErrNotFound) {
				return Refuse(ErrTaken, "line %d: another user, or another row of this one, has the id of the %s",
					row.n, row.kind)
			}
			if err != nil {
				return err
			}
			if isNew {
				added[row.kind]++
			}
		}
		if last == 0 {
			return nil
		}
		return tx.SetImported(last) // with each step, as a look at them may come between two, and a kill
	})
	if err != nil {
		return err
	}
	for kind, n := range added {
		l.added[kind] += n
	}
	l.batch = l.batch[:0]
	return nil
}

// endUser adds what is left of a user, and derives their claims.
func (l *loading) endUser() error {
	if l.at.User == "" {
		return nil
	}
	if err := l.flush(); err != nil {
		return err
	}
	return l.s.change(l.ctx, l.at, func(w *work) error {
		_, err := w.refold(&ledger{who: w.who, now: w.now})
		return err
	})
}

// put adds a row unless it is there. It reports whether it was not, and gives last the Seq of an event.
func put(tx Tx, row any, last *int64) (isNew bool, err error) {
	switch l := row.(type) {
	case *Thread:
		t := *l
		t.CreatedAt, t.UpdatedAt, t.CoreAt = micro(t.CreatedAt), micro(t.UpdatedAt), micro(t.CoreAt)
		if _, err := tx.Thread(t.ID); !errors.Is(err, ErrNotFound) {
			return false, err
		}
		return true, tx.PutThread(t)
	case *eventLine:
		e := l.event()
		e.Occurred, e.Recorded = micro(e.Occurred), micro(e.Recorded)
		if there, err := tx.Event(e.ID); err == nil && there.Thread != e.Thread {
			return false, ErrTaken
		} else if !errors.Is(err, ErrNotFound) {
			return false, err
		}
		*last, err = tx.AddEvent(e)
		return true, err
	case *summaryLine:
		return putSummary(tx, l.summary())
	case *actLine:
		a := l.act()
		a.At, a.ExpiresAt = micro(a.At), micro(a.ExpiresAt)
		err := tx.AddAct(a)
		if errors.Is(err, ErrTaken) {
			return false, nil
		}
		return true, err
	case *Reaction:
		r := Reaction{l.Event, l.Name, micro(l.CreatedAt), micro(l.UpdatedAt)}
		if _, err := tx.Reaction(r.Event); !errors.Is(err, ErrNotFound) {
			return false, err
		}
		return true, tx.PutReaction(r)
	}
	return false, fmt.Errorf("threads: a line of type %T is not a row", row)
}

// putSummary adds a summary unless it is there. The episode that is active here stays so.
func putSummary(tx Tx, s Summary) (isNew bool, err error) {
	s.CreatedAt, s.UpdatedAt = micro(s.CreatedAt), micro(s.UpdatedAt)
	if _, err := tx.Summary(s.ID); !errors.Is(err, ErrNotFound) {
		return false, err
	}
	if s.Active {
		_, err := tx.ActiveSummary(s.Thread)
		if err != nil && !errors.Is(err, ErrNotFound) {
			return false, err
		}
		s.Active = err != nil
	}
	return true, tx.PutSummary(s)
}

// micro returns a time as storages keep it.
func micro(t time.Time) time.Time {
	if t.IsZero() {
		return time.Time{}
	}
	return t.UTC().Truncate(time.Microsecond)
}

// stabilities lists what a claim's stability can be.
func stabilities() []string { return []string{"high", "med", "low"} }

// verbs lists the verbs of acts.
func verbs() []conversation.Verb {
	return []conversation.Verb{conversation.Suggests, conversation.Adds, conversation.Confirms, conversation.Rejects,
		conversation.Supersedes, conversation.Deprecates, conversation.Disputes, conversation.Ends,
		conversation.Forgets, conversation.Undoes}
}

// oneOf reports whether a value is one of those that are allowed.
func oneOf[T ~string](what string, v T, allowed []T) error {
	if slices.Contains(allowed, v) {
		return nil
	}
	return fmt.Errorf("the %s cannot be %.40q; allowed: %v", what, v, allowed)
}

// fileRow is a line of a portable file.
type fileRow struct {
	n     int
	kind  string
	value any // a pointer to the kind's line
}

// lineReader reads the lines of a portable file.
type lineReader struct {
	in   *bufio.Reader
	sum  hash.Hash
	line []byte
	n    int
	rows int64
}

func newLineReader(r io.Reader) *lineReader {
	return &lineReader{in: bufio.NewReaderSize(r, 1<<16), sum: sha256.New()}
}

// refuse returns the error about the line that was read last.
func (r *lineReader) refuse(format string, args ...any) error {
	return Refuse(ErrInvalid, "line %d: %s", r.n, fmt.Sprintf(format, args...))
}

// read reads a line into memory, which holds until the next one.
func (r *lineReader) read() error {
	r.n++
	r.line = r.line[:0]
	for {
		part, err := r.in.ReadSlice('\n')
		r.line = append(r.line, part...)
		switch {
		case err == nil:
			return nil
		case errors.Is(err, io.EOF) && len(r.line) == 0:
			return r.refuse("the file ends before its last line, {\"end\":…}")
		case errors.Is(err, io.EOF):
			return r.refuse("the file ends within a line")
		case !errors.Is(err, bufio.ErrBufferFull):
			return err
		case len(r.line) > maxPortableLine:
			return r.refuse("the line is longer than %d MiB", maxPortableLine>>20)
		}
	}
}

func (r *lineReader) header() error {
	if err := r.read(); err != nil {
		return err
	}
	var h header
	if json.Unmarshal(r.line, &h) != nil || h.Format != portableFormat {
		return r.refuse("not the beginning of an export: it is {\"format\":%q,…}", portableFormat)
	}
	if h.Version != portableVersion {
		return r.refuse("version %d of the form; this program reads version %d", h.Version, portableVersion)
	}
	r.sum.Write(r.line)
	return nil
}

// next returns the next row. The end has been checked.
func (r *lineReader) next() (fileRow, error) {
	if err := r.read(); err != nil {
		return fileRow{}, err
	}
	var object map[string]json.RawMessage
	if json.Unmarshal(r.line, &object) != nil || len(object) != 1 {
		return fileRow{}, r.refuse("not an object with one key")
	}
	for kind, value := range object {
		row := fileRow{n: r.n, kind: kind, value: lineOf(kind)}
		if row.value == nil {
			return row, r.refuse("unknown kind %.40q; allowed: %v and %s", kind, portableKinds(), lineEnd)
		}
		d := json.NewDecoder(bytes.NewReader(value))
		d.DisallowUnknownFields()
		if err := d.Decode(row.value); err != nil {
			return row, r.refuse("not a line of kind %s: %s", kind, jsonFault(err))
		}
		if kind == lineEnd {
			return row, r.end(*row.value.(*ending))
		}
		r.sum.Write(r.line)
		r.rows++
		return row, nil
	}
	panic("an object with one key has none")
}

// jsonFault says what is wrong with a value without what it is.
func jsonFault(err error) string {
	var kind *json.UnmarshalTypeError
	if errors.As(err, &kind) {
		return fmt.Sprintf("%q cannot be a %s", kind.Field, kind.Value)
	}
	var when *time.ParseError
	if errors.As(err, &when) {
		return "a time is not of the form 2026-11-22T09:00:00.000001Z"
	}
	return err.Error()
}

// lineOf returns what to read a line of a kind into, or nil.
func lineOf(kind string) any {
	return map[string]any{lineUser: &userLine{}, lineThread: &Thread{}, lineEvent: &eventLine{},
		lineSummary: &summaryLine{}, lineAct: &actLine{}, lineReaction: &Reaction{}, lineEnd: &ending{}}[kind]
}

// end checks the last line.
func (r *lineReader) end(e ending) error {
	if e.Rows != r.rows {
		return r.refuse("%d rows instead of %d: lines are missing or doubled", r.rows, e.Rows)
	}
	if e.SHA256 != hex.EncodeToString(r.sum.Sum(nil)) {
		return r.refuse("the checksum is another one: the file was changed")
	}
	if _, err := r.in.ReadByte(); !errors.Is(err, io.EOF) {
		return r.refuse("there is more after the end")
	}
	return nil
}
