package engine_test

import (
	"encoding/json"
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
	"ltm/memory"
	"ltm/memory/api"
	"ltm/memory/memfile"
	"ltm/tests/golden"
)

// prompts are prompts as developers type them, and the memories that bear on them: testdata/search/prompts.json for
// memories.json, and those of coast.json, coast_fresh.json and coast_fresh2.json for those of coast.json.
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

// inStores divides the memories of a search evaluation among stores, with or without their aliases. It returns the
// stores and which of them has each memory.
func inStores(t *testing.T, name string, n int, aliased bool) (stores []*fixture, home map[memory.ID]int) {
	t.Helper()
	var set struct {
		Docs []struct {
			ID             memory.ID
			Topic, Content string
			Tags, Aliases  []string
			Created        time.Time
		}
	}
	readJSON(t, name, &set)
	home = map[memory.ID]int{}
	for range n {
		f := newEngine(t)
		require.NoError(t, os.MkdirAll(filepath.Join(f.dir, "memories"), 0o755))
		stores = append(stores, f)
	}
	for i, d := range set.Docs {
		m := memory.Memory{ID: d.ID, Topic: d.Topic, Content: d.Content, Tags: d.Tags, CreatedAt: d.Created}
		if aliased {
			m.Aliases = d.Aliases
		}
		m, err := memory.Normalize(m)
		require.NoError(t, err)
		home[d.ID] = i * n / len(set.Docs)
		path := filepath.Join(stores[home[d.ID]].dir, "memories", d.ID.File())
		require.NoError(t, os.WriteFile(path, memfile.Format(m), 0o644))
	}
	return stores, home
}

// tally counts what the prompts of one kind brought up.
type tally struct{ prompts, fired, shown, right, answered int }

// ask tells every prompt of a part to a session of its own, and counts by kind what they bring up. Of several stores, a
// prompt is asked where its answer is, and one without an answer in any of them. If a session started with the block, a
// prompt is answered as well if the whole text of the answer was in it.
func (p prompts) ask(t *testing.T, of part, stores []*fixture, home map[memory.ID]int,
	started bool) map[string]*tally {
	t.Helper()
	ids := regexp.MustCompile(`mem_[0-9a-f]{8}`)
	kinds := map[string]*tally{}
	told := map[*fixture][]memory.ID{}
	for _, f := range stores {
		_, all, err := f.SessionContext(f.ctx)
		require.NoError(t, err)
		told[f] = all
	}
	for i, p := range p.Prompts {
		if of != whole && i%2 != int(of) {
			continue
		}
		f := stores[i*7%len(stores)]
		if len(p.Relevant) > 0 {
			f = stores[home[p.Relevant[0]]]
		}
		id := fmt.Sprint("session ", i)
		if started {
			f.start(id)
		}
		block, err := f.PromptContext(f.ctx, id, p.Prompt)
		require.NoError(t, err)
		k := kinds[p.Kind]
		if k == nil {
			k = &tally{}
			kinds[p.Kind] = k
		}
		isTold := func(id memory.ID) bool { return started && slices.Contains(told[f], id) }
		k.add(ids.FindAllString(block, -1), p.Relevant, slices.ContainsFunc(p.Relevant, isTold))
	}
	return kinds
}

// part is a part of a set of prompts.
type part int

const (
	even part = iota // those at even positions
	odd
	whole
)

// TestPromptPrecision compares what prompts bring up with testdata/search/prompt_stats.txt.
func TestPromptPrecision(t *testing.T) {
	var set prompts
	readJSON(t, "prompts.json", &set)
	stores, home := inStores(t, "memories.json", 1, false)
	got := report(set.ask(t, odd, stores, home, false))
	golden.Require(t, filepath.Join("..", "testdata", "search", "prompt_stats.txt"), got)
}

