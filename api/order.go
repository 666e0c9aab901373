package api

import (
	"strings"

	"ltm/memory"
)

// Order is what a listing is sorted by.
type Order string

// The orders, each with what comes first.
const (
	ByPriority Order = "priority" // the highest
	ByAge      Order = "age"      // the newest
	ByUse      Order = "used"     // the last one used; what never was comes last
	ByTopic    Order = "topic"    // by the alphabet
)

// Orders lists the orders for people.
func Orders() []string {
	return []string{string(ByPriority), string(ByAge), string(ByUse), string(ByTopic)}
}

// ParseOrder accepts an order's name; nothing is [ByPriority].
func ParseOrder(s string) (Order, error) {
	switch order := Order(strings.ToLower(strings.TrimSpace(s))); order {
	case "":
		return ByPriority, nil
	case ByPriority, ByAge, ByUse, ByTopic:
		return order, nil
	}
	return "", memory.Errorf(memory.CodeInvalid, "allowed: "+strings.Join(Orders(), ", "), "%q is not an order", memory.Clip(s, 40))
}
