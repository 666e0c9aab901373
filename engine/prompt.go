package engine

import (
	"context"
	"errors"
	"slices"
	"time"

	"ltm/engine/brief"
	"ltm/engine/finder"
	"ltm/engine/session"
	"ltm/memory"
	"ltm/store"
	"ltm/text/search"
)

const (
	// promptSnippet bounds the passage of one entry, in characters.
	promptSnippet = 160

	// promptReads bounds the files that are read because the cache lacks them. With more to read,
	// the prompt gets no memories until the server has updated the cache.
	promptReads = 200

	// promptLook bounds the time that a prompt waits for files of memories, and then of archives, that no cache knows.
	// After it, the prompt gets no memories; the next one goes on from what was read.
	promptLook = 300 * time.Millisecond

	// maxShown bounds the ids that a session's record keeps.
	maxShown = 200
)

// mention returns the block of memories that a session has not been shown, and notes them as
// shown. One that cannot be noted is not shown: it would come again with every prompt.
func (e *Engine) mention(ctx context.Context, sessionID string, found []brief.Mention) (string, error) {
	if len(found) == 0 {
		return "", nil
	}
	isShown := func(s *store.Session) func(brief.Mention) bool {
		return func(h brief.Mention) bool { return slices.Contains(s.Shown, h.ID) }
	}
	look, cancel := context.WithTimeout(ctx, promptLook)
	defer cancel()
	err := e.store.View(func(v *store.View) error {
		if _, err := v.ArchivesWithin(look); err != nil { // which a change of the state needs
			return err
		}
		state, err := tolerate(v.State())
		if s := state.Sessions[session.CleanID(sessionID)]; err == nil && s != nil {
			found = slices.DeleteFunc(found, isShown(s))
		}
		return err
	})
	if err != nil || len(found) == 0 {
		return "", unlessLate(err)
	}
	err = e.inSession(ctx, sessionID, "", func(_ *store.View, state *store.State, s *store.Session) {
		if found = slices.DeleteFunc(found, isShown(s)); len(found) > 0 {
			state.CountPrompt(e.now())
		}
		for _, h := range found {
			markShown(s, h.ID)
		}
	})
	if err != nil || len(found) == 0 {
		return "", err
	}
	return brief.PromptBlock(found, e.next), nil
}

// unlessLate returns an error that is not the end of the time for a prompt.
func unlessLate(err error) error {
	if errors.Is(err, context.DeadlineExceeded) {
		return nil
	}
	return err
}

// markShown notes that a session's context has the text of memories, or what a prompt brought up of them. The last
// ones count.
func markShown(s *store.Session, ids ...memory.ID) {
	for _, id := range ids {
		if !slices.Contains(s.Shown, id) {
			s.Shown = append(s.Shown, id)
		}
	}
	s.Shown = s.Shown[max(0, len(s.Shown)-maxShown):]
}

// prompted searches the store for a prompt of a session. Before it does, it calls meet with who
// gets the memories.
func (e *Engine) prompted(ctx context.Context, prompt, sessionID string,
	meet func(audience)) (found prompted, err error) {
	err = e.store.View(func(v *store.View) error {
		state, err := tolerate(v.State())
		if err != nil {
			return err
		}
		var listener audience
		if s := state.Sessions[session.CleanID(sessionID)]; s != nil {
			listener.agent = s.Agent
		}
		meet(listener)
		found, err = e.promptHits(ctx, v, prompt, listener)
		return err
	})
	return found, err
}

// promptedFor searches the store for a prompt of another store's session.
func (e *Engine) promptedFor(ctx context.Context, prompt string, listener audience) (found prompted, err error) {
	if !e.Exists() {
		return found, nil
	}
	err = e.store.View(func(v *store.View) error {
		found, err = e.promptHits(ctx, v, prompt, listener)
		return err
	})
	return found, err
}

func (e *Engine) promptHits(ctx context.Context, v *store.View, prompt string,
	listener audience) (found prompted, err error) {
	state, err := tolerate(v.State())
	if err != nil {
		return found, err
	}
	conf := settingsOf(v, state)
	if !conf.PromptRecall {
		return found, nil
	}
	look, cancel := context.WithTimeout(ctx, promptLook)
	defer cancel()
	snapshot, err := v.MemoriesWithin(look)
	if err != nil || len(snapshot.Records) == 0 {
		return found, err
	}
	finding := e.finder.Over(v)
	defer finding.Close()
	ready, err := finding.Refresh(ctx, snapshot, promptReads)
	if err != nil || !ready {
		return found, err
	}
	query := search.Words(prompt)
	stats, err := tolerate(v.Stats())
	if err != nil {
		return found, err
	}
	u := use{stats: stats, settings: conf, said: &saying{view: v, settings: conf, proofs: e.prover},
		truth: e.truth(v)}
	found.hits = finding.Best(query, search.Options{Limit: brief.MaxPromptHits + 1, Weigh: brief.Weigh,
		Keep: finder.KeepWanted(snapshot, u.sight(), listener.limit(nil, snapshot))})
	matches := brief.MayMatch(found.hits)
	if len(matches) == 0 {
		return found, nil
	}
	g, err := e.guardOf(v, conf)
	if err != nil {
		return found, err
	}
	found.mentions, found.after = map[string]brief.Mention{}, u.said.get().corrections()
	pick := search.NewSnippets(query).Taking(matches[0].Taken)
	for _, h := range matches {
		id := memory.ID(h.ID)
		foreign := g.lookAt(id, false)
		if foreign && g.asks() {
			continue
		}
		m, err := finding.Active(id)
		if isMissing(err) || memory.CodeOf(err) == memory.CodeUnreadable {
			continue
		}
		if err != nil {
			return found, err
		}
		text := finder.Passage(m, pick, promptSnippet)
		if memory.HasConflictMarks(text) {
			text = "" // from a code block: it could be mistaken for an unresolved merge
		}
		found.mentions[h.ID] = brief.Mention{ID: id, Topic: m.Topic, Passage: text, Foreign: foreign,
			Altered: foreign && m.Signature != "" && g.altered(id),
			Unsure:  m.Unsure(), Said: u.briefSaid(m), Restored: m.Restored, Own: v.Own()}
	}
	return found, nil
}

// Warm is [finder.Finder.Warm] on the engine's store. It also checks new signatures.
func (e *Engine) Warm(ctx context.Context) error {
	return errors.Join(e.store.View(func(v *store.View) error { return e.finder.Warm(ctx, v) }), e.prove(ctx))
}
