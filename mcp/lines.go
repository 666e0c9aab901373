package mcp

import (
	"bufio"
	"bytes"
	"errors"
	"io"
)

// maxLine bounds the bytes of a line from the client. A longer one is never held in
// memory.
const maxLine = 16 << 20

// lines reads messages, one per line.
type lines struct {
	in  *bufio.Reader
	err error // what ended the input
}

func newLines(in io.Reader) *lines { return &lines{in: bufio.NewReaderSize(in, 64<<10)} }

// next returns the next line. It reads a line that is too long to its end, and returns
// only what a longLine finds in it.
func (l *lines) next() (line []byte, long *longLine, err error) {
	if l.err != nil {
		return nil, nil, l.err
	}
	for {
		piece, err := l.in.ReadSlice('\n')
		if long == nil && len(line)+len(bytes.TrimSuffix(piece, []byte("\n"))) > maxLine {
			long = &longLine{}
			long.read(line)
			line = nil
		}
		if long != nil {
			long.read(piece)
		} else {
			line = append(line, piece...)
		}
		switch {
		case errors.Is(err, bufio.ErrBufferFull):
			continue
		case err != nil && len(line) == 0 && long == nil:
			return nil, nil, err
		}
		l.err = err
		return line, long, nil
	}
}
