package tell

import (
	"fmt"
	"math"
	"slices"
	"time"

	"ltm/engine/base"
	"ltm/engine/brief"
	"ltm/engine/find"
	"ltm/engine/rank"
	"ltm/engine/session"
	"ltm/engine/settings"
	"ltm/internal/plural"
	"ltm/memory"
	"ltm/memory/api"
	"ltm/priority"
	"ltm/store"
)

// Why explains the priority and the difficulty of a memory. own is the person's section of the next session's context,
// or nil.
func (e *Engine) Why(id string, own OwnSection) (api.Why, error) {
	return base.Read(e.Store, id, func(v *store.View, id memory.ID) (why api.Why, err error) {
		file, err := base.ReadActive(v, id)
		if err != nil {
			return why, err
		}
		u, state, err := e.Usage(v)
		if err != nil {
			return why, err
		}
		why = explain(file.Memory, u, base.SettingsOf(v, state), e.Now())
		why.Foreign = e.Origins(v, u.Settings).ForeignText(id, file.Bytes())
		if why.Scope = base.Scope(v); !v.Own() {
			err = e.explainContext(v, &why, own)
		}
		return why, err
	})
}

func explain(m memory.Memory, u rank.Usage, s settings.Settings, now time.Time) api.Why {
	score, terms := u.Priority(m)
	why := api.Why{ID: m.ID, Topic: m.Topic, Priority: memory.Round2(score), PriorityTerms: termsOf(terms),
		Difficulty: m.Difficulty, DifficultyTerms: []api.Term{}, Work: m.Work, Notes: []string{}}
	note := func(format string, args ...any) { why.Notes = append(why.Notes, fmt.Sprintf(format, args...)) }
	if terms.Sum != terms.Score {
		note("the terms add up to %.2f; a priority is limited to the range from 0 to 1", terms.Sum)
	}
	explainAccesses(u, m, terms, note)
	if why.Uses = u.Uses(m.ID); why.Uses != (api.Uses{}) {
		note("in this clone: %s", why.Uses)
	}
	if m.Importance() == memory.Critical {
		note("critical memories come first in every session and never fade")
	}
	if text := decayText(u, m, now); text != "" {
		note("%s", text)
	}
	if m.Category != "" {
		note("its kind is %s, which does not change the priority", m.Category)
	}
	if m.Agent != "" {
		note("it is for sessions of the agent %q; others do not see it unasked", m.Agent)
	}
	if m.Confidence != nil {
		note("%s", sureText(m))
	}
	st := u.Standings.Get()
	switch by := st.SupersededBy(m.ID); {
	case len(by) > 0 && m.Restored:
		note("superseded by %s, and restored: it is shown all the same", base.IDList(by))
	case st.Hides(m.ID):
		note("superseded by %s: sessions and plain recall do not show it", base.IDList(by))
	case len(by) > 0:
		note("superseded by %s, which cannot hide it: it is from elsewhere, has an unresolved merge, or is in a cycle",
			base.IDList(by))
	}
	if with := st.Disputes(m.ID); len(with) > 0 {
		note("in dispute with %s, until one of them supersedes the other", base.IDList(with))
	}
	if m.Work == nil {
		note("the difficulty was given with the memory, or it is the default of %.2f because no work was counted",
			priority.Unknown)
		return why
	}
	judged, parts := session.Difficulty(*m.Work, s)
	why.DifficultyTerms = termsOf(parts)
	note("the difficulty was judged from %s, according to the %s", session.Text(*m.Work), witness(m.Work.Source))
	if math.Abs(memory.Round2(judged)-m.Difficulty) > 0.005 {
		note("with this clone's settings the same work would score %.2f, to which the terms add up", judged)
	}
	return why
}

// explainAccesses spells out the recency and the frequency of a memory. The accesses that it names add up to what the
// frequency is computed from.
func explainAccesses(u rank.Usage, m memory.Memory, b priority.Breakdown, note func(format string, args ...any)) {
	st, profile := u.Of(m.ID), u.Settings.PriorityProfile
	recency, frequency := profile.Formulas(u.Scored(&m))
	note("recency %.2f = %s: last accessed in session %d of %d", b.Terms[1].Value, recency, st.LastSession, u.Sessions)
	n := memory.Round2(profile.Access(st.Use, u.Since(st), 0))
	parts := fmt.Sprintf("%.2f stored or first seen in this clone", priority.Opened)
	rest := n - priority.Opened
	for _, p := range []struct {
		times  int
		weight float64
		text   string
	}{
		{st.AccessCount, priority.Opened, "opened"},
		{st.FirstHits, priority.FirstHit, "first hit of a recall"},
	} {
		if p.times > 0 {
			counts := p.weight * float64(p.times)
			rest -= counts
			parts += fmt.Sprintf(" + %.2f %s (%s × %.2f)", counts, p.text, plural.Of(p.times, "time", "times"),
				p.weight)
		}
	}
	switch {
	case rest > 0.005:
		parts += fmt.Sprintf(" + %.2f counted before", rest)
	case rest < -0.005:
		parts += fmt.Sprintf(" − %.2f decayed over sessions", -rest)
	}
	note("frequency %.2f = %s: accesses %.2f = %s", b.Terms[2].Value, frequency, n, parts)
}

// decayText says when a memory loses a phase because it is not opened, or "".
func decayText(u rank.Usage, m memory.Memory, now time.Time) string {
	by, due := u.Settings.Decay.Overdue(u.Candidate(m), now)
	switch {
	case due:
		return "decay: it was not opened for so long that it loses a phase at a session's end"
	case by < 0:
		return "decay: if it is not opened, it loses a phase at a session's end from " +
			now.Add(-by).UTC().Format("2006-01-02") + " on"
	}
	return ""
}

func sureText(m memory.Memory) string {
	text := fmt.Sprintf("its confidence is %.2f, which does not change the priority", *m.Confidence)
	switch {
	case m.Doubtful():
		text += "; it is marked as unsure, and sessions start with one line of it"
	case m.Unsure():
		text += "; it is marked as unsure"
	}
	return text
}

func witness(source string) string {
	if source == memory.SourceTranscript {
		return "session's transcript"
	}
	return "hooks"
}

// termsOf rounds the terms of a score so that their points still add up to the rounded sum.
func termsOf(b priority.Breakdown) []api.Term {
	out := make([]api.Term, 0, len(b.Terms))
	sum := 0.0
	for _, t := range b.Terms {
		before := memory.Round2(sum)
		sum += t.Contribution
		out = append(out, api.Term{Name: t.Name, Value: memory.Round2(t.Value), Weight: t.Weight,
			Rest: memory.Round2(t.Rest), Points: memory.Round2(memory.Round2(sum) - before)})
	}
	return out
}

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
