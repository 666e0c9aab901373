package engine_test

import (
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"ltm/memory"
	"ltm/memory/api"
)

func TestAliasesAreStoredFoundAndShown(t *testing.T) {
	f := newEngine(t)
	r, err := f.Remember(f.ctx, api.Draft{Topic: "Bouncer settings", Content: "Sessions get 20 slots.",
		Aliases: []string{" why are\nconnections exhausted ", "", "PGBOUNCER", "pgbouncer"}})
	require.NoError(t, err)
	_, err = f.Remember(f.ctx, api.Draft{Topic: "Nginx buffers", Content: "They are exhausted early."})
	require.NoError(t, err)
	want := []string{"why are connections exhausted", "PGBOUNCER"}
	d, err := f.Get(f.ctx, string(r.ID))
	require.NoError(t, err)
	require.Equal(t, want, d.Aliases)

	found, err := f.Recall(f.ctx, api.Query{Text: "are all connections exhausted?", Explain: true})
	require.NoError(t, err)
	require.Equal(t, r.ID, found.Memories[0].ID)
	require.Equal(t, want[0], found.Memories[0].Alias)
	require.Equal(t, "Sessions get 20 slots.", found.Memories[0].Summary, "a passage is not an alias")
	require.Empty(t, found.Memories[1].Alias)
	found, err = f.Recall(f.ctx, api.Query{Text: "are all connections exhausted?"})
	require.NoError(t, err)
	require.Empty(t, found.Memories[0].Alias, "only where it is explained")
	found, err = f.Recall(f.ctx, api.Query{Text: "slots", Explain: true})
	require.NoError(t, err)
	require.Empty(t, found.Memories[0].Alias, "none matched")

	for _, c := range []struct {
		aliases []string
		kind    memory.Kind
	}{{[]string{strings.Repeat("x", 121)}, memory.KindAliasTooLong},
		{strings.Split("a b c d e f g h i", " "), memory.KindAliasesTooMany},
		{[]string{token()}, memory.KindTextSecret}} {
		_, err := f.Remember(f.ctx, api.Draft{Topic: "t", Content: "c", Aliases: c.aliases})
		require.Equal(t, c.kind, memory.KindOf(err))
		_, err = f.Update(f.ctx, string(r.ID), api.Patch{Aliases: &c.aliases})
		require.Equal(t, c.kind, memory.KindOf(err))
		_, err = f.Realias(f.ctx, string(r.ID), c.aliases, nil)
		require.Equal(t, c.kind, memory.KindOf(err))
	}
	_, err = f.Update(f.ctx, string(r.ID), api.Patch{Aliases: &[]string{}})
	require.NoError(t, err)
	data, err := os.ReadFile(f.memoryFile(r.ID))
	require.NoError(t, err)
	require.NotContains(t, string(data), "aliases")
	found, err = f.Recall(f.ctx, api.Query{Text: "connections"})
	require.NoError(t, err)
	require.Empty(t, found.Memories)
}

func TestRealias(t *testing.T) {
	f := newEngine(t)
	r, err := f.Remember(f.ctx, api.Draft{Topic: "Bouncer", Content: "Slots.", Aliases: []string{"a", "b"}})
	require.NoError(t, err)
	id := string(r.ID)
	before, err := f.Peek(f.ctx, id)
	require.NoError(t, err)

	all, err := f.Realias(f.ctx, id, []string{"Why  so few?", "B"}, []string{"A"})
	require.NoError(t, err)
	require.Equal(t, api.Aliases{ID: r.ID, Topic: "Bouncer", Aliases: []string{"b", "Why so few?"},
		Learned: []string{}}, all)
	shown, err := f.Aliases(f.ctx, id)
	require.NoError(t, err)
	require.Equal(t, all, shown)
	after, err := f.Peek(f.ctx, id)
	require.NoError(t, err)
	require.Equal(t, before.AccessCount, after.AccessCount)

	_, err = f.Realias(f.ctx, id, []string{"c"}, []string{"b", "unknown"})
	require.Equal(t, memory.KindAliasUnknown, memory.KindOf(err))
	shown, err = f.Aliases(f.ctx, id)
	require.NoError(t, err)
	require.Equal(t, all, shown, "nothing was changed")
	_, err = f.Undo(f.ctx, id)
	require.NoError(t, err)
	shown, err = f.Aliases(f.ctx, id)
	require.NoError(t, err)
	require.Equal(t, []string{"a", "b"}, shown.Aliases)
}

