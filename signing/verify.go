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
	Unproven   Verdict = "unproven"    // it was not checked: the full text is missing, or a merge is unresolved
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

// Check checks the signature of a memory. The memory must have its full text; at is the present.
func (known Known) Check(m memory.Memory, at time.Time) Proof {
	if m.Signature == "" {
		return Proof{}
	}
	p, ok := parse(m.Signature)
	if !ok {
		return Proof{Verdict: Malformed}
	}
	proof := Proof{Verdict: UnknownKey, Key: p.signer}
	if p.version == sshVersion {
		return known.checkSSH(proof, p, m, at)
	}
	i := slices.IndexFunc(known.Secrets, func(k Key) bool { return k.Fingerprint() == p.signer })
	if i < 0 {
		return proof
	}
	proof.Verdict = Altered
	if known.Secrets[i].verify(Bytes(m), p.value) {
		proof.Verdict = Valid
	}
	return proof
}

func (known Known) checkSSH(proof Proof, p parsed, m memory.Memory, at time.Time) Proof {
	s, err := parseSSH(p.value)
	if err != nil || s.fingerprint() != p.signer {
		return Proof{Verdict: Malformed}
	}
	who, ok := known.Allowed.find(s.key, at)
	if !ok {
		return proof
	}
	proof.Signer, proof.Verdict = who, Altered
	if s.verify(Bytes(m)) {
		proof.Verdict = Valid
	}
	return proof
}
