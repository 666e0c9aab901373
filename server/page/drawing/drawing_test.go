package drawing_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"ltm/server/page/drawing"
)

// tree returns the edges of a random tree.
func tree(nodes int) (edges []drawing.Edge) {
	random := rand.New(rand.NewPCG(1, 2))
	for i := 1; i < nodes; i++ {
		edges = append(edges, drawing.Edge{From: random.IntN(i), To: i})
	}
	return edges
}

func TestDrawIsTheSameEachTime(t *testing.T) {
	edges := tree(60)
	first := drawing.Draw(80, edges)
	for range 5 {
		require.Equal(t, first, drawing.Draw(80, edges))
	}
}

// star returns the edges from one node to all others, and ring those of nodes in a circle.
func star(nodes int) (edges []drawing.Edge) {
	for i := 1; i < nodes; i++ {
		edges = append(edges, drawing.Edge{From: 0, To: i})
	}
	return edges
}

func ring(nodes int) (edges []drawing.Edge) {
	for i := range nodes {
		edges = append(edges, drawing.Edge{From: i, To: (i + 1) % nodes})
	}
	return edges
}

func TestDrawKeepsAllInItsBoxAndApart(t *testing.T) {
	for _, nodes := range []int{1, 2, 3, 12, 60, 300, 500} {
		requireReadable(t, nodes, tree(nodes))
		requireReadable(t, nodes, star(nodes))
		requireReadable(t, nodes, ring(nodes))
	}
}

// requireReadable draws a graph and 20 nodes without edges.
func requireReadable(t *testing.T, nodes int, edges []drawing.Edge) {
	t.Helper()
	p := drawing.Draw(nodes+20, edges)
	require.Len(t, p.Nodes, nodes+20)
	nearest := math.Inf(1)
	for i, n := range p.Nodes {
		require.False(t, math.IsNaN(n.X) || math.IsNaN(n.Y))
		require.True(t, n.X >= 0 && n.X <= p.Width && n.Y >= 0 && n.Y <= p.Height, "%v is outside of %v x %v", n,
			p.Width, p.Height)
		for _, other := range p.Nodes[:i] {
			nearest = min(nearest, math.Hypot(n.X-other.X, n.Y-other.Y))
		}
	}
	require.Greater(t, nearest, 2.0, "two of %d nodes are upon each other", nodes)
}

func TestDrawOfNothing(t *testing.T) {
	require.Equal(t, drawing.Picture{Nodes: []drawing.Point{}}, drawing.Draw(0, nil))
	odd := []drawing.Edge{{From: 0, To: 0}, {From: -1, To: 1}, {From: 0, To: 7}, {From: 0, To: 1}, {From: 1}}
	p := drawing.Draw(2, odd)
	require.Len(t, p.Nodes, 2)
	require.NotEqual(t, p.Nodes[0], p.Nodes[1])
}

func TestNear(t *testing.T) {
	line := []drawing.Edge{{From: 0, To: 1}, {From: 1, To: 2}, {From: 2, To: 3}, {From: 3, To: 0}, {From: 3, To: 4}}
	require.Equal(t, []int{0}, drawing.Near(6, line, 0, 0))
	require.Equal(t, []int{0, 1, 3}, drawing.Near(6, line, 0, 1))
	require.Equal(t, []int{0, 1, 2, 3, 4}, drawing.Near(6, line, 0, 2))
	require.Equal(t, []int{5}, drawing.Near(6, line, 5, 2))
	require.Nil(t, drawing.Near(6, line, 6, 2))
}

// BenchmarkDraw draws 500 nodes, for which 300 ms are allowed.
func BenchmarkDraw(b *testing.B) {
	edges := tree(500)
	for b.Loop() {
		drawing.Draw(500, edges)
	}
}
