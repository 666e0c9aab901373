package tell

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"ltm/engine/rank"
	"ltm/memory"
	"ltm/text/abridge"
	"ltm/text/search"
)

// A memory that names a file does not always speak of it. "Unlike db/pool.go, ..." compares, and an overview names ten.
// Whoever edits such a file gains nothing from the memory. The rules are a guess by the order of sentences and
// by a few English words; without these words, a file that is named first counts.

// bearing is how much of what a memory says is of a file that it names.
type bearing int

const (
	inPassing bearing = iota // a comparison, or one of many
	beside                   // named later, with a word in common with the topic
	subject                  // in the topic, with the first file, or with a rule
)

const (
	// overview is how many files a memory names that is about none of them.
	overview = 4

	// maxSentences is how much of a text is read sentence by sentence, in bytes: a hook must not take long.
	maxSentences = 8 << 10

	// cueWords is how many words before a file a comparison may begin.
	cueWords = 8
)

// bearingOf returns how much a memory is about a file. names are the ways in which its text may name it; if it has none
// of them, a person named the file.
func bearingOf(m memory.Memory, names ...string) bearing {
	switch {
	case mentions(m.Topic, names), !mentions(m.Content, names):
		return subject
	}
	related, best, isFirst := isRelated(m.Topic, names[0]), inPassing, true
	if manyFiles(m) {
		if related {
			return beside
		}
		return inPassing
	}
	for _, sentence := range sentencesOf(m.Content[:min(len(m.Content), maxSentences)]) {
		at := mentionedAt(sentence, names)
		switch {
		case at < 0 || isComparison(wordsOf(sentence[:at])):
		case isFirst || containsAny(wordsOf(sentence), "must", "never", "always", "not", "don't", "cannot", "both",
			"change", "keep"): // it says what has to be done
			return subject
		case related:
			best = beside
		}
		isFirst = isFirst && !slices.ContainsFunc(m.Refs, func(r memory.Ref) bool {
			return mentions(sentence, []string{r.Path})
		})
	}
	return best
}

// sentencesOf returns the sentences of a text. Paragraphs and entries of lists end them, too.
func sentencesOf(text string) (all []string) {
	parts := strings.NewReplacer("\r", "", "\n\n", "\x00", "\n- ", "\x00", "\n* ", "\x00", "\n#", "\x00").Replace(text)
	for part := range strings.SplitSeq(parts, "\x00") {
		for part != "" {
			end := max(1, abridge.SentenceEnd(part))
			all, part = append(all, part[:end]), part[end:]
		}
	}
	return all
}

// manyFiles reports whether a memory names so many files that it is an overview.
func manyFiles(m memory.Memory) bool {
	var paths []string
	for _, r := range m.Refs {
		if !slices.Contains(paths, r.Path) {
			paths = append(paths, r.Path)
		}
	}
	return len(paths) >= overview
}

func mentions(text string, names []string) bool { return mentionedAt(text, names) >= 0 }

// mentionedAt returns where a text names a file, or -1. A longer path is another file.
func mentionedAt(text string, names []string) int {
	for _, name := range names {
		for from := 0; ; {
			at := strings.Index(text[from:], name)
			if at < 0 {
				break
			}
			at += from
			if at == 0 || !isInPath(text[at-1]) {
				return at
			}
			from = at + 1
		}
	}
	return -1
}

func isInPath(c byte) bool {
	return strings.IndexByte("/_-.", c) >= 0 || c >= utf8.RuneSelf || unicode.IsLetter(rune(c)) ||
		unicode.IsDigit(rune(c))
}

// isRelated reports whether a topic has a word of a path, apart from the extension.
func isRelated(topic, path string) bool {
	if dot := strings.LastIndexByte(path, '.'); dot > strings.LastIndexByte(path, '/')+1 {
		path = path[:dot]
	}
	parts := strings.FieldsFunc(path, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) })
	return rank.SharedWords(rank.Subjects(topic), search.Terms(strings.Join(parts, " "))) > 0
}

func wordsOf(sentence string) []string {
	words := strings.Fields(strings.ToLower(sentence))
	for i, w := range words {
		words[i] = strings.Trim(w, ".,:;!?()`\"'")
	}
	return words
}

// isComparison reports whether the words before a file begin a comparison with it.
func isComparison(before []string) bool {
	last := " " + strings.Join(before[max(0, len(before)-2):], " ")
	rightBefore := []string{"as", "like", "than", "as in", "as with", "like in", "not in"}
	return containsAny(before[max(0, len(before)-cueWords):], "unlike", "similar to", "similarly to", "compare",
		"compared", "in contrast", "apart from", "other than", "see also", "blamed on", "example", "examples", "e.g") ||
		slices.ContainsFunc(rightBefore, func(cue string) bool { return strings.HasSuffix(last, " "+cue) })
}

func containsAny(words []string, phrases ...string) bool {
	text := " " + strings.Join(words, " ") + " "
	return slices.ContainsFunc(phrases, func(p string) bool { return strings.Contains(text, " "+p+" ") })
}
