package tell

import (
	"cmp"
	"context"
	"maps"
	"math"
	"slices"
	"strconv"

	"ltm/engine/base"
	"ltm/engine/brief"
	"ltm/engine/find"
	"ltm/engine/rank"
	"ltm/engine/settings"
	"ltm/engine/transcript"
	"ltm/memory"
	"ltm/memory/api"
	"ltm/store"
)

// NextContext returns the block that the next session starts with, with a section of the person's memories, or nil.
func (e *Engine) NextContext(ctx context.Context, q api.ContextQuery, own OwnSection) (api.Context, error) {
	out := api.Context{Memories: []api.ContextPart{}}
	if _, err := tried(settings.Settings{}, q); err != nil {
		return out, err
	}
	agent, err := memory.NormalizeAgent(q.Agent)
	if err != nil {
		return out, err
	}
	var unoffered error
	err = e.Store.View(func(v *store.View) error {
		u, _, err := e.StartUsage(v)
		if err != nil {
			return err
		}
		if u.Settings, err = tried(u.Settings, q); err != nil {
			return err
		}
		to := find.Audience{Agent: agent}
		to.Offer, unoffered = e.offer(ctx, v, "", false)
		block, err := e.sessionBrief(v, u, to, own)
		if err != nil {
			return err
		}
		out = contextOf(block, u.Settings)
		return rate(u, v, out.Memories)
	})
	return out, cmp.Or(err, unoffered)
}

// tried returns settings with the values that a query wants to try.
func tried(s settings.Settings, q api.ContextQuery) (settings.Settings, error) {
	values := map[string]string{"context_style": q.Style, "priority_profile": q.Profile}
	if q.Budget != 0 {
		values["context_budget_tokens"] = strconv.Itoa(q.Budget)
	}
	if q.Whole != nil {
		values["memories_to_load"] = strconv.Itoa(*q.Whole)
	}
	for _, name := range slices.Sorted(maps.Keys(values)) {
		if values[name] == "" {
			continue
		}
		var err error
		if s, err = s.With(name, values[name]); err != nil {
			return s, err
		}
	}
	return s, nil
}

func rate(u rank.Usage, v *store.View, parts []api.ContextPart) error {
	snapshot, err := v.MemoriesQuick()
	if err != nil {
		return err
	}
	for i, p := range parts {
		if m, ok := snapshot.Find(p.ID); ok && p.Scope == "" {
			parts[i].Priority = u.Prior(m.Memory)
		}
	}
	return nil
}

func contextOf(block brief.Brief, s settings.Settings) api.Context {
	chars, tokens := brief.Measure(block.Text)
	out := api.Context{Text: block.Text, Style: s.ContextStyle, Whole: s.MemoriesToLoad,
		Profile: s.PriorityProfile.Name(), Characters: int(chars), Tokens: roundUp(tokens),
		Budget: budgetOf(s), Limit: "none", NotShown: block.Left, Memories: []api.ContextPart{}}
	switch {
	case s.MemoriesToLoad == 0:
		out.Limit = string(brief.ByWhole)
	case block.Limit != brief.NoLimit:
		out.Limit = string(block.Limit)
	}
	for _, p := range block.Parts {
		out.Memories = append(out.Memories, api.ContextPart{ID: p.ID, Form: string(p.Form), Characters: int(p.Chars),
			Tokens: int(math.Round(p.Tokens)), Scope: base.ScopeOf(p.Own)})
	}
	return out
}

func budgetOf(s settings.Settings) api.Budget {
	return api.Budget{Tokens: s.ContextBudgetTokens, Characters: brief.MaxChars,
		ByClient: float64(s.ContextBudgetTokens)*transcript.CharsPerToken > brief.MaxChars}
}

func roundUp(v float64) int { return int(math.Ceil(v)) }

// AgentContext returns the block that a subagent starts with, with a section of the person's memories, or nil.
func (e *Engine) AgentContext(agent string, own OwnSection) (string, error) {
	agent = find.AgentName(agent)
	if agent == "" || own == nil && !e.Store.Exists() {
		return "", nil
	}
	var block brief.Brief
	err := e.Store.View(func(v *store.View) error {
		u, _, err := e.StartUsage(v)
		if err == nil {
			block, err = e.sessionBrief(v, u, find.Audience{Agent: agent, Only: true}, own)
		}
		return err
	})
	return block.Text, err
}

// Look reads what a section needs of all memories, for the call that makes it. An error occurs there again.
func (e *Engine) Look() {
	_ = e.Store.View(func(v *store.View) error {
		_, err := v.MemoriesQuick()
		return err
	})
}

// Section returns the part of a block for an audience that has the person's memories, without those
// whose topics the project has.
func (e *Engine) Section(topics map[string]memory.ID, project *settings.Settings,
	to find.Audience) (brief.Section, error) {
	var section brief.Section
	if !e.Exists() {
		return section, nil
	}
	err := e.Store.View(func(v *store.View) error {
		snapshot, err := v.MemoriesQuick()
		if err != nil {
			return err
		}
		u, _, err := e.StartUsage(v)
		if err != nil || len(snapshot.Records) == 0 || u.Settings.MemoriesToLoad == 0 {
			return err
		}
		g, err := e.Filter(v, u.Settings)
		if err != nil {
			return err
		}
		all := to.Among(rank.Places(snapshot, u))
		seen := slices.DeleteFunc(slices.Clone(all), func(p rank.Place) bool {
			_, hidden := topics[rank.TopicKey(p.Topic)]
			return hidden
		})
		l := e.limits(u.Settings, g)
		if project != nil {
			l.Tokens = min(l.Tokens, project.ContextBudgetTokens)
			l.Compact = project.ContextStyle == settings.StyleCompact // a block has one style
		}
		section, err = brief.Own(headers(seen), briefed{view: v, filter: g, use: u}, l, len(all)-len(seen))
		return err
	})
	return section, err
}
