package audit

import (
	"bytes"
	"maps"
	"path"
	"slices"
	"strings"

	"ltm/memory"
	"ltm/memory/memfile"
	"ltm/store"
)

// oddID returns the id of another length that a memory has in its header or, without an id there, in
// its file's name, or "".
func oddID(name string, text []byte) string {
	if odd := memfile.OddID(text); odd != "" {
		return odd
	}
	file, err := memfile.Parse(text)
	odd := strings.TrimSuffix(name, memory.FileExt)
	if err != nil || file.Memory.ID != "" || odd == name || !memory.IsOddID(odd) {
		return ""
	}
	return odd
}

// oddFinding is the finding about a memory with an id of another length. It is never served, because
// such an id could be the beginning of another.
func oddFinding(where, odd string) finding {
	return finding{kind: kindMisnamed, where: where, odd: odd, next: memory.KindFoundOddID, subject: odd,
		reason: "it holds a memory that is not served: its id " + odd + " does not have 8 hex digits"}
}

// adoption gives memories ids of eight digits.
type adoption struct {
	ids     map[string]memory.ID // by the odd ones
	targets map[string]string    // the paths of files by those that they had
}

// plan adds the file of a finding. ok is false if another file has the name that it would get, or if the
// id in it cannot be replaced.
func (a *adoption) plan(v *store.View, f finding) (id memory.ID, ok bool) {
	isPlanned := func(id memory.ID) bool { return slices.Contains(slices.Collect(maps.Values(a.ids)), id) }
	id, known := a.ids[f.odd]
	if !known {
		id = memory.AdoptedID(f.odd, func(id memory.ID) bool { return v.Taken(id) || isPlanned(id) })
	}
	target := path.Dir(f.where) + "/" + id.File()
	text, err := v.ReadBytes(f.where)
	if err != nil || v.Shape(target).There || slices.Contains(slices.Collect(maps.Values(a.targets)), target) {
		return id, false
	}
	if !isMemory(memfile.Renamed(text, f.odd, id), id.File()) {
		return id, false
	}
	a.ids[f.odd], a.targets[f.where] = id, target
	return id, true
}

// carryOut replaces the ids in the links of all memories, and then in a file that gets another name. It
// can be repeated after a crash.
func (a *adoption) carryOut(tx *store.Tx, where string) error {
	active, err := tx.Memories()
	if err != nil {
		return err
	}
	for m := range active.All() {
		if !m.OddLinks {
			continue
		}
		before, err := tx.ReadRaw(m.ID)
		if err != nil {
			return err
		}
		if data := a.renamed(before); !bytes.Equal(data, before) {
			if err := tx.WriteMemory(m.ID, data); err != nil {
				return err
			}
		}
	}
	text, err := tx.ReadBytes(where)
	if err != nil || text == nil {
		return err
	}
	if err := tx.ReplaceFile(a.targets[where], a.renamed(text)); err != nil {
		return err
	}
	return tx.RemoveFile(where)
}

func (a *adoption) renamed(data []byte) []byte {
	for odd, id := range a.ids {
		data = memfile.Renamed(data, odd, id)
	}
	return data
}
