package scan

import (
	"encoding/binary"
	"slices"

	"ltm/internal/fs/cachefile"
	"ltm/memory"
)

// hasLinks reports whether a memory has a value that [appendLinks] writes.
func hasLinks(m *memory.Memory) bool {
	return len(m.Supersedes)+len(m.Disputes)+len(m.Related) > 0 || m.Agent != "" || m.Commit != "" || m.Origin != nil ||
		m.Signature != "" || m.OddLinks
}

// linksOf returns how many links the file of a memory has.
func linksOf(m *memory.Memory) int {
	return len(m.Supersedes) + len(m.Disputes) + len(m.Related) + m.LinksLeft
}

func appendLinks(b []byte, m *memory.Memory) []byte {
	for _, ids := range [][]memory.ID{m.Supersedes, m.Disputes, m.Related} {
		b = binary.AppendUvarint(b, uint64(len(ids)))
		for _, id := range ids {
			b = cachefile.AppendString(b, string(id))
		}
	}
	var origin memory.Origin // empty: none
	if m.Origin != nil {
		origin = *m.Origin
	}
	for _, text := range []string{m.Agent, m.Commit, m.Signature, origin.System, origin.ID, origin.Agent} {
		b = cachefile.AppendString(b, text)
	}
	odd := uint64(0)
	if m.OddLinks {
		odd = 1
	}
	return binary.AppendUvarint(b, odd)
}

// links reads what [appendLinks] wrote.
func (d *decoder) links(m *memory.Memory) {
	for _, to := range []*[]memory.ID{&m.Supersedes, &m.Disputes, &m.Related} {
		for range d.Count(1) {
			*to = append(*to, memory.ID(d.Field()))
		}
	}
	m.Agent, m.Commit, m.Signature = d.Field(), d.Field(), d.Field()
	if origin := (memory.Origin{System: d.Field(), ID: d.Field(), Agent: d.Field()}); origin != (memory.Origin{}) {
		m.Origin = &origin
	}
	m.OddLinks = d.Uvarint() == 1
}

func plausibleLinks(m *memory.Memory) bool {
	if m.LinksLeft < 0 || m.LinksLeft > 3*memory.MaxLinks || m.LinksLeft > 0 && linksOf(m) > m.LinksLeft {
		return false
	}
	for _, ids := range [][]memory.ID{m.Supersedes, m.Disputes, m.Related} {
		if len(ids) > memory.MaxLinks || slices.ContainsFunc(ids, isNoID) {
			return false
		}
	}
	agent, err := memory.NormalizeAgent(m.Agent)
	return err == nil && agent == m.Agent && (m.Commit == "" || memory.IsCommit(m.Commit)) &&
		(m.Origin == nil || m.Origin.IsValid()) && (m.Signature == "" || memory.IsSignature(m.Signature))
}

// appendRef appends a reference, for all memories that have it.
func appendRef(b []byte, r memory.Ref) []byte {
	for _, text := range []string{r.Path, r.Blob, r.Symbol, r.Near} {
		b = cachefile.AppendString(b, text)
	}
	return binary.AppendUvarint(binary.AppendUvarint(b, uint64(r.Line)), uint64(r.End))
}

func readRef(r *cachefile.Reader[string]) memory.Ref {
	return memory.Ref{Path: r.Field(), Blob: r.Field(), Symbol: r.Field(), Near: r.Field(),
		Line: int(r.Uvarint()), End: int(r.Uvarint())}
}

// readRefs reads which of the block's references a memory has.
func (d *decoder) readRefs(m *memory.Memory) {
	n := d.Uvarint()
	m.OddRefs = n&1 == 1
	n = min(n>>1, memory.MaxRefs+1) // more are not plausible
	if n == 0 {
		return
	}
	if d.reuse {
		m.Refs = d.some[:n] // callers use only its length
	} else {
		m.Refs = make([]memory.Ref, n)
	}
	for i := range n {
		number := d.Uvarint()
		if number >= uint64(len(d.block.refAt)) {
			d.bad = true
			return
		}
		if !d.reuse {
			r := cachefile.NewReader(d.block.refs[d.block.refAt[number]:])
			m.Refs[i] = readRef(&r)
		}
	}
}

func isNoID(id memory.ID) bool {
	parsed, err := memory.ParseID(string(id))
	return err != nil || parsed != id
}
