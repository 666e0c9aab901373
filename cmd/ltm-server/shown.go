package main

import (
	"cmp"
	"maps"
	"slices"
	"strconv"
	"strings"

	"ltm/text/safe"
	"ltm/text/secrets"
)

const (
	// maxShown is how many characters of an argument a message has at most: paths are shorter.
	maxShown = 200
	// minSecret is the length of a word of letters and digits that may be a secret. Ids have at most 26, and the codes
	// and tokens that the server makes at least 43.
	minSecret = 32
	// idChars is the length of a UUID, which is not a secret.
	idChars = 36
)

// shown returns a message without the secrets among the arguments of the command line, and with the beginnings of its
// long ones. It is one place for all messages, because any argument may be a token that was pasted into the wrong
// command, and many libraries repeat what they were given.
func shown(message string, args []string) string {
	words := map[string]string{}
	for _, arg := range args {
		for _, word := range partsOf(arg) {
			if safe := safeArgument(word); safe != word {
				words[word] = safe
				quoted := strconv.Quote(word)
				words[quoted[1:len(quoted)-1]] = safe
			}
		}
	}
	longest := slices.SortedFunc(maps.Keys(words),
		func(a, b string) int { return cmp.Or(len(b)-len(a), strings.Compare(a, b)) })
	for _, word := range longest {
		message = strings.ReplaceAll(message, word, words[word])
	}
	return message
}

// partsOf returns an argument and what messages name of it: the value of a flag, letters after a hyphen.
func partsOf(arg string) []string {
	parts := []string{arg}
	if flag, value, ok := strings.Cut(arg, "="); ok {
		parts = append(parts, flag, value)
	}
	if bare := strings.TrimLeft(arg, "-"); bare != arg && bare != "" {
		parts = append(parts, bare, bare[1:]) // the first letter may be a flag of its own
	}
	return parts
}

// safeArgument returns an argument as messages may show it.
func safeArgument(word string) string {
	if mayBeSecret(word) {
		return secrets.Mask
	}
	if masked, n := secrets.Redact(word); n > 0 {
		word = masked
	}
	return safe.Clip(word, maxShown)
}

// mayBeSecret reports whether a word looks as random as a token. A path or a sentence does not.
func mayBeSecret(word string) bool {
	if len(word) < minSecret || len(word) == idChars && strings.Count(word, "-") == 4 {
		return false
	}
	var letter, digit bool
	for i := range len(word) {
		switch c := word[i]; {
		case '0' <= c && c <= '9':
			digit = true
		case 'a' <= c|0x20 && c|0x20 <= 'z':
			letter = true
		case !strings.ContainsRune("-_+=", rune(c)):
			return false
		}
	}
	return letter && digit && secrets.Entropy(word) > minEntropy
}

// minEntropy is in bits a byte: random hexadecimal digits have more than 3.3 in this length, words of English less than
// random letters.
const minEntropy = 3.2
