package tell

import (
	"cmp"
	"context"
	"errors"
	"maps"
	"slices"

	"ltm/engine/base"
	"ltm/engine/brief"
	"ltm/engine/find"
	"ltm/engine/finder"
	"ltm/engine/rank"
	"ltm/engine/session"
	"ltm/memory"
	"ltm/store"
	"ltm/text/search"
)

// Mention returns the block of memories that a session has not been shown, and notes them as
// shown. One that cannot be noted is not shown: it would come again with every prompt.
func (e *Engine) Mention(ctx context.Context, sessionID string, found []brief.Mention) (string, error) {
	if len(found) == 0 {
		return "", nil
	}
	isShown := func(s *store.Session) func(brief.Mention) bool {
		return func(h brief.Mention) bool { return slices.Contains(s.Shown, h.ID) }
	}
	look, cancel := context.WithTimeout(ctx, rank.PromptLook)
	defer cancel()
	err := e.Store.View(func(v *store.View) error {
		if _, err := v.ArchivesWithin(look); err != nil { // which a change of the state needs
			return err
		}
		state, err := base.Tolerate(v.State())
		if s := state.Sessions[session.CleanID(sessionID)]; err == nil && s != nil {
			found = slices.DeleteFunc(found, isShown(s))
		}
		return err
	})
	if err != nil || len(found) == 0 {
		return "", UnlessLate(err)
	}
	err = e.inSession(ctx, sessionID, "", func(_ *store.View, state *store.State, s *store.Session) {
		if found = slices.DeleteFunc(found, isShown(s)); len(found) > 0 {
			state.CountPrompt(e.Now())
		}
		for _, h := range found {
			rank.MarkShown(s, h.ID)
		}
	})
	if err != nil || len(found) == 0 {
		return "", err
	}
	return brief.PromptBlock(found, e.Next), nil
}

// UnlessLate returns an error that is not the end of the time for a prompt.
func UnlessLate(err error) error {
	if errors.Is(err, context.DeadlineExceeded) {
		return nil
	}
	return err
}

// Prompted searches the store for a prompt of a session. Before it does, it calls meet with who gets the memories.
func (e *Engine) Prompted(ctx context.Context, prompt, sessionID string,
	meet func(find.Audience)) (found Prompted, err error) {
	err = e.Store.View(func(v *store.View) error {
		state, err := base.Tolerate(v.State())
		if err != nil {
			return err
		}
		var listener find.Audience
		if s := state.Sessions[session.CleanID(sessionID)]; s != nil {
			listener.Agent = s.Agent
		}
		meet(listener)
		found, err = e.promptHits(ctx, v, prompt, listener)
		return err
	})
	return found, err
}

// PromptedFor searches the store for a prompt of another store's session.
func (e *Engine) PromptedFor(ctx context.Context, prompt string, listener find.Audience) (found Prompted, err error) {
	if !e.Exists() {
		return found, nil
	}
	err = e.Store.View(func(v *store.View) error {
		found, err = e.promptHits(ctx, v, prompt, listener)
		return err
	})
	return found, err
}

func (e *Engine) promptHits(ctx context.Context, v *store.View, prompt string,
	listener find.Audience) (found Prompted, err error) {
	state, err := base.Tolerate(v.State())
	if err != nil {
		return found, err
	}
	conf := base.SettingsOf(v, state)
	if !conf.PromptRecall {
		return found, nil
	}
	look, cancel := context.WithTimeout(ctx, rank.PromptLook)
	defer cancel()
	snapshot, err := v.MemoriesWithin(look)
	if err != nil || len(snapshot.Records) == 0 {
		return found, err
	}
	finding := e.Finder.Over(v)
	defer finding.Close()
	ready, err := finding.Refresh(ctx, snapshot, rank.PromptReads)
	if err != nil || !ready {
		return found, err
	}
	query := search.Words(prompt)
	stats, err := base.Tolerate(v.Stats())
	if err != nil {
		return found, err
	}
	u := rank.Usage{Stats: stats, Settings: conf, Standings: &rank.Standings{View: v, Settings: conf, Proofs: e.Prover},
		Staleness: e.Staleness(v)}
	found.hits = finding.Best(query, search.Options{Limit: brief.MaxPromptHits + 1, Weigh: brief.Weigh,
		Keep: finder.KeepWanted(snapshot, u.Sight(), listener.Limit(nil, snapshot))})
	matches := brief.MayMatch(found.hits)
	if len(matches) == 0 {
		return found, nil
	}
	g, err := e.Filter(v, conf)
	if err != nil {
		return found, err
	}
	found.Mentions, found.after = map[string]brief.Mention{}, u.Standings.Get().Corrections()
	pick := search.NewSnippets(query).Taking(matches[0].Taken)
	for _, h := range matches {
		id := memory.ID(h.ID)
		foreign := g.ForeignID(id, false)
		if foreign && g.HoldsBack() {
			continue
		}
		m, err := finding.Active(id)
		if base.IsMissing(err) || memory.CodeOf(err) == memory.CodeUnreadable {
			continue
		}
		if err != nil {
			return found, err
		}
		text := finder.Passage(m, pick, rank.PromptSnippet)
		if memory.HasConflictMarks(text) {
			text = "" // from a code block: it could be mistaken for an unresolved merge
		}
		found.Mentions[h.ID] = brief.Mention{ID: id, Topic: m.Topic, Passage: text, Foreign: foreign,
			Altered: foreign && m.Signature != "" && g.Altered(id),
			Unsure:  m.Unsure(), Said: u.BriefSaid(m), Restored: m.Restored, Own: v.Own()}
	}
	return found, nil
}

// Warm is [finder.Finder.Warm] on the engine's store. It also checks new signatures.
func (e *Engine) Warm(ctx context.Context) error {
	return errors.Join(e.Store.View(func(v *store.View) error { return e.Finder.Warm(ctx, v) }), e.Prove(ctx))
}

// Prompted is what one store has for a prompt: hits that may be clear matches, and what would be
// shown of them. A hit without a mention is held back, or cannot be read.
type Prompted struct {
	hits     []search.Hit
	Mentions map[string]brief.Mention
	after    map[memory.ID]memory.ID // see behind
}

// ClearMentions returns what to show for a prompt of what two stores have, the best first. What the first one
// overrides in the second is marked, and comes behind it.
func ClearMentions(project, person Prompted, over map[memory.ID]memory.ID) []brief.Mention {
	type promptHit struct {
		search.Hit
		in Prompted
	}
	var all []promptHit
	after := maps.Clone(over)
	for _, f := range []Prompted{project, person} {
		for _, h := range f.hits {
			all = append(all, promptHit{h, f})
		}
		for id, by := range f.after {
			after = rank.With(after, id, by)
		}
	}
	slices.SortStableFunc(all, func(a, b promptHit) int { return cmp.Compare(b.Score, a.Score) })
	hits := make([]search.Hit, len(all))
	for i, h := range all {
		hits[i] = h.Hit
	}
	var mentions []brief.Mention
	for i := range brief.ClearMatches(hits) {
		if m, ok := all[i].in.Mentions[all[i].ID]; ok {
			m.OverriddenBy = over[m.ID]
			mentions = append(mentions, m)
		}
	}
	return rank.Behind(mentions, func(m brief.Mention) memory.ID { return m.ID }, after)
}
