package engine

import (
	"context"
	"slices"

	"ltm/engine/brief"
	"ltm/engine/finder"
	"ltm/engine/session"
	"ltm/memory"
	"ltm/search"
	"ltm/store"
)

const (
	// promptSnippet bounds the passage of one entry, in characters.
	promptSnippet = 160

	// promptReads bounds the files that are read because the cache lacks them. With more to read,
	// the prompt gets no memories until the server has updated the cache.
	promptReads = 200

	// maxShown bounds the ids that a session's record keeps.
	maxShown = 200
)

// PromptContext returns a block with the memories that clearly match a prompt
// and that the session has not been shown, or "". Without a store, or with the
// setting off, it does nothing.
func (e *Engine) PromptContext(ctx context.Context, sessionID, prompt string) (string, error) {
	if !brief.WorthAsking(prompt) || !e.store.Exists() {
		return "", nil
	}
	var found []brief.Mention
	err := e.store.View(func(v *store.View) (err error) {
		found, err = e.promptHits(ctx, v, sessionID, prompt)
		return err
	})
	if err != nil || len(found) == 0 {
		return "", err
	}
	// Memories that cannot be noted as shown are not shown: they would come again with every
	// prompt.
	err = e.inSession(ctx, sessionID, "", func(_ *store.View, _ *store.State, s *store.Session) {
		found = slices.DeleteFunc(found, func(h brief.Mention) bool { return slices.Contains(s.Shown, h.ID) })
		for _, h := range found {
			s.Shown = append(s.Shown, h.ID)
		}
		s.Shown = s.Shown[max(0, len(s.Shown)-maxShown):]
	})
	if err != nil || len(found) == 0 {
		return "", err
	}
	return brief.PromptBlock(found, e.next), nil
}

func (e *Engine) promptHits(ctx context.Context, v *store.View, sessionID, prompt string) ([]brief.Mention, error) {
	state, err := tolerate(v.State())
	if err != nil {
		return nil, err
	}
	conf := settingsOf(v, state)
	if !conf.PromptRecall {
		return nil, nil
	}
	snapshot, err := v.MemoriesQuick()
	if err != nil || len(snapshot.Records) == 0 {
		return nil, err
	}
	finding := e.finder.Over(v)
	defer finding.Close()
	ready, err := finding.Refresh(ctx, snapshot, promptReads)
	if err != nil || !ready {
		return nil, err
	}
	var shown []memory.ID
	var listener audience
	if s := state.Sessions[session.CleanID(sessionID)]; s != nil {
		shown, listener.agent = s.Shown, s.Agent
	}
	query := search.Words(prompt)
	stats, err := tolerate(v.Stats())
	if err != nil {
		return nil, err
	}
	u := use{stats: stats, settings: conf, said: &saying{view: v, settings: conf}}
	hits := finding.Best(query, search.Options{Limit: brief.MaxPromptHits + 1,
		Keep: finder.KeepWanted(snapshot, u.sight(), listener.limit(nil, snapshot))})
	matches := brief.ClearMatches(hits)
	if len(matches) == 0 {
		return nil, nil
	}
	g, err := guardOf(v, conf)
	if err != nil {
		return nil, err
	}
	pick := search.NewSnippets(query).Taking(matches[0].Taken)
	var found []brief.Mention
	for _, h := range matches {
		id := memory.ID(h.ID)
		foreign := g.look(id, v.ReadRaw)
		if slices.Contains(shown, id) || (foreign && g.asks()) {
			continue
		}
		m, err := finding.Active(id)
		if isMissing(err) || memory.CodeOf(err) == memory.CodeUnreadable {
			continue
		}
		if err != nil {
			return nil, err
		}
		text := finder.Passage(m, pick, promptSnippet)
		if memory.HasConflictMarks(text) {
			text = "" // from a code block: it could be mistaken for an unresolved merge
		}
		found = append(found, brief.Mention{ID: id, Topic: m.Topic, Passage: text, Foreign: foreign,
			Unsure: m.Unsure(), Said: u.briefSaid(m), Restored: m.Restored})
	}
	return found, nil
}

// Warm is [finder.Finder.Warm] on the engine's store.
func (e *Engine) Warm(ctx context.Context) error {
	return e.store.View(func(v *store.View) error { return e.finder.Warm(ctx, v) })
}
