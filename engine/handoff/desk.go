// Package handoff keeps packets in a store: it writes them, finds them again, and makes the text from
// which a session continues one.
package handoff

import (
	"context"
	"errors"
	"io"
	"time"

	"ltm/api"
	"ltm/packet"
	"ltm/store"
)

// Repository tells what version control knows. No method fails: what is not known is empty.
type Repository interface {
	// Head returns the branch, the full id of its commit, and the repository as host/owner/repo.
	Head(ctx context.Context) (branch, commit, origin string)

	// Dirty returns up to most paths with changes that were not committed.
	Dirty(ctx context.Context, most int) []string

	// Since returns how many commits there are from a commit to the present one, and the paths of up
	// to most files that differ between them. known is false if the commit is not there.
	Since(ctx context.Context, commit string, most int) (commits int, paths []string, known bool)

	// HasBranch reports whether there is a branch of this name, and whether that is known.
	HasBranch(ctx context.Context, name string) (has, known bool)
}

// Options wires a [Desk].
type Options struct {
	Store      *store.Store
	Repository Repository // nil: no version control
	Now        func() time.Time
	Random     io.Reader
	LockWait   time.Duration
	Author     string // the person's name; empty: unknown
	Project    string // the project's name
}

// Desk carries out the use cases of packets on one store.
type Desk struct{ o Options }

// New returns a desk.
func New(o Options) *Desk { return &Desk{o} }

var errLater = errors.New("not yet")

// Write checks a packet and keeps it.
func (d *Desk) Write(ctx context.Context, draft api.PacketDraft) (api.PacketReceipt, error) {
	return api.PacketReceipt{}, errLater
}

// Keep keeps a packet that was made elsewhere, as it is.
func (d *Desk) Keep(ctx context.Context, data []byte) (api.PacketReceipt, error) {
	return api.PacketReceipt{}, errLater
}

// List returns the packets that a filter asks for.
func (d *Desk) List(ctx context.Context, f api.PacketFilter) (api.PacketList, error) {
	return api.PacketList{}, errLater
}

// Show returns one packet. id may be a unique beginning.
func (d *Desk) Show(ctx context.Context, id string) (api.PacketDetail, error) {
	return api.PacketDetail{}, errLater
}

// Chain returns a packet with those that it continues, and those that continue it.
func (d *Desk) Chain(ctx context.Context, id string) (packet.Chain, []api.PacketEntry, error) {
	return packet.Chain{}, nil, errLater
}

// Resume returns the text from which a session continues a packet.
func (d *Desk) Resume(ctx context.Context, r api.ResumePacket) (api.Resumption, error) {
	return api.Resumption{}, errLater
}

// Done notes that the work of a packet is done, or with undo that it is not.
func (d *Desk) Done(ctx context.Context, id string, undo bool) (api.PacketReceipt, error) {
	return api.PacketReceipt{}, errLater
}

// Remove removes a packet and what is beside it; the log keeps its id.
func (d *Desk) Remove(ctx context.Context, id string) (api.PacketReceipt, error) {
	return api.PacketReceipt{}, errLater
}

// Offer returns the newest open packet that a session should be told of, if there is one: not the
// session's own. It is fast enough for a hook.
func (d *Desk) Offer(ctx context.Context, session string) (entry api.PacketEntry, found bool, err error) {
	return api.PacketEntry{}, false, errLater
}
