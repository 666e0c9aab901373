package signing

import (
	"slices"
	"time"

	"ltm/memory"
)

// Verdict is what a signature proves.
type Verdict string

// The verdicts. Their texts are part of answers.
const (
	None       Verdict = ""            // there is no signature
	Valid      Verdict = "valid"       // by a known key, over what the memory says
	Altered    Verdict = "altered"     // by a known key, over something else
	UnknownKey Verdict = "unknown key" // by a key that is not known, or not allowed now
	Malformed  Verdict = "malformed"   // it is not a signature

	// It was not checked: the full text is missing, a merge is unresolved, or it is not known whether the
	// repository is the one of the store's id.
	Unproven Verdict = "unproven"

	OtherStore Verdict = "signed for another store"      // by a known key, over what the memory says
	OtherRoot  Verdict = "signed for another repository" // for this store's id, which belongs to another one
)

// Proof is a verdict, and whose key it is about.
type Proof struct {
	Verdict Verdict
	Key     string // its fingerprint
	Signer  string // of an allowed SSH key: its principals; untrusted text
}

// Known are the keys that signatures are checked with.
type Known struct {
	Secrets []Key
	Allowed Allowed
}

// Check checks the signature of a memory in the store of an id, which is "" if it has none. The memory must
// have its full text; at is the present.
func (known Known) Check(m memory.Memory, store string, at time.Time) Proof {
	if m.Signature == "" {
		return Proof{}
	}
	p, ok := parse(m.Signature)
	if !ok {
		return Proof{Verdict: Malformed}
	}
	proof := Proof{Verdict: UnknownKey, Key: p.signer}
	if p.version == sshVersion {
		proof = known.checkSSH(proof, p, m, at)
	} else if i := slices.IndexFunc(known.Secrets, func(k Key) bool { return k.Fingerprint() == p.signer }); i >= 0 {
		proof.Verdict = Altered
		if known.Secrets[i].verify(Bytes(m, p.store), p.value) {
			proof.Verdict = Valid
		}
	}
	if proof.Verdict == Valid && p.store != store {
		proof.Verdict = OtherStore
	}
	return proof
}

func (known Known) checkSSH(proof Proof, p parsed, m memory.Memory, at time.Time) Proof {
	s, err := parseSSH(p.value)
	if err != nil || s.fingerprint() != p.signer {
		return Proof{Verdict: Malformed}
	}
	who, ok := known.Allowed.find(s.Key, at)
	if !ok {
		return proof
	}
	proof.Signer, proof.Verdict = who, Altered
	if s.verify(Bytes(m, p.store)) {
		proof.Verdict = Valid
	}
	return proof
}
