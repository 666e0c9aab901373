package api

import "ltm/memory"

// SessionStart reports that the client started, resumed, cleared or compacted a session.
type SessionStart struct {
	Session    string
	Source     string // startup, resume, clear, compact
	Agent      string // the agent that the session is for; empty: none
	Transcript string // path of the client's transcript; empty: unknown
}

// ToolUse reports that the client ran a tool.
type ToolUse struct {
	Session  string
	Subagent bool // a subagent of the session ran it
	Failed   bool
	Long     bool // too long to read, so Input and Response are nil

	Tool       string
	Input      []byte // JSON of the arguments
	Dir        string // below which relative paths in Input are; empty: unknown
	Response   []byte // JSON of the result or the error
	Transcript string // as in [SessionStart]
}

// Segment is the work of a session from one store or reset to the next.
type Segment struct {
	Work       memory.Work `json:"work"`
	Difficulty float64     `json:"difficulty"` // of a memory stored now
	Message    string      `json:"message"`
}

// Compaction announces that a session's context is about to be compacted.
type Compaction struct {
	Session    string
	Transcript string // path of the client's transcript; empty: unknown
}

// Leaving is a moment at which a session may leave its work to another: after a compaction, or at its end.
type Leaving struct {
	Session    string
	Transcript string // path of the client's transcript; empty: unknown
	Summary    string // of a compaction, by a model
	Ends       bool   // the session ends
}
