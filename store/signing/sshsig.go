package signing

import (
	"bytes"
	"crypto/rsa"
	"crypto/sha256"
	"crypto/sha512"
	"encoding/base64"
	"encoding/pem"
	"errors"
	"strings"

	"golang.org/x/crypto/ssh"

	"ltm/memory"
)

// Namespace is what an SSH signature of a memory is for. One for another purpose, such as git's, does not count.
const Namespace = "ltm"

const (
	sshMagic    = "SSHSIG"
	sshArmor    = "SSH SIGNATURE"
	sshVersion1 = 1
)

// The bounds on RSA keys, in bits.
const (
	minRSA = 2048
	maxRSA = 8192 // whose signatures fit into a memory
)

var errSSH = errors.New("not an SSH signature of a memory")

// sshSignature is an SSH signature as PROTOCOL.sshsig of OpenSSH describes it, behind its mark.
type sshSignature struct {
	Version   uint32
	Key       []byte // public, in wire format
	Namespace string
	Reserved  []byte
	Hash      string
	Signature []byte
}

// FromSSH returns the signature for a memory's file from what ssh-keygen printed, for the store of an id.
func FromSSH(armored []byte, store string) (string, error) {
	block, _ := pem.Decode(armored)
	if block == nil || block.Type != sshArmor {
		return "", errSSH
	}
	s, err := parseSSH(block.Bytes)
	if err != nil {
		return "", err
	}
	text := base64.StdEncoding.EncodeToString(block.Bytes)
	out := strings.Join([]string{sshVersion, s.fingerprint(), store, text}, ":")
	if len(out) > memory.MaxSignatureChars {
		return "", errSSH
	}
	return out, nil
}

func parseSSH(blob []byte) (s sshSignature, err error) {
	rest, ok := bytes.CutPrefix(blob, []byte(sshMagic))
	if !ok || ssh.Unmarshal(rest, &s) != nil || s.Version != sshVersion1 || s.Namespace != Namespace {
		return s, errSSH
	}
	return s, nil
}

// fingerprint returns the key's fingerprint as ssh-keygen prints it, without "SHA256:".
func (s sshSignature) fingerprint() string {
	sum := sha256.Sum256(s.Key)
	return base64.RawStdEncoding.EncodeToString(sum[:])
}

// verify reports whether the signature is over data.
func (s sshSignature) verify(data []byte) bool {
	var hashed []byte
	switch s.Hash {
	case "sha256":
		sum := sha256.Sum256(data)
		hashed = sum[:]
	case "sha512":
		sum := sha512.Sum512(data)
		hashed = sum[:]
	default:
		return false
	}
	key, err := ssh.ParsePublicKey(s.Key)
	var value ssh.Signature
	if err != nil || !canCheck(key) || ssh.Unmarshal(s.Signature, &value) != nil || len(value.Rest) > 0 ||
		value.Format == ssh.KeyAlgoRSA { // which is SHA-1
		return false
	}
	signed := ssh.Marshal(struct {
		Namespace string
		Reserved  []byte
		Hash      string
		Hashed    []byte
	}{Namespace, s.Reserved, s.Hash, hashed})
	return key.Verify(append([]byte(sshMagic), signed...), &value) == nil
}

// canCheck reports whether signatures of a key can be checked. Those of security keys (sk-…) cannot.
func canCheck(key ssh.PublicKey) bool {
	switch key.Type() {
	case ssh.KeyAlgoED25519, ssh.KeyAlgoECDSA256, ssh.KeyAlgoECDSA384, ssh.KeyAlgoECDSA521:
		return true
	case ssh.KeyAlgoRSA:
		known, _ := key.(ssh.CryptoPublicKey)
		public, ok := known.CryptoPublicKey().(*rsa.PublicKey)
		return ok && public.N.BitLen() >= minRSA && public.N.BitLen() <= maxRSA
	}
	return false
}
