package drawing_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"ltm/server/page/drawing"
)

func TestLabelsCoverNothing(t *testing.T) {
	p := drawing.Picture{Width: 400, Height: 200, Nodes: []drawing.Point{{200, 100}, {200, 120}, {195, 180}, {5, 100}}}
	got := p.Labels(7, []float64{100, 100, 100, 60}, []int{1})
	require.Equal(t, drawing.Below, got[1], "it comes first")
	require.Equal(t, drawing.Above, got[0], "a node is below it")
	require.Equal(t, drawing.Above, got[2], "the picture ends below it")
	require.Equal(t, drawing.Right, got[3], "the picture ends on the left of it")

	crowd := drawing.Picture{Width: 400, Height: 200}
	for range 6 {
		crowd.Nodes = append(crowd.Nodes, drawing.Point{X: 200, Y: 100})
	}
	got = crowd.Labels(7, []float64{90, 90, 90, 90, 90, 90}, nil)
	require.Equal(t, []drawing.Side{drawing.Below, drawing.Above, drawing.Right, drawing.Left, drawing.Hidden,
		drawing.Hidden}, got)
}
