// Package search finds memories by a question in plain words.
//
// An [Index] holds the words of every [Doc]; [Parse] turns what was asked into
// a [Query]; [Index.Search] returns the documents that answer it, best first.
// [Snippet] picks the passage of a text that answers a query; a [Likeness] says
// how much two texts say the same.
// [Index.Encode] and [Decode] carry an index over to the next process.
//
// # What matches
//
// A document matches when any word of the query, in any inflection, stands in
// its topic, its tags or its content: words are never all required, since a
// question always has some that its answer lacks. Words that carry no subject
// ("how", "the", "does") only order what other words have found. A word that
// no document holds in any inflection is taken for the nearest spellings, and for
// the words that it begins: perf for performance. A query of nothing but words
// without a subject finds nothing.
//
// # Query syntax
//
//	connection pool     words, any of them, in any inflection
//	"connection pool"   a phrase: only documents with these words in a row; where
//	                    there is none, its words count like any others
//	tag:postgres        only documents with this tag; several must all be there
//	-redis              not documents with this word; but flags of a command are
//	                    words: -p, --force, -x=y, and -race where a document has it
//	id:mem_1a2b3c4d     only this document; several add up
//
// # Order
//
// The score is BM25 over one bag of words per document (the topic counts more),
// with an extra for the very form that was asked and for words that stand close
// together. It is then divided by what a document with every word of the query
// would score, so 0..1 means the same for every query, see [Hit]. Orders are
// total: equal scores are ordered by age, newest first, then by ID.
//
// # Contract
//
// The package is pure: it reads no files and no clock, and does not change what
// it is given. Any number of Searches may run at the same time; Put, Delete
// and Encode need the index for themselves, the caller holds a lock.
//
// It will not rewrite, translate or understand: there are no synonyms, no word
// vectors and no learning from what is found.
package search
