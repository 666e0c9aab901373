package records

import (
	"context"
	"os"

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
	return tail(ctx, o, f, size-tailBytes)
}

// tail continues an outline at a later offset.
func tail(ctx context.Context, o transcript.Outline, f *os.File, from int64) (transcript.Outline, error) {
	if from > o.Offset {
		o = o.SkipTo(from)
	}
	if _, err := f.Seek(o.Offset, 0); err != nil {
		return o, err
	}
	return o.Read(ctx, f, 0)
}
