package api

import "ltm/memory"

// Foreign is a memory that was not written or approved in this clone.
type Foreign struct {
	ID       memory.ID `json:"id"`
	Topic    string    `json:"topic"`
	Changed  bool      `json:"changed"`  // it was, and has been changed elsewhere since
	Archived bool      `json:"archived"` // only in the archives
}

// TrustReport says what comes from elsewhere.
type TrustReport struct {
	Trust   string      `json:"trust"` // the setting
	Foreign []Foreign   `json:"foreign"`
	Total   int         `json:"total"`             // memories and archives in all
	Changed []memory.ID `json:"changed,omitempty"` // approved, or revoked, by this call
}
