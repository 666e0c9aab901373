package transcript

import (
	"bytes"
	"io"
)

const (
	firstBuffer = 64 << 10              // bytes; usually enough for what was appended
	lastBuffer  = MaxLine + firstBuffer // bytes; a line that does not fit is too long
	emptyReads  = 100                   // consecutive reads without a byte after which a reader counts as broken
)

// lines splits a stream into lines, without buffering those that are too long.
type lines struct {
	r    io.Reader
	err  error // what ended r
	long bool  // inside a line longer than MaxLine

	buf        []byte
	start, end int // bytes read but not returned yet
	seen       int // there is no newline before this
}

// part is a line, or a piece of one that is too long to buffer.
type part struct {
	line []byte // without its newline; valid until the next call
	size int    // its bytes in the file
	long bool   // longer than MaxLine: line is only a part of it
	ends bool   // the line ends here
}

// next returns the next part. It does not return text after the last newline, unless that is too long already.
func (l *lines) next() (part, error) {
	for {
		if i := bytes.IndexByte(l.buf[l.seen:l.end], '\n'); i >= 0 {
			stop := l.seen + i
			p := part{line: l.buf[l.start:stop], size: stop + 1 - l.start, ends: true}
			p.long = l.long || len(p.line) > MaxLine
			l.start, l.seen, l.long = stop+1, stop+1, false
			return p, nil
		}
		l.seen = l.end
		if n := l.end - l.start; n > 0 && (l.long || n > MaxLine) {
			l.start, l.seen, l.end, l.long = 0, 0, 0, true
			return part{size: n, long: true}, nil
		}
		if l.err != nil {
			return part{}, l.err
		}
		l.fill()
	}
}

// fill reads at least one more byte, or sets err.
func (l *lines) fill() {
	if l.end == len(l.buf) {
		n := l.end - l.start
		to := l.buf
		if size := min(max(firstBuffer, 2*len(to)), lastBuffer); n >= len(to)/2 && size > len(to) {
			to = make([]byte, size)
		}
		copy(to, l.buf[l.start:l.end])
		l.buf, l.start, l.seen, l.end = to, 0, l.seen-l.start, n
	}
	for range emptyReads {
		n, err := l.r.Read(l.buf[l.end:])
		l.end += n
		l.err = err
		if n > 0 || err != nil {
			return
		}
	}
	l.err = io.ErrNoProgress
}
