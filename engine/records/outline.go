package records

import (
	"context"
	"io"

	"ltm/engine/transcript"
)

const (
	// headBytes and tailBytes are how much of a long record is read: what the session was asked
	// first, and where it stands.
	headBytes = 1 << 20
	tailBytes = 31 << 20
)

// Outline reads what a record says of its session's work, without those of its subagents. Of a record of more than 32
// MiB, only the first and the last part are read. Once ctx is done it returns what it has read by then.
func (d Dirs) Outline(ctx context.Context, path string) (transcript.Outline, error) {
	var o transcript.Outline
	r, err := d.record(path)
	if err != nil {
		return o, err
	}
	defer r.root.Close()
	size, err := r.size(r.name)
	if err != nil {
		return o, err
	}
	f, err := r.openAt(r.name, 0)
	if err != nil {
		return o, err
	}
	defer f.Close()
	if size <= headBytes+tailBytes {
		return o.Read(ctx, f, 0)
	}
	if o, err = o.Read(ctx, f, headBytes); err != nil {
		return o, err
	}
	if from := size - tailBytes; from > o.Offset {
		o = o.SkipTo(from)
	}
	if _, err := f.Seek(o.Offset, io.SeekStart); err != nil {
		return o, err
	}
	return o.Read(ctx, f, 0)
}
