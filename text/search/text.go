package search

import "strings"

// Text is a text prepared for [Snippets.In]: splitting it into sentences and words takes far longer
// than picking a passage. It is immutable.
type Text struct {
	sentences []sentence
	words     []string // its distinct words
	numbers   []uint32 // the words of its sentences, as indexes into words
	ends      []int    // by sentence: the end of its words in numbers
}

// NewText prepares a text.
func NewText(text string) *Text { return textOf(splitSentences(strings.ToValidUTF8(text, "\uFFFD"))) }

func textOf(sentences []sentence) *Text {
	t := &Text{sentences: sentences, ends: make([]int, len(sentences))}
	number := make(map[string]uint32)
	var tokens []token
	for i, s := range sentences {
		tokens, _ = tokenize(tokens[:0], s.text, 0)
		for _, w := range tokens {
			n, known := number[w.word]
			if !known {
				n = uint32(len(t.words))
				number[w.word] = n
				t.words = append(t.words, w.word)
			}
			t.numbers = append(t.numbers, n)
		}
		t.ends[i] = len(t.numbers)
	}
	return t
}

// wordsOf returns the words of a sentence.
func (t *Text) wordsOf(sentence int) []uint32 {
	from := 0
	if sentence > 0 {
		from = t.ends[sentence-1]
	}
	return t.numbers[from:t.ends[sentence]]
}

// Size estimates the memory that the text uses, in bytes.
func (t *Text) Size() int {
	const perSentence, perWord, perNumber = 40, 16, 4
	size := len(t.sentences)*perSentence + len(t.words)*perWord + len(t.numbers)*perNumber
	for _, s := range t.sentences {
		size += len(s.text)
	}
	for _, w := range t.words {
		size += len(w)
	}
	return size
}
