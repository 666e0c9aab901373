package signing

import (
	"bytes"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"strings"
)

// SecretBytes is the length of a secret.
const SecretBytes = 32

// keyForm begins the text of a key, which is one line.
const keyForm = "ltm-key-v1 "

// ErrKeyForm reports that a text is not that of a key.
var ErrKeyForm = errors.New(`not a key: a key is one line, "ltm-key-v1" and 64 hex digits`)

// Key is a secret of a person or a group.
type Key struct{ secret []byte }

// NewKey returns the key with a secret of [SecretBytes] random bytes.
func NewKey(secret []byte) (Key, error) {
	if len(secret) != SecretBytes || bytes.Count(secret, secret[:1]) == len(secret) {
		return Key{}, ErrKeyForm
	}
	return Key{bytes.Clone(secret)}, nil
}

// ParseKey parses a key's text, or the 64 hex digits alone.
func ParseKey(text []byte) (Key, error) {
	digits := strings.TrimPrefix(strings.TrimSpace(string(text)), keyForm)
	if len(digits) != 2*SecretBytes {
		return Key{}, ErrKeyForm
	}
	secret, err := hex.DecodeString(digits)
	if err != nil {
		return Key{}, ErrKeyForm // the cause would quote a part of the secret
	}
	return NewKey(secret)
}

// Text returns the text of a key. It is secret.
func (k Key) Text() []byte { return []byte(keyForm + hex.EncodeToString(k.secret) + "\n") }

// String keeps the secret out of messages.
func (k Key) String() string { return k.Fingerprint() }

// GoString is String, for %#v.
func (k Key) GoString() string { return k.Fingerprint() }

// fingerprintDigits is the length of a fingerprint.
const fingerprintDigits = 16

// Fingerprint returns the name of a key, which is not secret: the first 16 hex digits of an
// HMAC-SHA256 under it of a fixed text.
func (k Key) Fingerprint() string {
	return hex.EncodeToString(k.mac([]byte("ltm key fingerprint")))[:fingerprintDigits]
}

// IsFingerprint reports whether a text has the form of a key's fingerprint.
func IsFingerprint(s string) bool {
	return len(s) == fingerprintDigits && strings.Trim(s, "0123456789abcdef") == ""
}

func (k Key) mac(data []byte) []byte {
	h := hmac.New(sha256.New, k.secret)
	_, _ = h.Write(data)
	return h.Sum(nil)
}
