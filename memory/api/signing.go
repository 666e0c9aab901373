package api

import "ltm/memory"

// Signature is the result of checking a memory's signature.
type Signature struct {
	ID       memory.ID `json:"id"`
	Topic    string    `json:"topic"`
	Verdict  string    `json:"verdict"`          // "" if there is no signature
	Key      string    `json:"key,omitempty"`    // the fingerprint of the key
	Signer   string    `json:"signer,omitempty"` // of an SSH key: its principals
	Trusted  bool      `json:"trusted"`          // written or approved in this clone, or validly signed
	Archived bool      `json:"archived,omitempty"`
}

// SignatureReport lists signatures.
type SignatureReport struct {
	Memories []Signature `json:"memories"`
}

// Signing makes signatures.
type Signing interface {
	// Sign returns the signature of a memory, which has its full text, for the store of an id.
	Sign(m memory.Memory, store string) (string, error)

	// Made reports whether a valid signature is of this sort, so that it need not be made again.
	Made(signature string) bool
}

// Unsigned is a memory that was not signed, and why.
type Unsigned struct {
	ID     memory.ID   `json:"id"`
	Topic  string      `json:"topic"`
	Reason memory.Note `json:"reason"`
}

// SignReport says what a request to sign did, or would do.
type SignReport struct {
	DryRun  bool        `json:"dry_run"`
	Signed  []Signature `json:"signed"`
	Kept    int         `json:"kept"` // memories whose signatures were valid already
	Refused []Unsigned  `json:"refused"`
}
