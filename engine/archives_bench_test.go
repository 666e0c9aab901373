package engine_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"ltm/engine"
	"ltm/memory"
	"ltm/memory/api"
	"ltm/memory/memfile"
)

// withArchives adds n archives of about a kilobyte to a store.
func withArchives(b *testing.B, f *fixture, n int) {
	b.Helper()
	archives := filepath.Join(f.dir, "archives")
	require.NoError(b, os.MkdirAll(archives, 0o755))
	for i := range n {
		m := memory.Memory{ID: memory.ID(fmt.Sprintf("mem_a%07x", i)),
			Topic: fmt.Sprintf("Old topic %d about gadget %d", i, i%97),
			Tags:  []string{"bench"}, Difficulty: 0.5, CreatedAt: f.now.Add(-time.Duration(i) * time.Hour),
			Summary: "What was learned about it.", Content: strings.Repeat(fmt.Sprintf("Faded %d of the gadget. ", i),
				40)}
		require.NoError(b, os.WriteFile(filepath.Join(archives, m.ID.File()), memfile.Format(m), 0o644))
	}
	_, err := f.Fix(f.ctx, api.FixOptions{})
	require.NoError(b, err)
}

// BenchmarkRecallMiss asks a question that no active memory answers, in a store with 1,000
// archives: in a running server, and in a new process each time.
func BenchmarkRecallMiss(b *testing.B) {
	f := filled(b, 100)
	withArchives(b, f, 1000)
	for name, text := range map[string]string{"nowhere": "zebra crossing xylophone", "archived": "faded gadget"} {
		ask := func(b *testing.B, e *engine.Engine) {
			b.Helper()
			r, err := e.Recall(f.ctx, api.Query{Text: text})
			require.NoError(b, err)
			require.Empty(b, r.Memories)
		}
		ask(b, f.Engine)
		b.Run("warm/"+name, func(b *testing.B) {
			for b.Loop() {
				ask(b, f.Engine)
			}
		})
		b.Run("cold/"+name, func(b *testing.B) {
			for b.Loop() {
				ask(b, f.reopen(new(counter)))
			}
		})
	}
}
