package handoff

import (
	"bytes"
	"context"

	"ltm/memory"
	"ltm/memory/api"
	"ltm/packet"
	"ltm/packet/redact"
	"ltm/store"
)

// Keep keeps a packet that was made elsewhere, as it is. One with a credential is refused, because the store is in git;
// a path of another machine is only a remark. If the store has the packet already, nothing changes; with another
// content under the same id, or over a damaged file, it is refused.
func (d *Desk) Keep(ctx context.Context, data []byte) (api.PacketReceipt, error) {
	return d.keep(ctx, data, nil)
}

// KeepHere is Keep for a packet of the work in this clone, and notes its branch.
func (d *Desk) KeepHere(ctx context.Context, data []byte) (api.PacketReceipt, error) {
	return d.keep(ctx, data, encodeNotes(notesOf(api.PacketDraft{}, standing{branch: d.look(ctx).branch})))
}

func (d *Desk) keep(ctx context.Context, data, notes []byte) (api.PacketReceipt, error) {
	p, err := packet.ParseStored(data)
	if err != nil {
		return api.PacketReceipt{}, invalid(err)
	}
	found := redact.Check(&p)
	if err := refuse(found, false); err != nil {
		return api.PacketReceipt{}, err
	}
	canonical, err := p.Canonical()
	if err != nil {
		return api.PacketReceipt{}, invalid(err)
	}
	file := store.PacketFile{Name: store.PacketName(p.ID), ID: p.ID}
	receipt := api.PacketReceipt{Success: true, ID: p.ID, Parent: p.ParentID, Path: d.path(file), Packet: p,
		Message: memory.Say("kept packet " + p.ID)}
	for _, f := range found {
		receipt.Notes = append(receipt.Notes, memory.Advise(memory.KindPacketHasPath, f.Path, f.String()))
	}
	err = d.update(ctx, true, func(tx *store.Tx) error {
		known, err := tx.ReadPacket(file)
		if err != nil {
			return err
		}
		if known != nil {
			same, err := sameValue(known, canonical)
			if err != nil { // another packet it is not: nothing could continue it
				return damagedPacket(nil, file, []api.PacketFault{{File: file.Path(), Faults: faultLines(err)}})
			}
			if !same {
				return memory.NewError(memory.CodeConflict, memory.KindPacketTaken, p.ID,
					"the store has another packet %s", memory.Quote(p.ID, maxID))
			}
			receipt.Message = memory.Advise(memory.KindPacketKnownAlready, p.ID, "the store has this packet already")
			return nil
		}
		tx.Log(d.event(memory.ActionKept, &p))
		return tx.WritePacket(p.ID, append(canonical, '\n'), notes)
	})
	if err != nil {
		return api.PacketReceipt{}, err
	}
	return receipt, nil
}

// sameValue reports whether a file has the value of a canonical packet. The error says why the file is not a packet.
func sameValue(file, canonical []byte) (bool, error) {
	p, err := packet.ParseStored(file)
	if err != nil {
		return false, err
	}
	data, err := p.Canonical()
	return bytes.Equal(data, canonical), err
}
