package sqlite_test

import (
	"cmp"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"ltm/server/sqlite"
	"ltm/server/storagetest"
)

// BenchmarkStore measures with 100 and 10,000 packets, or with as many as LTM_BENCH_PACKETS says: numbers
// with commas between them.
func BenchmarkStore(b *testing.B) {
	for size := range strings.SplitSeq(cmp.Or(os.Getenv("LTM_BENCH_PACKETS"), "100,10000"), ",") {
		packets, err := strconv.Atoi(size)
		require.NoError(b, err)
		storagetest.Benchmark(b, benched, packets)
	}
}

// BenchmarkRestore measures with as many packets.
func BenchmarkRestore(b *testing.B) {
	for size := range strings.SplitSeq(cmp.Or(os.Getenv("LTM_BENCH_PACKETS"), "100,10000"), ",") {
		packets, err := strconv.Atoi(size)
		require.NoError(b, err)
		storagetest.BenchmarkRestore(b, benched, packets)
	}
}

// BenchmarkMemory measures with as many events as LTM_BENCH_MEMORY says, such as "1000,1000,100000".
func BenchmarkMemory(b *testing.B) {
	storagetest.BenchmarkMemory(b, benched, cmp.Or(os.Getenv("LTM_BENCH_MEMORY"), "100,100,10000"))
}

// benched returns an empty database.
func benched(b *testing.B) storagetest.Dumper {
	store, err := sqlite.Open(b.Context(), filepath.Join(b.TempDir(), "ltm.db"), sqlite.Options{})
	require.NoError(b, err)
	b.Cleanup(func() { require.NoError(b, store.Close()) })
	return store
}
