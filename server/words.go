package server

import (
	"ltm/packet"
	"ltm/text/search"
)

// maxQueryWords bounds how many words a list is filtered by. The rest of a longer text is ignored.
const maxQueryWords = 16

// Words returns the words that the text filter finds a packet by: those of all its texts.
func Words(p *packet.Packet) []string {
	var words []string
	seen := map[string]bool{}
	for _, text := range p.Texts() {
		for _, word := range search.Terms(text.Value) {
			if !seen[word] {
				seen[word] = true
				words = append(words, word)
			}
		}
	}
	return words
}

// wordsOf returns the words that a packet must have to be found by a text.
func wordsOf(text string) []string {
	words := search.TermsOf(text)
	return words[:min(len(words), maxQueryWords)]
}
