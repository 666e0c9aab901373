package packet

import (
	"slices"
	"strings"
)

// maxChain bounds a chain whose packets are looked up one by one.
const maxChain = 10_000

// Link is what a chain is made of: a packet, and the one that it continues, or "".
type Link struct {
	ID, ParentID string
}

// Link returns the packet's link.
func (p *Packet) Link() Link { return Link{ID: p.ID, ParentID: p.ParentID} }

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

	// Joins is the parent of the first packet if another chain of [Chains] has it, otherwise "".
	Joins string

	// Cut reports that the chain of [ChainOf] goes on before IDs, which end at 10,000.
	Cut bool
}

// ChainOf returns the chain of the packet with this id. parent returns the parent of a packet, or
// "", and whether the packet is known. If that of id is not, the chain is empty and Missing is id.
func ChainOf(id string, parent func(id string) (parentID string, known bool)) Chain {
	return follow(id, maxChain, parent, nil)
}

// follow returns the chain of a packet, up to a packet in others.
func follow(id string, most int, parent func(string) (string, bool), others map[string]bool) Chain {
	var c Chain
	place := map[string]int{} // in IDs, which is newest first until the end
	for id != "" {
		if from, again := place[id]; again {
			c.Cycle = slices.Clone(c.IDs[from:])
			slices.Reverse(c.Cycle)
			break
		}
		if others[id] {
			c.Joins = id
			break
		}
		next, known := parent(id)
		if !known {
			c.Missing = id
			break
		}
		if c.Cut = len(c.IDs) == most; c.Cut {
			break
		}
		place[id] = len(c.IDs)
		c.IDs = append(c.IDs, id)
		id = next
	}
	slices.Reverse(c.IDs)
	return c
}

// Chains returns the chains of all packets: one for each packet that no other continues, and one
// for each cycle that no such packet leads to, with its greatest id last. They are in the order of
// their last ids, the greatest first: of ULIDs, the newest. Each packet is in one chain: where work
// was continued twice, the second of the two chains joins the first. Of links with the same id,
// the first counts, and one without an id does not.
func Chains(links []Link) []Chain {
	parents := make(map[string]string, len(links))
	continued := map[string]bool{}
	var ids []string
	for _, l := range links {
		if _, twice := parents[l.ID]; twice || l.ID == "" {
			continue
		}
		parents[l.ID] = l.ParentID
		ids = append(ids, l.ID)
		continued[l.ParentID] = true
	}
	slices.SortFunc(ids, func(a, b string) int { return strings.Compare(b, a) })
	parent := func(id string) (string, bool) {
		p, known := parents[id]
		return p, known
	}
	var chains []Chain
	taken := map[string]bool{}
	add := func(id string) {
		c := follow(id, len(ids), parent, taken)
		for _, id := range c.IDs {
			taken[id] = true
		}
		chains = append(chains, c)
	}
	for _, id := range ids {
		if !continued[id] {
			add(id)
		}
	}
	for _, id := range ids {
		if !taken[id] { // in a cycle that nothing leads to, perhaps alone
			add(id)
		}
	}
	slices.SortStableFunc(chains, func(a, b Chain) int { return strings.Compare(b.tip(), a.tip()) })
	return chains
}

// tip returns the newest packet of a chain.
func (c *Chain) tip() string { return c.IDs[len(c.IDs)-1] }
