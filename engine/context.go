package engine

import (
	"cmp"
	"context"
	"maps"
	"math"
	"slices"
	"strconv"

	"ltm/engine/brief"
	"ltm/engine/settings"
	"ltm/engine/transcript"
	"ltm/memory"
	"ltm/memory/api"
	"ltm/store"
)

// nextContext is [Shelves.NextContext] with a section of the person's memories, or nil.
func (e *Engine) nextContext(ctx context.Context, q api.ContextQuery, own ownSection) (api.Context, error) {
	out := api.Context{Memories: []api.ContextPart{}}
	if _, err := tried(settings.Settings{}, q); err != nil {
		return out, err
	}
	agent, err := memory.NormalizeAgent(q.Agent)
	if err != nil {
		return out, err
	}
	offer, unoffered := e.offer(ctx, "", false)
	err = e.store.View(func(v *store.View) error {
		u, _, err := e.startUsage(v)
		if err != nil {
			return err
		}
		if u.settings, err = tried(u.settings, q); err != nil {
			return err
		}
		block, err := e.sessionBrief(v, u, audience{agent: agent, offer: offer}, own)
		if err != nil {
			return err
		}
		out = contextOf(block, u.settings)
		return u.rate(v, out.Memories)
	})
	return out, cmp.Or(err, unoffered)
}

// tried returns settings with the values that a query wants to try.
func tried(s settings.Settings, q api.ContextQuery) (settings.Settings, error) {
	values := map[string]string{settings.StyleKey().Name: q.Style, "priority_profile": q.Profile}
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

// rate fills in the priorities of the project's memories.
func (u use) rate(v *store.View, parts []api.ContextPart) error {
	snapshot, err := v.MemoriesQuick()
	if err != nil {
		return err
	}
	for i, p := range parts {
		if m, ok := snapshot.Find(p.ID); ok && p.Scope == "" {
			parts[i].Priority = u.prior(m.Memory)
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
			Tokens: int(math.Round(p.Tokens)), Scope: scopeOf(p.Own)})
	}
	return out
}

// scopeOf returns the scope of a memory in answers.
func scopeOf(own bool) api.Scope {
	if own {
		return api.ScopeUser
	}
	return ""
}

func budgetOf(s settings.Settings) api.Budget {
	return api.Budget{Tokens: s.ContextBudgetTokens, Characters: brief.MaxChars,
		ByClient: float64(s.ContextBudgetTokens)*transcript.CharsPerToken > brief.MaxChars}
}

func roundUp(v float64) int { return int(math.Ceil(v)) }
