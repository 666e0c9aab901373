package threads

import (
	"bufio"
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"hash"
	"io"
	"time"
)

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
	switch kind {
	case lineUser:
		return &userLine{}
	case lineThread:
		return &threadLine{}
	case lineEvent:
		return &eventLine{}
	case lineSummary:
		return &summaryLine{}
	case lineAct:
		return &actLine{}
	case lineReaction:
		return &reactionLine{}
	case lineEnd:
		return &ending{}
	}
	return nil
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
