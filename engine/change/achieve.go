package change

import (
	"context"
	"fmt"
	"strings"
	"time"

	"ltm/engine/achievements"
	"ltm/engine/base"
	"ltm/engine/trust"
	"ltm/internal/plural"
	"ltm/memory"
	"ltm/memory/api"
	"ltm/memory/memfile"
	"ltm/priority"
	"ltm/store"
)

// Unknown returns the achievements of which the store knows neither the commit nor the topic, at
// most [api.MaxAchievements], and counts the others. The ids of those that it returns may still be
// known: they follow from the changes, which take git longer.
func (e *Engine) Unknown(_ context.Context, found []achievements.Achievement) (
	fresh []achievements.Achievement, o api.AchieveOptions, err error) {
	err = e.Store.View(func(v *store.View) error {
		known, err := knownAchievements(v)
		if err != nil {
			return err
		}
		seen := newAchievements()
		for _, a := range found {
			switch {
			case known.has(a, ""):
				o.Known++
			case seen.has(a, ""):
				o.Duplicates++
			case len(fresh) == api.MaxAchievements:
				o.Left++
			default:
				fresh = append(fresh, a)
			}
			seen.add(a, "")
		}
		return nil
	})
	return fresh, o, err
}

// Achieve stores achievements, all or none. patches are the patch ids of their commits. What the store knows already is
// left out, and so is what seems to hold a credential. With dryRun it returns what it would store.
func (e *Engine) Achieve(ctx context.Context, found []achievements.Achievement, patches map[string]string,
	o api.AchieveOptions) (api.Achievements, error) {
	var r api.Achievements
	if o.DryRun {
		err := e.Store.View(func(v *store.View) (err error) {
			r, _, err = e.planAchievements(v, found, patches, o)
			return err
		})
		return r, err
	}
	err := e.ChangeOrCreate(ctx, func(tx *base.Tx) error {
		plan, memories, err := e.planAchievements(tx.View, found, patches, o)
		if r = plan; err != nil || len(memories) == 0 {
			return err
		}
		batch := tx.NewBatch()
		for _, m := range memories {
			data := memfile.Format(m)
			if err := batch.WriteMemory(m.ID, data); err != nil {
				return err
			}
			batch.Approve(m.ID, data)
		}
		if err := batch.Commit(memory.Event{Action: memory.ActionStored, Why: "achievements"}); err != nil {
			return err
		}
		session := e.OpenNow(tx.View)
		for _, m := range memories {
			tx.Note(session, memory.Event{Action: memory.ActionStored, ID: m.ID, Topic: m.Topic,
				Why: "achievement of commit " + m.Commit[:min(12, len(m.Commit))]})
		}
		return nil
	})
	return r, err
}

// planAchievements returns what to store, as an answer and as memories.
func (e *Engine) planAchievements(v *store.View, found []achievements.Achievement, patches map[string]string,
	o api.AchieveOptions) (api.Achievements, []memory.Memory, error) {
	now := e.Now()
	r := api.Achievements{DryRun: o.DryRun, Achievements: []api.Achievement{}, Known: o.Known,
		Duplicates: o.Duplicates, Left: o.Left}
	known, err := knownAchievements(v)
	if err != nil {
		return r, nil, err
	}
	seen := newAchievements()
	var memories []memory.Memory
	for _, a := range found {
		id := a.ID(patches[a.Commit])
		switch {
		case known.has(a, id):
			r.Known++
			continue
		case seen.has(a, id):
			r.Duplicates++
			continue
		}
		seen.add(a, id)
		m, err := achieved(a, id, now)
		if memory.CodeOf(err) == memory.CodeSecret {
			r.Refused++
			continue
		}
		if err != nil {
			return r, nil, err
		}
		memories = append(memories, m)
		r.Achievements = append(r.Achievements, api.Achievement{ID: id, Commit: a.Commit, Topic: m.Topic, Why: a.Why,
			Importance: m.Marked(), CreatedAt: api.Time{Time: m.CreatedAt}})
	}
	r.Summary = summaryOfAchievements(r)
	return r, memories, nil
}

// achieved returns the memory of an achievement. Apart from a time in the future, nothing in it
// depends on the clone: branches that store the same one merge.
func achieved(a achievements.Achievement, id memory.ID, now time.Time) (memory.Memory, error) {
	m := memory.Memory{ID: id, Topic: a.Topic, Content: a.Content(), Summary: a.Topic, Category: memory.Achievements,
		Tags: memory.WithImportance(nil, a.Importance), Commit: a.Commit, Difficulty: priority.Unknown, CreatedAt: a.At}
	if m.CreatedAt.After(now) {
		m.CreatedAt = now.UTC().Truncate(time.Second)
	}
	if _, err := trust.Screen(&m, memory.Memory{}, false); err != nil {
		return m, err
	}
	return memory.Normalize(m)
}

// achievementsKnown is what the store has, or had, of achievements, or what a history has.
type achievementsKnown struct {
	ids             map[memory.ID]bool
	commits, topics map[string]bool
}

func newAchievements() achievementsKnown {
	return achievementsKnown{map[memory.ID]bool{}, map[string]bool{}, map[string]bool{}}
}

// knownAchievements reads the headers of all memories, stubs and archives. What was forgotten has
// left a stub, or at least an archive: it does not come back before both are gone.
func knownAchievements(v *store.View) (achievementsKnown, error) {
	k := newAchievements()
	active, err := v.Memories()
	if err != nil {
		return k, err
	}
	archives, err := v.Archives()
	if err != nil {
		return k, err
	}
	for _, records := range [][]store.Record{active.Records, active.Stubs(), archives.Records} {
		for i := range records {
			m := records[i].Memory
			k.ids[m.ID] = true
			if m.Commit != "" {
				k.commits[m.Commit], k.topics[strings.ToLower(m.Topic)] = true, true
			}
		}
	}
	return k, nil
}

// has reports whether an achievement is known. A release is known by its topic alone: its commit may
// have several tags. The id may be empty.
func (k achievementsKnown) has(a achievements.Achievement, id memory.ID) bool {
	return k.ids[id] || k.topics[strings.ToLower(a.Topic)] || a.Tag == "" && k.commits[a.Commit]
}

func (k achievementsKnown) add(a achievements.Achievement, id memory.ID) {
	k.ids[id] = id != ""
	k.topics[strings.ToLower(a.Topic)], k.commits[a.Commit] = true, true
}

func summaryOfAchievements(r api.Achievements) string {
	text := plural.Of(len(r.Achievements), "new achievement", "new achievements")
	if r.Known > 0 {
		text += fmt.Sprintf(", %d known", r.Known)
	}
	if r.Duplicates > 0 {
		text += ", " + plural.Of(r.Duplicates, "duplicate", "duplicates")
	}
	if r.Refused > 0 {
		text += fmt.Sprintf(", %d refused because they seem to hold a credential", r.Refused)
	}
	if r.Left > 0 {
		text += fmt.Sprintf(", %d left for the next time", r.Left)
	}
	return text
}
