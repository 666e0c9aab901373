package engine_test

import (
	"fmt"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"ltm/memory"
	"ltm/memory/api"
	"ltm/memory/memfile"
)

// sizes are the numbers of memories that benchmarks run with.
func sizes() []int { return []int{10, 100, 1000, 10000} }

// filled is an engine whose store has n memories of about a kilobyte, all seen.
func filled(b *testing.B, n int) *fixture {
	b.Helper()
	f := newEngine(b)
	f.remember("first", "makes the folders", 0.5)
	f.start("bench")
	for i := 1; i < n; i++ {
		m := memory.Memory{ID: memory.ID(fmt.Sprintf("mem_f%07x", i)),
			Topic: fmt.Sprintf("Topic number %d about component %d", i, i%97),
			Tags:  []string{"bench", fmt.Sprint("component-", i%97)}, Difficulty: float64(i%100) / 100,
			CreatedAt: f.now.Add(-time.Duration(i) * time.Hour),
			Summary:   "What was learned about it.",
			Content:   strings.Repeat(fmt.Sprintf("Detail %d of the component. ", i), 35)}
		require.NoError(b, os.WriteFile(f.memoryFile(m.ID), memfile.Format(m), 0o644))
	}
	_, err := f.Fix(f.ctx, api.FixOptions{})
	require.NoError(b, err)
	return f
}

func perSize(b *testing.B, op func(b *testing.B, f *fixture)) {
	for _, n := range sizes() {
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			f := filled(b, n)
			b.ResetTimer()
			op(b, f)
		})
	}
}

func BenchmarkRemember(b *testing.B) {
	perSize(b, func(b *testing.B, f *fixture) {
		for i := 0; b.Loop(); i++ {
			f.remember(fmt.Sprint("Another topic ", i), "Some content of it.", 0.5, "bench")
		}
	})
}

// BenchmarkRememberCold is a new process each time, but for the process itself.
func BenchmarkRememberCold(b *testing.B) {
	perSize(b, func(b *testing.B, f *fixture) {
		ids := new(counter)
		*ids = 1 << 20
		_, err := f.Recall(f.ctx, api.Query{Text: "component"})
		require.NoError(b, err)
		for i := 0; b.Loop(); i++ {
			_, err := f.reopen(ids).Remember(f.ctx,
				api.Draft{Topic: fmt.Sprint("Another topic ", i), Content: "Some content of it."})
			require.NoError(b, err)
		}
	})
}

func BenchmarkList(b *testing.B) {
	perSize(b, func(b *testing.B, f *fixture) {
		for b.Loop() {
			_, err := f.List(f.ctx, api.ListFilter{})
			require.NoError(b, err)
		}
	})
}

func BenchmarkGet(b *testing.B) {
	perSize(b, func(b *testing.B, f *fixture) {
		for b.Loop() {
			_, err := f.Get(f.ctx, "mem_00000001")
			require.NoError(b, err)
		}
	})
}

// queries are what people ask: one word, three, a long question, and a miss.
func queries() map[string]string {
	return map[string]string{
		"word": "component", "three": "learned about detail",
		"question": "what did we learn about component 42 when the topic number 7 came up and why was its detail so " +
			"hard to find out?",
		"miss": "zebra crossing xylophone",
	}
}

// BenchmarkPrompt searches for a prompt in a new process, but for the process itself.
func BenchmarkPrompt(b *testing.B) {
	const prompt = "the build of component 17 fails again since yesterday, in detail it says that nothing was " +
		"learned. can you look at what the number means, who uses it, and whether a retry would do?"
	perSize(b, func(b *testing.B, f *fixture) {
		ids := new(counter)
		_, err := f.Recall(f.ctx, api.Query{Text: "component"})
		require.NoError(b, err)
		for i := 0; b.Loop(); i++ {
			text, err := alone(f.reopen(ids)).PromptContext(f.ctx, fmt.Sprint("prompt ", i), prompt)
			require.NoError(b, err)
			require.Empty(b, text, "noting what is shown takes longer than the search")
		}
	})
}

// BenchmarkRecall asks a running server.
func BenchmarkRecall(b *testing.B) {
	perSize(b, func(b *testing.B, f *fixture) {
		for name, text := range queries() {
			b.Run(name, func(b *testing.B) {
				for b.Loop() {
					_, err := f.Recall(f.ctx, api.Query{Text: text})
					require.NoError(b, err)
				}
			})
		}
	})
}

// BenchmarkRecallCold is a new process each time, but for the process itself.
func BenchmarkRecallCold(b *testing.B) {
	perSize(b, func(b *testing.B, f *fixture) {
		_, err := f.Recall(f.ctx, api.Query{Text: "component"})
		require.NoError(b, err)
		for b.Loop() {
			_, err := f.reopen(new(counter)).Recall(f.ctx, api.Query{Text: "what was learned about component 42?"})
			require.NoError(b, err)
		}
	})
}

// BenchmarkSessionStart is a new process each time, but for the process itself.
func BenchmarkSessionStart(b *testing.B) {
	perSize(b, func(b *testing.B, f *fixture) {
		for b.Loop() {
			_, err := alone(f.reopen(new(counter))).StartSession(f.ctx, api.SessionStart{Session: "bench"})
			require.NoError(b, err)
		}
	})
}

// BenchmarkStatusLine is a new process each time, but for the process itself.
func BenchmarkStatusLine(b *testing.B) {
	perSize(b, func(b *testing.B, f *fixture) {
		_, err := f.Recall(f.ctx, api.Query{Text: "component"})
		require.NoError(b, err)
		for b.Loop() {
			_, err := f.reopen(new(counter)).StatusLine(f.ctx)
			require.NoError(b, err)
		}
	})
}

// BenchmarkToolHook is a new process each time, but for the process itself.
func BenchmarkToolHook(b *testing.B) {
	perSize(b, func(b *testing.B, f *fixture) {
		for b.Loop() {
			_, err := f.reopen(new(counter)).RecordTool(f.ctx, api.ToolUse{Session: "bench", Response: gaveBack(10)})
			require.NoError(b, err)
		}
	})
}
