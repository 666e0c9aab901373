package search

import (
	"iter"
	"slices"
	"strings"
	"sync"
	"time"
)

// Doc is a document that can be found: one memory.
type Doc struct {
	ID      string
	Topic   string
	Content string
	Tags    []string
	Created time.Time // zero if unknown

	Aliases []string // other names of it, and questions that it answers
	Learned []string // questions that it answered, which count less

	// After is the ID of a document of the index that this one follows, such as the message before it. It comes
	// between that one and the one that followed it. Documents that follow one another are ranked with the words of
	// their neighbors, at half their weight. [Index.Encode] does not keep it.
	After string
}

// Index holds documents for searching. Put and Delete take time proportional to the document.
// Search, Len and All may be called concurrently; all other methods need exclusive access.
//
// Documents have slots. Replacing or deleting a document leaves a dead slot, and too many of them
// are removed together. Slots below base.docs belong to the frozen part, which is read in place
// from encoded bytes; the others belong to the fresh part.
type Index struct {
	base  frozen
	fresh fresh

	ids     []string
	lengths []uint32 // weighted number of words in a document, in halves
	aliased []uint32 // length of an alias of it, in aliasUnits of a word; 0 if it has none
	created []int64  // Unix seconds; 0 if unknown
	dead    []bool

	slots   map[string]uint32 // of live documents; nil until first needed
	live    int
	links   links
	scratch sync.Pool
	norms   keptNorms
}

// fresh is the growable part of an index.
type fresh struct {
	words   []freshWord
	letters []uint32            // of the words, see letters; 0 for tags
	byKey   map[string]uint32   // word to its index in words
	stems   map[string][]uint32 // stem to the indexes of its words
}

type freshWord struct {
	key  string
	last uint32 // slot of the last posting
	data []byte
}

func New() *Index { return &Index{} }

func (x *Index) Len() int { return x.live }

// All yields the IDs of all documents, in no particular order.
func (x *Index) All() iter.Seq[string] {
	return func(yield func(string) bool) {
		for slot, id := range x.ids {
			if !x.dead[slot] && !yield(id) {
				return
			}
		}
	}
}

// Put adds a document, or replaces the one with its ID.
func (x *Index) Put(d Doc) {
	x.Delete(d.ID)
	slot := uint32(len(x.ids))
	words, aliased := docWords(d)
	length := x.fresh.add(slot, uint32(x.base.docs), words)
	x.ids = append(x.ids, strings.Clone(d.ID))
	x.lengths = append(x.lengths, length)
	x.aliased = append(x.aliased, aliased)
	x.created = append(x.created, unixOrZero(d.Created))
	x.dead = append(x.dead, false)
	x.follow(slot, d.After)
	x.slots[d.ID] = slot
	x.live++
}

func unixOrZero(t time.Time) int64 {
	if t.IsZero() {
		return 0
	}
	return t.Unix()
}

// minDead is the number of dead slots that is always tolerated: removing them rewrites the index.
const minDead = 256

// Delete removes a document. An unknown ID is not an error.
func (x *Index) Delete(id string) {
	x.needSlots()
	slot, ok := x.slots[id]
	if !ok {
		return
	}
	delete(x.slots, id)
	x.dead[slot] = true
	x.links.leave(slot)
	x.live--
	if dead := len(x.ids) - x.live; dead > minDead && dead > x.live {
		x.Compact()
	}
}

// needSlots builds the map that only changes need, so that a process which reads a cache and
// searches once does not pay for it.
func (x *Index) needSlots() {
	if x.slots != nil {
		return
	}
	x.slots = make(map[string]uint32, len(x.ids))
	for slot, id := range x.ids {
		if !x.dead[slot] {
			x.slots[id] = uint32(slot)
		}
	}
}

// Compact removes what deleted documents left and takes the least memory that the index can do with. It takes as long
// as encoding the index. Put and Delete compact when it pays.
func (x *Index) Compact() {
	y, err := Decode(x.Encode())
	if err != nil {
		return // impossible for bytes from Encode; dead slots only cost time
	}
	x.links = x.links.without(x.dead)
	x.base, x.fresh = y.base, y.fresh
	x.ids, x.lengths, x.aliased, x.created, x.dead = y.ids, y.lengths, y.aliased, y.created, y.dead
	x.slots, x.norms.norms = nil, nil
	x.needSlots()
}

