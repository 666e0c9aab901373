package packet

import "slices"

// maxChain bounds a chain whose packets are looked up one by one.
const maxChain = 10_000

// Chain is a packet with those that it continues, one after another. Nothing in the protocol
// requires a parent to exist, or to be older.
type Chain struct {
	// IDs are the packets, the oldest first. In a cycle, no packet is the oldest: the list begins
	// behind the place where it closes.
	IDs []string

	// Missing is the parent of the first packet if it is not known, otherwise "".
	Missing string

	// Cycle are the packets at the beginning of IDs that continue each other in a circle: the
	// first of them continues the last. A packet that names itself is a cycle of one.
	Cycle []string

	// Cut reports that the chain goes on before IDs, which end at 10,000.
	Cut bool
}

// ChainOf returns the chain of the packet with this id. parent returns the parent of a packet, or
// "", and whether the packet is known. If that of id is not, the chain is empty and Missing is id.
func ChainOf(id string, parent func(id string) (parentID string, known bool)) Chain {
	var c Chain
	place := map[string]int{} // in IDs, which is newest first until the end
	for id != "" {
		if from, again := place[id]; again {
			c.Cycle = slices.Clone(c.IDs[from:])
			slices.Reverse(c.Cycle)
			break
		}
		next, known := parent(id)
		if !known {
			c.Missing = id
			break
		}
		if c.Cut = len(c.IDs) == maxChain; c.Cut {
			break
		}
		place[id] = len(c.IDs)
		c.IDs = append(c.IDs, id)
		id = next
	}
	slices.Reverse(c.IDs)
	return c
}
