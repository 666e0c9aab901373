package page

import (
	"cmp"
	"context"
	"fmt"
	"hash/maphash"
	"math"
	"net/http"
	"slices"
	"strings"
	"sync"

	"ltm/memory"
	"ltm/memory/api"
	"ltm/server/page/drawing"
	"ltm/text/safe"
)

const (
	// nodeSize and bigNode are the radius of a node in pixels, and that of the memory in the middle.
	nodeSize = 7
	bigNode  = 11
	// mostLabel is the length of a label in characters.
	mostLabel = 26
	// narrowWidth is the width of a letter in pixels, and those from firstWide on take two.
	narrowWidth = 6.6
	firstWide   = '\u2e80'
	// mostHubs is how many memories are offered to begin with.
	mostHubs = 8
	// mostNodes and mostLinesDrawn bound what is drawn: more takes long and is unreadable.
	mostNodes      = 500
	mostLinesDrawn = 2000
	// mostCycles and mostInCycle bound what is listed of memories that replace each other.
	mostCycles  = 20
	mostInCycle = 12
)

// graphPage is a memory with its neighbors, or all links.
type graphPage struct {
	Of    *api.GraphNode // nil: all, or there are none
	Depth int
	All   bool
	Nodes []drawnNode
	Lines []drawnLine
	Links []linkRow
	Hubs  []hub // with most links
	Empty bool
	Total int // nodes that there are

	MoreNodes, MoreLinks int // that are not drawn
	Unnamed              int // nodes that are drawn without a label

	Width, Height,
	Unlinked int
	Cycles     []cycle
	MoreCycles int
}

// cycle is memories that replace each other, and how many more of them there are.
type cycle struct {
	IDs  []memory.ID
	More int
}

// cyclesOf returns the first cycles, and how many more there are.
func cyclesOf(all []api.GraphCycle) (shown []cycle, more int) {
	for _, c := range all[:min(len(all), mostCycles)] {
		n := min(len(c.IDs), mostInCycle)
		shown = append(shown, cycle{c.IDs[:n], len(c.IDs) - n})
	}
	return shown, len(all) - len(shown)
}

type drawnNode struct {
	api.GraphNode
	X, Y, Size float64
	Label      string // empty: there is no room for it
	LabelX     float64
	LabelY     float64
	Anchor     string
	Class      string
}

type drawnLine struct {
	X1, Y1, X2, Y2 float64
	Kind           api.LinkKind
}

// linkRow is a link in words.
type linkRow struct {
	From, To api.GraphNode
	Words    string
}

type hub struct {
	api.GraphNode
	Links int
}

func graphView() view { return view{path: "/graph", nav: "Graph", page: "graph", load: loadGraph} }

func loadGraph(ctx context.Context, s *Site, r *http.Request) (string, any, error) {
	q := r.URL.Query()
	p := graphPage{All: q.Has("all"), Depth: 1}
	if q.Get("depth") == "2" {
		p.Depth = 2
	}
	of := q.Get("of")
	if p.All {
		of = ""
	}
	g, err := s.options.Memories.Graph(ctx, of)
	if err != nil {
		return "", nil, err
	}
	p.Total, p.Unlinked, p.Empty = len(g.Nodes), g.Unlinked, len(g.Links) == 0 && of == ""
	p.Cycles, p.MoreCycles = cyclesOf(g.Cycles)
	p.Hubs = hubs(g)
	if of == "" && !p.All && len(p.Hubs) > 0 {
		of = string(p.Hubs[0].ID)
	}
	p.draw(s, g, memory.ID(of))
	title := "Graph"
	if p.Of != nil {
		title = "Graph of " + safe.ClipLine(p.Of.Topic, 60)
	}
	return title, p, nil
}

// hubs returns the memories with most links.
func hubs(g api.Graph) []hub {
	count := linkCounts(g)
	var found []hub
	for _, n := range g.Nodes {
		if count[n.ID] > 0 && n.State == api.NodeActive {
			found = append(found, hub{n, count[n.ID]})
		}
	}
	slices.SortStableFunc(found, func(a, b hub) int { return b.Links - a.Links })
	return found[:min(len(found), mostHubs)]
}

// linkCounts returns how many links each memory has.
func linkCounts(g api.Graph) map[memory.ID]int {
	count := map[memory.ID]int{}
	for _, l := range g.Links {
		count[l.From]++
		count[l.To]++
	}
	return count
}

// limit keeps the memory in the middle and those with most links, if there are too many to draw.
func (p *graphPage) limit(g api.Graph, shown []bool) {
	var all []int
	for i := range shown {
		if shown[i] {
			all = append(all, i)
		}
	}
	if p.MoreNodes = max(0, len(all)-mostNodes); p.MoreNodes == 0 {
		return
	}
	count := linkCounts(g)
	if p.Of != nil {
		count[p.Of.ID] = math.MaxInt
	}
	slices.SortStableFunc(all, func(a, b int) int { return cmp.Compare(count[g.Nodes[b].ID], count[g.Nodes[a].ID]) })
	for _, i := range all[mostNodes:] {
		shown[i] = false
	}
}

