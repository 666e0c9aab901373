package search

import "math"

// Aliases are a field of their own, as in BM25F: an occurrence of a word in an alias counts as several in the text of
// a document, by the weight of the field and by the lengths of both. An alias is an alternative, so the length of the
// field is that of one alias, whatever their number.

const (
	// aliasUnits is what an occurrence of a word in a written alias counts, and learnedUnits what a word of learned
	// aliases counts, in however many of them it is: learned ones are not read by a person, so they must not outweigh
	// a document that has the words itself. Learned words have no positions, so no phrase and no proximity either.
	aliasUnits   = 6
	learnedUnits = 1

	// factorUnits makes the factors of alias counts multiples of a power of two, so that sums of counts are exact in
	// any order.
	factorUnits = 64
)

// appendAliases adds the words of a document's aliases to its words, of which at has the indexes, and returns the
// length of its alias field.
func appendAliases(words []docWord, at map[string]int, d Doc, pos int) (_ []docWord, length uint32) {
	var tokens []token
	place := func(t token) *docWord {
		i, ok := at[t.word]
		if !ok {
			i = len(words)
			at[t.word] = i
			words = append(words, docWord{key: t.word})
		}
		return &words[i]
	}
	for _, alias := range d.Aliases {
		tokens, pos = tokenize(tokens[:0], alias, pos+fieldGap)
		for _, t := range tokens {
			w := place(t)
			w.alias += aliasUnits
			w.add(uint32(t.pos))
		}
		length += uint32(len(tokens))
	}
	learned := make(map[string]bool)
	for _, alias := range d.Learned {
		tokens, _ = tokenize(tokens[:0], alias, 0)
		for _, t := range tokens {
			if !learned[t.word] {
				learned[t.word] = true
				place(t).alias += learnedUnits
			}
		}
		length += uint32(len(tokens))
	}
	if length > 0 {
		length = max(1, length*aliasUnits/uint32(len(d.Aliases)+len(d.Learned)))
	}
	return words, length
}

// Alias returns the alias that has most of the query's words, the first of several; "" if none has one that is not a
// stop word.
func (p Snippets) Alias(aliases []string) string {
	best, found := 0.0, ""
	for _, alias := range aliases {
		m := newMatcher(p.words, textOf([]sentence{{text: alias}}))
		if worth := m.weigh(m.found[0]); m.subject[0] && worth > best {
			best, found = worth, alias
		}
	}
	return found
}

// aliasFactors returns by slot what an alias unit counts, in halves of a word of the document's text.
func (x *Index) aliasFactors(bySlot []float64, k1 float64) []float32 {
	sum, n := 0.0, 0
	for slot, length := range x.aliased {
		if length > 0 && !x.dead[slot] {
			sum += float64(length)
			n++
		}
	}
	if n == 0 {
		return nil
	}
	mean := sum / float64(n)
	factors := make([]float32, len(x.aliased))
	for slot, length := range x.aliased {
		if length > 0 {
			ratio := max(aliasFloor, 1-bLen+bLen*float64(length)/mean)
			f := aliasWeight * half / aliasUnits * bySlot[slot] / k1 / ratio
			factors[slot] = float32(math.Round(f*factorUnits) / factorUnits)
		}
	}
	return factors
}
