package search

// isStop reports whether a word says nothing about a subject. Such words find nothing themselves;
// they only order what other words have found.
func isStop(word string) bool {
	switch word {
	case "a", "an", "the", "this", "that", "these", "those",
		"i", "me", "my", "we", "us", "our", "you", "your", "he", "him", "his", "she", "her",
		"it", "its", "they", "them", "their", "one", "ones",
		"is", "am", "are", "was", "were", "be", "been", "being",
		"do", "does", "did", "doing", "done", "have", "has", "had", "having",
		"can", "could", "should", "would", "will", "shall", "may", "might", "must",
		"dont", "doesnt", "didnt", "cant", "cannot", "wont", "isnt", "arent", "im", "ive", "youre", "whats", "theres",
		"and", "or", "but", "nor", "if", "then", "else", "than", "so", "as", "because", "while",
		"of", "at", "by", "for", "with", "without", "about", "into", "through", "to", "from", "in", "on",
		"off", "out", "over", "under", "up", "down", "between", "during",
		"what", "which", "who", "whom", "whose", "when", "where", "why", "how",
		"there", "here", "again", "once", "any", "some", "all", "both", "each", "such",
		"please", "thanks", "thank", "ok", "okay", "yes",
		"no", "not", "only", "own", "same", "too", "very", "just", "also", "let", "lets",
		"s", "t", "d", "ll", "m", "re", "ve":
		return true
	}
	return false
}
