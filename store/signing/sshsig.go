package signing

import (
	"bytes"
	"crypto"
	"crypto/ecdsa"
	"crypto/ed25519"
	"crypto/elliptic"
	"crypto/rsa"
	"crypto/sha256"
	"crypto/sha512"
	"encoding/base64"
	"encoding/binary"
	"encoding/pem"
	"errors"
	"math/big"
	"strings"

	"ltm/memory"
)

// Namespace is what an SSH signature of a memory is for. One for another purpose, such as git's,
// does not count.
const Namespace = "ltm"

const (
	sshMagic    = "SSHSIG"
	sshArmor    = "SSH SIGNATURE"
	sshVersion1 = 1
)

// The types of keys whose signatures can be checked.
const (
	keyEd25519 = "ssh-ed25519"
	keyRSA     = "ssh-rsa"
	keyP256    = "ecdsa-sha2-nistp256"
	keyP384    = "ecdsa-sha2-nistp384"
	keyP521    = "ecdsa-sha2-nistp521"
)

// The bounds on RSA keys, in bits.
const (
	minRSA = 2048
	maxRSA = 8192 // whose signatures fit into a memory
)

var errSSH = errors.New("not an SSH signature of a memory")

// sshSignature is an SSH signature as PROTOCOL.sshsig of OpenSSH describes it.
type sshSignature struct {
	key      []byte // public, in wire format
	reserved []byte
	hash     string
	format   string
	value    []byte
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

// wire reads SSH's wire format. After a failure all reads return nothing.
type wire struct {
	rest   []byte
	failed bool
}

func (w *wire) uint32() uint32 {
	if len(w.rest) < 4 {
		w.failed, w.rest = true, nil
		return 0
	}
	n := binary.BigEndian.Uint32(w.rest)
	w.rest = w.rest[4:]
	return n
}

func (w *wire) bytes() []byte {
	n := w.uint32()
	if uint64(n) > uint64(len(w.rest)) {
		w.failed, w.rest = true, nil
		return nil
	}
	out := w.rest[:n]
	w.rest = w.rest[n:]
	return out
}

func (w *wire) number() *big.Int { return new(big.Int).SetBytes(w.bytes()) }

// done reports whether everything was read, and nothing failed.
func (w *wire) done() bool { return !w.failed && len(w.rest) == 0 }

func parseSSH(blob []byte) (sshSignature, error) {
	rest, ok := bytes.CutPrefix(blob, []byte(sshMagic))
	w := &wire{rest: rest}
	version := w.uint32()
	s := sshSignature{key: w.bytes()}
	namespace := string(w.bytes())
	s.reserved, s.hash = w.bytes(), string(w.bytes())
	inner := &wire{rest: w.bytes()}
	s.format, s.value = string(inner.bytes()), inner.bytes()
	if !ok || version != sshVersion1 || namespace != Namespace || !w.done() || !inner.done() {
		return s, errSSH
	}
	return s, nil
}

// fingerprint returns the key's fingerprint as ssh-keygen prints it, without "SHA256:".
func (s sshSignature) fingerprint() string {
	sum := sha256.Sum256(s.key)
	return base64.RawStdEncoding.EncodeToString(sum[:])
}

// verify reports whether the signature is over data.
func (s sshSignature) verify(data []byte) bool {
	var hashed []byte
	switch s.hash {
	case "sha256":
		sum := sha256.Sum256(data)
		hashed = sum[:]
	case "sha512":
		sum := sha512.Sum512(data)
		hashed = sum[:]
	default:
		return false
	}
	signed := []byte(sshMagic)
	for _, part := range [][]byte{[]byte(Namespace), s.reserved, []byte(s.hash), hashed} {
		signed = binary.BigEndian.AppendUint32(signed, uint32(len(part)))
		signed = append(signed, part...)
	}
	w := &wire{rest: s.key}
	switch kind := string(w.bytes()); kind {
	case keyEd25519:
		key := w.bytes()
		return s.format == kind && w.done() && len(key) == ed25519.PublicKeySize && ed25519.Verify(key, signed, s.value)
	case keyRSA:
		return s.verifyRSA(w, signed)
	case keyP256:
		return s.verifyECDSA(w, kind, elliptic.P256(), crypto.SHA256, signed)
	case keyP384:
		return s.verifyECDSA(w, kind, elliptic.P384(), crypto.SHA384, signed)
	case keyP521:
		return s.verifyECDSA(w, kind, elliptic.P521(), crypto.SHA512, signed)
	}
	return false
}

func (s sshSignature) verifyRSA(w *wire, signed []byte) bool {
	e, n := w.number(), w.number()
	if !w.done() || n.BitLen() < minRSA || n.BitLen() > maxRSA || e.BitLen() > 31 || e.Bit(0) == 0 {
		return false
	}
	hash := crypto.SHA512
	switch s.format {
	case "rsa-sha2-512":
	case "rsa-sha2-256":
		hash = crypto.SHA256
	default:
		return false // "ssh-rsa" is SHA-1
	}
	key := &rsa.PublicKey{N: n, E: int(e.Int64())}
	return rsa.VerifyPKCS1v15(key, hash, digest(hash, signed), s.value) == nil
}

func (s sshSignature) verifyECDSA(w *wire, kind string, curve elliptic.Curve, hash crypto.Hash, signed []byte) bool {
	_ = w.bytes() // the curve's name, which the kind has too
	key, err := ecdsa.ParseUncompressedPublicKey(curve, w.bytes())
	values := &wire{rest: s.value}
	r, t := values.number(), values.number()
	return err == nil && s.format == kind && w.done() && values.done() &&
		ecdsa.Verify(key, digest(hash, signed), r, t)
}

func digest(hash crypto.Hash, data []byte) []byte {
	h := hash.New()
	_, _ = h.Write(data)
	return h.Sum(nil)
}
