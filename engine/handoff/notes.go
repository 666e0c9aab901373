package handoff

import (
	"context"
	"encoding/json"
	"strings"

	"ltm/memory/api"
	"ltm/packet/redact"
)

// The notes about a packet are in git, so they are bounded, whoever wrote them.
const (
	notesVersion = 1
	mostDirty    = 100
	mostChecks   = 20
	noteChars    = 1024 // of each text
)

// notesFile is the file of the notes about a packet.
type notesFile struct {
	Version int `json:"version"`
	api.PacketBeside
}

// standing is what version control knows about the present state.
type standing struct {
	branch, commit, origin string
	dirty                  []string
}

// look asks version control where the work stands. Whatever it does not know is empty.
func (d *Desk) look(ctx context.Context) standing {
	var s standing
	if d.o.Repository != nil {
		s.branch, s.commit, s.origin = d.o.Repository.Head(ctx)
		s.dirty = d.o.Repository.Dirty(ctx, mostDirty)
	}
	return s
}

// notesOf returns the notes about a new packet. Apparent credentials in them are masked.
func notesOf(draft api.PacketDraft, now standing) api.PacketBeside {
	return bounded(api.PacketBeside{Branch: now.branch, Commit: now.commit, Dirty: now.dirty, Session: draft.Session,
		Drafted: draft.Drafted, Checks: draft.Checks}, func(s string) string {
		s, _ = redact.Mask(s)
		return s
	})
}

// bounded returns notes of which each text is shown by a function, and cut.
func bounded(b api.PacketBeside, show func(string) string) api.PacketBeside {
	text := func(s string) string { return clip(show(strings.ToValidUTF8(s, "\ufffd")), noteChars) }
	n := api.PacketBeside{Branch: text(b.Branch), Commit: text(b.Commit), Session: text(b.Session), Drafted: b.Drafted,
		Done: b.Done}
	for _, path := range b.Dirty[:min(len(b.Dirty), mostDirty)] {
		n.Dirty = append(n.Dirty, text(path))
	}
	for _, c := range b.Checks[:min(len(b.Checks), mostChecks)] {
		c.Command = text(c.Command)
		n.Checks = append(n.Checks, c)
	}
	return n
}

// encodeNotes returns the bytes of a file of notes, or nil if nothing is noted.
func encodeNotes(b api.PacketBeside) []byte {
	if b.Branch == "" && b.Commit == "" && len(b.Dirty) == 0 && b.Session == "" && !b.Drafted && len(b.Checks) == 0 {
		return nil
	}
	data, err := json.MarshalIndent(notesFile{notesVersion, b}, "", "  ")
	if err != nil {
		return nil // a time of a check that is out of every calendar
	}
	return append(data, '\n')
}

// decodeNotes reads a file of notes. fault says why it cannot be used.
func decodeNotes(data []byte) (b api.PacketBeside, fault string) {
	if len(data) == 0 {
		return b, ""
	}
	var f notesFile
	if err := json.Unmarshal(data, &f); err != nil {
		return b, "it is not JSON of notes about a packet"
	}
	if f.Version != notesVersion {
		return b, "a newer version of ltm wrote it, or none"
	}
	return bounded(f.PacketBeside, func(s string) string { return s }), ""
}
