package brief_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"ltm/engine/brief"
	"ltm/memory"
)

// mixed is a source of memories of every kind: from elsewhere, altered, superseded, stale.
type mixed struct {
	texts                         map[memory.ID]memory.Memory
	foreign, unrecorded, restored map[memory.ID]bool
}

func (m mixed) Read(h memory.Memory) (memory.Memory, bool, bool, error) {
	text := m.texts[h.ID]
	text.Phase = h.Phase
	return text, m.foreign[h.ID], true, nil
}
func (m mixed) Foreign(h memory.Memory) bool     { return m.foreign[h.ID] }
func (m mixed) Unrecorded(h *memory.Memory) bool { return m.unrecorded[h.ID] }
func (m mixed) Altered(memory.ID) bool           { return true }
func (m mixed) Said(id memory.ID) (s brief.Said) {
	if m.restored[id] {
		s.SupersededBy, s.Stale = []memory.ID{"mem_ffffffff"}, []string{"db/pool.go changed"}
	}
	return s
}

// mixture returns n memories with properties by chance.
func mixture(r *rand.Rand, n int) (mixed, []*memory.Memory) {
	from := mixed{map[memory.ID]memory.Memory{}, map[memory.ID]bool{}, map[memory.ID]bool{}, map[memory.ID]bool{}}
	var headers []*memory.Memory
	for range n {
		m := memory.Memory{ID: memory.ID(fmt.Sprintf("mem_%08x", r.Uint32())),
			Topic: strings.Repeat("topic ", 1+r.IntN(12)), Content: strings.Repeat("word ", r.IntN(200)),
			Phase: memory.Phase(r.IntN(3))}
		if r.IntN(3) > 0 {
			m.Summary = strings.Repeat("summary ", 1+r.IntN(30))
		}
		if r.IntN(4) == 0 {
			m.Tags = memory.WithImportance(nil, memory.Critical)
		}
		if r.IntN(4) == 0 {
			m.Signature = "v1:x:y"
		}
		from.foreign[m.ID], from.restored[m.ID] = r.IntN(3) == 0, r.IntN(5) == 0
		from.unrecorded[m.ID] = from.foreign[m.ID] && r.IntN(2) == 0
		from.texts[m.ID] = m
		headers = append(headers, &m)
	}
	return from, headers
}

// TestNoBlockExceedsItsBudget builds blocks of all sizes, styles and closing lines by chance.
func TestNoBlockExceedsItsBudget(t *testing.T) {
	next := func(kind memory.Kind, id string) string { return string(kind) + strings.Repeat(" next step", 5) + id }
	for seed := range uint64(1500) {
		r := rand.New(rand.NewPCG(seed, 1))
		l := brief.Limits{Tokens: 200 + r.IntN(400)<<r.IntN(5), Whole: r.IntN(15), Compact: r.IntN(2) == 0,
			HoldBack: r.IntN(3) == 0, Next: next}
		if r.IntN(2) == 0 {
			l.Offer = brief.Offer{ID: "01K3Q8ZJ6M4T2V9XWBDN7RHE02", Goal: strings.Repeat("goal ", r.IntN(60))}
		}
		if r.IntN(2) == 0 {
			from, headers := mixture(r, r.IntN(20))
			own, err := brief.Own(headers, from, l, r.IntN(3))
			require.NoError(t, err)
			l.Own = own
		}
		from, headers := mixture(r, r.IntN(40))
		b, err := brief.Build(headers, from, l)
		require.NoError(t, err)
		chars, tokens := brief.Measure(b.Text)
		require.LessOrEqual(t, tokens, float64(l.Tokens), "seed %d:\n%s", seed, b.Text)
		require.LessOrEqual(t, chars, float64(brief.MaxChars), "seed %d", seed)
		named, held := 0, 0
		for _, p := range b.Parts {
			if !p.Own {
				named++
			}
			require.Contains(t, b.Text, p.ID)
		}
		for _, h := range headers {
			if l.HoldBack && l.Whole > 0 && from.foreign[h.ID] {
				held++
			}
		}
		require.GreaterOrEqual(t, b.Left, len(headers)-named-held, "seed %d", seed)
		require.LessOrEqual(t, b.Left-l.Own.Left, len(headers)-named, "seed %d", seed)
		for heading := range strings.SplitSeq(b.Text, "\n\n") {
			lines := strings.Split(strings.TrimSpace(heading), "\n")
			if strings.HasPrefix(lines[0], "## ") || strings.HasPrefix(lines[0], "More, by id") {
				require.Greater(t, len(lines), 1, "seed %d: a heading without content:\n%s", seed, b.Text)
			}
		}
	}
}
