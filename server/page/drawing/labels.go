package drawing

// Side is where a node's label is.
type Side int

// The sides, in the order in which they are tried. A label for which there is no room is hidden.
const (
	Below Side = iota
	Above
	Right
	Left
	Hidden
)

const (
	// lineHeight is the height of a label in pixels, and gap its distance from the node.
	lineHeight = 14
	gap        = 5
)

// box is a rectangle in pixels.
type box struct{ left, top, right, bottom float64 }

func (b box) meets(o box) bool {
	return b.left < o.right && o.left < b.right && b.top < o.bottom && o.top < b.bottom
}

// Offset returns where a label's line begins, by the center of a node of a radius: the anchor of its text, and the
// middle of its line.
func (s Side) Offset(radius float64) (x, y float64) {
	switch s {
	case Above:
		return 0, -radius - gap - lineHeight/2
	case Right:
		return radius + gap, 0
	case Left:
		return -radius - gap, 0
	}
	return 0, radius + gap + lineHeight/2
}

func (s Side) box(at Point, radius, width float64) box {
	x, y := s.Offset(radius)
	x, y = x+at.X, y+at.Y
	switch s {
	case Right:
	case Left:
		x -= width
	default:
		x -= width / 2
	}
	return box{x, y - lineHeight/2, x + width, y + lineHeight/2}
}

// Labels finds a side for the label of each node, so that it covers neither a node nor another label, nor leaves the
// picture. Widths are those of the labels in pixels; those of the nodes in first are placed before the others.
func (p Picture) Labels(radius float64, widths []float64, first []int) []Side {
	sides := make([]Side, len(p.Nodes))
	done := make([]bool, len(p.Nodes))
	taken := make([]box, 0, 2*len(p.Nodes))
	for _, n := range p.Nodes {
		taken = append(taken, box{n.X - radius, n.Y - radius, n.X + radius, n.Y + radius})
	}
	place := func(i int) {
		if done[i] {
			return
		}
		done[i], sides[i] = true, Hidden
		for side := Below; side < Hidden; side++ {
			b := side.box(p.Nodes[i], radius, widths[i])
			if b.left < 0 || b.top < 0 || b.right > p.Width || b.bottom > p.Height || meetsAny(b, taken) {
				continue
			}
			sides[i], taken = side, append(taken, b)
			return
		}
	}
	for _, i := range first {
		place(i)
	}
	for i := range p.Nodes {
		place(i)
	}
	return sides
}

func meetsAny(b box, taken []box) bool {
	for _, t := range taken {
		if b.meets(t) {
			return true
		}
	}
	return false
}
