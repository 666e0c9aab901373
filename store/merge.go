package store

// MergeIndexes merges two versions of a derived index with their common
// ancestor, as git's merge drivers do: base, ours and theirs are the bytes of
// index.json or archive_index.json, and so is the result. It never conflicts. An
// entry that one side changed is taken from it; one that both changed is taken
// from ours, for it is derived: the next write makes it anew from the memory's
// file, where people see and settle a real conflict. A side that cannot be read
// counts as unchanged.
func MergeIndexes(base, ours, theirs []byte) []byte {
	b, err := decodeIndex(indexFile, base)
	if err != nil {
		b = Index{}
	}
	o, err := decodeIndex(indexFile, ours)
	if err != nil {
		o = b
	}
	t, err := decodeIndex(indexFile, theirs)
	if err != nil {
		t = b
	}
	merged := Index{}
	for _, side := range []Index{b, o, t} {
		for id := range side {
			was, inBase := b[id]
			mine, inOurs := o[id]
			other, inTheirs := t[id]
			changedByOurs := inOurs != inBase || !mine.Equal(was)
			changedByTheirs := inTheirs != inBase || !other.Equal(was)
			switch {
			case inOurs && (changedByOurs || !changedByTheirs):
				merged[id] = mine
			case inTheirs && changedByTheirs:
				merged[id] = other
			}
		}
	}
	return encodeIndex(merged)
}
