// Package drawing places the nodes of a graph on a plane, deterministically. It is pure.
package drawing

import (
	"cmp"
	"math"
	"math/rand/v2"
	"slices"

	"gonum.org/v1/gonum/graph"
	"gonum.org/v1/gonum/graph/iterator"
	"gonum.org/v1/gonum/graph/layout"
	"gonum.org/v1/gonum/graph/simple"
)

// Edge connects two nodes by their places in the list of nodes.
type Edge struct{ From, To int }

// Point is a place in pixels, from the left and from the top.
type Point struct{ X, Y float64 }

// Picture is where the nodes of a graph are, in a box of that size in pixels.
type Picture struct {
	Width, Height float64
	Nodes         []Point
}

const (
	// spacing is the least distance of two nodes side by side, in pixels: a label fits between them.
	spacing = 110
	// side and margin are the room beside each connected part, and above and below it, for nodes and labels.
	side   = 95
	margin = 50
	// proportion is the width of a picture by its height, where there are several parts.
	proportion = 1.6

	// These were chosen on random trees, rings and stars of 3 to 500 nodes, so that none blows up: in a step a node
	// moves by the rate times the forces on it. More updates make rings rounder, and take longer.
	updates   = 80
	repulsion = 1
	rate      = 0.03
	// steady bounds the rate times the edges of the node that has most, which all pull at it.
	steady = 0.5
	// firstRate is the rate of the first update times the number of nodes, which all begin within a square of size 1.
	// The rate grows until the middle of the updates.
	firstRate = 0.1
	// theta is how roughly far nodes are summed up (Barnes-Hut).
	theta = 0.8
	// seed begins the sequence from which nodes get their first places.
	seed = 1
)

// Draw places the nodes of a graph, which are counted from 0. Connected parts are placed by the heuristic of Eades
// (Congressus Numerantium 42, 1984), each for itself, and then put side by side, the largest first. Edges to nodes that
// do not exist, and from a node to itself, count for nothing.
func Draw(nodes int, edges []Edge) Picture {
	near := neighbors(nodes, edges)
	out := Picture{Nodes: make([]Point, nodes)}
	parts := components(near)
	boxes := make([]Point, len(parts))
	for i, part := range parts {
		boxes[i] = place(part, near, out.Nodes)
	}
	arrange(&out, parts, boxes)
	return out
}

// Near returns the nodes within so many edges of one, in the order of their numbers.
func Near(nodes int, edges []Edge, node, depth int) []int {
	near := neighbors(nodes, edges)
	if node < 0 || node >= nodes {
		return nil
	}
	distance := map[int]int{node: 0}
	found := []int{node}
	for at := 0; at < len(found); at++ {
		for _, next := range near[found[at]] {
			if _, seen := distance[next]; !seen && distance[found[at]] < depth {
				distance[next] = distance[found[at]] + 1
				found = append(found, next)
			}
		}
	}
	slices.Sort(found)
	return found
}

// neighbors returns the neighbors of each node, each once and in order.
func neighbors(nodes int, edges []Edge) [][]int {
	near := make([][]int, nodes)
	for _, e := range edges {
		if e.From == e.To || min(e.From, e.To) < 0 || max(e.From, e.To) >= nodes {
			continue
		}
		near[e.From] = append(near[e.From], e.To)
		near[e.To] = append(near[e.To], e.From)
	}
	for i := range near {
		slices.Sort(near[i])
		near[i] = slices.Compact(near[i])
	}
	return near
}

// components returns the connected parts, the largest first.
func components(near [][]int) [][]int {
	var parts [][]int
	seen := make([]bool, len(near))
	for start := range near {
		if seen[start] {
			continue
		}
		seen[start] = true
		part := []int{start}
		for at := 0; at < len(part); at++ {
			for _, next := range near[part[at]] {
				if !seen[next] {
					seen[next] = true
					part = append(part, next)
				}
			}
		}
		slices.Sort(part)
		parts = append(parts, part)
	}
	slices.SortStableFunc(parts, func(a, b []int) int { return cmp.Compare(len(b), len(a)) })
	return parts
}

