package api

import (
	"time"

	"ltm/memory"
	"ltm/packet"
)

// PacketDraft asks to write a packet: where unfinished work stands. Id, time and version are made by
// the store, and what is empty of project and provenance is filled in where it is known.
type PacketDraft struct {
	// Packet describes the work. Its ID, Version and CreatedAt do not count. ParentID may be a unique beginning of an
	// id.
	Packet packet.Packet

	Checks  []PacketCheck // results of checks, which stay beside the packet
	Session string        // the client's session that writes it; empty: a person does
	Model   string        // of that session; empty: unknown
	Drafted bool          // made from the session's record, without a model
	Unasked bool          // nobody asked for it: an undo leaves it alone
	DryRun  bool          // check it and return what would be written
}

// DraftRequest asks for a packet that is made from the record of a session, without a model.
type DraftRequest struct {
	Session    string
	Transcript string // the path of the record; empty: it is looked for
	Automatic  bool   // not asked for: a record without any work makes no draft
	Unfinished bool   // only if a check fails or files are not committed, and the whole record can be read in time
	Summary    string // of a compaction, which the record need not have yet
	DryRun     bool   // return what would be written
}

// PacketCheck is a command that was run, and how it ended.
type PacketCheck struct {
	Command string    `json:"command"`
	Passed  bool      `json:"passed"`
	At      time.Time `json:"at,omitzero"`
}

// PacketReceipt answers a [PacketDraft].
type PacketReceipt struct {
	Success bool          `json:"success"`
	ID      string        `json:"id"`
	Parent  string        `json:"parent_id,omitempty"`
	Path    string        `json:"path"` // in the project, with slashes
	Message memory.Note   `json:"message"`
	Notes   []memory.Note `json:"notes,omitempty"` // what a reader would miss, such as what a failed attempt taught
	Packet  packet.Packet `json:"-"`
}

// PacketBeside is what the store notes beside a packet. It is in git, and never sent elsewhere.
type PacketBeside struct {
	Branch  string        `json:"branch,omitempty"`
	Commit  string        `json:"commit,omitempty"` // the full id
	Dirty   []string      `json:"dirty,omitempty"`  // paths in the project with changes that were not committed
	Session string        `json:"session,omitempty"`
	Drafted bool          `json:"drafted,omitempty"`
	Checks  []PacketCheck `json:"checks,omitempty"`
	Done    time.Time     `json:"done,omitzero"` // when the work was done, which ends all offers of the packet
}

// PacketFilter asks for packets of the store. Zero fields do not filter.
type PacketFilter struct {
	Tag     string
	Project string
	Parent  string
	Branch  string
	Text    string // words that the packet has, each in any field
	Since   time.Time
	Open    bool // only packets that are neither done nor continued
	Limit   int  // 0: all
}

// PacketEntry is one packet in a list.
type PacketEntry struct {
	ID        string    `json:"id"`
	Parent    string    `json:"parent_id,omitempty"`
	CreatedAt time.Time `json:"created_at"`
	Goal      string    `json:"goal"`
	NextStep  string    `json:"next_step"`
	Project   string    `json:"project,omitempty"`
	Tags      []string  `json:"tags,omitempty"`
	Author    string    `json:"author,omitempty"` // the person
	Model     string    `json:"model,omitempty"`
	Branch    string    `json:"branch,omitempty"`
	Drafted   bool      `json:"drafted,omitempty"`
	Draft     bool      `json:"draft,omitempty"` // in this clone alone, until a person keeps it
	Done      bool      `json:"done,omitempty"`
	Continued bool      `json:"continued,omitempty"` // another packet has it as its parent

	Since *PacketSince `json:"-"` // of a draft that is offered, if another commit is checked out than at its time
}

// PacketSince is what became of the files that were not committed when a packet was drafted: how many they were, or 0
// if nothing is known of them, and how many of them have changes now that are not staged.
type PacketSince struct{ Files, Changed int }

// PacketList answers a [PacketFilter], the newest first.
type PacketList struct {
	Packets []PacketEntry `json:"packets"`
	Total   int           `json:"total"`
	Faulty  []PacketFault `json:"faulty,omitempty"` // files that cannot be read
}

// PacketFault is a file that is no legal packet.
type PacketFault struct {
	File   string   `json:"file"`
	Faults []string `json:"faults"`
}

// PacketDetail is one packet with what is noted beside it.
type PacketDetail struct {
	Packet packet.Packet
	Beside PacketBeside
	Path   string // in the project, with slashes
}

// ResumePacket asks for the text from which a session continues a packet.
type ResumePacket struct {
	// ID is an id or a unique beginning of one. Empty: the newest open packet of this branch, or of
	// all branches if it has none.
	ID string

	Session  string // the session that asks, whose own packets are not offered; empty: a person
	MaxChars int    // 0: no cap
}

// Resumption answers a [ResumePacket].
type Resumption struct {
	ID      string        `json:"id"`
	Text    string        `json:"text"`              // what changed since, then the block
	Changes []PacketDrift `json:"changes,omitempty"` // what changed since the packet was written
	Left    int           `json:"left,omitempty"`    // entries that the cap left out
	Cut     int           `json:"cut,omitempty"`     // texts that the cap cut
}

// PacketDrift is something that changed since a packet was written.
type PacketDrift struct {
	// Kind is "commits", "branch_gone", "other_branch", "commit_gone", "file_changed", "file_gone" or "age".
	Kind    string   `json:"kind"`
	Subject string   `json:"subject,omitempty"` // the branch or the path
	Count   int      `json:"count,omitempty"`   // commits, or days
	Touches []string `json:"touches,omitempty"` // JSON pointers of the packet's texts that this concerns
}