// TestPromptRecall holds what prompts for the memories of testdata/search/coast.json bring up to what was reached, but
// for two prompts: how many are answered, and how many memories are wrong. Those of coast_fresh2.json and
// coast_fresh3.json had no part in choosing thresholds.
func TestPromptRecall(t *testing.T) {
	const slack = 2
	for _, tt := range []struct {
		name            string
		prompts         string
		of              part
		stores          int
		aliased         bool
		answered, wrong int
	}{
		{"without aliases, even", "coast.json", even, 1, false, 39, 1},
		{"without aliases, odd", "coast.json", odd, 1, false, 41, 1},
		{"with aliases, even", "coast.json", even, 1, true, 49, 1},
		{"with aliases, odd", "coast.json", odd, 1, true, 48, 1},
		{"six memories each, even", "coast.json", even, 25, false, 53, 2},
		{"six memories each, odd", "coast.json", odd, 25, false, 53, 0},
		{"without aliases, fresh", "coast_fresh.json", whole, 1, false, 15, 4},
		{"with aliases, fresh", "coast_fresh.json", whole, 1, true, 23, 4},
		{"six memories each, fresh", "coast_fresh.json", whole, 25, false, 30, 2},
		{"without aliases, only measured", "coast_fresh2.json", whole, 1, false, 28, 3},
		{"with aliases, only measured", "coast_fresh2.json", whole, 1, true, 30, 2},
		{"six memories each, only measured", "coast_fresh2.json", whole, 25, false, 35, 1},
		{"without aliases, by another author", "coast_fresh3.json", whole, 1, false, 44, 3},
		{"with aliases, by another author", "coast_fresh3.json", whole, 1, true, 50, 2},
		{"six memories each, by another author", "coast_fresh3.json", whole, 25, false, 59, 1},
	} {
		t.Run(tt.name, func(t *testing.T) {
			var set prompts
			readJSON(t, tt.prompts, &set)
			stores, home := inStores(t, "coast.json", tt.stores, tt.aliased)
			kinds := set.ask(t, tt.of, stores, home, false)
			t.Logf("\n%s", report(kinds))
			all := sum(kinds)
			require.GreaterOrEqual(t, all.answered, tt.answered-slack)
			require.LessOrEqual(t, all.shown-all.right, tt.wrong+slack)
			started := sum(set.ask(t, tt.of, stores, home, true))
			t.Logf("after a session's block: %d answered, %d of %d lines wrong", started.answered,
				started.shown-started.right, started.shown)
			require.GreaterOrEqual(t, float64(started.answered), 0.9*float64(all.answered))
			require.LessOrEqual(t, started.shown-started.right, tt.wrong+slack)
			if tt.aliased && tt.prompts == "coast_fresh3.json" { // README states these
				require.GreaterOrEqual(t, float64(started.right), 0.95*float64(started.shown))
				require.Equal(t, []int{57, 48, 46}, []int{started.answered, started.shown, started.right})
			}
		})
	}
}

func (k *tally) add(shown []string, relevant []memory.ID, answered bool) {
	k.prompts++
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

func sum(kinds map[string]*tally) *tally {
	all := &tally{}
	for _, k := range kinds {
		all.prompts += k.prompts
		all.fired += k.fired
		all.answered += k.answered
		all.shown += k.shown
		all.right += k.right
	}
	return all
}

func report(kinds map[string]*tally) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%-10s %7s %6s %8s %6s %6s\n", "kind", "prompts", "fired", "answered", "shown", "right")
	line := func(name string, k *tally) {
		fmt.Fprintf(&b, "%-10s %7d %6d %8d %6d %6d\n", name, k.prompts, k.fired, k.answered, k.shown, k.right)
	}
	for _, name := range slices.Sorted(maps.Keys(kinds)) {
		line(name, kinds[name])
	}
	all := sum(kinds)
	line("all", all)
	fmt.Fprintf(&b, "precision %.3f of the memories shown, %.3f of the prompts that got any\n",
		float64(all.right)/float64(max(1, all.shown)), float64(all.answered)/float64(max(1, all.fired)))
	fmt.Fprintf(&b, "recall    %.3f of the prompts with an answer\n",
		float64(all.answered)/float64(max(1, kinds["answer"].prompts)))
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
	days, err := f.Days(f.ctx)
	require.NoError(t, err)
	require.Equal(t, []api.DayCount{{Day: f.now.Format(time.DateOnly), Sessions: 2, Prompts: 2}}, days)

	f.start("c")
	require.Empty(t, ask("c", prompt), "it stood in the block that the session started with")

	for _, silent := range []string{"", "ok", "yes please", "/remember connection pool exhausted",
		"what is the weather like today in Paris?", "run the tests again please"} {
		require.Empty(t, ask("d", silent), silent)
	}
	_, err = f.SetConfig(f.ctx, "prompt_recall", "off", settings.Clone)
	require.NoError(t, err)
	require.Empty(t, ask("e", prompt))
}