// docWord is a word of a document with its positions.
type docWord struct {
	key       string
	count     uint32 // weighted, in halves, outside of aliases
	alias     uint32 // weighted, in aliases
	positions []uint32
}

// fieldGap separates the positions of fields, so that no phrase spans two fields.
const fieldGap = 16

// tagKey returns the key that lists the documents with a tag. No word contains a NUL.
func tagKey(tag string) string {
	return "\x00" + strings.ToLower(strings.TrimSpace(tag))
}

// docWords returns the words of a document, including its tags as keys and its date as words, and
// the length of its alias field.
func docWords(d Doc) (words []docWord, aliased uint32) {
	tokens, pos := tokenize(nil, d.Topic, 0)
	topic := len(tokens)
	for _, tag := range d.Tags {
		tokens, pos = tokenize(tokens, tag, pos+fieldGap)
	}
	tokens, pos = tokenize(tokens, d.Content, pos+fieldGap)
	tokens, pos = tokenize(tokens, dateWords(d.Created), pos+fieldGap)
	words = make([]docWord, 0, len(tokens)+len(d.Tags))
	at := make(map[string]int, len(tokens))
	for i, t := range tokens {
		w, ok := at[t.word]
		if !ok {
			w = len(words)
			at[t.word] = w
			words = append(words, docWord{key: t.word})
		}
		weight := uint32(half)
		if i < topic {
			weight = topicHalves
		}
		words[w].count += weight
		words[w].add(uint32(t.pos))
	}
	if len(d.Aliases)+len(d.Learned) > 0 {
		words, aliased = appendAliases(words, at, d, pos)
	}
	return appendTags(words, d.Tags), aliased
}

// add adds a position, unless the word has many.
func (w *docWord) add(pos uint32) {
	if len(w.positions) == maxPositions {
		return
	}
	w.positions = append(w.positions, pos)
	for i := len(w.positions) - 1; i > 0 && w.positions[i] < w.positions[i-1]; i-- {
		w.positions[i], w.positions[i-1] = w.positions[i-1], w.positions[i] // a joined form comes after its parts
	}
}

// appendTags appends each distinct tag under its key.
func appendTags(words []docWord, tags []string) []docWord {
	from := len(words)
	for _, tag := range tags {
		key := tagKey(tag)
		known := func(w docWord) bool { return w.key == key }
		if len(key) > 1 && len(key) <= maxWord && !slices.ContainsFunc(words[from:], known) {
			words = append(words, docWord{key: key})
		}
	}
	return words
}

// add appends the words of a document to their postings and returns the document's length.
func (f *fresh) add(slot, base uint32, words []docWord) (length uint32) {
	if f.byKey == nil {
		f.byKey = make(map[string]uint32)
		f.stems = make(map[string][]uint32)
	}
	for _, w := range words {
		i, ok := f.byKey[w.key]
		if !ok {
			i = f.newWord(w.key, base)
		}
		word := &f.words[i]
		word.data = appendPosting(word.data, slot-word.last, w.count, w.alias, w.positions)
		word.last = slot
		length += w.count
	}
	return length
}

func (f *fresh) newWord(key string, base uint32) uint32 {
	key = strings.Clone(key) // a key must not keep a document's text in memory
	i := uint32(len(f.words))
	f.words = append(f.words, freshWord{key: key, last: base})
	f.byKey[key] = i
	s, has := key, uint32(0)
	if key[0] != 0 {
		s, has = stem(key), letters(key)
	}
	f.letters = append(f.letters, has)
	f.stems[s] = append(f.stems[s], i)
	return i
}

// Size estimates the memory that the index uses, in bytes.
func (x *Index) Size() int {
	const perDoc, perSlot, perWord = 80, 32, 200 // with their entries in maps
	size := len(x.ids)*perDoc + len(x.slots)*perSlot + len(x.fresh.words)*perWord +
		len(x.base.words.keys) + len(x.base.words.ends) + len(x.base.words.values) +
		len(x.base.stems.keys) + len(x.base.stems.ends) + len(x.base.stems.values) + 8*cap(x.links.before)
	for i := range x.fresh.words {
		size += cap(x.fresh.words[i].data)
	}
	return size
}
