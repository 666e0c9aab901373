package tell

import (
	"context"
	"time"

	"ltm/engine/base"
	"ltm/engine/brief"
	"ltm/engine/settings"
	"ltm/memory"
	"ltm/memory/api"
	"ltm/store"
)

// The sources of a session's start that continue a session.
const (
	sourceCompact = "compact" // its context was compacted
	sourceResume  = "resume"  // with the context that it had
)

// The time for a draft: around a compaction, which the client waits for, and at the end of a session, for which the
// client gives little more than for the rest of what is done then.
const (
	draftBudget    = 2 * time.Second
	endDraftBudget = 400 * time.Millisecond
)

// offer returns the packet that a session is told of: after a compaction its own, else that of
// another. The block is written whatever happens.
func (e *Engine) offer(ctx context.Context, v *store.View, session string, compacted bool) (brief.Offer, error) {
	if e.Packets == nil || !v.Exists() {
		return brief.Offer{}, nil
	}
	if compacted {
		entry, found, err := e.Packets.Left(v, session)
		if err != nil || found {
			o := offerOf(entry)
			o.Own = true
			return o, err
		}
	}
	entry, found, err := e.Packets.Offer(ctx, v, session)
	if err != nil || !found {
		return brief.Offer{}, err
	}
	return offerOf(entry), nil
}

func offerOf(e api.PacketEntry) brief.Offer {
	o := brief.Offer{ID: e.ID, At: e.CreatedAt, Author: e.Author, Goal: e.Goal, Drafted: e.Drafted}
	if e.Since != nil {
		o.Moved, o.Files, o.Changed = true, e.Since.Files, e.Since.Changed
	}
	return o
}

// draft keeps a draft of a session, and returns its id. Without a record, or with the setting packet_drafts off, there
// is no draft.
func (e *Engine) draft(ctx context.Context, budget time.Duration, r api.DraftRequest) (string, error) {
	if e.Packets == nil {
		return "", nil
	}
	wanted, err := e.wants(func(s settings.Settings) bool { return s.PacketDrafts })
	if err != nil || !wanted {
		return "", err
	}
	ctx, cancel := context.WithTimeout(ctx, budget)
	defer cancel()
	r.Automatic = true
	receipt, err := e.Packets.DraftSession(ctx, r)
	if memory.KindOf(err) == memory.KindSessionRecord {
		return "", nil
	}
	return receipt.ID, err
}

// wants reports whether a setting is on. It takes no lock, so that "off" holds while another process writes, too.
func (e *Engine) wants(setting func(settings.Settings) bool) (wanted bool, err error) {
	err = e.Store.View(func(v *store.View) error {
		state, err := base.Tolerate(v.State())
		wanted = err == nil && setting(base.SettingsOf(v, state))
		return err
	})
	return wanted, err
}
