package find

import (
	"cmp"
	"context"
	"slices"

	"ltm/engine/rank"
	"ltm/memory"
	"ltm/memory/api"
	"ltm/memory/links"
	"ltm/store"
)

// Graph returns how memories are linked: all that have links, or with an id the memory and what it
// is connected with, however many links away.
func (e *Engine) Graph(_ context.Context, id string) (api.Graph, error) {
	out := api.Graph{Nodes: []api.GraphNode{}, Links: []api.GraphLink{}, Cycles: []api.GraphCycle{}}
	var only memory.ID
	if id != "" {
		parsed, err := memory.ParseID(id)
		if err != nil {
			return out, err
		}
		only = parsed
	}
	err := e.Store.View(func(v *store.View) error {
		nodes, err := graphNodes(v)
		if err != nil {
			return err
		}
		known := make(map[memory.ID]*graphNode, len(nodes))
		for i := range nodes {
			known[nodes[i].ID] = &nodes[i]
		}
		if only != "" && known[only] == nil {
			return memory.NewError(memory.CodeNotFound, memory.KindMemoryUnknown, id, "there is no memory %s", only)
		}
		graph := links.New(func(yield func(*memory.Memory) bool) {
			for i := range nodes {
				if !yield(&nodes[i].Memory) {
					return
				}
			}
		})
		draw(&out, graph, known, shownIn(graph, only))
		marks := e.OriginsIn(v)
		for i, n := range out.Nodes {
			out.Nodes[i].Foreign = n.State != api.NodeMissing && marks.ForeignAnywhere(n.ID)
		}
		return nil
	})
	return out, err
}

// graphNode is a memory, a stub or an archive.
type graphNode struct {
	memory.Memory
	state  api.NodeState
	reason string
}

// graphNodes returns every memory of the store once, with its phase in this clone's view.
func graphNodes(v *store.View) ([]graphNode, error) {
	u, _, err := rank.UsageOf(v)
	if err != nil {
		return nil, err
	}
	active, archives, how, err := rank.BothDirectories(v)
	if err != nil {
		return nil, err
	}
	nodes := make([]graphNode, 0, len(active.Records)+len(active.Stubs()))
	for _, r := range active.Records {
		n := graphNode{*r.Memory, api.NodeActive, ""}
		if n.Phase = u.Phase(*r.Memory); !n.Phase.Active() {
			n.state, n.reason = api.NodeArchived, u.OutOfSightReason(r.ID)
		}
		nodes = append(nodes, n)
	}
	for _, r := range active.Stubs() {
		m := *r.Memory
		m.Topic = stubTopic(archives, r)
		nodes = append(nodes, graphNode{m, api.NodeArchived, memory.KnownReason(r.ArchivedReason)})
	}
	for _, r := range archives.Records {
		_, isActive := active.Find(r.ID)
		_, isStub := active.FindStub(r.ID)
		if !isActive && !isStub {
			m := *r.Memory
			m.Phase = memory.Removed
			nodes = append(nodes, graphNode{m, api.NodeArchived, how[m.ID].Reason})
		}
	}
	return nodes, nil
}

// shownIn returns the memories of a graph, or those that are connected with one, which is always
// among them. Some may not exist.
func shownIn(g *links.Graph, only memory.ID) []memory.ID {
	if only == "" {
		var all []memory.ID
		for _, id := range g.IDs() {
			if near := neighbors(g, id); len(near) > 0 {
				all = append(append(all, id), near...)
			}
		}
		slices.Sort(all)
		return slices.Compact(all)
	}
	seen := map[memory.ID]bool{only: true}
	found := []memory.ID{only}
	for at := 0; at < len(found); at++ {
		for _, id := range neighbors(g, found[at]) {
			if !seen[id] {
				seen[id] = true
				found = append(found, id)
			}
		}
	}
	slices.Sort(found)
	return found
}

func neighbors(g *links.Graph, id memory.ID) []memory.ID {
	return slices.Concat(g.Supersedes(id), g.SupersededBy(id), g.Disputes(id), g.Related(id))
}

// draw fills a graph with these memories, their links, and the cycles among them.
func draw(out *api.Graph, g *links.Graph, known map[memory.ID]*graphNode, shown []memory.ID) {
	drawn := make(map[memory.ID]bool, len(shown))
	for _, id := range shown {
		drawn[id] = true
		node := api.GraphNode{ID: id, State: api.NodeMissing}
		if n := known[id]; n != nil {
			node = api.GraphNode{ID: id, Topic: n.Topic, State: n.state, Importance: n.Memory.Marked(),
				Category: n.Category, ArchivedReason: n.reason}
		}
		out.Nodes = append(out.Nodes, node)
		if m := g.Memory(id); m != nil {
			out.Links = append(out.Links, linksOf(g, m)...)
		}
	}
	slices.SortFunc(out.Links, func(a, b api.GraphLink) int {
		return cmp.Or(cmp.Compare(a.From, b.From), cmp.Compare(a.To, b.To), cmp.Compare(a.Kind, b.Kind))
	})
	for _, cycle := range g.Cycles() {
		if drawn[cycle[0]] {
			out.Cycles = append(out.Cycles, api.GraphCycle{IDs: cycle})
		}
	}
	for id, n := range known {
		if n.state == api.NodeActive && !drawn[id] {
			out.Unlinked++
		}
	}
}

// linksOf returns the links in a memory's file. Of a dispute or a relation that the other file has too, only the lesser
// id has the link.
func linksOf(g *links.Graph, m *memory.Memory) (found []api.GraphLink) {
	add := func(kind api.LinkKind, to []memory.ID, mutual func(*memory.Memory) []memory.ID) {
		for i, id := range to {
			if id == m.ID || slices.Contains(to[:i], id) {
				continue
			}
			other := g.Memory(id)
			if mutual != nil && other != nil && id < m.ID && slices.Contains(mutual(other), m.ID) {
				continue
			}
			found = append(found, api.GraphLink{From: m.ID, To: id, Kind: kind})
		}
	}
	add(api.LinkSupersedes, m.Supersedes, nil)
	add(api.LinkDisputes, m.Disputes, func(o *memory.Memory) []memory.ID { return o.Disputes })
	add(api.LinkRelated, m.Related, func(o *memory.Memory) []memory.ID { return o.Related })
	return found
}
