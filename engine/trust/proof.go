package trust

import (
	"bytes"
	"cmp"
	"math"
	"sync"
	"time"

	"ltm/engine/base"
	"ltm/engine/settings"
	"ltm/memory"
	"ltm/memory/memfile"
	"ltm/store"
	"ltm/store/signing"
)

// maxChecks bounds the signatures that one hook checks, and maxLearned the proven contents that are not written yet.
const (
	maxChecks  = 200
	maxLearned = 1000
)

// learned are contents that signatures proved. The next change records their hashes, so that their
// signatures need not be checked again.
type learned struct {
	mu  sync.Mutex
	all []content
}

type content struct {
	id   memory.ID
	data []byte
}

func (l *learned) add(id memory.ID, data []byte) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if len(l.all) < maxLearned {
		l.all = append(l.all, content{id, data})
	}
}

func (l *learned) take() []content {
	l.mu.Lock()
	defer l.mu.Unlock()
	all := l.all
	l.all = nil
	return all
}

func (l *learned) Waiting() bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	return len(l.all) > 0
}

// learn records what signatures proved. It is best effort: a signature can be checked again.
func (e *Engine) learn(tx *base.Tx) {
	all := e.Learned.take()
	if len(all) == 0 {
		return
	}
	trust, err := tx.Trust()
	if err != nil {
		return
	}
	for _, c := range all {
		if !trust.Revoked(c.id) && tx.Approve(c.id, c.data) != nil {
			return
		}
	}
}

// Prover checks and makes signatures during one look at a store or one change of it. A nil prover
// proves and signs nothing.
type Prover struct {
	signer  base.Signer
	now     time.Time
	left    int // checks that are still allowed
	learned *learned
	seen    map[memory.ID]signing.Verdict // the last verdict about each memory
	homes   map[string]signing.Verdict    // what home said of a store's id

	known struct {
		signing.Known
		secrets, allowed bool // were read
	}
}

// Prover returns nil if there are no keys to ask for.
func (e *Engine) Prover() *Prover {
	if e.Signer == nil {
		return nil
	}
	p := &Prover{signer: e.Signer, now: e.Now(), left: maxChecks, learned: &e.Learned,
		homes: map[string]signing.Verdict{}}
	if !e.Hurried {
		p.left = math.MaxInt
	}
	return p
}

// Check checks the signature of a memory as its file has it. The text of a reduced one is that of its
// newest full text in the archives: reduced as far, that must give what the file says.
func (p *Prover) Check(v *store.View, m memory.Memory) signing.Proof {
	if m.Signature == "" || m.IsStub() {
		return signing.Proof{}
	}
	if p == nil || m.Conflicted || p.left <= 0 {
		return signing.Proof{Verdict: signing.Unproven}
	}
	p.left--
	full, found := whole(v, m)
	store, err := v.StoreID()
	if !found || err != nil {
		return signing.Proof{Verdict: signing.Unproven}
	}
	proof := p.keysFor(m.Signature).Check(full, store, p.now)
	switch ok := proof.Verdict == signing.Valid; {
	case (ok || proof.Verdict == signing.OtherStore) && !isExactReduction(m, full):
		proof.Verdict = signing.Altered
	case ok:
		proof.Verdict = p.home(store)
	}
	return proof
}

// home is [Signer.Home], asked once.
func (p *Prover) home(id string) signing.Verdict {
	if p == nil {
		return signing.Unproven
	}
	if _, known := p.homes[id]; !known {
		p.homes[id] = p.signer.Home(id)
	}
	return p.homes[id]
}

// makeHome returns the id of the store for a signature. It makes one if there is none, and returns "" if signatures
// for it do not count in this clone: they would count in another repository.
func (p *Prover) makeHome(tx *store.Tx) string {
	id, err := tx.MakeStoreID()
	if err != nil || p.home(id) != signing.Valid {
		return ""
	}
	return id
}

// keysFor reads the keys that a signature may need, once.
func (p *Prover) keysFor(signature string) signing.Known {
	switch {
	case signing.IsSecret(signature) && !p.known.secrets:
		p.known.Secrets, p.known.secrets = p.signer.Secrets(), true
	case !signing.IsSecret(signature) && !p.known.allowed:
		p.known.Allowed, p.known.allowed = p.signer.Allowed(), true
	}
	return p.known.Known
}

