package memfile

import "ltm/memory"

// parseSide reads a file with an unresolved merge: our side, or theirs if ours is not a memory. The
// result keeps the bytes of the whole file, and [File.With] refuses to change it until a person has
// resolved the merge.
func parseSide(data []byte) (*File, error) {
	ours, theirs, _ := memory.SplitConflict(string(data))
	for _, side := range []string{ours, theirs} {
		if f, err := parse([]byte(side)); err == nil && !memory.HasConflict(side) {
			f.raw, f.Memory.Conflicted = data, true
			return f, nil
		}
	}
	return nil, unreadable("the file holds a merge conflict, and neither side of it is a memory")
}

// Sides parses a file that may have an unresolved merge: it returns each side that is a memory,
// ours first. It returns nil if neither is, and a file without a merge as it is.
func Sides(data []byte) []*File {
	if !memory.HasConflict(string(data)) {
		if f, err := Parse(data); err == nil {
			return []*File{f}
		}
		return nil
	}
	var found []*File
	ours, theirs, _ := memory.SplitConflict(string(data))
	for _, side := range []string{ours, theirs} {
		if f, err := parse([]byte(side)); err == nil && !memory.HasConflict(side) {
			found = append(found, f)
		}
	}
	return found
}
