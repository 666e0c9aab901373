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

// The constants of the score. They were chosen on four sets of questions with known answers. The score is flat around
// them: k1 from 0.8 to 1.2, bLen from 0.7 to 0.9, and one step up or down in the weights of stop words, exact forms,
// joined forms, proximity and other spellings each changed the mean nDCG@10 by less than 0.004.
const (
	// BM25: k1 is how fast further occurrences lose weight, and bLen how much the length of a
	// document counts against it. Memories are short and to the point, so a repetition says a
	// little less than with BM25's usual 1.2, and length a little more than with its usual 0.75.
	k1   = 1.0
	bLen = 0.8

	// aliasWeight is what a word of an alias of mean length counts in a document of mean length: as much as one of
	// the topic. It was chosen on every second question of a fifth set, whose documents were described by several
	// people: from 1.25 to 2 the mean nDCG@10 changed by less than 0.02, and on the other questions as well.
	aliasWeight = 1.5
	// aliasFloor bounds how much more a word of a short alias counts.
	aliasFloor = 0.7

	// stopWeight is the weight of a stop word: enough to order "to the cache" and "from the cache",
	// too little to find anything.
	stopWeight = 0.2

	// exactWeight is the bonus for the exact form that was asked for, over any other inflection.
	exactWeight = 0.15

	// joinedWeight is the weight of the joined form of an identifier, in addition to its parts.
	joinedWeight = 0.25

	// singleWeight is the weight of a character of a script without spaces beside the pairs that it is part of.
	singleWeight = 0.5
	// hiraganaWeight is the weight of what has no other characters.
	hiraganaWeight = 0.25

	// fuzzyWeight is the weight of another spelling of an unknown word, or of a word that begins
	// with it; a second edit multiplies by it again.
	fuzzyWeight = 0.9

	// proximityWeight is the bonus for two neighbors in the query that are also neighbors in the
	// document, relative to the score of the words.
	proximityWeight = 0.3
	proximityWindow = 8
	// proximityBest is the number of best documents that are checked for it.
	proximityBest = 100

	// priorWeight is the most that the caller's prior adds: enough to order documents of similar
	// relevance, never to lift a memory over a better answer.
	priorWeight = 0.02

	// steepness of the curve that maps sums of words to 0..1.
	steepness = 1.5

	// floor is the minimum score of a hit, unless it contains a word of the query in the form that was asked for.
	floor = 0.1

	// maxTerms is the number of words of a query that are looked up, those first that say most about it: a pasted log
	// must not cost more than a question.
	maxTerms = 32
	// repeatedWeight is what a word that a long text repeats gains over one that it has once, for each unit of the
	// logarithm. It was chosen on the first half of the prompts of a project's sessions; 0.25 to 1 did as well on both.
	repeatedWeight = 0.5
	// maxFuzzy is the number of unknown words of a query for which other words are used, and
	// maxSpellings the number of other spellings, and of longer words, used for each.
	maxFuzzy     = 6
	maxSpellings = 4
)
