package engine_test

import (
	"fmt"
	"os"
	"testing"

	"github.com/stretchr/testify/require"

	"ltm/engine/settings"
	"ltm/memory"
	"ltm/memory/api"
)

func TestWhyTellsThePlaceInTheContext(t *testing.T) {
	f := newEngine(t)
	best := f.remember("Best", "It is used.", 1)
	critical := f.remember("Critical", "Never do that.", 0, "importance:critical")
	var last memory.ID
	for i := range 100 {
		last = f.remember(fmt.Sprint("Topic ", i), "Some words of it.", 0.5-float64(i)/1000)
	}
	f.set("context_budget_tokens", "300", settings.Clone)
	ask := func(id memory.ID) (api.WhyContext, string) {
		t.Helper()
		why, err := f.Why(f.ctx, string(id))
		require.NoError(t, err)
		return why.Context, why.Notes[len(why.Notes)-1]
	}
	c, note := ask(critical)
	require.Equal(t, 1, c.Rank)
	require.Equal(t, 102, c.Of)
	require.Equal(t, "whole", c.Form)
	require.Equal(t, "tokens", c.Limit)
	require.Positive(t, c.Tokens)
	require.Equal(t, fmt.Sprintf("in the next session's context it is number 1 of 102: shown whole, "+
		"with %d of %d tokens (full)", c.Tokens, c.Total), note)
	c, _ = ask(best)
	require.Equal(t, 2, c.Rank)
	c, note = ask(last)
	require.Equal(t, 102, c.Rank)
	require.Empty(t, c.Form)
	require.Equal(t, "in the next session's context it is number 102 of 102: not shown; the limit is "+
		"context_budget_tokens", note)

	r, err := f.Remember(f.ctx, api.Draft{Topic: "Of a role", Content: "Text.", Agent: "reviewer",
		Importance: memory.Critical})
	require.NoError(t, err)
	c, note = ask(r.ID)
	require.Contains(t, []int{1, 2}, c.Rank)
	require.Equal(t, 103, c.Of)
	require.Contains(t, note, `in the context of the next session of "reviewer" it is number `)
	require.Contains(t, note, " of 103: shown whole")
	_, err = f.Forget(f.ctx, string(r.ID))
	require.NoError(t, err)

	f.set("memories_to_load", "1", settings.Clone)
	f.set("context_budget_tokens", "10%", settings.Clone)
	_, note = ask(best)
	require.Regexp(t, `number 2 of 102: its topic is shown, with \d+ of \d+ tokens \(full\); the limit is `+
		"memories_to_load", note)
	f.set("memories_to_load", "0", settings.Clone)
	_, note = ask(best)
	require.Equal(t, "in the next session's context it is number 2 of 102: not shown; the limit is memories_to_load",
		note)

	f.set("trust", "ask", settings.Clone)
	require.NoError(t, os.WriteFile(f.memoryFile("mem_deadbeef"), []byte("---\ntopic: Guest\n---\nText.\n"), 0o644))
	c, note = ask("mem_deadbeef")
	require.Empty(t, c.Form)
	require.Equal(t, "it is held back, so that sessions do not start with it", note)
}
