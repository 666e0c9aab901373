package signing

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"strings"

	"ltm/memory"
)

// The versions of signatures, as they begin.
const (
	secretVersion = "v1"
	sshVersion    = "v2"
)

// parsed is a signature, taken apart.
type parsed struct {
	version string
	signer  string // the fingerprint of the key
	value   []byte
}

// parse takes a signature apart. It reports false for everything that is not one.
func parse(signature string) (parsed, bool) {
	if len(signature) > memory.MaxSignatureChars {
		return parsed{}, false
	}
	version, rest, _ := strings.Cut(signature, ":")
	signer, text, ok := strings.Cut(rest, ":")
	p := parsed{version: version, signer: signer}
	var err error
	switch {
	case !ok:
		return parsed{}, false
	case version == secretVersion:
		p.value, err = hex.DecodeString(text)
		return p, err == nil && len(p.value) == sha256.Size && IsFingerprint(signer)
	case version == sshVersion:
		p.value, err = base64.StdEncoding.Strict().DecodeString(text)
		return p, err == nil && len(signer) == base64.RawStdEncoding.EncodedLen(sha256.Size)
	}
	return parsed{}, false
}

// Fingerprint returns the fingerprint that a signature names, or "".
func Fingerprint(signature string) string {
	p, _ := parse(signature)
	return p.signer
}

// Sign returns the signature of a memory, which must have its full text.
func (k Key) Sign(m memory.Memory) string {
	return secretVersion + ":" + k.Fingerprint() + ":" + hex.EncodeToString(k.mac(Bytes(m)))
}

// verify reports whether the key made a signature over data.
func (k Key) verify(data, value []byte) bool { return hmac.Equal(k.mac(data), value) }

// IsSecret reports whether a signature was made with a secret, and not with an SSH key.
func IsSecret(signature string) bool { return strings.HasPrefix(signature, secretVersion+":") }
