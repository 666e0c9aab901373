package api

import (
	"strings"

	"ltm/memory"
)

// Scope is whose memories a request is about.
type Scope string

// The scopes. What the empty value means is up to the request.
const (
	ScopeProject Scope = "project" // the project's
	ScopeUser    Scope = "user"    // the person's own, for every project
	ScopeAll     Scope = "all"     // both
)

// Whose says of a memory of the person in an answer that it is theirs. For a project's it is empty.
type Whose struct {
	Scope   Scope `json:"scope,omitempty"`          // ScopeUser
	Foreign bool  `json:"from_elsewhere,omitempty"` // no person has approved it
}

// ParseScope accepts the name of a scope; an empty one stays empty.
func ParseScope(s string) (Scope, error) {
	switch scope := Scope(strings.ToLower(strings.TrimSpace(s))); scope {
	case "", ScopeProject, ScopeUser, ScopeAll:
		return scope, nil
	}
	return "", memory.NewError(memory.CodeInvalid, memory.KindScopeUnknown, s,
		"%s is not a scope; allowed: project, user, all", memory.Quote(s, 40))
}
