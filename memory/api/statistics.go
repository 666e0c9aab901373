package api

// Statistics counts the memories of a store by what they are, and what they cost of the context.
// Tokens are estimates: 3.5 characters each.
type Statistics struct {
	Memories int         `json:"memories"`
	Archives int         `json:"archives"`
	Tokens   int         `json:"tokens"` // of the memories' files
	Context  ContextSize `json:"context"`
	Uses     Uses        `json:"uses"` // of all memories
	Groups   []StatGroup `json:"groups"`
	Days     []DayCount  `json:"days,omitempty"` // the oldest first; not of the person's own store alone
}

// DayCount counts the events of one day in this clone. Days without events are left out.
type DayCount struct {
	Day      string `json:"day"`      // such as 2026-03-01, in the zone of the machine
	Sessions int    `json:"sessions"` // that began
	Prompts  int    `json:"prompts"`  // that got memories
}

// ContextSize is the size of the block that the next session starts with.
type ContextSize struct {
	Style      string `json:"style"`
	Characters int    `json:"characters"`
	Tokens     int    `json:"tokens"`
	Memories   int    `json:"memories"` // that it names
	Budget     Budget `json:"budget"`
	Limit      string `json:"limit"` // as in [Context]
}

// StatGroup counts memories by one of their properties.
type StatGroup struct {
	By    string     `json:"by"` // scope, kind, importance, phase, age, use, uses, marks or archives
	Parts []StatPart `json:"parts"`
}

// StatPart counts the memories of which something is so. A memory can have several uses and marks,
// and is in one part of every other group.
type StatPart struct {
	Name          string `json:"name"`
	Memories      int    `json:"memories"`
	Tokens        int    `json:"tokens"`         // of their files
	ContextTokens int    `json:"context_tokens"` // that they take of the next session's context
}
