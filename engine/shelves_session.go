package engine

import (
	"cmp"
	"context"
	"maps"
	"slices"

	"ltm/engine/brief"
	"ltm/engine/settings"
	"ltm/memory"
	"ltm/memory/api"
	"ltm/store"
	"ltm/text/search"
)

// StartSession counts a new session of the project and returns the block of text that it should start with, with the
// person's memories behind the project's. An open session that was resumed or compacted is not counted again. In a
// project without a store a session gets the memories of the person, and nothing is written. If the state cannot be
// written, it returns both the text and the error.
func (s *Shelves) StartSession(ctx context.Context, start api.SessionStart) (string, error) {
	own, failed := s.section()
	text, err := s.project.startSession(ctx, start, own)
	return text, cmp.Or(err, *failed)
}

// AgentContext returns the block that a subagent starts with, or "": the memories of the agent alone. It reads the
// stores, and changes nothing.
func (s *Shelves) AgentContext(_ context.Context, agent string) (string, error) {
	own, failed := s.section()
	text, err := s.project.agentContext(agent, own)
	return text, cmp.Or(err, *failed)
}

// NextContext returns the block that the next session starts with. It counts nothing and changes nothing.
func (s *Shelves) NextContext(ctx context.Context, q api.ContextQuery) (api.Context, error) {
	own, failed := s.section()
	block, err := s.project.nextContext(ctx, q, own)
	return block, cmp.Or(err, *failed)
}

// section returns what makes the person's section of a block, or nil if the person can have no
// store, and where it leaves an error. The block is written all the same.
func (s *Shelves) section() (own ownSection, failed *error) {
	failed = new(error)
	if s.person == nil {
		return nil, failed
	}
	go s.person.look() // while the project's memories are looked at
	return func(topics map[string]memory.ID, project *settings.Settings, to audience) brief.Section {
		section, err := later(s, func() (brief.Section, error) { return s.person.section(topics, project, to) })()
		*failed = err
		return section
	}, failed
}

// look reads what a section needs of all memories, for the call that makes it. An error occurs there
// again.
func (e *Engine) look() {
	_ = e.store.View(func(v *store.View) error {
		_, err := v.MemoriesQuick()
		return err
	})
}

// section returns the part of a block for an audience that has the person's memories, without those
// whose topics the project has.
func (e *Engine) section(topics map[string]memory.ID, project *settings.Settings,
	to audience) (brief.Section, error) {
	var section brief.Section
	if !e.Exists() {
		return section, nil
	}
	err := e.store.View(func(v *store.View) error {
		snapshot, err := v.MemoriesQuick()
		if err != nil {
			return err
		}
		u, _, err := e.startUsage(v)
		if err != nil || len(snapshot.Records) == 0 || u.settings.MemoriesToLoad == 0 {
			return err
		}
		g, err := e.guardOf(v, u.settings)
		if err != nil {
			return err
		}
		all := to.among(places(snapshot, u))
		seen := slices.DeleteFunc(slices.Clone(all), func(p place) bool {
			_, hidden := topics[topicKey(p.Topic)]
			return hidden
		})
		l := e.limits(u.settings, g)
		if project != nil {
			l.Tokens = min(l.Tokens, project.ContextBudgetTokens)
			l.Compact = project.ContextStyle == settings.StyleCompact // a block has one style
		}
		section, err = brief.Own(headers(seen), briefed{view: v, guard: g, use: u}, l, len(all)-len(seen))
		return err
	})
	return section, err
}

// PromptContext returns a block with the memories that clearly match a prompt, or "". It leaves out those whose text
// the session's context has: from the block that it started with, from an earlier prompt, or because it opened them.
// With the setting off, it does nothing. A project without a store gets none: nothing could note what a session has
// been shown.
func (s *Shelves) PromptContext(ctx context.Context, sessionID, prompt string) (string, error) {
	if !brief.WorthAsking(prompt) || !s.project.Exists() {
		return "", nil
	}
	own := func() (prompted, error) { return prompted{}, nil }
	found, err := s.project.prompted(ctx, prompt, sessionID, func(listener audience) {
		if s.person != nil {
			own = later(s, func() (prompted, error) { return s.person.promptedFor(ctx, prompt, listener) })
		}
	})
	if err != nil {
		return "", unlessLate(err)
	}
	mine, failed := own()
	text, err := s.project.mention(ctx, sessionID, clearMentions(found, mine, s.overriding(mine)))
	return text, cmp.Or(err, unlessLate(failed))
}

