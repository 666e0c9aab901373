package handoff

import (
	"cmp"
	"context"
	"slices"
	"time"

	"ltm/memory/api"
	"ltm/packet"
	"ltm/store"
)

const (
	// offerLooks is how many packets are read for an offer, the newest first. Each costs the reading
	// of two small files, at the start of every session.
	offerLooks = 16

	// offerOthers is how many of them may have ids that do not tell their time.
	offerOthers = 4

	// clockSkew is how far ahead another machine's clock may be. A packet that claims to be younger comes last
	// in lists and offers.
	clockSkew = 24 * time.Hour
)

// Offer returns the newest open packet that a session should be told of, if there is one: of this branch, or else of
// any. It is neither the session's own, nor done, nor continued by another. Only the newest packets are looked at,
// which is fast enough for a hook: a list of the directory and a few files.
func (d *Desk) Offer(ctx context.Context, v *store.View, session string) (entry api.PacketEntry, found bool,
	err error) {
	files, err := v.Packets()
	if err != nil || len(files.Files) == 0 {
		return entry, false, err
	}
	k := d.offered(ctx, session, d.newestOf(v, files.Files))
	if k == nil {
		return entry, false, nil
	}
	entry = k.entry()
	if k.file.Draft { // another one can come with a commit
		entry.Since = d.becameOf(ctx, k)
	}
	return entry, true, nil
}

// becameOf returns what became of a draft's work, or nil if the commit is still that of the draft.
func (d *Desk) becameOf(ctx context.Context, k *kept) *api.PacketSince {
	if d.o.Repository == nil || k.notes.Commit == "" {
		return nil
	}
	if _, commit, _ := d.o.Repository.Head(ctx); commit == "" || commit == k.notes.Commit {
		return nil
	}
	if files := len(k.notes.Dirty); files < mostDirty { // more are not noted
		if n, known := d.o.Repository.Differ(ctx, k.notes.Dirty); known {
			return &api.PacketSince{Files: files, Changed: n}
		}
	}
	return &api.PacketSince{}
}

// newestOf reads the newest packets.
func (d *Desk) newestOf(v *store.View, files []store.PacketFile) []*kept {
	limit := d.o.Now().Add(clockSkew)
	var timed, others []store.PacketFile
	for _, f := range files { // in descending order
		if at, ok := packet.ULIDTime(f.ID); ok && at.Before(limit) {
			timed = append(timed, f)
		} else {
			others = append(others, f)
		}
	}
	others = others[:min(len(others), offerOthers)]
	var found []*kept
	for _, f := range slices.Concat(timed[:min(len(timed), offerLooks-len(others))], others) {
		if k, _ := read(v, f); k != nil {
			_, k.written = v.PacketStamp(f)
			found = append(found, k)
		}
	}
	return found
}

// offered returns the newest open packet of several, of this branch if it has one. session is the one that asks.
func (d *Desk) offered(ctx context.Context, session string, from []*kept) *kept {
	continued := map[string]bool{}
	for _, k := range from {
		if k.packet.ParentID != k.packet.ID {
			continued[k.packet.ParentID] = true
		}
	}
	from = slices.DeleteFunc(slices.Clone(from), func(k *kept) bool {
		return !k.file.Done.IsZero() || continued[k.packet.ID] || session != "" && k.notes.Session == session
	})
	if len(from) == 0 {
		return nil
	}
	branch := ""
	if d.o.Repository != nil {
		branch, _, _ = d.o.Repository.Head(ctx)
	}
	limit := d.o.Now().Add(clockSkew)
	rank := func(k *kept) int {
		switch {
		case k.packet.Time().After(limit):
			return 2
		case branch != "" && k.notes.Branch == branch:
			return 0
		}
		return 1
	}
	sortNewest(from)
	slices.SortStableFunc(from, func(a, b *kept) int { return cmp.Compare(rank(a), rank(b)) })
	return from[0]
}
