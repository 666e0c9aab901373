package brief

import "slices"

const alteredText = "\n" + alteredMeans + ".\n"

// originMarks returns the words that mark where a memory comes from, if any.
func originMarks(foreign, altered bool) []string {
	switch {
	case altered:
		return []string{Altered}
	case foreign:
		return []string{FromElsewhere}
	}
	return nil
}

// alteredLine explains the mark of memories that were altered after they were signed.
func (b *block) alteredLine() string {
	isAltered := func(p piece) bool { return p.altered }
	if b.compact || !slices.ContainsFunc(b.pieces, isAltered) {
		return ""
	}
	return alteredText
}
