package transcript

import (
	"bytes"
	"io"
)

const (
	firstBuffer = 64 << 10              // bytes; a session's news mostly fit
	lastBuffer  = MaxLine + firstBuffer // bytes; what does not fit is a line too long
	emptyReads  = 100                   // reads in a row without a byte, after which a reader is broken
)

// lines cuts a stream into lines, without holding those that are too long.
type lines struct {
	r    io.Reader
	err  error // what ended r
	long bool  // inside a line longer than MaxLine

	buf        []byte
	start, end int // what was read and not given out yet
	seen       int // no newline before it
}

// part is a line, or a piece of one that is too long to hold.
type part struct {
	line []byte // without its newline; valid until the next call
	size int    // bytes that it takes in the file
	long bool   // longer than MaxLine: line is not the whole of it
	ends bool   // the line ends here
}

// next returns the next part. What follows the last newline is not given out,
// unless it is too long already.
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

// fill reads at least a byte more, or sets err.
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
