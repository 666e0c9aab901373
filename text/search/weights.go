package search

// The constants of the score. They were chosen on four sets of questions with known answers. The
// score is flat around them: k1 from 0.8 to 1.2, bLen from 0.7 to 0.9, and one step up or down in
// the weights of stop words, exact forms, joined forms, proximity and other spellings each changed
// the mean nDCG@10 by less than 0.004.
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

	// floor is the minimum score of a hit, unless it contains a word of the query in the form that
	// was asked for.
	floor = 0.1

	// maxTerms is the number of words of a query that are looked up, the rarest first: a pasted log
	// must not cost more than a question.
	maxTerms = 32
	// maxFuzzy is the number of unknown words of a query for which other words are used, and
	// maxSpellings the number of other spellings, and of longer words, used for each.
	maxFuzzy     = 6
	maxSpellings = 4
)
