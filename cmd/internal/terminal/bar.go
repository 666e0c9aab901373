package terminal

import "strings"

// Bar returns a bar of at most width columns for n of most, in steps of an eighth of a column. What
// is more than nothing is seen.
func Bar(n, most, width int) string {
	if n <= 0 || most <= 0 || width <= 0 {
		return ""
	}
	eighths := max(1, min(n, most)*width*8/most)
	bar := strings.Repeat("█", eighths/8)
	if rest := eighths % 8; rest > 0 {
		bar += string([]rune("▏▎▍▌▋▊▉")[rest-1])
	}
	return bar
}
