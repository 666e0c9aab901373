package scan

import (
	"encoding/binary"
	"slices"

	"ltm/internal/cachefile"
	"ltm/memory"
)

// hasLinks reports whether a memory has a value that [appendLinks] writes.
func hasLinks(m memory.Memory) bool {
	return len(m.Supersedes)+len(m.Disputes)+len(m.Related) > 0 || m.Agent != "" || m.Commit != "" || m.Origin != nil ||
		m.Signature != "" || m.OddLinks
}

func appendLinks(b []byte, m memory.Memory) []byte {
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
func (r *stateReader) links(m *memory.Memory) {
	for _, to := range []*[]memory.ID{&m.Supersedes, &m.Disputes, &m.Related} {
		for range r.Count(1) {
			*to = append(*to, memory.ID(r.Field()))
		}
	}
	m.Agent, m.Commit, m.Signature = r.Field(), r.Field(), r.Field()
	if origin := (memory.Origin{System: r.Field(), ID: r.Field(), Agent: r.Field()}); origin != (memory.Origin{}) {
		m.Origin = &origin
	}
	m.OddLinks = r.Uvarint() == 1
}

func plausibleLinks(m *memory.Memory) bool {
	for _, ids := range [][]memory.ID{m.Supersedes, m.Disputes, m.Related} {
		if len(ids) > memory.MaxLinks || slices.ContainsFunc(ids, isNoID) {
			return false
		}
	}
	agent, err := memory.NormalizeAgent(m.Agent)
	return err == nil && agent == m.Agent && (m.Commit == "" || memory.IsCommit(m.Commit)) &&
		(m.Origin == nil || m.Origin.IsValid()) && (m.Signature == "" || memory.IsSignature(m.Signature))
}

func appendRefs(b []byte, m memory.Memory) []byte {
	odd := uint64(0)
	if m.OddRefs {
		odd = 1
	}
	b = binary.AppendUvarint(b, uint64(len(m.Refs))<<1|odd)
	for _, ref := range m.Refs {
		for _, text := range []string{ref.Path, ref.Blob, ref.Symbol, ref.Near} {
			b = cachefile.AppendString(b, text)
		}
		b = binary.AppendUvarint(binary.AppendUvarint(b, uint64(ref.Line)), uint64(ref.End))
	}
	return b
}

// refs reads what [appendRefs] wrote.
func (r *stateReader) refs(m *memory.Memory) {
	n := r.Uvarint()
	m.OddRefs = n&1 == 1
	n = min(n>>1, memory.MaxRefs+1) // more are not plausible
	if len(r.freeRefs) < int(n) {
		r.freeRefs = make([]memory.Ref, manyTags)
	}
	refs := r.freeRefs[:n:n]
	r.freeRefs = r.freeRefs[n:]
	for i := range refs {
		refs[i] = memory.Ref{Path: r.Field(), Blob: r.Field(), Symbol: r.Field(), Near: r.Field(),
			Line: int(r.Uvarint()), End: int(r.Uvarint())}
	}
	if n > 0 {
		m.Refs = refs
	}
}

func plausibleRefs(m *memory.Memory) bool {
	return len(m.Refs) <= memory.MaxRefs &&
		!slices.ContainsFunc(m.Refs, func(r memory.Ref) bool { return !r.IsNormal() })
}

func isNoID(id memory.ID) bool {
	parsed, err := memory.ParseID(string(id))
	return err != nil || parsed != id
}
