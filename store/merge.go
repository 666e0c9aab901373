package store

import "ltm/memory"

// MergeIndexes merges two versions of a derived index with their common
// ancestor, as git's merge drivers do: base, ours and theirs are the bytes of
// index.json or archive_index.json, and so is the result. It never conflicts. An
// entry that one side removed is gone, for forgetting moves the file, and git
// moves along what the other side changed in it. One that a side changed is taken
// from it; one that both changed is taken from ours, for it is derived: the next
// write makes it anew from the memory's file, where people see and settle a real
// conflict. A side that cannot be read counts as unchanged; one that a newer
// version wrote is an error.
func MergeIndexes(base, ours, theirs []byte) ([]byte, error) {
	sides := [3]Index{{}, nil, nil}
	for i, data := range [][]byte{base, ours, theirs} {
		index, err := decodeIndex(indexFile, data)
		switch {
		case memory.CodeOf(err) == memory.CodeConflict:
			return nil, err
		case err != nil:
			index = sides[0]
		}
		sides[i] = index
	}
	b, o, t := sides[0], sides[1], sides[2]
	merged := Index{}
	for _, side := range sides {
		for id := range side {
			was, inBase := b[id]
			mine, inOurs := o[id]
			other, inTheirs := t[id]
			changedByOurs := inOurs != inBase || !mine.Equal(was)
			changedByTheirs := inTheirs != inBase || !other.Equal(was)
			switch {
			case inBase && !(inOurs && inTheirs): // the file went too, or git asks about it
			case inOurs && (changedByOurs || !changedByTheirs):
				merged[id] = mine
			case inTheirs && changedByTheirs:
				merged[id] = other
			}
		}
	}
	return encodeIndex(merged), nil
}
