package packet_test

import (
	"encoding/json"
	"regexp"
	"slices"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/stretchr/testify/require"

	"ltm/packet"
)

// FuzzParse reads any bytes. What is JSON is decided as encoding/json does; what is a packet has
// the values that encoding/json finds, and can be written and read again.
func FuzzParse(f *testing.F) {
	f.Fuzz(func(t *testing.T, data []byte) {
		p, err := packet.ParseStored(data)
		if draft, draftErr := packet.ParseDraft(data); err == nil {
			require.NoError(t, draftErr)
			require.Equal(t, p, draft)
		}
		sent, sentErr := packet.Parse(data)
		if len(data) <= packet.MaxBytes {
			require.Equal(t, err, sentErr)
			require.Equal(t, p, sent)
		}
		if err != nil {
			require.Zero(t, p)
			requireFaults(t, data, packet.FaultsOf(err))
			return
		}
		require.True(t, json.Valid(data) && utf8.Valid(data))
		var value struct {
			Goal, ID  string
			Tags      []string
			Decisions []struct {
				What, Why string
				Locked    bool
			}
		}
		require.NoError(t, json.Unmarshal(data, &value))
		require.Equal(t, value.Goal, p.Goal)
		require.Equal(t, value.ID, p.ID)
		require.True(t, slices.Equal(value.Tags, p.Tags))
		for i, d := range value.Decisions {
			require.Equal(t, d, struct {
				What, Why string
				Locked    bool
			}{p.Decisions[i].What, p.Decisions[i].Why, p.Decisions[i].Locked})
		}
		requireCanonical(t, &p, len(data))
	})
}

// requireFaults checks what holds for any list of faults.
func requireFaults(t *testing.T, data []byte, faults []packet.Fault) {
	t.Helper()
	require.NotEmpty(t, faults)
	kinds := map[packet.Kind]bool{}
	for _, f := range faults {
		kinds[f.Kind] = true
		require.Contains(t, packet.Kinds(), f.Kind)
		require.Regexp(t, `^(/[a-z_]+|/\d+)*$`, f.Path)
		require.Regexp(t, `^[[:print:]\PC]+$`, f.Message)
		require.True(t, utf8.ValidString(f.Message))
		require.Less(t, len(f.Message), 500)
	}
	switch {
	case kinds[packet.KindSyntax]:
		require.False(t, json.Valid(data))
	case !kinds[packet.KindTooLarge] && !kinds[packet.KindNesting] && !kinds[packet.KindValues]:
		require.True(t, json.Valid(data), "%v", faults)
	}
}

// requireCanonical writes a packet and reads it again.
func requireCanonical(t *testing.T, p *packet.Packet, most int) {
	t.Helper()
	data, err := p.Canonical()
	require.NoError(t, err)
	require.LessOrEqual(t, len(data), min(most, packet.MaxBytes))
	require.True(t, json.Valid(data))
	back, err := packet.Parse(data)
	require.NoError(t, err)
	again, err := back.Canonical()
	require.NoError(t, err)
	require.Equal(t, string(data), string(again))
	require.True(t, back.Time().Equal(p.Time()))
	require.Empty(t, packet.Diff(p, &back))
	back.CreatedAt = p.CreatedAt
	again, err = back.Canonical()
	require.NoError(t, err)
	require.Equal(t, string(data), string(again))
	require.Equal(t, p.Goal, back.Goal)
	require.Equal(t, p.Texts(), back.Texts())
}

// FuzzCanonical writes and reads packets with any texts. One that cannot be written has faults.
func FuzzCanonical(f *testing.F) {
	f.Fuzz(func(t *testing.T, id, goal, text, slug, hash string, locked bool) {
		p := packet.Packet{ID: id, CreatedAt: "2026-08-28T09:15:30.5+02:00", Goal: goal, NextStep: text + "n",
			Project: &packet.Project{Name: slug, Ref: text}, Constraints: []string{text, "", goal},
			Decisions: []packet.Decision{{What: text, Why: goal, Locked: locked}, {Consequences: slug}},
			Methods:   []packet.Method{{Name: slug, How: text}}, Tags: []string{slug},
			Attempts:   []packet.Attempt{{Tried: goal, Outcome: packet.Partial, Learned: text}},
			Provenance: &packet.Provenance{SourceHash: hash}}
		p.Version = p.Lowest()
		if _, err := p.Canonical(); err != nil {
			require.NotEmpty(t, packet.FaultsOf(err))
			require.Equal(t, err, p.Check())
			return
		}
		for _, s := range []string{id, goal, text, slug, hash} {
			require.True(t, utf8.ValidString(s))
		}
		requireCanonical(t, &p, packet.MaxBytes)
	})
}

// FuzzCreatedAt compares the times that are accepted with those of package time, which accepts a
// little more.
func FuzzCreatedAt(f *testing.F) {
	strict := regexp.MustCompile(`^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]([01]\d|2[0-3]):[0-5]\d)$`)
	f.Fuzz(func(t *testing.T, text string) {
		p := small()
		p.CreatedAt = text
		at, err := time.Parse(time.RFC3339, text)
		faults := packet.FaultsOf(p.Check())
		require.Equal(t, err == nil && strict.MatchString(text), len(faults) == 0, "%q: %v, %v", text, err, faults)
		if len(faults) == 0 {
			require.True(t, p.Time().Equal(at))
			requireCanonical(t, &p, packet.MaxBytes)
		}
	})
}

// FuzzDiff compares random packets.
func FuzzDiff(f *testing.F) {
	f.Fuzz(func(t *testing.T, seed, other uint64, same bool) {
		a, b := newGenerator(seed).packet(), newGenerator(other).packet()
		if same { // but for what is one deeper
			b = a
			b.Decisions = slices.Clone(a.Decisions)
			for i := range b.Decisions {
				b.Decisions[i].Locked = other>>i&1 == 0
			}
		}
		requireDiff(t, &a, &b)
	})
}
