package engine

import (
	"context"
	"time"

	"ltm/engine/brief"
	"ltm/memory"
	"ltm/memory/api"
	"ltm/store"
)

// Packets has the packets of unfinished work, as [ltm/engine/handoff.Desk] keeps them.
type Packets interface {
	// Offer returns the newest open packet of others that a session should be told of.
	Offer(ctx context.Context, session string) (entry api.PacketEntry, found bool, err error)

	// Left returns the newest open packet that a session itself wrote.
	Left(ctx context.Context, session string) (entry api.PacketEntry, found bool, err error)

	// DraftSession keeps a draft of where a session's work stands. The receipt has an id if there is
	// a packet that says it.
	DraftSession(context.Context, api.DraftRequest) (api.PacketReceipt, error)
}

// The sources of a session's start that continue a session.
const (
	sourceCompact = "compact" // its context was compacted
	sourceResume  = "resume"  // with the context that it had
)

// draftBudget bounds the time for a draft before a compaction, which the client waits for.
const draftBudget = 2 * time.Second

// offer returns the packet that a session is told of: after a compaction its own, else that of
// another. The block is written whatever happens.
func (e *Engine) offer(ctx context.Context, session string, compacted bool) (brief.Offer, error) {
	if e.packets == nil || !e.store.Exists() {
		return brief.Offer{}, nil
	}
	if compacted {
		entry, found, err := e.packets.Left(ctx, session)
		if err != nil || found {
			o := offerOf(entry)
			o.Own = true
			return o, err
		}
	}
	entry, found, err := e.packets.Offer(ctx, session)
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
	if e.packets == nil {
		return "", nil
	}
	if wanted, err := e.wantsDrafts(); err != nil || !wanted {
		return "", err
	}
	ctx, cancel := context.WithTimeout(ctx, draftBudget)
	defer cancel()
	r, err := e.packets.DraftSession(ctx, api.DraftRequest{Session: c.Session, Transcript: c.Transcript,
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
	err = e.store.View(func(v *store.View) error {
		state, err := tolerate(v.State())
		if err != nil {
			return err
		}
		wanted = settingsOf(v, state).PacketDrafts
		return nil
	})
	return wanted, err
}
