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
	store   string // the id of the store that it is for
	value   []byte
}

// parse takes a signature apart. It reports false for everything that is not one.
func parse(signature string) (parsed, bool) {
	if len(signature) > memory.MaxSignatureChars {
		return parsed{}, false
	}
	parts := strings.Split(signature, ":")
	if len(parts) != 4 || !memory.IsStoreID(parts[2]) {
		return parsed{}, false
	}
	p := parsed{version: parts[0], signer: parts[1], store: parts[2]}
	var err error
	switch p.version {
	case secretVersion:
		p.value, err = hex.DecodeString(parts[3])
		return p, err == nil && len(p.value) == sha256.Size && IsFingerprint(p.signer)
	case sshVersion:
		p.value, err = base64.StdEncoding.Strict().DecodeString(parts[3])
		return p, err == nil && len(p.signer) == base64.RawStdEncoding.EncodedLen(sha256.Size)
	}
	return parsed{}, false
}

// Fingerprint returns the fingerprint that a signature names, or "".
func Fingerprint(signature string) string {
	p, _ := parse(signature)
	return p.signer
}

// Sign returns the signature of a memory, which must have its full text, for the store of an id.
func (k Key) Sign(m memory.Memory, store string) string {
	mac := hex.EncodeToString(k.mac(Bytes(m, store)))
	return strings.Join([]string{secretVersion, k.Fingerprint(), store, mac}, ":")
}

// verify reports whether the key made a signature over data.
func (k Key) verify(data, value []byte) bool { return hmac.Equal(k.mac(data), value) }

// IsSecret reports whether a signature was made with a secret, and not with an SSH key.
func IsSecret(signature string) bool { return strings.HasPrefix(signature, secretVersion+":") }
