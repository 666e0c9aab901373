package brief

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
	if !b.altered || b.compact {
		return ""
	}
	return "\n" + alteredMeans + ".\n"
}
