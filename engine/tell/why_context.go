package tell

import (
	"fmt"
	"slices"

	"ltm/engine/brief"
	"ltm/engine/find"
	"ltm/engine/rank"
	"ltm/memory"
	"ltm/memory/api"
	"ltm/store"
)

// explainContext adds to the explanation of a memory what it gets of the next session's context.
// own is the person's section of that context; it may be nil.
func (e *Engine) explainContext(v *store.View, why *api.Why, own OwnSection) error {
	snapshot, err := v.MemoriesQuick()
	if err != nil {
		return err
	}
	u, _, err := e.StartUsage(v)
	if err != nil {
		return err
	}
	var to find.Audience
	if m, ok := snapshot.Find(why.ID); ok {
		to.Agent = m.Agent // a session that sees it
	}
	block, err := e.sessionBrief(v, u, to, own)
	if err != nil {
		return err
	}
	g, err := e.Filter(v, u.Settings)
	if err != nil {
		return err
	}
	c := contextOf(block, u.Settings)
	inOrder, _ := u.FreshFirst(to.Among(rank.Places(snapshot, u)), g)
	order := brief.Order(headers(inOrder))
	is := func(m *memory.Memory) bool { return m.ID == why.ID }
	why.Context = api.WhyContext{Agent: to.Agent, Rank: slices.IndexFunc(order, is) + 1, Of: len(order),
		Total: c.Tokens, Style: c.Style, Limit: c.Limit}
	for _, p := range c.Memories {
		if p.ID == why.ID {
			why.Context.Form, why.Context.Tokens = p.Form, p.Tokens
		}
	}
	heldBack := g.HoldsBack() && g.ForeignID(why.ID, false)
	why.Notes = append(why.Notes, contextText(why.Context, heldBack, u.OutOfSightReason(why.ID)))
	return nil
}

// contextText says what a memory gets of the next session's context, and why it gets no more.
func contextText(c api.WhyContext, heldBack bool, reason string) string {
	switch {
	case c.Rank == 0:
		return "it is out of sight (" + reason + "), so that sessions do not start with it"
	case heldBack:
		return "it is held back, so that sessions do not start with it"
	}
	whose := "the next session's context"
	if c.Agent != "" {
		whose = fmt.Sprintf("the context of the next session of %s", memory.Quote(c.Agent, memory.MaxAgentChars))
	}
	place := fmt.Sprintf("in %s it is number %d of %d: ", whose, c.Rank, c.Of)
	form := map[string]string{string(brief.Whole): "shown whole", string(brief.Short): "its summary is shown",
		string(brief.Title): "its topic is shown"}[c.Form]
	if form == "" {
		return place + "not shown" + becauseOf(c.Limit)
	}
	text := fmt.Sprintf("%s%s, with %d of %d tokens (%s)", place, form, c.Tokens, c.Total, c.Style)
	if c.Form != string(brief.Whole) {
		text += becauseOf(c.Limit)
	}
	return text
}

// becauseOf names the limit of a block.
func becauseOf(limit string) string {
	switch brief.Limit(limit) {
	case brief.ByTokens:
		return "; the limit is context_budget_tokens"
	case brief.ByClient:
		return "; the limit is what the client shows"
	case brief.ByWhole:
		return "; the limit is memories_to_load"
	}
	return ""
}
