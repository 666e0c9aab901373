package person

import (
	"cmp"
	"context"

	"ltm/engine/brief"
	"ltm/engine/find"
	"ltm/engine/rank"
	"ltm/engine/settings"
	"ltm/engine/tell"
	"ltm/memory"
	"ltm/memory/api"
)

// StartSession counts a new session of the project and returns the block of text that it should start with, with the
// person's memories behind the project's. An open session that was resumed or compacted is not counted again. In a
// project without a store a session gets the memories of the person, and nothing is written. If the state cannot be
// written, it returns both the text and the error.
func (s *Shelves) StartSession(ctx context.Context, start api.SessionStart) (string, error) {
	own, failed := s.section()
	text, err := s.project.StartSession(ctx, start, own)
	return text, cmp.Or(err, *failed)
}

// AgentContext returns the block that a subagent starts with, or "": the memories of the agent alone. It reads the
// stores, and changes nothing.
func (s *Shelves) AgentContext(_ context.Context, agent string) (string, error) {
	own, failed := s.section()
	text, err := s.project.AgentContext(agent, own)
	return text, cmp.Or(err, *failed)
}

// NextContext returns the block that the next session starts with. It counts nothing and changes nothing.
func (s *Shelves) NextContext(ctx context.Context, q api.ContextQuery) (api.Context, error) {
	own, failed := s.section()
	block, err := s.project.NextContext(ctx, q, own)
	return block, cmp.Or(err, *failed)
}

// section returns what makes the person's section of a block, or nil if the person can have no
// store, and where it leaves an error. The block is written all the same.
func (s *Shelves) section() (own tell.OwnSection, failed *error) {
	failed = new(error)
	if s.person == nil {
		return nil, failed
	}
	go s.person.Look() // while the project's memories are looked at
	return func(topics map[string]memory.ID, project *settings.Settings, to find.Audience) brief.Section {
		section, err := later(s, func() (brief.Section, error) { return s.person.Section(topics, project, to) })()
		*failed = err
		return section
	}, failed
}

// PromptContext returns a block with the memories that clearly match a prompt, or "". It leaves out those whose text
// the session's context has: from the block that it started with, from an earlier prompt, or because it opened them.
// With the setting off, it does nothing. A project without a store gets none: nothing could note what a session has
// been shown.
func (s *Shelves) PromptContext(ctx context.Context, sessionID, prompt string) (string, error) {
	if !brief.WorthAsking(prompt) || !s.project.Exists() {
		return "", nil
	}
	own := func() (tell.Prompted, error) { return tell.Prompted{}, nil }
	found, err := s.project.Prompted(ctx, prompt, sessionID, func(listener find.Audience) {
		if s.person != nil {
			own = later(s, func() (tell.Prompted, error) { return s.person.PromptedFor(ctx, prompt, listener) })
		}
	})
	if err != nil {
		return "", tell.UnlessLate(err)
	}
	mine, failed := own()
	text, err := s.project.Mention(ctx, sessionID, tell.ClearMentions(found, mine, s.overriding(mine)))
	return text, cmp.Or(err, tell.UnlessLate(failed))
}

// overriding maps the memories of the person that a prompt brings up to those of the project that override them.
func (s *Shelves) overriding(mine tell.Prompted) map[memory.ID]memory.ID {
	var topics []string
	for _, m := range mine.Mentions {
		topics = append(topics, m.Topic)
	}
	by := s.project.WithTopics(topics)
	over := map[memory.ID]memory.ID{}
	for _, m := range mine.Mentions {
		if id := by[rank.TopicKey(m.Topic)]; id != "" {
			over[m.ID] = id
		}
	}
	return over
}

// EndSession is [tell.Engine.EndSession] of the project. The person's store, which has no sessions of its own, counts
// those of all projects as they end, and fades by them.
func (s *Shelves) EndSession(ctx context.Context, id string) error {
	if !s.HasPerson() {
		return s.project.EndSession(ctx, id)
	}
	var counted func() (struct{}, error)
	count := func(h rank.Heard) {
		counted = later(s, func() (struct{}, error) { return struct{}{}, s.person.CountSession(ctx, h) })
	}
	err := s.project.EndHeard(ctx, id, s.project.Heard(ctx, id), count)
	if counted == nil { // there is no store, or it is locked
		count(rank.Heard{})
	}
	_, failed := counted()
	return cmp.Or(err, failed)
}
