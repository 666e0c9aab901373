package conversation

import (
	"crypto/sha256"
	"encoding/hex"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"ltm/text/abridge"
	"ltm/text/secrets"
)

// symbols are signs of punctuation that change a statement: 50% is not 50, and C# is not C.
const symbols = "#%&@"

// words returns the words of a text in lower case, with English contractions spelled out, so that a rule and its text
// match only whole words. Symbols are words of their own: "C++" is not "C", and two emojis are two statements.
func words(text string) []string {
	text = strings.ToLower(strings.ReplaceAll(strings.ToValidUTF8(text, " "), "’", "'"))
	var found []string
	var word strings.Builder
	flush := func() {
		if word.Len() > 0 {
			found = append(found, expand(strings.Trim(word.String(), "'"))...)
			word.Reset()
		}
	}
	previous := ' '
	for i, r := range text {
		next, _ := utf8.DecodeRuneInString(text[i+utf8.RuneLen(r):])
		switch {
		case unicode.Is(unicode.Cf, r): // invisible, within a word or not
			continue
		case unicode.IsLetter(r), unicode.IsNumber(r), unicode.IsMark(r), r == '_', r == '\'':
			word.WriteRune(r)
		case (r == '.' || r == ',') && unicode.IsDigit(previous) && unicode.IsDigit(next):
			word.WriteRune(r)
		case unicode.IsSymbol(r), strings.ContainsRune(symbols, r),
			r == '-' && unicode.IsSpace(previous) && unicode.IsDigit(next):
			flush()
			found = append(found, string(r))
		default:
			flush()
		}
		previous = r
	}
	flush()
	return found
}

// expand spells out an English contraction. Other words are returned as they are.
func expand(word string) []string {
	switch word {
	case "":
		return nil
	case "cannot", "can't", "cant":
		return []string{"can", "not"}
	case "won't":
		return []string{"will", "not"}
	case "let's":
		return []string{"let", "us"}
	case "im":
		return []string{"i", "am"}
	case "dont":
		return []string{"do", "not"}
	}
	for _, c := range [][2]string{{"n't", "not"}, {"'m", "am"}, {"'re", "are"}, {"'ve", "have"}, {"'ll", "will"},
		{"'d", "would"}, {"'s", "'s"}} {
		if stem, ok := strings.CutSuffix(word, c[0]); ok && stem != "" {
			return []string{stem, c[1]}
		}
	}
	return []string{word}
}

// Normal returns the form of a text by which claims are the same: its words in lower case, with one space between
// them and contractions spelled out. Punctuation does not count, symbols do.
func Normal(text string) string { return strings.Join(words(text), " ") }

// ClaimID returns the identity of a claim: 32 hexadecimal digits of SHA-256 over the bucket and the normalized
// text. Acts name claims by it, so that an act keeps nothing of a text that is deleted. It hides no text that can
// be guessed.
func ClaimID(bucket Bucket, text string) string {
	sum := sha256.Sum256([]byte(string(bucket) + "\x00" + Normal(text)))
	return hex.EncodeToString(sum[:16])
}

// has reports whether a phrase, as words separated by spaces, is in the text ws.
func has(ws []string, phrases ...string) bool {
	joined := " " + strings.Join(ws, " ") + " "
	return slices.ContainsFunc(phrases, func(p string) bool { return strings.Contains(joined, " "+p+" ") })
}

// after returns the words behind a phrase that ws begins with.
func after(ws []string, phrase string) ([]string, bool) {
	parts := strings.Fields(phrase)
	if len(ws) < len(parts) || !slices.Equal(ws[:len(parts)], parts) {
		return nil, false
	}
	return ws[len(parts):], true
}

// maxLine is the longest line that is taken for a sentence. A longer one is data, such as a minified file, in which
// looking for sentences costs time and finds nothing.
const maxLine = 6000

// sentences returns the sentences of what a person wrote: each on one line, without code, and without the lines that
// quote someone else.
func sentences(text string) []string {
	var found []string
	code := false
	for line := range strings.Lines(Said(text)) {
		line = strings.TrimSpace(line)
		switch {
		case abridge.IsFence(line):
			code = !code
			continue
		case code, strings.HasPrefix(line, ">"), len(line) > maxLine:
			continue
		}
		for line != "" {
			end := abridge.SentenceEnd(line)
			if end <= 0 {
				end = len(line)
			}
			found = append(found, loose(oneLine(line[:end]))...)
			line = strings.TrimSpace(line[end:])
		}
	}
	return found
}

// loose splits a line where a sentence ends and the next begins without a capital letter: "no way! i live in Rome".
func loose(line string) (found []string) {
	fields, from := strings.Fields(line), 0
	for i, field := range fields {
		end := i + 1
		ends := len(field) > 3 && strings.IndexAny(field, ".!?") == len(field)-1 && end < len(fields) &&
			englishLexicon().opens(words(fields[end] + " x")[0], false)
		if ends || end == len(fields) {
			found, from = append(found, strings.Join(fields[from:end], " ")), end
		}
	}
	return found
}

// oneLine returns text on one line, without control characters and invisible ones.
func oneLine(text string) string {
	return strings.Join(strings.Fields(strings.Map(func(r rune) rune {
		switch {
		case unicode.IsSpace(r), unicode.IsControl(r):
			return ' '
		case unicode.Is(unicode.Cf, r):
			return -1
		}
		return r
	}, strings.ToValidUTF8(text, " "))), " ")
}

// clip returns at most limit runes of a line, cut between words where there are any, with an ellipsis.
func clip(line string, limit int) string {
	if utf8.RuneCountInString(line) <= limit {
		return line
	}
	cut := string([]rune(line)[:limit-1])
	if i := strings.LastIndexByte(cut, ' '); i > len(cut)/2 {
		cut = cut[:i]
	}
	return strings.TrimRight(cut, " ,;:") + "…"
}

// longestSecret is how many characters a credential may have that begins within a passage: private keys have less.
const longestSecret = 8 << 10

// passage returns the beginning of a text as one line of at most n characters. Credentials are masked before, as half a
// credential is not recognized.
func passage(text string, n int) string {
	text, _ = secrets.RedactTalk(clip(text, n+longestSecret))
	return clip(oneLine(text), n)
}

// english reports whether the rules of words for English apply to a declared language.
func english(lang string) bool {
	primary, _, _ := strings.Cut(strings.ReplaceAll(strings.ToLower(lang), "_", "-"), "-")
	return primary == "" || primary == "en"
}
