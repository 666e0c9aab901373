package transfer

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"ltm/memory"
)

// Action is what a plan does with an entry.
type Action string

// The actions.
const (
	ActionNew     Action = "new"     // it becomes a memory
	ActionUpdate  Action = "update"  // a known memory gets its text, or is archived as it is there
	ActionMerge   Action = "merge"   // a known memory gets archived texts that it lacks
	ActionArchive Action = "archive" // a memory that is here is archived, because of another entry
	ActionSkip    Action = "skip"
	ActionChanged Action = "changed" // known, with another text, and no option says what to do
	ActionRefuse  Action = "refuse"
)

// Step is what a plan does with one entry, and why.
type Step struct {
	Action   Action    `json:"action"`
	Entry    string    `json:"entry"`
	ID       memory.ID `json:"id,omitempty"` // of the memory here
	Topic    string    `json:"topic,omitempty"`
	Scope    Scope     `json:"scope,omitempty"`
	Archived string    `json:"archived,omitempty"` // the reason with which it is archived
	Trusted  bool      `json:"trusted,omitempty"`  // it counts as written here
	Agent    string    `json:"agent,omitempty"`    // for whose sessions it is stored
	Masked   int       `json:"masked,omitempty"`   // credentials
	Reason   string    `json:"reason,omitempty"`
	Remarks  []string  `json:"remarks,omitempty"`

	Writes []Write     `json:"-"`
	kind   memory.Kind // of a refusal
}

// Place is where a [Write] goes.
type Place int

// The places.
const (
	InMemories   Place = iota
	InArchives         // as the next version
	InArchivesAs       // under its name
	Aside              // the memory as it is here goes to the archives, and a stub gets its place
	Replaced           // the memory as it is here goes to the archives
)

// Write is a file that a step writes.
type Write struct {
	Place  Place
	ID     memory.ID
	Name   string // with InArchivesAs
	Data   []byte // not with Aside and Replaced
	Reason string // with Aside
	Own    bool   // it counts as written here
}

// Counts are the steps of a plan by action.
type Counts struct {
	New      int `json:"new"`
	Updated  int `json:"updated"`
	Merged   int `json:"merged"`
	Archived int `json:"archived"` // among the new ones, and of those that were here
	Skipped  int `json:"skipped"`
	Changed  int `json:"changed"`
	Refused  int `json:"refused"`
	Masked   int `json:"masked"` // credentials
}

// Plan lists what an import does, entry by entry.
type Plan struct {
	Source  string   `json:"source"`
	Form    string   `json:"form"`
	Steps   []Step   `json:"steps"`
	Counts  Counts   `json:"counts"`
	Remarks []string `json:"remarks"`

	skipBad bool
}

// Join returns the plan that two plans for different stores are together.
func Join(a, b Plan) Plan {
	p := Plan{Source: a.Source, Form: a.Form, Steps: slices.Concat(a.Steps, b.Steps),
		Remarks: slices.Concat(a.Remarks, b.Remarks), skipBad: a.skipBad}
	p.count()
	return p
}

// Changes reports whether carrying out the plan changes anything.
func (p Plan) Changes() bool {
	return slices.ContainsFunc(p.Steps, func(s Step) bool { return len(s.Writes) > 0 })
}

// Err returns why the plan cannot be carried out, with the entries that are the reason, or nil.
func (p Plan) Err() error {
	if p.Counts.Refused > 0 && !p.skipBad {
		return p.refusal()
	}
	if p.Counts.Changed > 0 {
		return memory.NewError(memory.CodeConflict, memory.KindImportChanged, p.Source,
			"%d of %d entries are here already, with another text\n%s", p.Counts.Changed, len(p.Steps),
			p.lines(ActionChanged))
	}
	return nil
}

// refusal says in its kind what all refused entries have in common.
func (p Plan) refusal() error {
	code, kind := memory.CodeInvalid, memory.Kind("")
	for _, s := range p.Steps {
		switch {
		case s.Action != ActionRefuse:
		case kind == "" || kind == s.kind:
			kind = s.kind
		default:
			kind = memory.KindImportRefused
		}
	}
	switch kind {
	case memory.KindImportSecret:
		code = memory.CodeSecret
	case memory.KindImportProject, memory.KindImportScope:
	default:
		kind = memory.KindImportRefused
	}
	return memory.NewError(code, kind, p.Source, "%d of %d entries cannot be imported\n%s", p.Counts.Refused,
		len(p.Steps), p.lines(ActionRefuse))
}

// maxLines bounds how many entries an error lists.
const maxLines = 20

// lines lists the steps with an action, for an error.
func (p Plan) lines(action Action) string {
	var lines []string
	left := 0
	for _, s := range p.Steps {
		switch {
		case s.Action != action:
		case len(lines) == maxLines:
			left++
		default:
			lines = append(lines, fmt.Sprintf("  %s: %s", s.Entry, s.Reason))
		}
	}
	if left > 0 {
		lines = append(lines, fmt.Sprintf("  and %d more", left))
	}
	return strings.Join(lines, "\n")
}

// count fills in the counts.
func (p *Plan) count() {
	c := &p.Counts
	of := map[Action]*int{ActionNew: &c.New, ActionUpdate: &c.Updated, ActionMerge: &c.Merged, ActionSkip: &c.Skipped,
		ActionChanged: &c.Changed, ActionRefuse: &c.Refused}
	for _, s := range p.Steps {
		c.Masked += s.Masked
		if s.Archived != "" {
			c.Archived++
		}
		if n := of[s.Action]; n != nil {
			*n++
		}
	}
}

// Known says what to do with entries that exist here already with another text.
type Known string

// The choices for them.
const (
	KnownAsk    Known = ""       // the plan cannot be carried out
	KnownKeep   Known = "keep"   // they stay as they are here; archived texts that are missing are added
	KnownUpdate Known = "update" // they become as they are in the document
)

// Options says what an import may do.
type Options struct {
	Scope      Scope // the shelf that is imported into
	Force      Scope // the shelf that all entries go to, whatever they say; empty: their own
	Known      Known
	Trust      bool // all of it counts as written here
	SkipBad    bool // entries that cannot be imported are left out
	AnyProject bool // also entries of projects with another name
	Project    string
	Agent      *string   // all of it is for this agent's sessions, or for all; nil: as the document says
	Day        time.Time // of the import
	Difficulty float64   // of memories whose form has none

	// Screen refuses a memory with credentials, or masks them and returns how many there were.
	// It may be called by several goroutines at once.
	Screen func(*memory.Memory) (masked int, err error)
}
