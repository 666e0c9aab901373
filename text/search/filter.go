package search

import "slices"

// filter bars the documents that the query's syntax excludes.
func (s *search) filter() {
	tags := s.q.Tags
	if s.o.Tag != "" {
		tags = append(tags[:len(tags):len(tags)], s.o.Tag)
	}
	for _, tag := range tags {
		base, made := s.x.number(tagKey(tag))
		s.allow(s.x.lists(base, made))
	}
	if len(s.q.IDs) > 0 {
		s.allowIDs()
	}
	s.filtered = s.filtered || len(s.q.Kinds) > 0
	for _, word := range s.q.Not {
		if s.isFlag(word) {
			s.text += " -" + word
			continue
		}
		s.bar(word)
	}
	for _, text := range s.q.Phrases {
		s.phrase(text)
	}
}

// number returns the numbers of a word in both parts of the index, each -1 if absent.
func (x *Index) number(key string) (base, made int) {
	base, made = -1, -1
	if i, ok := x.base.words.find(key); ok {
		base = i
	}
	if i, ok := x.fresh.byKey[key]; ok {
		made = int(i)
	}
	return base, made
}

// allow bars all documents that are in none of the lists.
func (s *search) allow(lists []list) {
	s.filtered = true
	in := make([]bool, len(s.x.ids))
	for _, l := range lists {
		c := l.cursor()
		for c.next() {
			in[c.slot] = true
		}
	}
	for slot := range in {
		s.barred[slot] = s.barred[slot] || !in[slot]
	}
}

func (s *search) allowIDs() {
	s.filtered = true
	for slot, id := range s.x.ids {
		ok := false
		for _, want := range s.q.IDs {
			ok = ok || id == want
		}
		s.barred[slot] = s.barred[slot] || !ok
	}
}

// isFlag reports whether some document contains -word. Then it is not an exclusion but a flag of a
// command.
func (s *search) isFlag(word string) bool {
	base, made := s.x.number(flagWord(word))
	return base+made > -2 && s.x.stands(base, made)
}

// bar bars the documents that contain a word, in any inflection.
func (s *search) bar(word string) {
	tokens, _ := tokenize(nil, word, 0)
	if len(tokens) == 0 {
		return
	}
	s.filtered = true
	t := &term{word: tokens[len(tokens)-1].word}
	t.stem = stem(t.word)
	s.x.resolve(t)
	for _, l := range t.lists {
		c := l.cursor()
		for c.next() {
			s.barred[c.slot] = true
		}
	}
}

// phrase bars the documents without the words of text in sequence and in these forms, unless that
// would bar all of them, because people misquote from memory.
func (s *search) phrase(text string) {
	tokens, _ := tokenize(nil, text, 0)
	tokens = slices.DeleteFunc(tokens, func(t token) bool { return t.kind == joinedToken })
	if len(tokens) < 2 {
		return
	}
	starts := s.starts(tokens[0].word, nil, 0)
	for _, t := range tokens[1:] {
		starts = s.starts(t.word, starts, uint32(t.pos-tokens[0].pos))
	}
	if len(starts) == 0 {
		return
	}
	s.filtered, s.quoted = true, true
	for slot := range s.x.ids {
		if _, ok := starts[uint32(slot)]; !ok {
			s.barred[slot] = true
		}
	}
}

// starts returns, by slot, those positions in may at which a phrase can start so that word is at
// the given offset from its start. A nil may allows all positions.
func (s *search) starts(word string, may map[uint32][]uint32, offset uint32) map[uint32][]uint32 {
	out := make(map[uint32][]uint32)
	for _, l := range s.x.lists(s.x.number(word)) {
		c := l.cursor()
		for c.next() {
			begins, ok := may[c.slot]
			if s.x.dead[c.slot] || may != nil && !ok {
				continue
			}
			places := c.positions(nil)
			if may != nil {
				places = slices.DeleteFunc(begins, func(p uint32) bool { return !slices.Contains(places, p+offset) })
			}
			if len(places) > 0 {
				out[c.slot] = places
			}
		}
	}
	return out
}
