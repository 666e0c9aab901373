package memory

import "strconv"

// Quote returns the first characters of s, at most that many, between quotes and with every
// character escaped that cannot be seen, for use inside a message.
func Quote(s string, most int) string {
	count := 0
	for i := range s {
		if count == most {
			return strconv.Quote(s[:i] + "…")
		}
		count++
	}
	return strconv.Quote(s)
}
