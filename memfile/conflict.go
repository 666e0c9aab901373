package memfile

import "ltm/memory"

// parseSide reads a file with an unsettled merge: our side, or theirs when ours
// is no memory. The bytes stay those of the file, and nothing can be written
// into it before a person has settled the merge.
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

// Sides returns what a file says: of an unsettled merge each side that is a memory,
// ours first, and of any other file that alone. Bytes that are not a memory are
// none.
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
