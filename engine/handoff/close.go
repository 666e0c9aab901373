package handoff

import (
	"context"
	"fmt"

	"ltm/internal/plural"
	"ltm/memory"
	"ltm/memory/api"
	"ltm/packet"
	"ltm/store"
)

// Done notes that the work of a packet is done, or with undo that it is not.
func (d *Desk) Done(ctx context.Context, id string, undo bool) (api.PacketReceipt, error) {
	return d.change(ctx, id, func(tx *store.Tx, k *kept) (string, error) {
		done := !k.file.Done.IsZero()
		switch {
		case undo && !done:
			return "the packet was open already", nil
		case undo:
			tx.Log(d.event(memory.ActionReopened, &k.packet))
			return "the packet is open again", tx.UnmarkPacket(k.file)
		case done:
			return "the packet was done already, since " + packet.FormatTime(k.file.Done), nil
		}
		tx.Log(d.event(memory.ActionDone, &k.packet))
		return "the packet is done, and offered no more", tx.MarkPacket(k.file, d.o.Now())
	})
}

// Remove removes a packet and what is beside it; the log keeps its id.
func (d *Desk) Remove(ctx context.Context, id string) (api.PacketReceipt, error) {
	var a *all
	err := d.o.Store.View(func(v *store.View) (err error) { // not under the lock: there may be many
		a, err = readAll(v)
		return err
	})
	if err != nil {
		return api.PacketReceipt{}, err
	}
	return d.change(ctx, id, func(tx *store.Tx, k *kept) (string, error) {
		said := "the packet was removed"
		if n := len(a.continued[k.packet.ID]); n > 0 {
			said += fmt.Sprintf("; %s it", plural.Of(n, "packet continues", "packets continue"))
		}
		tx.Log(d.event(memory.ActionRemoved, &k.packet))
		return said, tx.ErasePacket(k.file)
	})
}

// Sent notes that a packet was sent to a server, which no undo takes back. Without a store it does nothing.
func (d *Desk) Sent(ctx context.Context, p *packet.Packet, to string) error {
	if !d.o.Store.Exists() {
		return nil
	}
	return d.update(ctx, false, func(tx *store.Tx) error {
		event := d.event(memory.ActionSent, p)
		event.Why = "to " + to
		tx.Log(event)
		return nil
	})
}

// change finds a packet under the store's lock and changes what is beside it. change returns what to say about it.
func (d *Desk) change(ctx context.Context, id string,
	change func(*store.Tx, *kept) (string, error)) (api.PacketReceipt, error) {
	var receipt api.PacketReceipt
	err := d.update(ctx, false, func(tx *store.Tx) error {
		k, err := find(tx.View, id)
		if err != nil {
			return err
		}
		said, err := change(tx, k)
		if err != nil {
			return err
		}
		receipt = api.PacketReceipt{Success: true, ID: k.packet.ID, Parent: k.packet.ParentID, Path: d.path(k.file),
			Packet: k.packet, Message: memory.Say(said)}
		return nil
	})
	if memory.KindOf(err) == memory.KindStoreMissing {
		err = unknownPacket(id)
	}
	return receipt, err
}
