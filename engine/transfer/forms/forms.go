// Package forms reads the documents of other programs into items of package transfer: one file for each program, with a
// sample in testdata. The comment of each type describes the program's documents and names their documentation.
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
