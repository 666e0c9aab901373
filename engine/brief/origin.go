package brief

import "slices"

const alteredText = "\n" + alteredMeans + ".\n"

// originMark returns the words that mark where an entry comes from, or "".
func (r *entry) originMark() string {
	switch {
	case r.altered:
		return Altered
	case r.foreign:
		return FromElsewhere
	}
	return ""
}

// alteredLine explains the mark of memories that were altered after they were signed.
func (b *block) alteredLine() string {
	isAltered := func(p piece) bool { return p.altered }
	if b.compact || !slices.ContainsFunc(b.pieces, isAltered) {
		return ""
	}
	return alteredText
}
