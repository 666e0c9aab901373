package page

import "ltm/text/safe"

// mostTopic is how much of a topic or a passage a list shows, in characters.
const mostTopic = 300

// short is a text in a list.
func short(text string) string { return safe.ClipLine(text, mostTopic) }

// spansOf divides a text into what marks finds and the rest.
func spansOf(text string, marks func(string) [][2]int) []span {
	var out []span
	at := 0
	for _, m := range marks(text) {
		if m[0] < at || m[1] > len(text) || m[0] >= m[1] {
			continue
		}
		if m[0] > at {
			out = append(out, span{Text: text[at:m[0]]})
		}
		out = append(out, span{Text: text[m[0]:m[1]], Hit: true})
		at = m[1]
	}
	if at < len(text) {
		out = append(out, span{Text: text[at:]})
	}
	return out
}
