// Package forms reads the documents of other programs into items of package transfer: one file
// for each program, with a sample in testdata. What a program's documents look like, and where
// that is documented, stands at its type.
//
// It is pure.
package forms

import "ltm/transfer"

// All returns every form that can be imported, in the order in which a document is offered to
// them.
func All() []transfer.Form {
	return []transfer.Form{AutoMemory{}, Predecessor{}, Markdown{}, Engram{}, ServerMemory{}, ClaudeMD{}}
}
