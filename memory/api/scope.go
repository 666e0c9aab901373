package api

import (
	"strings"

	"ltm/memory"
)

// Scope is whose memories a request is about.
type Scope string

// The scopes. The meaning of the empty value depends on the request.
const (
	ScopeProject Scope = "project" // the project's
	ScopeUser    Scope = "user"    // the person's own, for every project
	ScopeAll     Scope = "all"     // both
)

// Whose marks a memory in an answer as the person's own, and says where it comes from. It is empty for a project's that
// was written or approved in this clone.
type Whose struct {
	Scope        Scope     `json:"scope,omitempty"`          // ScopeUser
	Foreign      bool      `json:"from_elsewhere,omitempty"` // it was neither written nor approved in this clone
	OverriddenBy memory.ID `json:"overridden_by,omitempty"`  // the project's memory of the same topic, which counts here
}

// String returns it in words, such as "user, from elsewhere", or "".
func (w Whose) String() string {
	var words []string
	if w.Scope != "" {
		words = append(words, string(w.Scope))
	}
	if w.Foreign {
		words = append(words, "from elsewhere")
	}
	if w.OverriddenBy != "" {
		words = append(words, "overridden by "+string(w.OverriddenBy))
	}
	return strings.Join(words, ", ")
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
