package engine

import (
	"context"
	"time"

	"ltm/api"
	"ltm/engine/brief"
	"ltm/memory"
	"ltm/store"
	"ltm/transcript"
)

// Statistics counts the memories by what they are. It reads headers, and of files only what the
// context of the next session has, and what the setting trust makes it compare.
func (e *Engine) Statistics(context.Context) (api.Statistics, error) {
	var out api.Statistics
	err := e.store.View(func(v *store.View) error {
		u, _, err := e.usage(v)
		if err != nil {
			return err
		}
		active, archives, how, err := bothDirectories(v)
		if err != nil {
			return err
		}
		g, err := guardOf(v, u.settings)
		if err != nil {
			return err
		}
		start, _, err := usage(v) // as a session's start has it
		if err != nil {
			return err
		}
		block, err := e.sessionBrief(v, start, audience{}, nil)
		if err != nil {
			return err
		}
		out.Context = sizeOf(block, contextOf(block, u.settings))
		c := newCensus(block)
		for _, r := range active.Records {
			c.count(r, u, e.now())
			c.mark(r, len(u.saidOf(r.Memory).Disputes) > 0, g.asks() && g.look(r.ID, v.ReadRaw))
		}
		for _, r := range archives.Records {
			_, isActive := active.Find(r.ID)
			if !isActive {
				c.add("archives", reasonName(how[r.ID].Reason), r)
				out.Archives++
			}
		}
		out.Memories, out.Tokens = len(active.Records), fileTokens(c.bytes)
		out.Groups = c.groups()
		return nil
	})
	return out, err
}

func sizeOf(block brief.Brief, c api.Context) api.ContextSize {
	return api.ContextSize{Style: c.Style, Characters: c.Characters, Tokens: c.Tokens, Memories: len(block.Parts),
		Budget: c.Budget, Limit: c.Limit}
}

func reasonName(reason string) string {
	if reason == "" {
		return "unknown"
	}
	return reason
}

// census counts memories in the parts of groups.
type census struct {
	shown map[memory.ID]float64 // tokens of the context
	parts map[string]*tally     // by "GROUP/PART"
	bytes int64
}

type tally struct {
	memories int
	bytes    int64
	shown    float64
}

func newCensus(block brief.Brief) *census {
	c := &census{shown: make(map[memory.ID]float64, len(block.Parts)), parts: map[string]*tally{}}
	for _, p := range block.Parts {
		c.shown[p.ID] = p.Tokens
	}
	return c
}

func (c *census) add(group, part string, r store.Record) {
	t := c.parts[group+"/"+part]
	if t == nil {
		t = &tally{}
		c.parts[group+"/"+part] = t
	}
	t.memories++
	t.bytes += r.Stamp.Size
	t.shown += c.shown[r.ID]
}

// count counts a memory in each group in which every memory has one part.
func (c *census) count(r store.Record, u use, now time.Time) {
	c.bytes += r.Stamp.Size
	category := string(r.Category)
	if category == "" {
		category = "none"
	}
	phase := "out of sight"
	if u.inSight(r.Memory) {
		phase = u.phase(r.Memory).String()
	}
	opened := "never opened"
	if u.stats[r.ID].AccessCount > 0 {
		opened = "opened"
	}
	c.add("kind", category, r)
	c.add("importance", string(r.Importance()), r)
	c.add("phase", phase, r)
	c.add("age", ageName(now, r.CreatedAt), r)
	c.add("use", opened, r)
}

// mark counts the marks of a memory, of which it can have none or several.
func (c *census) mark(r store.Record, disputed, heldBack bool) {
	for _, m := range []struct {
		name string
		has  bool
	}{{"unsure", r.Unsure()}, {"disputed", disputed}, {"signed", r.Signature != ""}, {"held back", heldBack}} {
		if m.has {
			c.add("marks", m.name, r)
		}
	}
}

// ages are the parts of the group of ages, and their limits in days.
func ages() (names []string, days []int) {
	return []string{"under 7 days", "under 30 days", "under 90 days", "under 365 days", "older"},
		[]int{7, 30, 90, 365}
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
		{"kind", append(categories, "none")},
		{"importance", []string{string(memory.Critical), string(memory.Important), string(memory.Normal),
			string(memory.Low)}},
		{"phase", []string{memory.Full.String(), memory.Hint.String(), memory.Abstract.String(), "out of sight"}},
		{"age", c.ifAny("age", names, "unknown")},
		{"use", []string{"opened", "never opened"}},
		{"marks", []string{"unsure", "disputed", "signed", "held back"}},
		{"archives", c.ifAny("archives", []string{memory.ReasonForgotten, memory.ReasonSuperseded,
			memory.ReasonEvicted}, memory.ReasonErased, "unknown")},
	}
	out := make([]api.StatGroup, 0, len(order))
	for _, group := range order {
		g := api.StatGroup{By: group.by, Parts: []api.StatPart{}}
		for _, name := range group.parts {
			part := api.StatPart{Name: name}
			if t := c.parts[group.by+"/"+name]; t != nil {
				part = api.StatPart{Name: name, Memories: t.memories, Tokens: fileTokens(t.bytes),
					ContextTokens: roundUp(t.shown)}
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
