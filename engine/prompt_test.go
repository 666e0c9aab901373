package engine_test

import (
	"encoding/json"
	"flag"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"ltm/engine/settings"
	"ltm/memfile"
	"ltm/memory"
)

// prompts is testdata/search/prompts.json: prompts as developers type them, and
// the memories of memories.json that bear on them.
type prompts struct {
	Prompts []struct {
		Kind, Prompt string
		Relevant     []memory.ID
	}
}

func readJSON(t *testing.T, name string, v any) {
	t.Helper()
	data, err := os.ReadFile(filepath.Join("..", "testdata", "search", name))
	require.NoError(t, err)
	require.NoError(t, json.Unmarshal(data, v))
}

// withMemories is a store with the memories of the search evaluation.
func withMemories(t *testing.T) *fixture {
	t.Helper()
	var set struct {
		Docs []struct {
			ID             memory.ID
			Topic, Content string
			Tags           []string
			Created        time.Time
		}
	}
	readJSON(t, "memories.json", &set)
	f := newEngine(t)
	require.NoError(t, os.MkdirAll(filepath.Join(f.dir, "memories"), 0o755))
	for _, d := range set.Docs {
		m, err := memory.Normalize(memory.Memory{ID: d.ID, Topic: d.Topic, Content: d.Content, Tags: d.Tags,
			CreatedAt: d.Created})
		require.NoError(t, err)
		require.NoError(t, os.WriteFile(filepath.Join(f.dir, "memories", d.ID.File()), memfile.Format(m), 0o644))
	}
	return f
}

// tally counts what the prompts of one kind brought up.
type tally struct{ prompts, fired, shown, right, answered int }

var update = flag.Bool("update", false, "rewrite the golden files")

// TestPromptPrecision measures what prompts bring up that nothing was tuned on,
// and compares it with testdata/search/prompt_stats.txt.
func TestPromptPrecision(t *testing.T) {
	f := withMemories(t)
	var set prompts
	readJSON(t, "prompts.json", &set)
	ids := regexp.MustCompile(`mem_[0-9a-f]{8}`)
	kinds := map[string]*tally{}
	for i, p := range set.Prompts {
		block, err := f.PromptContext(f.ctx, fmt.Sprint("session ", i), p.Prompt)
		require.NoError(t, err)
		if i%2 == 0 {
			continue // the thresholds were chosen on these
		}
		k := kinds[p.Kind]
		if k == nil {
			k = &tally{}
			kinds[p.Kind] = k
		}
		k.add(ids.FindAllString(block, -1), p.Relevant)
	}
	got := report(kinds)
	golden := filepath.Join("..", "testdata", "search", "prompt_stats.txt")
	if *update {
		require.NoError(t, os.WriteFile(golden, []byte(got), 0o644))
	}
	want, err := os.ReadFile(golden)
	require.NoError(t, err)
	require.Equal(t, string(want), got)
}

func (k *tally) add(shown []string, relevant []memory.ID) {
	k.prompts++
	answered := false
	for _, id := range shown {
		k.shown++
		if slices.Contains(relevant, memory.ID(id)) {
			k.right++
			answered = true
		}
	}
	if len(shown) > 0 {
		k.fired++
	}
	if answered {
		k.answered++
	}
}

func report(kinds map[string]*tally) string {
	var b strings.Builder
	all := &tally{}
	fmt.Fprintf(&b, "%-10s %7s %6s %8s %6s %6s\n", "kind", "prompts", "fired", "answered", "shown", "right")
	line := func(name string, k *tally) {
		fmt.Fprintf(&b, "%-10s %7d %6d %8d %6d %6d\n", name, k.prompts, k.fired, k.answered, k.shown, k.right)
	}
	for _, name := range slices.Sorted(maps.Keys(kinds)) {
		k := kinds[name]
		line(name, k)
		all.prompts += k.prompts
		all.fired += k.fired
		all.answered += k.answered
		all.shown += k.shown
		all.right += k.right
	}
	line("all", all)
	fmt.Fprintf(&b, "precision %.3f of the memories shown, %.3f of the prompts that got any\n",
		float64(all.right)/float64(max(1, all.shown)), float64(all.answered)/float64(max(1, all.fired)))
	return b.String()
}

func TestAPromptIsAnsweredOnce(t *testing.T) {
	f := newEngine(t)
	f.remember("Connection pool exhausted", "The connection pool was exhausted under load.", 0.5)
	const prompt = "why is the connection pool exhausted?"
	ask := func(session, prompt string) string {
		text, err := f.PromptContext(f.ctx, session, prompt)
		require.NoError(t, err)
		return text
	}
	first := ask("a", prompt)
	require.Contains(t, first, "Connection pool exhausted: The connection pool was exhausted under load.")
	require.True(t, strings.HasPrefix(first, "<ltm-memory>\n") && strings.HasSuffix(first, "</ltm-memory>"))
	require.Empty(t, ask("a", prompt), "shown already")
	require.NotEmpty(t, ask("b", prompt), "another session has not seen it")

	f.start("c")
	require.Empty(t, ask("c", prompt), "it stood in the block that the session started with")

	for _, silent := range []string{"", "ok", "yes please", "/remember connection pool exhausted",
		"what is the weather like today in Paris?", "run the tests again please"} {
		require.Empty(t, ask("d", silent), silent)
	}
	_, err := f.SetConfig(f.ctx, "prompt_recall", "off", settings.Clone)
	require.NoError(t, err)
	require.Empty(t, ask("e", prompt))
}
