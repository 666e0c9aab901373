package tell

import (
	"cmp"
	"context"
	"time"

	"ltm/engine/base"
	"ltm/engine/rank"
	"ltm/engine/transcript"
	"ltm/memory"
	"ltm/memory/api"
	"ltm/store"
)

// Days counts the sessions that began in this clone, and the prompts that got memories, by day: of the last
// [store.MostDays] days that had any, the oldest first.
func (e *Engine) Days(context.Context) (days []api.DayCount, err error) {
	err = e.Store.View(func(v *store.View) error {
		state, err := base.Tolerate(v.State())
		if err != nil {
			return err
		}
		for _, d := range state.ByDay() {
			days = append(days, api.DayCount{Day: d.Date, Sessions: d.Sessions, Prompts: d.Prompts})
		}
		return nil
	})
	return days, err
}

// CountIn adds the memories and the archives of a store to a census.
func (e *Engine) CountIn(c *census, scope api.Scope) error {
	c.scope = scope
	return e.Store.View(func(v *store.View) error {
		u, _, err := e.Usage(v)
		if err != nil {
			return err
		}
		active, archives, how, err := rank.BothDirectories(v)
		if err != nil {
			return err
		}
		g, err := e.Filter(v, u.Settings)
		if err != nil {
			return err
		}
		for _, r := range active.Records {
			c.count(r, u, e.Now())
			uses := u.Uses(r.ID)
			c.uses = c.uses.Add(uses)
			c.addAny("uses", r, map[string]bool{"shown": uses.Shown > 0, "named": uses.Named > 0,
				idlePart: u.Idle(r.Memory)})
			c.addAny("marks", r, map[string]bool{"unsure": r.Unsure(), "signed": r.Signature != "",
				"disputed":  len(u.SaidOf(*r.Memory).Disputes) > 0,
				"held back": g.HoldsBack() && g.ForeignMemory(*r.Memory, v.ReadRaw)})
		}
		for _, r := range archives.Records {
			if _, isActive := active.Find(r.ID); !isActive {
				c.add("archives", memory.State(memory.Removed, true, how[r.ID].Reason), r)
				c.archives++
			}
		}
		return nil
	})
}

// census counts memories in the parts of groups.
type census struct {
	scope              api.Scope         // of the memories that are counted now
	shown              map[inScope]int   // tokens of the context
	parts              map[string]*tally // by "GROUP/PART"
	memories, archives int
	bytes              int64
	uses               api.Uses
}

type tally struct {
	memories, shown int
	bytes           int64
}

// inScope is a memory of one of the stores.
type inScope struct {
	scope api.Scope
	id    memory.ID
}

func NewCensus(block api.Context) *census {
	c := &census{shown: make(map[inScope]int, len(block.Memories)), parts: map[string]*tally{}}
	for _, p := range block.Memories {
		c.shown[inScope{cmp.Or(p.Scope, api.ScopeProject), p.ID}] = p.Tokens
	}
	return c
}

func (c *census) Statistics(block api.Context) api.Statistics {
	return api.Statistics{Memories: c.memories, Archives: c.archives, Tokens: fileTokens(c.bytes),
		Groups: c.groups(), Uses: c.uses,
		Context: api.ContextSize{Style: block.Style, Characters: block.Characters, Tokens: block.Tokens,
			Memories: len(block.Memories), Budget: block.Budget, Limit: block.Limit}}
}

func (c *census) add(group, part string, r store.Record) {
	t := c.parts[group+"/"+part]
	if t == nil {
		t = &tally{}
		c.parts[group+"/"+part] = t
	}
	t.memories++
	t.bytes += r.Stamp().Size
	t.shown += c.shown[inScope{c.scope, r.ID}]
}

// count counts a memory in each group in which every memory has one part.
func (c *census) count(r store.Record, u rank.Usage, now time.Time) {
	c.memories++
	c.bytes += r.Stamp().Size
	category := cmp.Or(string(r.Category), "none")
	phase := memory.Removed.String()
	if u.InSight(*r.Memory) {
		phase = u.Phase(*r.Memory).String()
	}
	opened := "never opened"
	if u.Stats[r.ID].AccessCount > 0 {
		opened = "opened"
	}
	c.add("scope", string(c.scope), r)
	c.add("kind", category, r)
	c.add("importance", string(r.Importance()), r)
	c.add("phase", phase, r)
	c.add("age", ageName(now, r.CreatedAt), r)
	c.add("use", opened, r)
}

// idlePart counts the memories to tidy: see [rank.Usage.Idle].
const idlePart = "shown often, never opened"

// addAny counts a memory in some parts of a group, of which it can have none or several.
func (c *census) addAny(group string, r store.Record, parts map[string]bool) {
	for name, has := range parts {
		if has {
			c.add(group, name, r)
		}
	}
}

// ages are the parts of the group of ages, and their limits in days.
func ages() (names []string, days []int) {
	return []string{"under 7 days", "under 30 days", "under 90 days", "under 365 days", "older"}, []int{7, 30, 90, 365}
}

// ageName returns the part of a memory that was stored then. A time from the future counts as now.
func ageName(now, stored time.Time) string {
	names, days := ages()
	if stored.IsZero() {
		return "unknown"
	}
	for i, most := range days {
		if now.Sub(stored) < time.Duration(most)*24*time.Hour {
			return names[i]
		}
	}
	return names[len(days)]
}

// groups returns what was counted. Parts that have no memory are in it too, except for reasons and
// ages that are unknown.
func (c *census) groups() []api.StatGroup {
	var categories []string
	for _, category := range memory.Categories() {
		categories = append(categories, string(category))
	}
	names, _ := ages()
	order := []struct {
		by    string
		parts []string
	}{
		{"scope", []string{string(api.ScopeProject), string(api.ScopeUser)}},
		{"kind", append(categories, "none")},
		{"importance", []string{string(memory.Critical), string(memory.Important), string(memory.Normal),
			string(memory.Low)}},
		{"phase", []string{memory.Full.String(), memory.Hint.String(), memory.Abstract.String(),
			memory.Removed.String()}},
		{"age", c.ifAny("age", names, "unknown")},
		{"use", []string{"opened", "never opened"}},
		{"uses", []string{"shown", "named", idlePart}},
		{"marks", []string{"unsure", "disputed", "signed", "held back"}},
		{"archives", c.ifAny("archives", []string{memory.ReasonForgotten, memory.ReasonSuperseded,
			memory.Removed.String()}, memory.ReasonErased, memory.ReasonUndone)},
	}
	out := make([]api.StatGroup, 0, len(order))
	for _, group := range order {
		g := api.StatGroup{By: group.by, Parts: []api.StatPart{}}
		for _, name := range group.parts {
			part := api.StatPart{Name: name}
			if t := c.parts[group.by+"/"+name]; t != nil {
				part = api.StatPart{Name: name, Memories: t.memories, Tokens: fileTokens(t.bytes),
					ContextTokens: t.shown}
			}
			g.Parts = append(g.Parts, part)
		}
		out = append(out, g)
	}
	return out
}

// ifAny returns names, and of the others those that were counted.
func (c *census) ifAny(group string, names []string, others ...string) []string {
	for _, other := range others {
		if c.parts[group+"/"+other] != nil {
			names = append(names, other)
		}
	}
	return names
}

// fileTokens estimates the tokens of files by their sizes.
func fileTokens(bytes int64) int { return roundUp(float64(bytes) / transcript.CharsPerToken) }
