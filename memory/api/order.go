package api

import (
	"strings"

	"ltm/memory"
)

// Order is what a listing is sorted by.
type Order string

const (
	ByPriority Order = "priority" // highest first
	ByAge      Order = "age"      // newest first
	ByUse      Order = "used"     // most recently used first, never used last
	ByTopic    Order = "topic"    // alphabetical
)

// Orders lists the names of the orders.
func Orders() []string {
	return []string{string(ByPriority), string(ByAge), string(ByUse), string(ByTopic)}
}

// ParseOrder accepts the name of an order; an empty one is [ByPriority].
func ParseOrder(s string) (Order, error) {
	switch order := Order(strings.ToLower(strings.TrimSpace(s))); order {
	case "":
		return ByPriority, nil
	case ByPriority, ByAge, ByUse, ByTopic:
		return order, nil
	}
	return "", memory.NewError(memory.CodeInvalid, memory.KindOrderUnknown, s,
		"%s is not an order; allowed: %s", memory.Quote(s, 40), strings.Join(Orders(), ", "))
}
