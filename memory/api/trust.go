package api

import "ltm/memory"

// Foreign is a memory that was not written or approved in this clone.
type Foreign struct {
	ID       memory.ID `json:"id"`
	Topic    string    `json:"topic"`
	Changed  bool      `json:"changed"`  // it was, but has been changed elsewhere since
	Archived bool      `json:"archived"` // it exists only in the archives

	Signature string `json:"signature,omitempty"` // what its signature proves; empty: it has none
}

// TrustReport lists the foreign memories of a store.
type TrustReport struct {
	Trust    string      `json:"trust"`              // the setting
	Required bool        `json:"required,omitempty"` // the team requires signatures
	Foreign  []Foreign   `json:"foreign"`
	Total    int         `json:"total"`             // number of memories and archives, foreign or not
	Changed  []memory.ID `json:"changed,omitempty"` // approved or revoked by this call
	Approval string      `json:"-"`                 // the name of the approval by this call, for taking it back
}
