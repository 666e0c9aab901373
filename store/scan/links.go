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

func isNoID(id memory.ID) bool {
	parsed, err := memory.ParseID(string(id))
	return err != nil || parsed != id
}
