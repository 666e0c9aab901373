package sqlstore

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
	"time"

	"ltm/server"
)

// The errors of [Store.Restore].
var (
	ErrNotEmpty = errors.New("the database is not empty")
	ErrDamaged  = errors.New("not a whole dump of ltm-server")
)

// The name and the version of the format of dumps.
const (
	dumpFormat  = "ltm-server-dump"
	dumpVersion = 1
)

// first is the first line of a dump, and last the last one.
type (
	first struct {
		Format  string `json:"format"`
		Version int    `json:"version"`
	}
	last struct {
		End *end `json:"end"`
	}
	end struct {
		Rows   int64  `json:"rows"`
		SHA256 string `json:"sha256"` // of all bytes before this line
	}
)

// pageSize is how many rows are read at once: each statement of a dump is short, however many there are.
const pageSize = 200

// Dump writes all that the database holds at one moment, while others go on: lines of JSON, the first
// of which names the format, the last of which has a checksum. It is the same for the same contents,
// whatever the kind of database. [server.ErrNewer]: there is more in it than this program knows of.
func (s *Store) Dump(ctx context.Context, w io.Writer) error {
	sum := sha256.New()
	out := bufio.NewWriter(io.MultiWriter(w, sum))
	if err := writeLine(out, first{dumpFormat, dumpVersion}); err != nil {
		return err
	}
	var rows int64
	err := s.whole(ctx, s.r, &s.words.read, func(t *tx) error {
		var now int64
		if err := t.get(version, nil, &now); err != nil {
			return err
		}
		if now > s.d.Version {
			return fmt.Errorf("%w: version %d, and a dump of this program would have what version %d has",
				server.ErrNewer, now, s.d.Version)
		}
		for _, table := range tables() {
			n, err := t.dump(table, out)
			if err != nil {
				return err
			}
			rows += n
		}
		return nil
	})
	if err != nil {
		return err
	}
	if err := out.Flush(); err != nil {
		return err
	}
	if err := writeLine(out, last{&end{rows, hex.EncodeToString(sum.Sum(nil))}}); err != nil {
		return err
	}
	return out.Flush()
}

// backupDone is the name of the last backup among what was done.
const backupDone = "backup"

// BackedUp notes when a dump was written to its place.
func (s *Store) BackedUp(ctx context.Context, at time.Time) error {
	return s.write(ctx, func(t *tx) error {
		return t.must("INSERT INTO dones (name, at) VALUES ($1, $2) ON CONFLICT (name) DO UPDATE SET at = excluded.at",
			backupDone, at)
	})
}

// writeLine writes a value as a line.
func writeLine(w io.Writer, v any) error {
	b, err := json.Marshal(v)
	if err != nil {
		return err
	}
	_, err = w.Write(append(b, '\n'))
	return err
}

// dump writes the rows of a table, and returns their number.
func (t *tx) dump(table table, w io.Writer) (total int64, err error) {
	var after []any
	for {
		n := 0
		var r row
		err := t.each(table.page(after != nil, pageSize), after, func(scan func(...any) error) error {
			r = make(row, len(table.columns))
			if err := scan(table.scanned(r)...); err != nil {
				return err
			}
			line, err := table.encode(r)
			if err != nil {
				return err
			}
			n++
			_, err = w.Write(line)
			return err
		})
		total += int64(n)
		if err != nil || n < pageSize {
			return total, err
		}
		after = table.keyOf(r)
	}
}

// reader reads the lines of a dump.
type reader struct {
	in   *bufio.Reader
	sum  hash.Hash
	read []byte // the line that was read last, which is not yet in the sum
	rows int64
	n    int
}

func newReader(r io.Reader) *reader {
	return &reader{in: bufio.NewReaderSize(r, 1<<16), sum: sha256.New()}
}

// longestLine is the most bytes of a line that is read into memory.
const longestLine = 1 << 28

// line returns the next line without its end.
func (r *reader) line() ([]byte, error) {
	r.n++
	r.read = r.read[:0]
	for {
		part, err := r.in.ReadSlice('\n')
		r.read = append(r.read, part...)
		switch {
		case err == nil:
			return r.read[:len(r.read)-1], nil
		case errors.Is(err, io.EOF):
			return nil, r.damaged("the end is missing")
		case !errors.Is(err, bufio.ErrBufferFull):
			return nil, err
		case len(r.read) > longestLine:
			return nil, r.damaged("a line that is too long")
		}
	}
}

// damaged returns an error for the line that was read last.
func (r *reader) damaged(what string) error {
	return fmt.Errorf("%w: line %d: %s", ErrDamaged, r.n, what)
}

// header reads the first line.
func (r *reader) header() error {
	line, err := r.line()
	if err != nil {
		return err
	}
	var h first
	if json.Unmarshal(line, &h) != nil || h.Format != dumpFormat || h.Version < 1 {
		return r.damaged("not the beginning of a dump")
	}
	if h.Version > dumpVersion {
		return fmt.Errorf("%w: a dump of version %d, this program knows %d", server.ErrNewer, h.Version, dumpVersion)
	}
	r.sum.Write(r.read)
	return nil
}

// end checks the last line.
func (r *reader) end(value json.RawMessage) error {
	var e end
	d := json.NewDecoder(bytes.NewReader(value))
	d.DisallowUnknownFields()
	if d.Decode(&e) != nil {
		return r.damaged("an end of another form")
	}
	if e.Rows != r.rows {
		return r.damaged(fmt.Sprintf("%d rows instead of %d", r.rows, e.Rows))
	}
	if e.SHA256 != hex.EncodeToString(r.sum.Sum(nil)) {
		return r.damaged("the checksum is another one")
	}
	if _, err := r.in.ReadByte(); !errors.Is(err, io.EOF) {
		return r.damaged("more after the end")
	}
	return nil
}
