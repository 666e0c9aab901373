package memory

import (
	"cmp"
	"maps"
	"path"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// maxAutoTags bounds what [AutoTags] returns: more tags would not tell memories apart.
const maxAutoTags = 10

// AutoTags suggests tags for text: technologies that it names as a whole word ("google" does not match "go") and the
// languages of the files that it names. A name that is also an English word ("go", "react", "rust") counts only in a
// technical context: in code, capitalized within a sentence, before a version number, or next to a companion word ("go
// vet", "react component"). The second word of a headline counts as capitalized ("Fix React rendering"), unless the
// third is capitalized too. It returns at most ten tags, the most frequent, in alphabetical order.
func AutoTags(text string) []string {
	known := newVocabulary()
	count := map[string]int{}
	var before tagWord
	words := tagWords(text)
	for i, word := range words {
		var after tagWord
		if i+1 < len(words) && words[i+1].sentence == word.sentence {
			after = words[i+1]
		}
		if before.sentence != word.sentence {
			before = tagWord{}
		}
		tag := known.tag(word, before, after)
		if _, named := known.names[word.text]; !named { // "node.js" is not a file
			tag = known.extensions[path.Ext(word.text)]
		}
		if tag != "" {
			count[tag]++
		}
		before = word
	}
	tags := slices.AppendSeq(make([]string, 0, len(count)), maps.Keys(count))
	slices.SortFunc(tags, func(a, b string) int { return cmp.Or(count[b]-count[a], strings.Compare(a, b)) })
	tags = tags[:min(len(tags), maxAutoTags)]
	slices.Sort(tags)
	return tags
}

// tagWord is a word and the context that [AutoTags] needs.
type tagWord struct {
	text     string // in lower case
	sentence int    // the same for all words of one sentence, line or code span
	first    bool   // the first word of its sentence
	capital  bool   // written with a capital
	code     bool   // within a code span or a code block
}

// tag returns the tag that a word names, given its neighbors, or "".
func (v vocabulary) tag(w, before, after tagWord) string {
	name := v.names[w.text]
	switch {
	case name.beside == nil, w.code, isVersion(after.text),
		w.capital && !w.first && (!before.capital || before.first && !after.capital),
		slices.Contains(name.beside, before.text), slices.Contains(name.beside, after.text):
		return name.tag
	}
	return ""
}

// isVersion reports whether a word is a version number, such as "1.22" or "v18". A year is not.
func isVersion(word string) bool {
	digits := strings.TrimPrefix(word, "v")
	return digits != "" && digits[0] >= '0' && digits[0] <= '9' && strings.Trim(digits, "0123456789.x") == "" &&
		(len(digits) < 4 || strings.Contains(digits, "."))
}

// tagWords splits text into words. Dots, dashes, pluses and the like inside a word belong to it
// ("node.js", "c++", "docker-compose").
func tagWords(text string) []tagWord {
	var words []tagWord
	sentence, block := 0, false
	for line := range strings.Lines(text) {
		if IsFence(strings.TrimSpace(line)) {
			block = !block
			continue
		}
		span := false
		for i, part := range strings.Split(line, "`") {
			span = i%2 == 1
			sentence++
			words, sentence = appendTagWords(words, part, sentence, block || span)
		}
	}
	return words
}

// appendTagWords appends the words of part of a line, which is either all code or all prose. It
// also returns the number of the last sentence.
func appendTagWords(words []tagWord, text string, sentence int, code bool) ([]tagWord, int) {
	first := true
	for piece := range strings.FieldsFuncSeq(text, func(r rune) bool {
		return !unicode.IsLetter(r) && !unicode.IsDigit(r) && !strings.ContainsRune(".-+#_", r)
	}) {
		word := strings.TrimLeft(strings.TrimRight(piece, ".-_"), "-_+#")
		if word == "" {
			continue
		}
		initial, _ := utf8.DecodeRuneInString(word)
		words = append(words, tagWord{strings.ToLower(word), sentence, first, unicode.IsUpper(initial), code})
		first = strings.HasSuffix(piece, ".")
		if first {
			sentence++
		}
	}
	return words, sentence
}
