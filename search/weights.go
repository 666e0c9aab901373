package search

// The numbers that make up a score. They were chosen on four sets of questions
// with known answers and are flat around their values: k1 from 0.8 to 1.2, bLen
// from 0.7 to 0.9, and the weights of stop words, of the exact form, of joined
// forms, of closeness and of other spellings one step up or down each changed
// the mean nDCG@10 by less than 0.004.
const (
	// BM25: how fast further occurrences count less, and how much a long
	// document has to hold a word more often. Memories are short and to the
	// point, so a repetition says a little less than in BM25's usual 1.2, and
	// length a little more than in its usual 0.75.
	k1   = 1.0
	bLen = 0.8

	// stopWeight is what a word without a subject counts: enough to order
	// "to the cache" and "from the cache", too little to find anything.
	stopWeight = 0.2

	// exactWeight is the extra for the very form that was asked, over any
	// other inflection.
	exactWeight = 0.15

	// joinedWeight is what the joined form of an identifier counts next to its
	// parts, which count as well.
	joinedWeight = 0.25

	// fuzzyWeight is what another spelling of an unknown word, or a word that
	// it begins, counts at best; a second edit costs another factor.
	fuzzyWeight = 0.9

	// proximityWeight is the extra for two neighbours of the query that are
	// neighbours in the document, in parts of what the words score.
	proximityWeight = 0.3
	proximityWindow = 8
	// proximityBest is how many of the best documents are looked at for it.
	proximityBest = 100

	// priorWeight is what the caller's prior can add: enough to order what is
	// about as relevant, never to lift a memory over a better answer.
	priorWeight = 0.02

	// steepness of the curve that brings sums of words to 0..1.
	steepness = 1.5

	// floor is the score under which a document is no find, unless it holds a
	// word of the query as it was asked.
	floor = 0.1

	// maxTerms of a query are looked up, the rarest first: a pasted log must
	// not cost more than a question.
	maxTerms = 32
	// maxFuzzy unknown words of a query are matched to other words, and
	// maxSpellings other spellings and as many longer words are taken for one.
	maxFuzzy     = 6
	maxSpellings = 4
)