// overriding maps the memories of the person that a prompt brings up to those of the project that override them.
func (s *Shelves) overriding(mine prompted) map[memory.ID]memory.ID {
	var topics []string
	for _, m := range mine.mentions {
		topics = append(topics, m.Topic)
	}
	by := s.project.withTopics(topics)
	over := map[memory.ID]memory.ID{}
	for _, m := range mine.mentions {
		if id := by[topicKey(m.Topic)]; id != "" {
			over[m.ID] = id
		}
	}
	return over
}

// prompted is what one store has for a prompt: hits that may be clear matches, and what would be
// shown of them. A hit without a mention is held back, or cannot be read.
type prompted struct {
	hits     []search.Hit
	mentions map[string]brief.Mention
	after    map[memory.ID]memory.ID // see behind
}

// clearMentions returns what to show for a prompt of what two stores have, the best first. What the first one
// overrides in the second is marked, and comes behind it.
func clearMentions(project, person prompted, over map[memory.ID]memory.ID) []brief.Mention {
	type promptHit struct {
		search.Hit
		in prompted
	}
	var all []promptHit
	after := maps.Clone(over)
	for _, f := range []prompted{project, person} {
		for _, h := range f.hits {
			all = append(all, promptHit{h, f})
		}
		for id, by := range f.after {
			after = with(after, id, by)
		}
	}
	slices.SortStableFunc(all, func(a, b promptHit) int { return cmp.Compare(b.Score, a.Score) })
	hits := make([]search.Hit, len(all))
	for i, h := range all {
		hits[i] = h.Hit
	}
	var mentions []brief.Mention
	for i := range brief.ClearMatches(hits) {
		if m, ok := all[i].in.mentions[all[i].ID]; ok {
			m.OverriddenBy = over[m.ID]
			mentions = append(mentions, m)
		}
	}
	return behind(mentions, func(m brief.Mention) memory.ID { return m.ID }, after)
}

// The project's sessions, checks and repairs.

// RecordTool is [Engine.RecordTool] of the project.
func (s *Shelves) RecordTool(ctx context.Context, t api.ToolUse) (string, error) {
	return s.project.RecordTool(ctx, t)
}

// BeforeCompaction is [Engine.BeforeCompaction] of the project.
func (s *Shelves) BeforeCompaction(ctx context.Context, c api.Compaction) (string, error) {
	return s.project.BeforeCompaction(ctx, c)
}

// EndSession is [Engine.EndSession] of the project. The person's store, which has no sessions of its own, counts those
// of all projects as they end, and fades by them.
func (s *Shelves) EndSession(ctx context.Context, id string) error {
	if !s.HasPerson() {
		return s.project.EndSession(ctx, id)
	}
	counted := later(s, func() (struct{}, error) { return struct{}{}, s.person.countSession(ctx) })
	err := s.project.EndSession(ctx, id)
	_, failed := counted()
	return cmp.Or(err, failed)
}

// Running is [Engine.Running] of the project.
func (s *Shelves) Running(ctx context.Context, session string) (*api.Segment, error) {
	return s.project.Running(ctx, session)
}

// ResetSession is [Engine.ResetSession] of the project.
func (s *Shelves) ResetSession(ctx context.Context, session string) (api.Segment, error) {
	return s.project.ResetSession(ctx, session)
}

// Check is [Engine.Check] of the project.
func (s *Shelves) Check(ctx context.Context) (api.CheckReport, error) { return s.project.Check(ctx) }

// Fix is [Engine.Fix] of the project.
func (s *Shelves) Fix(ctx context.Context, o api.FixOptions) (api.FixReport, error) {
	return s.project.Fix(ctx, o)
}

// SearchArchives is [Engine.SearchArchives] of the project.
func (s *Shelves) SearchArchives(ctx context.Context, query string, limit int) (api.ArchiveRecall, error) {
	return s.project.SearchArchives(ctx, query, limit)
}
