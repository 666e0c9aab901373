package longline

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"slices"
)

type Reader struct {
	in  *bufio.Reader
	max int
	err error // what ended the input
}

// NewReader returns a reader of lines of at most max bytes, without their ends.
func NewReader(in io.Reader, max int) *Reader {
	return &Reader{in: bufio.NewReaderSize(in, 64<<10), max: max}
}

type Line struct {
	Text []byte          // with its end; empty if the line is too long
	Long bool            // it has more bytes than are allowed
	ID   json.RawMessage // of a message that is too long; nil: none was found that a request may have
}

// Next returns the next line. It reads one that is too long to its end. The last line may have no end. The error is
// what ended the input.
func (r *Reader) Next() (Line, error) {
	if r.err != nil {
		return Line{}, r.err
	}
	var line, begin []byte // begin is set once the line is too long; line then has its end
	for {
		piece, err := r.in.ReadSlice('\n')
		if begin == nil && len(line)+len(bytes.TrimSuffix(piece, []byte("\n"))) > r.max {
			begin = slices.Concat(line[:min(len(line), maxEnd)], piece[:min(len(piece), maxEnd)])
			line = bytes.Clone(lastOf(line))
		}
		if begin == nil {
			line = append(line, piece...)
		} else {
			line = append(line, lastOf(piece)...)
			line = line[:copy(line, lastOf(line))]
		}
		switch {
		case errors.Is(err, bufio.ErrBufferFull):
			continue
		case err != nil && len(line) == 0:
			return Line{}, err
		}
		r.err = err
		if begin != nil {
			return Line{Long: true, ID: idOf(begin, line)}, nil
		}
		return Line{Text: line}, nil
	}
}

// lastOf returns the part of a line's end that is kept.
func lastOf(line []byte) []byte { return line[max(0, len(line)-maxEnd):] }

// IsID reports whether a JSON value may be the id of a request: a string or a number.
func IsID(raw []byte) bool {
	return len(raw) > 0 && json.Valid(raw) && (raw[0] == '"' || raw[0] == '-' || raw[0] >= '0' && raw[0] <= '9')
}
