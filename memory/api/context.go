package api

import "ltm/memory"

// ContextQuery asks for the block of text that the next session starts with.
type ContextQuery struct {
	Style string // empty: as the settings say
	Agent string // the agent that the session is for; empty: none

	// The effect of other values of the project's settings.
	Budget  int    // tokens; 0: as the settings say
	Whole   *int   // how many memories are shown whole; nil: as the settings say
	Profile string // how use turns into priority; empty: as the settings say
}

// Context is the block of text that the next session starts with.
type Context struct {
	Text       string `json:"text"`       // empty: nothing
	Style      string `json:"style"`      // full or compact
	Characters int    `json:"characters"` // as the client counts them
	Tokens     int    `json:"tokens"`     // an estimate
	Budget     Budget `json:"budget"`

	// Why the block ends where it does: tokens (the budget), client (it shows no more characters),
	// count (as many memories are shown whole as may be), or none.
	Limit string `json:"limit"`

	Whole   int    `json:"-"` // how many memories may be shown whole, as is Profile: for people only
	Profile string `json:"-"`

	Memories []ContextPart `json:"memories"`  // in their order
	NotShown int           `json:"not_shown"` // memories that are neither named nor held back
}

// ContextPart is the share of the block that a memory takes.
type ContextPart struct {
	ID         memory.ID `json:"id"`
	Form       string    `json:"form"` // whole, short (its summary) or title
	Characters int       `json:"characters"`
	Tokens     int       `json:"tokens"`
	Scope      Scope     `json:"scope,omitempty"` // as in Receipt

	Priority float64 `json:"-"` // as it was compared; 0 for a memory of the person
}

// Budget is how large the block may be.
type Budget struct {
	Tokens     int  `json:"tokens"`     // by the settings
	Characters int  `json:"characters"` // that the client shows
	ByClient   bool `json:"by_client"`  // of English text, the client shows fewer tokens than the settings allow
}

// WhyContext describes a memory's place in the block that the next session starts with.
type WhyContext struct {
	Agent  string `json:"agent,omitempty"` // for whose sessions alone it is
	Rank   int    `json:"rank,omitempty"`  // its place in the order of the block, from 1; 0: it is out of sight
	Of     int    `json:"of"`              // the memories in that order
	Form   string `json:"form,omitempty"`  // as in [ContextPart]; empty: it is not shown
	Tokens int    `json:"tokens"`
	Total  int    `json:"total"` // tokens of the block
	Style  string `json:"style"`
	Limit  string `json:"limit"` // as in [Context]
}
