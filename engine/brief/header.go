package brief

import "ltm/memory"

// Header is a memory that a block may show. Its header is asked for only if the block comes to it.
type Header interface {
	ID() memory.ID
	Header() *memory.Memory // with the phase to show
	Critical() bool         // by its importance
	Signed() bool           // whatever the signature proves
}
