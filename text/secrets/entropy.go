package secrets

import (
	"math"
	"slices"
	"strings"
)

// The requirements for a value to count as random. A value of n random bytes out of an alphabet of k has an entropy
// near log2(min(n, k)): 16 hexadecimal digits come to 3.0–3.6 bits a byte, 20 letters and digits to 3.8–4.2. "aaaaaaaa"
// has 0, "xxxx-xxxx" 0.5, words of English from 2.5 to 3.5, which is why a value must also not read like words
// ([wordlike]).
const (
	// minEntropy is for values beside a telling name: it misses one in 50 random values of 16 hexadecimal digits.
	minEntropy = 2.75
	// minTokenEntropy is for 40 bytes of base64 that only their place makes a credential.
	minTokenEntropy = 4.0
	// minFormEntropy is for the random part of a token with a known prefix.
	minFormEntropy = 2.5
	// minRandom is the minimum length of a random value.
	minRandom = 16
	// minPassword is the minimum length of a password, in bytes.
	minPassword = 6
)

// Entropy returns the Shannon entropy of the bytes of value, in bits a byte: 0 when they are all the same, log2(n) when
// all n of them differ.
func Entropy(value string) float64 {
	var counts [256]int
	for i := range len(value) {
		counts[value[i]]++
	}
	bits, n := 0.0, float64(len(value))
	for _, c := range counts {
		if c > 0 {
			p := float64(c) / n
			bits -= p * math.Log2(p)
		}
	}
	return bits
}

// random reports whether a token's random part is that of a real one.
func random(body string) bool {
	if documented(body) {
		return false
	}
	body = body[:min(len(body), lookAhead)]
	return Entropy(body) >= minFormEntropy && genuine(body) && !wordlike(body)
}

// genuine reports whether a value is neither a sequence nor a placeholder.
func genuine(value string) bool { return !sequence(value) && !fake(value) }

// sequence reports whether most of a value counts up, whatever the case of its letters: "1234…", "abcd…", "a1b2c3…".
func sequence(value string) bool {
	steps := 0
	for i := 1; i < len(value); i++ {
		a, b := fold(value[i-1]), fold(value[i])
		wraps := a == '9' && (b == '0' || b == 'a') || a == 'f' && b == '0'
		if b == a+1 || b == a || wraps || i > 1 && b == fold(value[i-2])+1 {
			steps++
		}
	}
	return 2*steps > len(value)
}

// fold returns a letter in lower case, and any other byte as it is.
func fold(c byte) byte {
	if isUpper(c) {
		return c | 0x20
	}
	return c
}

// fake reports whether a value says that it is a placeholder.
func fake(value string) bool {
	lower := strings.ToLower(value)
	return strings.HasPrefix(lower, "your") || strings.Contains(value, "YOUR") || contains(lower, "example",
		"placeholder", "redacted", "changeme", "change-me", "change_me", "replace", "insert", "xxxx", "your-", "your_",
		"dummy", "****", "....")
}

// wordlike reports whether at least three fifths of a value read like words: of an identifier, a path, a sentence with
// dashes. A value that often changes between letters and digits does not.
func wordlike(value string) bool {
	const maxTurns = 5
	letters, turns := 0, 0
	for i := 1; i < len(value); i++ {
		if isAlpha(value[i-1]) && isDigit(value[i]) || isDigit(value[i-1]) && isAlpha(value[i]) {
			turns++
		}
	}
	if turns > maxTurns {
		return false
	}
	for i := 0; i < len(value); {
		end := i
		for end < len(value) && isUpper(value[end]) {
			end++
		}
		if end-i < 2 { // Word or word; else WORD
			for end < len(value) && isLower(value[end]) {
				end++
			}
		}
		if pronounceable(value[i:end]) {
			letters += end - i
		}
		i = max(end, i+1)
	}
	return 5*letters >= 3*len(value)
}

// pronounceable tells "token" from "xkqzv": it has vowels, not only vowels, and no long cluster of consonants.
func pronounceable(word string) bool {
	const minWord, maxCluster = 4, 4
	if len(word) < minWord {
		return false
	}
	vowels, cluster := 0, 0
	for i := range len(word) {
		if strings.IndexByte("aeiouy", word[i]|0x20) >= 0 {
			vowels++
			cluster = 0
		} else if cluster++; cluster > maxCluster {
			return false
		}
	}
	return 5*vowels >= len(word) && 4*vowels <= 3*len(word)
}

// strongRandom tells a generated value from an identifier or a word.
func strongRandom(value string) bool {
	if len(value) < minRandom || Entropy(value) < minEntropy {
		return false
	}
	if !genuine(value) || wordlike(value) || namesItself(value) {
		return false
	}
	lower, upper, digit, _ := classes(value)
	return digit > 0 && lower+upper > 0 || lower > 2 && upper > 2
}