// place gives the nodes of a connected part their places in a box of their own, and returns its size.
func place(part []int, near [][]int, at []Point) Point {
	for i, p := range spread(part, near) {
		at[part[i]] = p
	}
	low, high := Point{math.Inf(1), math.Inf(1)}, Point{math.Inf(-1), math.Inf(-1)}
	for _, n := range part {
		low = Point{min(low.X, at[n].X), min(low.Y, at[n].Y)}
		high = Point{max(high.X, at[n].X), max(high.Y, at[n].Y)}
	}
	for _, n := range part {
		at[n] = Point{at[n].X - low.X + side, at[n].Y - low.Y + margin}
	}
	return Point{high.X - low.X + 2*side, high.Y - low.Y + 2*margin}
}

// spread returns places for the nodes of a connected part, in units in which the median edge has the length spacing.
func spread(part []int, near [][]int) []Point {
	if len(part) == 1 {
		return []Point{{}}
	}
	g := newOrdered(part, near)
	eades := layout.EadesR2{Updates: updates, Repulsion: repulsion, Theta: theta,
		Src: rand.NewPCG(seed, uint64(len(part)))}
	o := layout.NewOptimizerR2(g, eades.Update)
	most := 0
	for _, next := range g {
		most = max(most, len(next))
	}
	first, last := firstRate/float64(len(part)), min(rate, steady/float64(most))
	for step := range updates {
		eades.Rate = first * math.Pow(last/first, min(1, 2*float64(step)/updates))
		if !o.Update() {
			break
		}
	}
	points := make([]Point, len(part))
	for i := range part {
		c := o.Coord2(int64(i))
		points[i] = Point{c.X, c.Y}
	}
	var lengths []float64
	for i, next := range g {
		for _, j := range next {
			if int64(i) < j {
				lengths = append(lengths, math.Hypot(points[i].X-points[j].X, points[i].Y-points[j].Y))
			}
		}
	}
	slices.Sort(lengths)
	scale := spacing / max(lengths[len(lengths)/2], 1e-6)
	for i := range points {
		points[i] = Point{points[i].X * scale, points[i].Y * scale}
	}
	return points
}

// arrange puts the boxes of the parts into rows, and moves their nodes there.
func arrange(out *Picture, parts [][]int, boxes []Point) {
	area, widest := 0.0, 0.0
	for _, b := range boxes {
		area += b.X * b.Y
		widest = max(widest, b.X)
	}
	width := max(widest, math.Sqrt(area*proportion))
	var x, y, row float64
	for i, part := range parts {
		if x > 0 && x+boxes[i].X > width {
			x, y, row = 0, y+row, 0
		}
		for _, n := range part {
			out.Nodes[n] = Point{round(out.Nodes[n].X + x), round(out.Nodes[n].Y + y)}
		}
		x, row = x+boxes[i].X, max(row, boxes[i].Y)
		out.Width = max(out.Width, x)
	}
	out.Width, out.Height = math.Ceil(out.Width), math.Ceil(y+row)
}

// round leaves a tenth of a pixel: more is only longer.
func round(v float64) float64 { return math.Round(v*10) / 10 }

// ordered is a graph whose nodes and neighbors come in order, so that it is drawn the same each time. Those of gonum
// are maps.
type ordered [][]int64

func newOrdered(part []int, near [][]int) ordered {
	index := make(map[int]int64, len(part))
	for i, n := range part {
		index[n] = int64(i)
	}
	g := make(ordered, len(part))
	for i, n := range part {
		for _, next := range near[n] {
			g[i] = append(g[i], index[next])
		}
	}
	return g
}

// Node returns the node of an id, or nil.
func (g ordered) Node(id int64) graph.Node {
	if id < 0 || id >= int64(len(g)) {
		return nil
	}
	return simple.Node(id)
}

// Nodes returns all nodes in the order of their ids.
func (g ordered) Nodes() graph.Nodes {
	all := make([]graph.Node, len(g))
	for i := range g {
		all[i] = simple.Node(i)
	}
	return iterator.NewOrderedNodes(all)
}

// From returns the neighbors of a node in the order of their ids.
func (g ordered) From(id int64) graph.Nodes {
	all := make([]graph.Node, len(g[id]))
	for i, n := range g[id] {
		all[i] = simple.Node(n)
	}
	return iterator.NewOrderedNodes(all)
}

// HasEdgeBetween reports whether two nodes are neighbors.
func (g ordered) HasEdgeBetween(a, b int64) bool {
	_, found := slices.BinarySearch(g[a], b)
	return found
}

// Edge returns the edge between two neighbors, or nil.
func (g ordered) Edge(a, b int64) graph.Edge {
	if !g.HasEdgeBetween(a, b) {
		return nil
	}
	return simple.Edge{F: simple.Node(a), T: simple.Node(b)}
}
