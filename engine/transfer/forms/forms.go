// Package forms reads the documents of other programs into items of package transfer: one file
// for each program, with a sample in testdata. What a program's documents look like, and where
// that is documented, is at its type.
//
// It is pure.
package forms

import "ltm/engine/transfer"

// All returns every form that can be imported, in the order in which a document is offered to
// them. signatures are those that go with a document of Claude-LTM; nil: there are none.
func All(signatures *Signatures) []transfer.Form {
	return []transfer.Form{transfer.Own{}, ClaudeLTM{Signatures: signatures}, ClaudeMD{}, AutoMemory{}, Predecessor{},
		Markdown{}, Engram{}, ServerMemory{}}
}
