package tell

import (
	"context"
	"time"

	"ltm/engine/base"
	"ltm/engine/brief"
	"ltm/memory"
	"ltm/memory/api"
	"ltm/store"
)

// The sources of a session's start that continue a session.
const (
	sourceCompact = "compact" // its context was compacted
	sourceResume  = "resume"  // with the context that it had
)

// draftBudget bounds the time for a draft before a compaction, which the client waits for.
const draftBudget = 2 * time.Second

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
	return brief.Offer{ID: e.ID, At: e.CreatedAt, Author: e.Author, Goal: e.Goal, Drafted: e.Drafted}
}

// draft keeps a draft of a session, and returns what the summary of it should keep. Without a record,
// or with the setting packet_drafts off, there is no draft.
func (e *Engine) draft(ctx context.Context, c api.Compaction) (string, error) {
	if e.Packets == nil {
		return "", nil
	}
	if wanted, err := e.wantsDrafts(); err != nil || !wanted {
		return "", err
	}
	ctx, cancel := context.WithTimeout(ctx, draftBudget)
	defer cancel()
	r, err := e.Packets.DraftSession(ctx, api.DraftRequest{Session: c.Session, Transcript: c.Transcript,
		Automatic: true})
	if memory.KindOf(err) == memory.KindSessionRecord {
		return "", nil
	}
	if err != nil || r.ID == "" {
		return "", err
	}
	return "Where the work stands is kept as packet " + r.ID + ". Keep this id in the summary, and what no file " +
		"says: decisions with their reasons, what was tried and failed, and the next step.", nil
}

// wantsDrafts reports whether the setting packet_drafts is on. It takes no lock, so that "off" holds
// while another process writes, too.
func (e *Engine) wantsDrafts() (wanted bool, err error) {
	err = e.Store.View(func(v *store.View) error {
		state, err := base.Tolerate(v.State())
		if err != nil {
			return err
		}
		wanted = base.SettingsOf(v, state).PacketDrafts
		return nil
	})
	return wanted, err
}
