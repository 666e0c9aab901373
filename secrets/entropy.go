package secrets

import (
	"math"
	"strings"
)

// What a value needs to count as random. A value of n random bytes out of an
// alphabet of k has an entropy near log2(min(n, k)): 16 hexadecimal digits come
// to 3.0–3.6 bits a byte, 20 letters and digits to 3.8–4.2. "aaaaaaaa" has 0,
// "xxxx-xxxx" 0.5, words of English from 2.5 to 3.5, which is why a value must
// also not read like words ([wordlike]).
const (
	// minEntropy is for values that a telling name stands beside: of 50 random ones of
	// 16 hexadecimal digits it passes over one.
	minEntropy = 2.75
	// minTokenEntropy is for 40 bytes of base64 that only their place tells.
	minTokenEntropy = 4.0
	// minFormEntropy is for the random part of a token that its prefix tells.
	minFormEntropy = 2.5
	// minRandom is how long a random value is at least.
	minRandom = 16
	// minPassword is how long a password is at least, in bytes.
	minPassword = 6
)

// Entropy is Shannon's, in bits a byte, of the bytes of value: 0 when they are
// all the same, log2(n) when all n of them differ.
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

// random tells the random part of a token from one that was made up.
func random(body string) bool {
	if documented(body) {
		return false
	}
	body = body[:min(len(body), lookAhead)]
	return Entropy(body) >= minFormEntropy && !sequence(body) && !fake(body) && !wordlike(body)
}

