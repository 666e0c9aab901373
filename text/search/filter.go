package search

import (
	"cmp"
	"slices"
	"strings"
	"time"
)

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

// isFlag reports whether some document contains -word. Then it is not an exclusion but a flag of a command.
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

// dateWords spells a date in the ways in which people ask for it: in words, and as the joined forms
// of 2006-01-02 and 2006-01.
func dateWords(t time.Time) string {
	if t.IsZero() {
		return ""
	}
	return t.Format("2 January 2006 20060102 200601")
}

// isoDate returns the month and the day of a joined 2006-01-02 in words, so that "in January" finds
// it. The month is empty if joined is not a date.
func isoDate(joined string) (month, day string) {
	if len(joined) != 8 || joined[:2] != "19" && joined[:2] != "20" {
		return "", ""
	}
	t, err := time.Parse("20060102", joined)
	if err != nil {
		return "", ""
	}
	return strings.ToLower(t.Month().String()), t.Format("2")
}

// isMonth reports whether "may" is the month and not the verb, judging by the words next to it.
func isMonth(tokens []token, i int) bool {
	if tokens[i].word != "may" {
		return false
	}
	if i+1 < len(tokens) && isNumber(tokens[i+1].word) {
		return true
	}
	if i == 0 {
		return false
	}
	switch before := tokens[i-1].word; before {
	case "in", "of", "since", "until", "by", "during", "before", "after", "last", "next", "early", "mid", "late":
		return true
	default:
		return isNumber(before)
	}
}

func isNumber(word string) bool {
	return word != "" && !strings.ContainsFunc(word, func(r rune) bool { return !isDigit(r) })
}

// maxInsert is the number of hits up to which insertion is faster than sorting.
const maxInsert = 128

// first returns the first n candidates in order. Sorting all of them could cost more than finding them.
func (s *search) first(found []candidate, n int) []candidate {
	if n > maxInsert {
		slices.SortFunc(found, s.compare)
		return found[:n]
	}
	top := make([]candidate, 0, n)
	for _, c := range found {
		if len(top) == n && s.compare(top[n-1], c) < 0 {
			continue
		}
		at, _ := slices.BinarySearchFunc(top, c, s.compare)
		if len(top) == n {
			top = top[:n-1]
		}
		top = slices.Insert(top, at, c)
	}
	return top
}

// partition moves the n candidates with the highest raw score to the front; ties are decided as in compare.
func (s *search) partition(found []candidate, n int) {
	ahead := func(a, b candidate) bool {
		return a.raw > b.raw || a.raw == b.raw && s.compareTies(a, b) < 0
	}
	for lo, hi := 0, len(found); hi-lo > 1; {
		pivot := found[(lo+hi)/2]
		i, j := lo, hi-1
		for i <= j {
			for ahead(found[i], pivot) {
				i++
			}
			for ahead(pivot, found[j]) {
				j--
			}
			if i <= j {
				found[i], found[j] = found[j], found[i]
				i, j = i+1, j-1
			}
		}
		switch {
		case n <= j:
			hi = j + 1
		case n >= i:
			lo = i
		default:
			return
		}
	}
}

func (s *search) compare(a, b candidate) int {
	if a.order != b.order {
		return cmp.Compare(b.order, a.order)
	}
	if a.score != b.score {
		return cmp.Compare(b.score, a.score)
	}
	return s.compareTies(a, b)
}

// compareTies orders equally good candidates: newest first, then by ID.
func (s *search) compareTies(a, b candidate) int {
	if x, y := s.x.created[a.slot], s.x.created[b.slot]; x != y {
		return cmp.Compare(y, x)
	}
	return cmp.Compare(s.x.ids[a.slot], s.x.ids[b.slot])
}