// TestOddAliases has a file whose aliases cannot all be read: those that can find it, and check remarks on it.
func TestOddAliases(t *testing.T) {
	f := newEngine(t)
	f.remember("Nginx", "Buffers.", 0.5)
	require.NoError(t, os.WriteFile(f.memoryFile("mem_0000000a"), []byte("---\nid: mem_0000000a\n"+
		"topic: Bouncer\naliases: [pgbouncer, {a: b}]\n---\n\nSlots.\n"), 0o644))
	found, err := f.Recall(f.ctx, api.Query{Text: "pgbouncer"})
	require.NoError(t, err)
	require.Len(t, found.Memories, 1)
	report, err := f.Check(f.ctx)
	require.NoError(t, err)
	require.Len(t, report.Remarks, 1)
	require.Contains(t, report.Remarks[0].Reason.String(), "its aliases are not all single lines")
	_, err = f.Realias(f.ctx, "mem_0000000a", []string{"pool"}, nil)
	require.NoError(t, err)
	report, err = f.Check(f.ctx)
	require.NoError(t, err)
	require.Empty(t, report.Remarks)
}

// TestTooManyAliases has a file with ten: those that are not counted are not dropped by a change of others.
func TestTooManyAliases(t *testing.T) {
	f := newEngine(t)
	id := f.remember("Bouncer", "Slots.", 0.5)
	f.put(id, strings.Replace(f.text(id), "phase:", "aliases: [a, b, c, d, e, f, g, h, i, j]\nphase:", 1))
	before := f.text(id)
	for _, c := range []struct{ add, remove []string }{{nil, []string{"a"}}, {[]string{"k"}, []string{"a", "b"}},
		{[]string{"k"}, nil}} {
		_, err := f.Realias(f.ctx, string(id), c.add, c.remove)
		require.Equal(t, memory.KindAliasesTooMany, memory.KindOf(err))
		require.Equal(t, before, f.text(id))
	}
	all, err := f.Realias(f.ctx, string(id), nil, []string{"a", "J"})
	require.NoError(t, err)
	require.Equal(t, strings.Split("b c d e f g h i", " "), all.Aliases)
}

// TestTooLongAliases has a file with one that is longer than others can be, as other programs write them. A change of
// others does not drop it.
func TestTooLongAliases(t *testing.T) {
	f := newEngine(t)
	id := f.remember("Bouncer", "Slots.", 0.5)
	long := strings.Repeat("long ", 30)
	f.put(id, strings.Replace(f.text(id), "phase:", "aliases: ["+long+", b]\nphase:", 1))
	before := f.text(id)
	for _, c := range []struct{ add, remove []string }{{nil, []string{"b"}}, {[]string{"c"}, nil}} {
		_, err := f.Realias(f.ctx, string(id), c.add, c.remove)
		require.Equal(t, memory.KindAliasTooLong, memory.KindOf(err))
		require.Equal(t, before, f.text(id))
	}
	all, err := f.Realias(f.ctx, string(id), []string{"c"}, []string{long})
	require.NoError(t, err)
	require.Equal(t, []string{"b", "c"}, all.Aliases)
}

func TestAliasesCountInSimilar(t *testing.T) {
	f := newEngine(t)
	first, err := f.Remember(f.ctx, api.Draft{Topic: "Slots", Content: "Twenty.",
		Aliases: []string{"why are database connections exhausted under load", "size of the connection pool"}})
	require.NoError(t, err)
	again, err := f.Remember(f.ctx, api.Draft{Topic: "Sessions", Content: "20.",
		Aliases: []string{"why are database connections exhausted under load", "connection pool size"}})
	require.NoError(t, err)
	require.Len(t, again.Similar, 1)
	require.Equal(t, first.ID, again.Similar[0].ID)
	other, err := f.Remember(f.ctx, api.Draft{Topic: "Timeouts", Content: "30 s.",
		Aliases: []string{"how long does the database wait for a lock"}})
	require.NoError(t, err)
	require.Empty(t, other.Similar)
}
