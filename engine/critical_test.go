package engine_test

import (
	"fmt"
	"math/rand"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"ltm/engine/settings"
	"ltm/memory"
	"ltm/memory/api"
)

// TestCriticalMemoriesAreNeverLeftOutForOthers fills stores of many sizes. It fails if a memory
// is shown, or shown whole, while a critical one is missing.
func TestCriticalMemoriesAreNeverLeftOutForOthers(t *testing.T) {
	for seed := range int64(40) {
		t.Run(fmt.Sprint("seed ", seed), func(t *testing.T) {
			r := rand.New(rand.NewSource(seed))
			f := newEngine(t)
			set := func(key string, n int) {
				_, err := f.SetConfig(f.ctx, key, fmt.Sprint(n), settings.Clone)
				require.NoError(t, err)
			}
			set("context_budget_tokens", 200+r.Intn(2)*r.Intn(2500))
			set("memories_to_load", 1+r.Intn(20))
			critical, others := map[memory.ID]bool{}, map[memory.ID]bool{}
			for i := range 10 + r.Intn(30) {
				topic := fmt.Sprintf("%d %s", i, strings.Repeat("topic ", r.Intn(30)))
				content := fmt.Sprintf("%d. %s", i, strings.Repeat("Some words. ", r.Intn(80)))
				if r.Intn(2) == 0 {
					critical[f.remember(topic, content, 0, "importance:critical")] = true
				} else {
					others[f.remember(topic, content, 1)] = true
				}
			}
			text, _, err := f.SessionContext(f.ctx)
			require.NoError(t, err)
			require.LessOrEqual(t, utf16Len(text), 9500)
			missing := 0
			for id := range critical {
				if !strings.Contains(text, string(id)) {
					missing++
				}
			}
			if missing > 0 {
				for id := range others {
					require.NotContains(t, text, string(id), "%d critical ones are missing", missing)
				}
				require.Contains(t, text, fmt.Sprintf("%d not at all", missing))
			}
			report, err := f.Check(f.ctx)
			require.NoError(t, err)
			require.True(t, report.OK)
			require.Equal(t, strings.Contains(text, "(ltm unpin ID makes room)"), len(report.Warnings) > 0,
				"block and check agree: %v", report.Warnings)
		})
	}
}

func TestCriticalMemoriesComeFirst(t *testing.T) {
	f := newEngine(t)
	f.remember("Used every day", "Text of it.", 1)
	for range 4 { // with the store itself five: 0.4·1 + 0.3·1 + 0.3·1 = 1
		_, err := f.Get(f.ctx, "mem_00000001")
		require.NoError(t, err)
	}
	// 0.4·0 + 0.3·1 + 0.3·ln 2/ln 6 + 0.5 = 0.92
	f.remember("Never do that", "It broke once.", 0, "git", "importance:critical")
	text := f.start("s")
	require.Less(t, strings.Index(text, "Never do that"), strings.Index(text, "Used every day"))
	require.Contains(t, text, "· critical\n> # Never do that [git]\n")
	list, err := f.List(f.ctx, api.ListFilter{})
	require.NoError(t, err)
	require.Equal(t, memory.ID("mem_00000001"), list.Memories[0].ID, "a listing is in order of priority")
}

func TestPin(t *testing.T) {
	f := newEngine(t)
	full := make([]string, memory.MaxTags)
	for i := range full {
		full[i] = fmt.Sprint("tag-", i)
	}
	a, b, many := f.remember("a", "a", 0.5, "x", "importance:low", "y"), f.remember("b", "b", 0.5),
		f.remember("many", "m", 0.5, full...)
	tags := func(id memory.ID) []string { // and the importance
		d, err := f.Peek(f.ctx, string(id))
		require.NoError(t, err)
		require.Zero(t, d.AccessCount, "pinning is not an access")
		return append(d.Tags, string(d.Importance))
	}
	_, err := f.Pin(f.ctx, []string{string(b), string(many)}, memory.Critical)
	require.ErrorContains(t, err, "that makes 21 tags; at most 20 tags are allowed, and an importance counts as one")
	require.Equal(t, []string{""}, tags(b), "all or none")
	receipts, err := f.Pin(f.ctx, []string{string(a), string(b), strings.TrimPrefix(string(a), "mem_")},
		memory.Important)
	require.NoError(t, err)
	require.Len(t, receipts, 2)
	require.Equal(t, []string{"x", "y", "important"}, tags(a))
	require.Equal(t, []string{"important"}, tags(b))
	_, err = f.Pin(f.ctx, []string{string(a), string(b)}, memory.Normal)
	require.NoError(t, err)
	require.Equal(t, []string{"x", "y", ""}, tags(a))
	require.Equal(t, []string{""}, tags(b))
}
