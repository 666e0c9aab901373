package base

import (
	"context"
	"io"
	"time"

	"ltm/engine/audit"
	"ltm/engine/session"
	"ltm/engine/worktree"
	"ltm/memory"
	"ltm/memory/api"
	"ltm/store"
	"ltm/store/signing"
)

// Options wires an [Engine].
type Options struct {
	Store    *store.Store
	Version  string           // of the program
	Now      func() time.Time // the clock
	Random   io.Reader        // for ids
	LockWait time.Duration    // how long a change waits for other processes

	// Client is the id of the process that started this one, or 0 if that is of no use. The hooks
	// and the server of a session share it.
	Client int

	// Alive reports whether a process still runs. If it is nil, that is not known.
	Alive func(pid int) bool

	// Records reads the client's records of its sessions. It may be nil.
	Records session.Records

	// ToModel reports that answers go to a model. They then leave out what the setting trust holds back.
	ToModel bool

	// Outside reports that answers go to an application outside of the client. It has no session, so
	// it sees no memory of an agent, and what comes from elsewhere is marked in any store.
	Outside bool

	// ByModel reports that a model may have asked for what is written. In the person's own store
	// it then counts as from elsewhere until a person approves it.
	ByModel bool

	// Notice is called with what a person should be told once, as one line. It may be nil.
	Notice func(memory.Note)

	// Next returns the next step for the readers of a session's texts. If it is nil, the texts have none.
	Next memory.Next

	// Signer has the person's keys. If it is nil, nothing is signed and no signature counts.
	Signer Signer

	// Hurried reports that answers must come within milliseconds, as in a hook. It bounds how many
	// signatures are checked.
	Hurried bool

	// Packets has the unfinished work that sessions are told of. It may be nil.
	Packets Packets

	// Files are the files that memories may refer to. It may be nil.
	Files *worktree.Files

	// Past finds the versions of a file in version control. It may be nil.
	Past audit.Past
}

// Packets has the packets of unfinished work, as [ltm/engine/handoff.Desk] keeps them.
type Packets interface {
	// Offer returns the newest open packet of others that a session should be told of.
	Offer(ctx context.Context, v *store.View, session string) (entry api.PacketEntry, found bool, err error)

	// Left returns the newest open packet that a session itself wrote.
	Left(v *store.View, session string) (entry api.PacketEntry, found bool, err error)

	// DraftSession keeps a draft of where a session's work stands. The receipt has an id if there is
	// a packet that says it.
	DraftSession(context.Context, api.DraftRequest) (api.PacketReceipt, error)
}

// Signer has the keys of a person. It is asked when a signature is met or needed, and not before.
type Signer interface {
	// Current returns the key that memories are signed with, and false without a key.
	Current() (signing.Key, bool)

	// Secrets returns all keys of the person.
	Secrets() []signing.Key

	// Allowed returns the SSH keys that count.
	Allowed() signing.Allowed

	// Home says whether signatures for the store of an id count in this clone: Valid, OtherRoot or Unproven.
	// An id can be copied together with what was signed for it.
	Home(store string) signing.Verdict
}
