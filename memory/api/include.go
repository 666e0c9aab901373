package api

import (
	"strings"

	"ltm/memory"
)

// Include is the part of a store that a query or a listing covers.
type Include string

// The parts. The empty value is [IncludeActive].
const (
	IncludeActive   Include = "active"
	IncludeArchives Include = "archives" // memories that were archived, reduced, or have faded out of sight
	IncludeAll      Include = "all"      // both, each memory once
)

// ParseInclude accepts the name of a part; an empty one is [IncludeActive].
func ParseInclude(s string) (Include, error) {
	switch part := Include(strings.ToLower(strings.TrimSpace(s))); part {
	case "":
		return IncludeActive, nil
	case IncludeActive, IncludeArchives, IncludeAll:
		return part, nil
	}
	return "", memory.NewError(memory.CodeInvalid, memory.KindIncludeUnknown, s,
		"%s cannot be included; allowed: active, archives, all", memory.Quote(s, 40))
}
