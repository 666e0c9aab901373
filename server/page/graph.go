package page

import (
	"cmp"
	"context"
	"math"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"ltm/memory"
	"ltm/memory/api"
	"ltm/text/safe"
)

const (
	// mostHubs is how many memories are offered to begin with.
	mostHubs = 8
	// mostNodes and mostLinesDrawn bound what is drawn: more takes long and is unreadable.
	mostNodes      = 500
	mostLinesDrawn = 2000
	// mostCycles and mostInCycle bound what is listed of memories that replace each other.
	mostCycles  = 20
	mostInCycle = 12
	// apartX and apartY are how far nodes are from each other, in pixels: a label of three lines fits between them.
	apartX = 105
	apartY = 78
	// goldenAngle makes a spiral of evenly spread points.
	goldenAngle = 2.39996323
)

// graphPage is a memory with its neighbors, or all links.
type graphPage struct {
	Filter    graphFilter
	Of        *api.GraphNode // in the middle; nil: nothing is linked
	Extents   []navLink      // how much is drawn
	Nodes     []*drawnNode
	Links     []drawnLink
	Hubs      []hub // with most links
	Empty     bool
	Found     int // what the filter leaves, drawn or not
	MoreLinks int // that are not drawn
	Choice    choices
	LinkKinds []api.LinkKind

	Left, Top, Width, Height int // of the picture
	Unlinked                 int
	Cycles                   []cycle
	MoreCycles               int
}

// graphFilter is what the query of the address says.
type graphFilter struct {
	Of              memory.ID
	All             bool
	Depth           int
	Kind, Link, Tag string
}

// cycle is memories that replace each other, and how many more of them there are.
type cycle struct {
	IDs  []memory.ID
	More int
}

// drawnNode is a node, and where it is drawn without the script, which moves it.
type drawnNode struct {
	api.GraphNode
	Number, X, Y   int
	Class, Address string
}

type drawnLink struct {
	From, To *drawnNode
	Kind     api.LinkKind
}

type hub struct {
	*drawnNode
	Links int
}

// around returns the address of the graph of a memory, or of all, with the same filter.
func (f graphFilter) around(of memory.ID, depth int) string {
	address := "?of=" + string(of)
	switch {
	case of == "":
		address = "?all"
	case depth > 1:
		address += "&depth=" + strconv.Itoa(depth)
	}
	for _, pair := range [][2]string{{"kind", f.Kind}, {"link", f.Link}, {"tag", f.Tag}} {
		if pair[1] != "" {
			address += "&" + pair[0] + "=" + url.QueryEscape(pair[1])
		}
	}
	return address
}

func graphView() view { return view{path: "/graph", nav: "Graph", page: "graph", load: loadGraph} }

func loadGraph(ctx context.Context, s *Site, r *http.Request) (string, any, error) {
	q := r.URL.Query()
	f := graphFilter{Of: memory.ID(q.Get("of")), All: q.Has("all"), Depth: 1, Kind: q.Get("kind"), Link: q.Get("link"),
		Tag: strings.TrimSpace(q.Get("tag"))}
	if q.Get("depth") == "2" {
		f.Depth = 2
	}
	if f.All {
		f.Of, f.Depth = "", math.MaxInt
	}
	if of, err := memory.ParseID(string(f.Of)); err == nil { // as people may type it
		f.Of = of
	}
	g, err := s.options.Memories.Graph(ctx, string(f.Of))
	if err != nil {
		return "", nil, err
	}
	p := graphPage{Filter: f, Unlinked: g.Unlinked, Empty: len(g.Links) == 0 && f.Of == "", Choice: s.choices(),
		LinkKinds: []api.LinkKind{api.LinkSupersedes, api.LinkDisputes, api.LinkRelated}}
	for _, c := range g.Cycles[:min(len(g.Cycles), mostCycles)] {
		n := min(len(c.IDs), mostInCycle)
		p.Cycles = append(p.Cycles, cycle{c.IDs[:n], len(c.IDs) - n})
	}
	p.MoreCycles = len(g.Cycles) - len(p.Cycles)
	if g, err = s.filtered(ctx, g, f); err != nil {
		return "", nil, err
	}
	title := "Graph"
	p.draw(g)
	if p.Of != nil && !f.All {
		title = "Graph of " + safe.ClipLine(p.Of.Topic, 60)
	}
	return title, p, nil
}

