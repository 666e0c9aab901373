package storagetest_test

import (
	"bufio"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"ltm/server/sqlstore"
)

// BenchmarkRestore measures how long a database with packets takes to be restored from a file and to be closed. On
// Linux it reports the seconds of the processor that this process used and the megabytes that it wrote.
func BenchmarkRestore(b *testing.B) {
	benchOnEach(b, func(b *testing.B, empty func(b *testing.B) *sqlstore.Store) {
		for _, packets := range benchPackets(b) {
			benchRestore(b, empty, packets)
		}
	})
}

// benchRestore measures databases with so many packets.
func benchRestore(b *testing.B, empty func(b *testing.B) *sqlstore.Store, packets int) {
	path := filepath.Join(b.TempDir(), "dump")
	file, err := os.Create(path)
	require.NoError(b, err)
	out := bufio.NewWriterSize(file, 1<<20)
	require.NoError(b, fillPackets(out, packets))
	require.NoError(b, out.Flush())
	require.NoError(b, file.Close())
	b.Run(fmt.Sprintf("packets=%d", packets), func(b *testing.B) {
		var cpu, written float64
		for range b.N {
			b.StopTimer()
			s, from := empty(b), openedFile(b, path)
			beganCPU, began := usedCPU(), writtenBytes()
			b.StartTimer()
			require.NoError(b, s.Restore(b.Context(), from))
			require.NoError(b, s.Close())
			b.StopTimer()
			cpu, written = cpu+usedCPU()-beganCPU, written+writtenBytes()-began
		}
		b.ReportMetric(cpu/float64(b.N), "cpu-s/op")
		b.ReportMetric(written/1e6/float64(b.N), "MB-written/op")
	})
}

// openedFile returns a file that is closed when the benchmark ends.
func openedFile(b *testing.B, path string) io.Reader {
	file, err := os.Open(path)
	require.NoError(b, err)
	b.Cleanup(func() { require.NoError(b, file.Close()) })
	return file
}

// usedCPU returns the seconds of the processor that this process has used: 0 where the system does not say.
func usedCPU() float64 {
	const ticks = 100 // a second, on all of Linux's architectures that we build for
	text, err := os.ReadFile("/proc/self/stat")
	if err != nil {
		return 0
	}
	var user, system float64
	_, after, _ := strings.Cut(string(text), ") ")
	fields := strings.Fields(after)
	if _, err := fmt.Sscan(fields[11]+" "+fields[12], &user, &system); err != nil {
		return 0
	}
	return (user + system) / ticks
}

// writtenBytes returns how many bytes this process gave to the disk: 0 where the system does not say.
func writtenBytes() float64 {
	text, err := os.ReadFile("/proc/self/io")
	if err != nil {
		return 0
	}
	_, after, _ := strings.Cut(string(text), "\nwrite_bytes: ")
	var n float64
	if _, err := fmt.Sscan(after, &n); err != nil {
		return 0
	}
	return n
}
