package handoff

import (
	"context"
	"errors"
	"fmt"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"ltm/internal/plural"
	"ltm/memory"
	"ltm/memory/api"
	"ltm/packet"
	"ltm/packet/redact"
	"ltm/store"
	"ltm/text/safe"
)

// Write checks a packet, completes it and keeps it. A packet that is not legal, or that has a credential or a path of
// this machine, is refused with all its faults, and nothing is written. What version control does not know is left out.
func (d *Desk) Write(ctx context.Context, draft api.PacketDraft) (api.PacketReceipt, error) {
	w := &writing{draft: draft, p: clone(draft.Packet), now: d.look(ctx)}
	if err := d.o.Store.View(w.look); err != nil {
		return api.PacketReceipt{}, err
	}
	w.claims()
	w.fill(d.o)
	if err := refuse(redact.Check(&w.p), true); err != nil {
		return api.PacketReceipt{}, err
	}
	p, err := d.ids.Stamp(w.p)
	if err != nil {
		return api.PacketReceipt{}, invalid(err)
	}
	w.p = p
	w.remark()
	data, err := p.Canonical()
	if err != nil {
		return api.PacketReceipt{}, invalid(err)
	}
	file := store.PacketFile{Name: store.PacketName(p.ID), ID: p.ID, Draft: draft.Drafted}
	receipt := api.PacketReceipt{Success: true, ID: p.ID, Parent: p.ParentID, Path: d.path(file), Notes: w.notes,
		Packet: p, Message: memory.Say("wrote packet " + p.ID)}
	if draft.DryRun {
		receipt.Message = memory.Say("nothing was written: this would be the packet")
		return receipt, nil
	}
	err = d.update(ctx, true, func(tx *store.Tx) error {
		tx.Log(d.event(memory.ActionWritten, &p))
		if draft.Unasked {
			tx.Unasked()
		}
		if draft.Drafted {
			if err := d.dropOld(tx); err != nil {
				return err
			}
		}
		if err := tx.WritePacketAs(file, append(data, '\n'), encodeNotes(notesOf(draft, w.now))); err != nil {
			return err
		}
		for _, f := range w.spent {
			if err := tx.MarkPacket(f, d.o.Now()); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		return api.PacketReceipt{}, err
	}
	return receipt, nil
}

// event says in the log what was done with a packet.
func (d *Desk) event(action string, p *packet.Packet) memory.Event {
	return memory.Event{Time: d.o.Now().UTC(), Action: action, Packet: p.ID,
		Topic: safe.ClipLine(p.Goal, memory.MaxTopicChars)}
}

// path returns the path of a packet's file in the project, with slashes. That of a draft may be outside.
func (d *Desk) path(f store.PacketFile) string {
	places := d.o.Store.Places()
	if f.Draft {
		file := filepath.Join(places.Clone, filepath.FromSlash(f.Path()))
		project := filepath.Dir(filepath.Dir(places.Store))
		if name, err := filepath.Rel(project, file); err == nil && filepath.IsLocal(name) && !places.Named {
			file = name
		}
		return filepath.ToSlash(file)
	}
	if places.Named {
		return filepath.ToSlash(filepath.Join(d.o.Store.Dir(), filepath.FromSlash(f.Path())))
	}
	return path.Join(store.Folder, f.Path())
}

// clone returns a packet that shares no list or object with another.
func clone(p packet.Packet) packet.Packet {
	p.SuccessCriteria, p.Constraints = slices.Clone(p.SuccessCriteria), slices.Clone(p.Constraints)
	p.Decisions, p.Methods, p.Attempts = slices.Clone(p.Decisions), slices.Clone(p.Methods), slices.Clone(p.Attempts)
	p.OpenQuestions, p.Tags = slices.Clone(p.OpenQuestions), slices.Clone(p.Tags)
	if p.Project != nil {
		project := *p.Project
		p.Project = &project
	}
	if p.Provenance != nil {
		from := *p.Provenance
		p.Provenance = &from
	}
	return p
}

// invalid returns the error about a packet that is not legal. It lists all faults.
func invalid(err error) error {
	faults := packet.FaultsOf(err)
	if faults == nil {
		if errors.Is(err, packet.ErrClock) {
			return memory.NewError(memory.CodeInvalid, memory.KindPacketInvalid, "", "%v", err)
		}
		return &memory.Error{Code: memory.CodeStorage, Kind: memory.KindRandomFailed, Message: "cannot make an id",
			Err: err}
	}
	return memory.NewError(memory.CodeInvalid, memory.KindPacketInvalid, faults[0].Path,
		"the packet is not legal\n%s", strings.Join(faultLines(err), "\n"))
}

// refuse returns the error about findings in a packet, or nil. Paths are refused only if they count.
func refuse(found []redact.Finding, paths bool) error {
	var lines []string
	first, secret := "", false
	for _, f := range found {
		if f.IsPath() && !paths {
			continue
		}
		if first == "" || !secret && !f.IsPath() {
			first = f.Path
		}
		secret = secret || !f.IsPath()
		lines = append(lines, f.String())
	}
	switch {
	case len(lines) == 0:
		return nil
	case secret:
		return memory.NewError(memory.CodeSecret, memory.KindPacketSecret, first,
			"the packet seems to hold a credential\n%s", strings.Join(lines, "\n"))
	}
	return memory.NewError(memory.CodeInvalid, memory.KindPacketPath, first,
		"the packet names paths of this machine\n%s", strings.Join(lines, "\n"))
}

// writing is a packet on its way.
type writing struct {
	draft api.PacketDraft
	p     packet.Packet
	now   standing
	notes []memory.Note

	spent   []store.PacketFile // drafts of the same session
	parent  *packet.Packet     // nil: no parent, or not in this store
	others  int                // packets that continue the same parent
	passed  map[string]bool
	knownAs map[string]claim // those of the parent, by their texts
}

func (w *writing) note(kind memory.Kind, subject, format string, args ...any) {
	w.notes = append(w.notes, memory.Advise(kind, subject, fmt.Sprintf(format, args...)))
}

func (w *writing) look(v *store.View) (err error) {
	if err = w.findParent(v); err == nil {
		w.spent, err = spent(v, w.draft.Session, w.p.ParentID)
	}
	return err
}

// newest is how many packets are looked at for one that continues the same parent.
const newest = 200

// findParent finds the packet that is continued. An id of another store is fine, if it is a whole one.
func (w *writing) findParent(v *store.View) error {
	id := w.p.ParentID
	if id == "" {
		return nil
	}
	k, err := find(v, id)
	if memory.KindOf(err) == memory.KindPacketUnknown && isWhole(id) {
		w.note(memory.KindPacketParentGone, id, "the packet that it continues is not in this store")
		return nil
	}
	if err != nil {
		return err
	}
	w.parent, w.p.ParentID = &k.packet, k.packet.ID
	w.others, err = continuing(v, k.packet.ID)
	return err
}

// continuing counts those of the newest packets that continue one.
func continuing(v *store.View, id string) (n int, err error) {
	files, err := v.Packets()
	for _, f := range files.Files[:min(len(files.Files), newest)] {
		if k, _ := read(v, f); k != nil && k.packet.ParentID == id && k.packet.ID != id {
			n++
		}
	}
	return n, err
}

// isWhole reports whether an id looks complete: a ULID or a UUID.
func isWhole(id string) bool {
	if _, ok := packet.ULIDTime(id); ok {
		return true
	}
	const uuid = 36
	return len(id) == uuid && strings.Count(id, "-") == 4 && strings.Trim(id, "0123456789abcdefABCDEF-") == ""
}

// fill fills in known values that were not given. Paths and credentials are left out.
func (w *writing) fill(o Options) {
	project, from := packet.Project{}, packet.Provenance{}
	if w.p.Project != nil {
		project = *w.p.Project
	}
	if w.p.Provenance != nil {
		from = *w.p.Provenance
	}
	w.fillIn("/project/name", &project.Name, o.Project, 128)
	w.fillIn("/project/ref", &project.Ref, w.ref(), 256)
	w.fillIn("/provenance/author_human", &from.AuthorHuman, o.Author, 128)
	w.fillIn("/provenance/author_model", &from.AuthorModel, w.draft.Model, 128)
	if project != (packet.Project{}) {
		w.p.Project = &project
	}
	if from != (packet.Provenance{}) {
		w.p.Provenance = &from
	}
}

func (w *writing) ref() string {
	if w.now.origin == "" || w.now.commit == "" {
		return w.now.origin
	}
	return w.now.origin + "@" + w.now.commit
}

// fillIn fills in one text that was not given.
func (w *writing) fillIn(path string, to *string, value string, most int) {
	value = safe.Line(value)
	if *to != "" || value == "" {
		return
	}
	p := packet.Packet{Project: &packet.Project{Name: value}}
	if path == "/project/ref" {
		p.Project = &packet.Project{Ref: value}
	}
	if len(redact.Check(&p)) > 0 {
		w.note(memory.KindPacketLeftOut, path, "%s was not filled in: it would hold a path or a credential", path)
		return
	}
	*to = clip(value, most)
}

// remark adds what a reader of the packet would miss.
func (w *writing) remark() {
	p := &w.p
	if len(p.SuccessCriteria) == 0 {
		w.note(memory.KindPacketNoCriteria, "/success_criteria", "it does not say when the work is done")
	}
	for i, a := range p.Attempts {
		if a.Outcome != packet.Succeeded && strings.TrimSpace(a.Learned) == "" && !w.draft.Drafted {
			path := fmt.Sprintf("/attempts/%d", i)
			w.note(memory.KindPacketUnlearned, path, "%s does not say what the attempt taught", path)
		}
	}
	for i, decision := range p.Decisions {
		if decision.Locked && strings.TrimSpace(decision.Why) == "" {
			path := fmt.Sprintf("/decisions/%d", i)
			w.note(memory.KindPacketNoReason, path, "%s is locked, and does not say why", path)
		}
	}
	if w.others > 0 {
		w.note(memory.KindPacketParentTwice, p.ParentID, "another packet continues %s too: the work now has two ends",
			memory.Quote(p.ParentID, maxID))
	}
	if n := len(w.now.dirty); n > 0 {
		w.note(memory.KindPacketUncommitted, "", "%s changes that are not committed, which no other clone gets",
			plural.Of(n, "file has", "files have"))
	}
}
