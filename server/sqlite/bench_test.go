package sqlite_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"ltm/server/sqlite"
	"ltm/server/storagetest"
)

// BenchmarkStore measures with 100 and 10,000 packets, and with 1,000,000 if LTM_BENCH_MILLION is 1.
func BenchmarkStore(b *testing.B) {
	sizes := []int{100, 10_000}
	if os.Getenv("LTM_BENCH_MILLION") == "1" {
		sizes = append(sizes, 1_000_000)
	}
	for _, packets := range sizes {
		storagetest.Benchmark(b, func(b *testing.B) storagetest.Dumper {
			store, err := sqlite.Open(b.Context(), filepath.Join(b.TempDir(), "ltm.db"), sqlite.Options{})
			require.NoError(b, err)
			b.Cleanup(func() { require.NoError(b, store.Close()) })
			return store
		}, packets)
	}
}
