package handoff

import (
	"context"
	"slices"

	"ltm/engine/transcript"
	"ltm/memory"
	"ltm/memory/api"
	"ltm/packet"
	"ltm/store"
)

// Records reads what the client records of its sessions.
type Records interface {
	// Outline reads a record. Once ctx is done, it returns what it has read by then.
	Outline(ctx context.Context, path string) (transcript.Outline, error)

	// Find returns the path of a session's record.
	Find(session string) (path string, ok bool)
}

// DraftSession keeps a draft of where a session's work stands, made from its record, and returns its receipt. It
// continues what the session wrote or resumed last, so at most one draft of a session is open. Success is false if
// nothing was written: the record shows no work, or the packet that the receipt names says the same already.
func (d *Desk) DraftSession(ctx context.Context, r api.DraftRequest) (api.PacketReceipt, error) {
	o, err := d.outline(ctx, r)
	if err != nil {
		return api.PacketReceipt{}, err
	}
	if r.Unfinished && ctx.Err() != nil {
		return api.PacketReceipt{Message: memory.Say("the session's record was not read in time")}, nil
	}
	if r.Summary != "" {
		o = o.WithSummary(r.Summary)
	}
	w := Worked{Session: r.Session, Outline: o, Roots: d.o.Roots}
	before, err := d.before(r.Session, o.Packet)
	if err != nil {
		return api.PacketReceipt{}, err
	}
	if before.last != nil {
		w.Parent, w.Own = &before.last.packet, before.last.notes.Drafted && before.own
	}
	draft, ok := Draft(w)
	if !ok || r.Automatic && !o.Worked() || r.Unfinished && !d.unfinished(ctx, draft.Packet) {
		return api.PacketReceipt{Message: memory.Say("the session's record shows no work to hand over")}, nil
	}
	if w.Own && SameWork(*w.Parent, draft.Packet) {
		return api.PacketReceipt{ID: w.Parent.ID, Message: memory.Say("packet " + w.Parent.ID +
			" says where the work stands already"), Packet: *w.Parent}, nil
	}
	draft.DryRun, draft.Unasked = r.DryRun, r.Automatic
	return d.Write(ctx, draft)
}

// unfinished reports whether a session left something: a check that fails, or files that are not committed.
func (d *Desk) unfinished(ctx context.Context, p packet.Packet) bool {
	return slices.ContainsFunc(p.SuccessCriteria, func(s string) bool {
		c := parseClaim(s)
		return c.state == pendingWord && c.from == ""
	}) || d.o.Repository != nil && len(d.o.Repository.Dirty(ctx, 1)) > 0
}

// outline reads the record of a session.
func (d *Desk) outline(ctx context.Context, r api.DraftRequest) (transcript.Outline, error) {
	none := memory.NewError(memory.CodeNotFound, memory.KindSessionRecord, r.Session,
		"there is no record of the session %s", memory.Quote(r.Session, maxID))
	if d.o.Records == nil {
		return transcript.Outline{}, none
	}
	path := r.Transcript
	if path == "" {
		found, ok := d.o.Records.Find(r.Session)
		if !ok {
			return transcript.Outline{}, none
		}
		path = found
	}
	o, err := d.o.Records.Outline(ctx, path)
	if err != nil {
		none.Err = err
		return o, none
	}
	return o, nil
}

type before struct {
	last *kept // nil: nothing
	own  bool  // the session itself wrote it
}

// before finds the open packet that a session wrote last, or else the one that it resumed.
func (d *Desk) before(session, resumed string) (before, error) {
	var b before
	err := d.o.Store.View(func(v *store.View) error {
		a, err := readAll(v)
		if err != nil {
			return err
		}
		if own := a.openOf(session); len(own) > 0 {
			b = before{own[0], true}
			return nil
		}
		for _, k := range a.packets {
			if k.packet.ID == resumed && a.isOpen(k) {
				b.last = k
			}
		}
		return nil
	})
	return b, err
}

// isOpen reports whether a packet is neither done nor continued.
func (a *all) isOpen(k *kept) bool { return k.file.Done.IsZero() && len(a.continued[k.packet.ID]) == 0 }

// openOf returns the open packets that a session wrote, the newest first.
func (a *all) openOf(session string) []*kept {
	if session == "" {
		return nil
	}
	own := slices.DeleteFunc(slices.Clone(a.packets), func(k *kept) bool {
		return k.notes.Session != session || !a.isOpen(k)
	})
	sortNewest(own)
	return own
}

// spent returns the files of the open drafts of a session that a new packet of it replaces, but for
// the one that it continues.
func spent(v *store.View, session, parent string) ([]store.PacketFile, error) {
	if session == "" {
		return nil, nil
	}
	a, err := readAll(v)
	if err != nil {
		return nil, err
	}
	var files []store.PacketFile
	for _, k := range a.openOf(session) {
		if k.notes.Drafted && k.packet.ID != parent {
			files = append(files, k.file)
		}
	}
	return files, nil
}

// draftDays is how long a draft is there that no person keeps.
const draftDays = 30

// dropOld removes the drafts of sessions of long ago.
func (d *Desk) dropOld(tx *store.Tx) error {
	files, err := tx.Packets()
	if err != nil {
		return err
	}
	for _, f := range files.Files {
		at, ok := packet.ULIDTime(f.ID)
		if !f.Draft || !ok || d.o.Now().Sub(at) < draftDays*day {
			continue
		}
		if err := tx.ErasePacket(f); err != nil {
			return err
		}
	}
	return nil
}

// KeepDraft moves a draft from the clone's directory to the packets that git has.
func (d *Desk) KeepDraft(ctx context.Context, id string) (api.PacketReceipt, error) {
	return d.change(ctx, id, func(tx *store.Tx, k *kept) (string, error) {
		if !k.file.Draft { // a crash may have left its draft
			return "the packet was kept already", tx.ErasePacket(store.PacketFile{Name: k.file.Name, Draft: true})
		}
		data, err := tx.ReadPacket(k.file)
		if err != nil {
			return "", err
		}
		notes, err := tx.ReadPacketNotes(k.file)
		if err != nil {
			return "", err
		}
		tx.Log(d.event(memory.ActionKept, &k.packet))
		if err := tx.WritePacket(k.packet.ID, data, notes); err != nil {
			return "", err
		}
		draft := k.file
		k.file.Draft = false
		if !draft.Done.IsZero() {
			if err := tx.MarkPacket(k.file, draft.Done); err != nil {
				return "", err
			}
		}
		return "the packet is kept: commit its file", tx.ErasePacket(draft)
	})
}

// Left returns the newest open packet that a session itself wrote, if there is one. It is for a
// session whose context was compacted.
func (d *Desk) Left(v *store.View, session string) (entry api.PacketEntry, found bool, err error) {
	a, err := readAll(v)
	if err != nil {
		return entry, false, err
	}
	if own := a.openOf(session); len(own) > 0 {
		entry, found = a.entry(own[0]), true
	}
	return entry, found, nil
}
