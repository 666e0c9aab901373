// Package search finds memories by a question in plain words.
//
// An [Index] holds the words of every [Doc]; [Parse] turns a question into a [Query]; [Index.Search] returns the
// matching documents, best first. [Snippet] picks the passage of a text that answers a query; a [Likeness] measures how
// similar two texts are. [Index.Encode] and [Decode] store an index for later processes.
//
// # What matches
//
// A document matches if its topic, tags, aliases or content contain any word of the query, in any inflection. Not all
// words are required, because a question always has some that its answer lacks. Stop words ("how", "the", "does") do
// not match by themselves; they only affect the order. A word that no document contains in any inflection is replaced
// by the nearest spellings, and by the words that begin with it: perf finds performance. A query of only stop words
// finds nothing.
//
// # Query syntax
//
//	connection pool     words, any of them, in any inflection
//	"connection pool"   a phrase: only documents with these words in sequence; if
//	                    there are none, its words count like any others
//	tag:postgres        only documents with this tag; several are all required
//	kind:learnings      only documents of this kind, which the caller knows; of several any
//	-redis              not documents with this word; but flags of a command are
//	                    words: -p, --force, -x=y, and -race if a document has it
//	id:mem_1a2b3c4d     only this document; several select any of them
//
// # Order
//
// The score is BM25F over two bags of words per document, one for its aliases and one, in which the topic counts more,
// for the rest, plus a bonus for the exact form in the query and for words that are close together. It is then divided
// by the score of a document with every word of the query, so that 0..1 means the same for every query; see [Hit]. The
// order is total: equal scores are ordered by age, newest first, then by ID.
//
// # Contract
//
// The package is pure: it reads no files and no clock, and does not change its arguments. Any number of Searches may
// run concurrently; Put, Delete and Encode need exclusive access, so the caller holds a lock.
//
// It does not rewrite, translate or understand questions: there are no synonyms and no word vectors. Callers supply
// aliases that were learned from use; see [Doc].
package search