// keyGroups reports whether a value is made of groups of letters and digits with dashes between, as license keys and
// the passwords of some programs are: three or more groups of four to six bytes, all of one length, that do not read
// like words.
func keyGroups(value string) bool {
	const least = 3
	groups := strings.Split(value, "-")
	if len(groups) < least || len(groups[0]) < 4 || len(groups[0]) > 6 {
		return false
	}
	odd := 0
	for _, g := range groups {
		if len(g) != len(groups[0]) || !alnum.all(g) {
			return false
		}
		if oddGroup(g) {
			odd++
		}
	}
	apple := len(groups) == 4 && len(value) == 19 && !(digits | capitals).in(value)
	return (odd >= 2 || apple) && genuine(value)
}

// oddGroup reports whether a group is neither a number nor a word.
func oddGroup(g string) bool {
	_, upper, digit, _ := classes(g)
	title := upper == 1 && isUpper(g[0])
	return digit < len(g) && (digit > 0 || small.in(g) && upper > 0 && !title || !pronounceable(g))
}

// namesItself reports whether a value holds the name of what it would be: the name of a variable or a setting.
func namesItself(value string) bool {
	return contains(strings.ToLower(value), "password", "secret", "token", "apikey", "api_key", "api-key", "privatekey",
		"private_key", "credential")
}

func contains(text string, words ...string) bool {
	return slices.ContainsFunc(words, func(word string) bool { return strings.Contains(text, word) })
}

// strongPassword tells a password that a person or a generator made from words: it mixes letters with digits or signs,
// and is not a technical term.
func strongPassword(value string) bool {
	if len(value) < minPassword || !letters.in(value) || !uncommon(value) {
		return false
	}
	both := small.in(value) && capitals.in(value)
	signs := strings.ContainsAny(value, "!@#$%^&*+?=~")
	switch {
	case !digits.in(value):
		return strongWord(value, signs)
	case both && signs && strings.IndexByte(value, '=') < 0:
		return true
	case both && len(value) == minPassword+1 && alnum.all(value) && leet(value):
		return true
	case len(value) < 8:
		return false
	case alnum.all(value):
		return !wordThenDigit(value)
	}
	return signs || both || !wordlike(value)
}

func strongWord(value string, signs bool) bool {
	if signs {
		return len(value) >= 8 && !(strings.Contains(value, "@") && strings.Contains(value, ".")) // an address
	}
	lower, upper, _, _ := classes(value)
	return len(value) >= 12 && lower > 2 && upper > 2 && !wordlike(value)
}

// uncommon reports whether a value is not one that replaces a password in examples.
func uncommon(value string) bool { return genuine(value) && !commonWord(value) }

// wordsAndYear reports whether a value is made of words and a number of three digits or more, as people make passwords.
func wordsAndYear(value string) bool {
	lower, upper, digit, _ := classes(value)
	return len(value) >= 10 && lower+upper > 0 && digit > 2 && uncommon(value)
}

// wordsAndNumber reports whether a value has letters and digits and is not a usual example.
func wordsAndNumber(value string) bool {
	lower, upper, digit, _ := classes(value)
	return len(value) >= 8 && lower+upper > 2 && digit > 0 && uncommon(value) && !technical(value)
}

// chained reports whether a value is two words or more with a sign between and a number at the end, as people make
// passwords: River.Panda42, river-panda-4217.
func chained(value string) bool {
	body := strings.TrimRight(value, "!")
	text := strings.TrimRight(body, "0123456789")
	parts := strings.FieldsFunc(text, func(r rune) bool { return r == '.' || r == '-' || r == '_' })
	least := 2
	for _, part := range parts {
		if !pronounceable(part) || !allLetters(part) || technical(part) {
			return false
		}
		if !isName(part) {
			least = 4
		}
	}
	n := len(body) - len(text)
	return len(parts) > 1 && n >= least && n < 6 && uncommon(value)
}

// wordThenDigit reports whether a value is letters that read like a word with at most one digit behind it, as names in
// code are.
func wordThenDigit(value string) bool {
	word := strings.TrimRight(value, "0123456789")
	return len(value)-len(word) <= 1 && wordlike(word) && !digits.in(word)
}

// commonWord reports whether a value is or holds a word that replaces a password in examples and in code, or names an
// algorithm.
func commonWord(value string) bool {
	lower := strings.ToLower(value)
	return contains(lower, "password", "passwd", "passw0rd", "secret", "token", "sha256", "sha512", "sha-256",
		"sha-512", "base64", "bcrypt", "argon2", "pbkdf2", "scrypt", "aes-", "aes_", "hmac", "rs256", "es256",
		"ed25519", "x25519", "scram-", "utf-8", "utf8", "oauth", "wpa2", "wpa3", "p256", "1password", "p@ssw",
		"sesame") ||
		oneOf(strings.TrimRight(lower, "0123456789"), "test", "foo", "foobar", "user", "example", "string", "default",
			"value", "option") ||
		oneOf(lower, "pass", "pwd", "pw", "guest", "root", "admin", "admin123", "postgres", "mysql", "changeit", "none",
			"null", "true", "false", "demo", "letmein", "minioadmin", "qwerty", "abc123")
}
