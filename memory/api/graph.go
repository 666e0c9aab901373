package api

import "ltm/memory"

// Graph is how memories are linked.
type Graph struct {
	Nodes    []GraphNode  `json:"nodes"`    // by id
	Links    []GraphLink  `json:"links"`    // by their ends and kind
	Cycles   []GraphCycle `json:"cycles"`   // of memories that supersede each other
	Unlinked int          `json:"unlinked"` // active memories that are not in the graph
}

// GraphNode is a memory in a graph.
type GraphNode struct {
	ID             memory.ID         `json:"id"`
	Topic          string            `json:"topic"`
	State          NodeState         `json:"state"`
	Importance     memory.Importance `json:"importance,omitempty"` // empty: normal
	Category       memory.Category   `json:"kind,omitempty"`
	ArchivedReason string            `json:"archived_reason,omitempty"`
	Foreign        bool              `json:"from_elsewhere,omitempty"` // as in [Whose]
}

// NodeState says whether the memory of a node is in sight.
type NodeState string

const (
	NodeActive   NodeState = "active"
	NodeArchived NodeState = "archived" // or out of sight in this clone
	NodeMissing  NodeState = "missing"  // another memory names it, and it does not exist
)

// GraphLink is a link from one memory to another, as the first one's file has it. A dispute or a
// relation that both files have is one link.
type GraphLink struct {
	From memory.ID `json:"from"`
	To   memory.ID `json:"to"`
	Kind LinkKind  `json:"kind"`
}

// LinkKind is the kind of a link.
type LinkKind string

const (
	LinkSupersedes LinkKind = "supersedes"
	LinkDisputes   LinkKind = "disputes"
	LinkRelated    LinkKind = "related"
)

// GraphCycle is a set of memories each of which supersedes all others, directly or not.
type GraphCycle struct {
	IDs []memory.ID `json:"ids"`
}