// whole returns a memory with its full text. It reports false if that is missing.
func whole(v *store.View, m memory.Memory) (memory.Memory, bool) {
	if m.Phase == memory.Full {
		return m, true
	}
	full, err := v.NewestFull(m.ID)
	if err != nil || full == nil {
		return m, false
	}
	m.Summary, m.Content = full.Memory.Summary, full.Memory.Content
	return m, true
}

// isExactReduction reports whether m says what reducing full to its phase gives.
func isExactReduction(m, full memory.Memory) bool {
	if m.Phase == memory.Full {
		return true
	}
	full.Phase = memory.Full
	reduced := base.ReduceTo(full, m.Phase)
	return memory.TrimBlank(reduced.Summary) == m.Summary && memory.TrimBlank(reduced.Content) == m.Content
}

// signedFile parses the bytes of a memory, if they may have a signature.
func signedFile(id memory.ID, data []byte) (*memfile.File, bool) {
	if !bytes.Contains(data, []byte("signature")) {
		return nil, false
	}
	file, err := memfile.Parse(data)
	if err != nil {
		return nil, false
	}
	file.Memory.ID = cmp.Or(file.Memory.ID, id) // the file's name gives it
	return file, true
}

// verdict is check for the bytes of a memory.
func (p *Prover) verdict(v *store.View, id memory.ID, data []byte) signing.Verdict {
	file, ok := signedFile(id, data)
	if !ok {
		return signing.None
	}
	verdict := signing.Altered // a copy under another name
	if file.Memory.ID == id {
		verdict = p.Check(v, file.Memory).Verdict
	}
	if p != nil {
		if p.seen == nil {
			p.seen = map[memory.ID]signing.Verdict{}
		}
		p.seen[id] = verdict
	}
	return verdict
}

// Proves implements [store.Signer]. It does not prove memories of the person's own store: what a model
// stores there needs a person's approval, wherever it was signed.
func (p *Prover) Proves(v *store.View, id memory.ID, data []byte) bool {
	if p == nil || v.Own() || p.verdict(v, id, data) != signing.Valid {
		return false
	}
	p.learned.add(id, data)
	return true
}

// Seal implements [store.Signer]. A signature that still counts is kept, whoever made it, and so is
// one of an unknown key over the same text.
func (p *Prover) Seal(tx *store.Tx, id memory.ID, before, data []byte) []byte {
	v := tx.View
	key, ok := p.signer.Current()
	state, err := base.Tolerate(v.State())
	ok = ok && err == nil && base.SettingsOf(v, state).Sign != settings.SignOff
	file, signed := signedFile(id, data)
	if !ok && !signed || memfile.IsStubFile(data) {
		return data
	}
	if !signed {
		var err error
		if file, err = memfile.Parse(data); err != nil {
			return data
		}
		file.Memory.ID = cmp.Or(file.Memory.ID, id)
	}
	m := file.Memory
	verdict := p.Check(v, m).Verdict
	same := m.Signature != "" && saysSame(v, id, before, m)
	if m.Conflicted || verdict == signing.Valid || verdict == signing.UnknownKey && same {
		return data
	}
	full, found := whole(v, m)
	home := ""
	if ok && found && isExactReduction(m, full) {
		home = p.makeHome(tx)
	}
	switch {
	case home != "":
		m.Signature = key.Sign(full, home)
	case same:
		return data
	default:
		m.Signature = ""
	}
	if out, err := file.With(m); err == nil {
		return out
	}
	return data
}

// saysSame reports whether a memory has all that a signature covers from the bytes that it was made from.
func saysSame(v *store.View, id memory.ID, before []byte, m memory.Memory) bool {
	file, err := memfile.Parse(before)
	if err != nil || file.Memory.IsStub() {
		return false
	}
	file.Memory.ID = id
	old, was := whole(v, file.Memory)
	now, is := whole(v, m)
	return was && is && bytes.Equal(signing.Bytes(old, ""), signing.Bytes(now, ""))
}