// sequence reports whether a value counts for most of it, whatever the case of its
// letters: "1234…", "abcd…", "a1b2c3…".
func sequence(value string) bool {
	steps := 0
	for i := 1; i < len(value); i++ {
		a, b := fold(value[i-1]), fold(value[i])
		if b == a+1 || b == a || a == '9' && (b == '0' || b == 'a') || a == 'f' && b == '0' || i > 1 && b == fold(value[i-2])+1 {
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

// fake reports whether a value says that it is none.
func fake(value string) bool {
	lower := strings.ToLower(value)
	for _, word := range []string{"example", "placeholder", "redacted", "changeme", "change-me", "change_me", "replace", "insert",
		"xxxx", "your-", "your_", "dummy", "****", "...."} {
		if strings.Contains(lower, word) {
			return true
		}
	}
	return strings.HasPrefix(lower, "your") || strings.Contains(value, "YOUR")
}

// wordlike reports whether three fifths of a value or more read like words: of an
// identifier, a path, a sentence with dashes. One that goes from letters to digits
// and back all the time does not.
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

// pronounceable tells "token" from "xkqzv": it has vowels, not only vowels, and no
// heap of consonants.
func pronounceable(word string) bool {
	const minWord, maxCluster = 4, 4
	if len(word) < minWord {
		return false
	}
	vowels, cluster := 0, 0
	for i := range len(word) {
		switch word[i] | 0x20 {
		case 'a', 'e', 'i', 'o', 'u', 'y':
			vowels++
			cluster = 0
		default:
			if cluster++; cluster > maxCluster {
				return false
			}
		}
	}
	return 5*vowels >= len(word) && 4*vowels <= 3*len(word)
}

// classes counts the kinds of bytes in a value: small letters, capitals, digits,
// others.
func classes(value string) (lower, upper, digit, other int) {
	for i := range len(value) {
		switch c := value[i]; {
		case isLower(c):
			lower++
		case isUpper(c):
			upper++
		case isDigit(c):
			digit++
		default:
			other++
		}
	}
	return lower, upper, digit, other
}

// mixed reports whether a value has small letters, capitals and digits.
func mixed(value string) bool {
	lower, upper, digit, _ := classes(value)
	return lower > 0 && upper > 0 && digit > 0
}

// strongRandom tells a generated value from an identifier or a word.
func strongRandom(value string) bool {
	if len(value) < minRandom || Entropy(value) < minEntropy || sequence(value) || fake(value) || wordlike(value) {
		return false
	}
	lower, upper, digit, _ := classes(value)
	if namesItself(value) {
		return false
	}
	return digit > 0 && lower+upper > 0 || lower > 2 && upper > 2
}

// keyGroups reports whether a value is made of groups of letters and digits with
// dashes between, as license keys and the passwords of some programs are: three or
// more of four to six bytes, all of one length, that do not read like words.
func keyGroups(value string) bool {
	const least = 3
	groups := strings.Split(value, "-")
	if len(groups) < least || len(groups[0]) < 4 || len(groups[0]) > 6 {
		return false
	}
	odd, digits := 0, 0
	for _, g := range groups {
		lower, upper, digit, other := classes(g)
		if len(g) != len(groups[0]) || other > 0 || lower+upper == 0 && digit < len(g) {
			return false
		}
		digits += digit
		title := upper == 1 && isUpper(g[0])
		if lower+upper > 0 && (digit > 0 || lower > 0 && upper > 0 && !title || !pronounceable(g)) {
			odd++
		}
	}
	apple := len(groups) == 4 && len(value) == 19 && digits == 0 && allLower(value)
	return (odd >= 2 || apple) && !fake(value) && !sequence(value)
}

// namesItself reports whether a value is called what it would be: the name of a
// variable or a setting.
func namesItself(value string) bool {
	lower := strings.ToLower(value)
	for _, word := range []string{"password", "secret", "token", "apikey", "api_key", "api-key", "privatekey", "private_key", "credential"} {
		if strings.Contains(lower, word) {
			return true
		}
	}
	return false
}

// strongPassword tells what a person or a generator made up for a password from
// words: it mixes letters with digits or signs, and is not a word of the trade.
func strongPassword(value string) bool {
	if len(value) < minPassword || sequence(value) || fake(value) || commonWord(value) {
		return false
	}
	lower, upper, digit, other := classes(value)
	signs := 0
	for i := range len(value) {
		if strings.IndexByte("!@#$%^&*+?=~", value[i]) >= 0 {
			signs++
		}
	}
	letters := lower + upper
	switch {
	case letters == 0:
		return false
	case digit == 0 && strings.Contains(value, "@") && strings.Contains(value, "."):
		return false // an address
	case digit > 0 && signs > 0 && lower > 0 && upper > 0 && strings.IndexByte(value, '=') < 0:
		return true
	case len(value) == minPassword+1 && lower > 0 && upper > 0 && other == 0 && leet(value):
		return true
	case digit > 0 && len(value) >= 8 && other == 0:
		return !wordThenNumber(value, 1)
	case digit > 0 && len(value) >= 8:
		return signs > 0 || !wordlike(value) || upper > 0 && lower > 0
	case signs > 0:
		return len(value) >= 8
	}
	return len(value) >= 12 && lower > 2 && upper > 2 && !wordlike(value)
}

// wordsAndYear reports whether a value is made of words and a number of three digits
// or more, as people make up passwords.
func wordsAndYear(value string) bool {
	lower, upper, digit, _ := classes(value)
	return len(value) >= 10 && lower+upper > 0 && digit > 2 && !sequence(value) && !fake(value) && !commonWord(value)
}

// wordsAndNumber reports whether a value has letters and digits, and is not one of
// those that are used in place of a password.
func wordsAndNumber(value string) bool {
	lower, upper, digit, _ := classes(value)
	return len(value) >= 8 && lower+upper > 2 && digit > 0 && !sequence(value) && !fake(value) && !commonWord(value) && !technical(value)
}

// chained reports whether a value is two words or more with a sign between and a
// number at the end, as people make up passwords: River.Panda42, river-panda-4217.
func chained(value string) bool {
	body := strings.TrimRight(value, "!")
	digits := len(body) - len(strings.TrimRight(body, "0123456789"))
	parts := strings.FieldsFunc(body[:len(body)-digits], func(r rune) bool { return r == '.' || r == '-' || r == '_' })
	titles := 0
	for _, part := range parts {
		if !pronounceable(part) || !allLetters(part) || technical(part) {
			return false
		}
		if isName(part) {
			titles++
		}
	}
	least := 4
	if titles == len(parts) {
		least = 2
	}
	return len(parts) > 1 && digits >= least && digits < 6 && !sequence(value) && !fake(value) && !commonWord(value)
}

// wordThenNumber reports whether value is letters that read like a word with at
// most n digits behind it, as names of code are.
func wordThenNumber(value string, n int) bool {
	word := strings.TrimRight(value, "0123456789")
	if len(value)-len(word) > n {
		return false
	}
	return wordlike(word) && !strings.ContainsAny(word, "0123456789")
}

// commonWord reports whether a value is or holds a word that stands for a
// password in examples and in code, or names an algorithm.
func commonWord(value string) bool {
	lower := strings.ToLower(value)
	for _, word := range []string{"password", "passwd", "passw0rd", "secret", "token", "sha256", "sha512", "sha-256", "sha-512", "base64",
		"bcrypt", "argon2", "pbkdf2", "scrypt", "aes-", "aes_", "hmac", "rs256", "es256", "ed25519", "x25519", "scram-", "utf-8", "utf8",
		"oauth", "wpa2", "wpa3", "p256", "1password", "p@ssw", "sesame"} {
		if strings.Contains(lower, word) {
			return true
		}
	}
	switch strings.TrimRight(lower, "0123456789") {
	case "test", "foo", "foobar", "user", "example", "string", "default", "value", "option":
		return true
	}
	switch lower {
	case "pass", "pwd", "pw", "guest", "root", "admin", "admin123", "postgres", "mysql",
		"changeit", "none", "null", "true", "false", "demo", "letmein", "minioadmin", "qwerty", "abc123":
		return true
	}
	return false
}