// draw fills in what is near a memory, or all.
func (p *graphPage) draw(s *Site, g api.Graph, of memory.ID) {
	place := make(map[memory.ID]int, len(g.Nodes))
	for i, n := range g.Nodes {
		place[n.ID] = i
		if n.ID == of {
			p.Of = &g.Nodes[i]
		}
	}
	edges := make([]drawing.Edge, len(g.Links))
	for i, l := range g.Links {
		edges[i] = drawing.Edge{From: place[l.From], To: place[l.To]}
	}
	shown := make([]bool, len(g.Nodes))
	if p.Of != nil {
		for _, i := range drawing.Near(len(g.Nodes), edges, place[of], p.Depth) {
			shown[i] = true
		}
	} else {
		for i := range shown {
			shown[i] = p.All
		}
	}
	p.limit(g, shown)
	p.fill(s, g, edges, shown)
}

// fill draws the nodes that are shown, and what links them.
func (p *graphPage) fill(s *Site, g api.Graph, edges []drawing.Edge, shown []bool) {
	number := make([]int, len(g.Nodes))
	for i, n := range g.Nodes {
		number[i] = len(p.Nodes)
		if shown[i] {
			p.Nodes = append(p.Nodes, drawnNode{GraphNode: n, Size: nodeSize, Class: classOf(n),
				Label: safe.ClipLine(labelOf(n), mostLabel)})
		}
	}
	var kept []drawing.Edge
	var kinds []api.LinkKind
	for i, e := range edges {
		switch {
		case !shown[e.From] || !shown[e.To]:
		case len(kept) == mostLinesDrawn:
			p.MoreLinks++
		default:
			kept = append(kept, drawing.Edge{From: number[e.From], To: number[e.To]})
			kinds = append(kinds, g.Links[i].Kind)
			p.Links = append(p.Links, linkRow{g.Nodes[e.From], g.Nodes[e.To], string(g.Links[i].Kind)})
		}
	}
	picture := s.drawings.get(len(p.Nodes), kept)
	p.Width, p.Height = int(picture.Width), int(picture.Height)
	for i := range p.Nodes {
		n := &p.Nodes[i]
		n.X, n.Y = picture.Nodes[i].X, picture.Nodes[i].Y
		if p.Of != nil && n.ID == p.Of.ID {
			n.Size, n.Class = bigNode, n.Class+" middle"
		}
	}
	p.label(picture)
	for i, e := range kept {
		a, b := picture.Nodes[e.From], picture.Nodes[e.To]
		p.Lines = append(p.Lines, drawnLine{a.X, a.Y, b.X, b.Y, kinds[i]})
	}
}

// label places the labels, that of the memory in the middle first.
func (p *graphPage) label(picture drawing.Picture) {
	widths, first := make([]float64, len(p.Nodes)), []int(nil)
	for i, n := range p.Nodes {
		for _, r := range n.Label {
			if widths[i] += narrowWidth; r >= firstWide {
				widths[i] += narrowWidth
			}
		}
		if n.Size == bigNode {
			first = append(first, i)
		}
	}
	for i, side := range picture.Labels(bigNode, widths, first) {
		n := &p.Nodes[i]
		dx, dy := side.Offset(n.Size)
		n.LabelX, n.LabelY, n.Anchor = n.X+dx, n.Y+dy, "middle"
		switch side {
		case drawing.Right:
			n.Anchor = "start"
		case drawing.Left:
			n.Anchor = "end"
		case drawing.Hidden:
			n.Label = ""
			p.Unnamed++
		}
	}
}

func labelOf(n api.GraphNode) string {
	if n.Topic == "" {
		return string(n.ID)
	}
	return n.Topic
}

func classOf(n api.GraphNode) string {
	return strings.TrimSpace(fmt.Sprintf("%s %s", n.State, n.Importance))
}

// drawings keeps the latest pictures: their places take longer than all else, and depend on the links alone.
type drawings struct {
	mu   sync.Mutex
	seed maphash.Seed
	kept map[uint64]drawing.Picture
}

// mostDrawings bounds the pictures that are kept.
const mostDrawings = 32

func newDrawings() *drawings {
	return &drawings{seed: maphash.MakeSeed(), kept: map[uint64]drawing.Picture{}}
}

func (d *drawings) get(nodes int, edges []drawing.Edge) drawing.Picture {
	key := maphash.String(d.seed, fmt.Sprint(nodes, edges))
	if p, ok := d.find(key); ok {
		return p
	}
	p := drawing.Draw(nodes, edges) // while others find theirs
	d.mu.Lock()
	defer d.mu.Unlock()
	if len(d.kept) >= mostDrawings {
		clear(d.kept)
	}
	d.kept[key] = p
	return p
}

func (d *drawings) find(key uint64) (drawing.Picture, bool) {
	d.mu.Lock()
	defer d.mu.Unlock()
	p, ok := d.kept[key]
	return p, ok
}
