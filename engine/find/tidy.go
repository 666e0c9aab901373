package find

import (
	"cmp"
	"context"
	"maps"
	"slices"
	"strings"

	"ltm/engine/base"
	"ltm/engine/finder"
	"ltm/engine/rank"
	"ltm/memory"
	"ltm/memory/api"
	"ltm/store"
	"ltm/text/search"
)

// maxTidy bounds the groups, and the memories that were never opened, of one list.
const maxTidy = 100

// Tidying lists the memories in sight that say about the same, as a store compares them, or dispute each other, and
// those that were shown to many sessions and never opened. It counts no access.
func (e *Engine) Tidying(ctx context.Context) (t api.Tidying, err error) {
	err = e.Store.View(func(v *store.View) error {
		snapshot, err := v.Memories()
		if err != nil {
			return err
		}
		u, _, err := e.Usage(v)
		if err != nil {
			return err
		}
		s := &sorting{view: v, use: u, foreign: e.Origins(v, u.Settings).Foreign}
		for _, r := range snapshot.Records {
			if !u.InSight(*r.Memory) {
				continue
			}
			if err := ctx.Err(); err != nil {
				return err
			}
			file, err := v.Read(r.ID)
			if base.IsMissing(err) || memory.CodeOf(err) == memory.CodeUnreadable {
				continue
			}
			if err != nil {
				return err
			}
			m := file.Memory
			s.like = append(s.like, finder.LikenessOf(m))
			m.Content = ""
			s.all = append(s.all, m)
		}
		t = s.sorted()
		return nil
	})
	return t, err
}

type sorting struct {
	view    *store.View
	use     rank.Usage
	foreign func(id memory.ID, archived bool) bool

	all  []memory.Memory // without their contents
	like []finder.Likeness
}

// sorted returns the groups: that of each memory with those that are near it and in no other group yet, from the newest
// memory on.
func (s *sorting) sorted() api.Tidying {
	near := make([]map[int]float64, len(s.all))
	link := func(a, b int, alike float64) {
		for _, p := range [2][2]int{{a, b}, {b, a}} {
			if near[p[0]] == nil {
				near[p[0]] = map[int]float64{}
			}
			near[p[0]][p[1]] = max(near[p[0]][p[1]], alike)
		}
	}
	finder.NearPairs(s.like, func(a, b int, alike float64) {
		if s.mayBeSame(s.all[a], s.all[b]) {
			link(a, b, alike)
		}
	})
	order := make([]int, len(s.all))
	at := map[memory.ID]int{}
	for i, m := range s.all {
		order[i], at[m.ID] = i, i
	}
	newest := func(a, b int) int {
		return cmp.Or(s.all[b].CreatedAt.Compare(s.all[a].CreatedAt), strings.Compare(string(s.all[a].ID),
			string(s.all[b].ID)))
	}
	slices.SortFunc(order, newest)
	t := api.Tidying{Groups: []api.TidyGroup{}, Idle: []api.TidyEntry{}}
	taken := map[int]bool{}
	for _, i := range order {
		disputed := map[int]bool{}
		for _, id := range s.use.Standings.Get().Disputes(s.all[i].ID) {
			if j, ok := at[id]; ok && newest(i, j) < 0 { // two are listed once
				disputed[j] = true
			}
		}
		s.group(&t, api.TidyDisputed, i, disputed, nil, newest)
		same := map[int]bool{}
		for j := range near[i] {
			if !taken[i] && !taken[j] {
				same[j] = true
			}
		}
		for j := range same {
			taken[j] = true
		}
		s.group(&t, api.TidySame, i, same, near[i], newest)
		if s.use.Idle(&s.all[i]) {
			t.Idle = append(t.Idle, s.entry(i, 0))
		}
	}
	slices.SortStableFunc(t.Idle, func(a, b api.TidyEntry) int { return cmp.Compare(b.Uses.Shown, a.Uses.Shown) })
	t.Left = max(0, len(t.Groups)-maxTidy) + max(0, len(t.Idle)-maxTidy)
	t.Groups, t.Idle = t.Groups[:min(len(t.Groups), maxTidy)], t.Idle[:min(len(t.Idle), maxTidy)]
	for i, g := range t.Groups {
		if g.Why == api.TidySame && s.opposed(g.Memories) {
			t.Groups[i].Why = api.TidyOpposed
		}
	}
	return t
}

// opposed reports whether one of several memories may contradict the first one.
func (s *sorting) opposed(all []api.TidyEntry) bool {
	var texts []string
	for _, m := range all {
		file, err := s.view.Read(m.ID)
		if err != nil {
			return false
		}
		texts = append(texts, m.Topic+"\n\n"+file.Memory.Content)
	}
	return slices.ContainsFunc(texts, func(text string) bool { return search.MayContradict(texts[0], text) })
}

// mayBeSame reports whether two memories that say about the same are worth a look: neither names the other, both are
// for the same sessions, and nobody told them apart.
func (s *sorting) mayBeSame(a, b memory.Memory) bool {
	names := func(a, b memory.Memory) bool {
		return slices.Contains(slices.Concat(a.Supersedes, a.Disputes, a.Related), b.ID)
	}
	return a.Agent == b.Agent && !names(a, b) && !names(b, a) && !s.use.Stats[a.ID].TellsApart(b.ID)
}

// group adds a group, if there are others with a memory.
func (s *sorting) group(t *api.Tidying, why string, first int, others map[int]bool, alike map[int]float64,
	newest func(a, b int) int) {
	if len(others) == 0 {
		return
	}
	g := api.TidyGroup{Why: why, Memories: []api.TidyEntry{}}
	members := slices.AppendSeq([]int{first}, maps.Keys(others))
	slices.SortFunc(members, newest)
	for _, i := range members {
		g.Memories = append(g.Memories, s.entry(i, memory.Round2(alike[i])))
	}
	t.Groups = append(t.Groups, g)
}

func (s *sorting) entry(i int, alike float64) api.TidyEntry {
	m := s.all[i]
	return api.TidyEntry{ID: m.ID, Topic: m.Topic, Summary: m.Summary, CreatedAt: api.Time{Time: m.CreatedAt},
		Alike: alike, Uses: s.use.Uses(m.ID), Foreign: s.foreign(m.ID, false)}
}
