package server

import (
	"crypto/sha256"
	"fmt"
	"io"
	"strings"
)

// secretPrefix is what tokens and the codes of invites begin with, by which scanners find them.
const secretPrefix = "ltms_"

// The characters of tokens. Every token has 48 of them after its prefix: 285 bits.
const (
	tokenDigits = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
	tokenChars  = 48
)

// The characters of the codes that people type: without vowels, so that there are no words, and
// without those that look alike.
const (
	userCodeDigits = "BCDFGHJKLMNPQRSTVWXZ"
	userCodeChars  = 8
)

const (
	inviteBytes = 24
	deviceBytes = 32
)

// NewToken makes a bearer token. random should be that of crypto/rand.
func NewToken(random io.Reader) (string, error) {
	secret, err := pick(random, tokenDigits, tokenChars)
	if err != nil {
		return "", err
	}
	return secretPrefix + secret, nil
}

// The form of applications' keys: a prefix for scanners, too, and 256 random bits.
const (
	keyPrefix = "ltmk_"
	keyChars  = 43
)

// NewKey makes an application's key. random should be that of crypto/rand.
func NewKey(random io.Reader) (string, error) {
	secret, err := pick(random, tokenDigits, keyChars)
	if err != nil {
		return "", err
	}
	return keyPrefix + secret, nil
}

// Hash returns what a [Storage] keeps of a token, a key, an invite's code or a device code. They are
// too random to be guessed from it, so a fast hash is enough.
func Hash(secret string) [32]byte { return sha256.Sum256([]byte(secret)) }

// newCode makes the code of an invite or that a program asks with: random bytes in a form.
func newCode(random io.Reader, size int, form func([]byte) string) (string, error) {
	b := make([]byte, size)
	if _, err := io.ReadFull(random, b); err != nil {
		return "", fmt.Errorf("make a code: %w", err)
	}
	return form(b), nil
}

// UserCode returns a code as it is stored, from how a person typed it: in any case, with or without
// blanks and hyphens. ok is false if it cannot be a code.
func UserCode(typed string) (code string, ok bool) {
	code = strings.Map(func(r rune) rune {
		if r == '-' || r == ' ' || r == '\t' {
			return -1
		}
		return r
	}, strings.ToUpper(strings.TrimSpace(typed)))
	ok = len(code) == userCodeChars && strings.Trim(code, userCodeDigits) == ""
	return code, ok
}

// ShowUserCode returns a stored code as people read it: ABCD-EFGH.
func ShowUserCode(code string) string {
	if len(code) != userCodeChars {
		return code
	}
	return code[:userCodeChars/2] + "-" + code[userCodeChars/2:]
}

// pick returns n random characters out of digits, all equally likely.
func pick(random io.Reader, digits string, n int) (string, error) {
	fair := 256 - 256%len(digits) // bytes from here on would favor the first digits
	out := make([]byte, 0, n)
	buf := make([]byte, n)
	for len(out) < n {
		if _, err := io.ReadFull(random, buf); err != nil {
			return "", fmt.Errorf("make a code: %w", err)
		}
		for _, b := range buf {
			if int(b) < fair && len(out) < n {
				out = append(out, digits[int(b)%len(digits)])
			}
		}
	}
	return string(out), nil
}