// filtered returns the part of a graph that a filter leaves. The memory in the middle always stays.
func (s *Site) filtered(ctx context.Context, g api.Graph, f graphFilter) (api.Graph, error) {
	tagged := map[memory.ID]bool{}
	if f.Tag != "" {
		list, err := s.options.Memories.List(ctx, api.ListFilter{Tag: f.Tag, AnyAgent: true, Scope: s.everything(),
			Include: api.IncludeAll, Limit: mostSelected})
		if err != nil {
			return g, err
		}
		for _, m := range list.Memories {
			tagged[m.ID] = true
		}
	}
	wanted := map[memory.ID]bool{}
	var left api.Graph
	for _, n := range g.Nodes {
		if n.ID == f.Of || (f.Kind == "" || f.Kind == string(n.Category)) && (f.Tag == "" || tagged[n.ID]) {
			wanted[n.ID] = true
			left.Nodes = append(left.Nodes, n)
		}
	}
	for _, l := range g.Links {
		if wanted[l.From] && wanted[l.To] && (f.Link == "" || f.Link == string(l.Kind)) {
			left.Links = append(left.Links, l)
		}
	}
	return left, nil
}

// draw fills in what is near a memory, or all, the nearest first: of too many, the others are not drawn.
func (p *graphPage) draw(g api.Graph) {
	near := map[memory.ID][]memory.ID{}
	for _, l := range g.Links {
		near[l.From], near[l.To] = append(near[l.From], l.To), append(near[l.To], l.From)
	}
	nodes := map[memory.ID]*api.GraphNode{}
	order := make([]memory.ID, 0, len(g.Nodes)) // those with most links first
	for i, n := range g.Nodes {
		nodes[n.ID] = &g.Nodes[i]
		if len(near[n.ID]) > 0 || n.ID == p.Filter.Of {
			order = append(order, n.ID)
		}
	}
	slices.SortStableFunc(order, func(a, b memory.ID) int { return cmp.Compare(len(near[b]), len(near[a])) })
	node := func(id memory.ID, number int) *drawnNode {
		n := nodes[id]
		return &drawnNode{GraphNode: *n, Number: number, Address: p.Filter.around(id, 1),
			Class: strings.TrimSpace(string(n.State) + " " + string(n.Importance))}
	}
	for _, id := range order {
		if nodes[id].State == api.NodeActive && len(near[id]) > 0 && len(p.Hubs) < mostHubs {
			p.Hubs = append(p.Hubs, hub{node(id, 0), len(near[id])})
		}
	}
	if len(order) == 0 {
		return
	}
	of := cmp.Or(p.Filter.Of, order[0])
	if p.Filter.Of == "" && len(p.Hubs) > 0 {
		of = p.Hubs[0].ID
	}
	p.Of = nodes[of]
	p.Extents = []navLink{{"One link away", p.Filter.around(of, 1), p.Filter.Depth == 1},
		{"Two links away", p.Filter.around(of, 2), p.Filter.Depth == 2}, {"All", p.Filter.around("", 0), p.Filter.All}}
	found := within(near, of, p.Filter.Depth, order)
	p.Found = len(found)
	drawn := map[memory.ID]*drawnNode{}
	for i, id := range found[:min(len(found), mostNodes)] {
		n := node(id, i)
		sin, cos := math.Sincos(float64(i) * goldenAngle)
		n.X, n.Y = int(apartX*math.Sqrt(float64(i))*cos), int(apartY*math.Sqrt(float64(i))*sin)
		drawn[id], p.Nodes = n, append(p.Nodes, n)
	}
	p.Nodes[0].Class += " middle"
	last := math.Sqrt(float64(len(p.Nodes)))
	p.Width, p.Height = int(2*apartX*(last+1)), int(2*apartY*(last+1))
	p.Left, p.Top = -p.Width/2, -p.Height/2
	for _, l := range g.Links {
		if from, to := drawn[l.From], drawn[l.To]; from == nil || to == nil {
			continue
		} else if len(p.Links) < mostLinesDrawn {
			p.Links = append(p.Links, drawnLink{from, to, l.Kind})
		} else {
			p.MoreLinks++
		}
	}
}

// within returns a memory and those at most so many links away, by their distance. Without a limit, it goes on with the
// others in their order.
func within(near map[memory.ID][]memory.ID, of memory.ID, depth int, others []memory.ID) (found []memory.ID) {
	distance := map[memory.ID]int{}
	for _, start := range append([]memory.ID{of}, others...) {
		if _, seen := distance[start]; seen || len(found) > 0 && depth < math.MaxInt {
			continue
		}
		distance[start] = 0
		at := len(found)
		for found = append(found, start); at < len(found); at++ {
			for _, next := range near[found[at]] {
				if _, seen := distance[next]; !seen && distance[found[at]] < depth {
					distance[next] = distance[found[at]] + 1
					found = append(found, next)
				}
			}
		}
	}
	return found
}
