package search

// Terms returns the words of a text as other stores may keep them to find the text by: each once, in
// the order of the text, lower case and without accents, inflections reduced to what they have in
// common, and identifiers both in parts and joined.
func Terms(text string) []string {
	return terms(text, func(token) bool { return true })
}

// TermsOf returns the words of a question, of which [Terms] of a matching text has all. Stop words
// are left out, unless there are no others.
func TermsOf(question string) []string {
	found := terms(question, func(t token) bool { return t.kind == plainToken && !isStop(t.word) })
	if len(found) > 0 {
		return found
	}
	return terms(question, func(t token) bool { return t.kind == plainToken })
}

func terms(text string, keep func(token) bool) []string {
	tokens, _ := tokenize(nil, text, 0)
	var out []string
	seen := map[string]bool{}
	for _, t := range tokens {
		if word := stem(t.word); keep(t) && !seen[word] {
			seen[word] = true
			out = append(out, word)
		}
	}
	return out
}
