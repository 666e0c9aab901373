package torture_test

import (
	"fmt"
	"slices"
)

// takingBack undoes each operation that changes memories, and does some of them again.
func takingBack() []operation {
	undoable := map[string]bool{"remember": true, "update": true, "update of tags": true, "update that appends": true,
		"update of the summary": true, "update of some tags": true, "update that appends to a reduced memory": true,
		"edit": true, "pin": true, "unpin": true, "forget": true, "restore": true, "evict in the files": true,
		"fade --write": true, "restore of a reduced memory": true, "update of a reduced memory": true, "import": true,
		"forget of a reduced memory": true, "fix that resolves merges": true, "import that updates": true,
	}
	redoable := []string{"remember", "update", "forget", "restore", "fade --write", "import",
		"fix that resolves merges"}
	var undos []operation
	for _, o := range slices.Concat(storing(), fadingAway(), repairing(), extending(), importing()) {
		if !undoable[o.name] {
			continue
		}
		delete(undoable, o.name)
		undos = append(undos, operation{name: "undo of " + o.name, adds: true, again: []int{3, 4}, whole: true,
			prepare: func(p project) (string, []string) {
				stdin, args := o.prepare(p)
				p.run(stdin, args...)
				return "", []string{"undo"}
			}})
		if undo := undos[len(undos)-1]; slices.Contains(redoable, o.name) {
			undos = append(undos, undo.redo("redo of "+o.name))
		}
	}
	if len(undoable) > 0 {
		panic(fmt.Sprintf("there is no operation to undo: %v", undoable))
	}
	return undos
}

// redo takes an undo back.
func (o operation) redo(name string) operation {
	undo := o.prepare
	o.name = name
	o.prepare = func(p project) (string, []string) {
		stdin, args := undo(p)
		p.run(stdin, args...)
		return "", []string{"undo", "--redo"}
	}
	return o
}
