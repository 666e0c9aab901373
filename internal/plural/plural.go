// Package plural formats numbers with their nouns.
package plural

import "strconv"

// Of returns a number with its noun: "1 memory", "2 memories".
func Of(n int, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return strconv.Itoa(n) + " " + many
}
