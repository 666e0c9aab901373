package mcp_test

import (
	"bytes"
	"context"
	"io"
	"runtime"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"ltm/mcp"
)

// filler reads as n letters without holding them in memory.
type filler int64

func (f *filler) Read(b []byte) (int, error) {
	if *f == 0 {
		return 0, io.EOF
	}
	n := int(min(int64(len(b)), int64(*f)))
	for i := range b[:n] {
		b[i] = 'x'
	}
	*f -= filler(n)
	return n, nil
}

// TestALineThatIsTooLong expects a refusal, with the id if the line has one, without the
// line being held in memory. The next line is handled.
func TestALineThatIsTooLong(t *testing.T) {
	for id, before := range map[string]string{
		`7`:    `{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"recall","arguments":{"query":"`,
		`null`: ``,
	} {
		t.Run(id, func(t *testing.T) {
			long := filler(160 << 20)
			in := io.MultiReader(strings.NewReader(before), &long, strings.NewReader("\"}}}\n"+ping(`"next"`)+"\n"))
			var out bytes.Buffer
			var begin, end runtime.MemStats
			runtime.ReadMemStats(&begin)
			require.NoError(t, mcp.Serve(context.Background(), &fake{}, mcp.Options{Stdin: in, Stdout: &out}))
			runtime.ReadMemStats(&end)
			require.Less(t, end.TotalAlloc-begin.TotalAlloc, uint64(120<<20), "bytes that were allocated, all in all")
			first, rest, _ := strings.Cut(out.String(), "\n")
			require.Equal(t, refused(id, -32600, "a message has at most 16777216 bytes; nothing was changed"), first)
			require.Contains(t, rest, `"id":"next","result"`)
		})
	}
}

// TestTheLongestLine is handled; a line one byte longer is not.
func TestTheLongestLine(t *testing.T) {
	for n, end := range map[int]string{16 << 20: "\n", 16<<20 + 1: ""} {
		line := `{"jsonrpc":"2.0","id":1,"method":"ping"}`
		var out bytes.Buffer
		in := strings.NewReader(line + strings.Repeat(" ", n-len(line)) + end)
		require.NoError(t, mcp.Serve(context.Background(), &fake{}, mcp.Options{Stdin: in, Stdout: &out}))
		require.Equal(t, n > 16<<20, strings.Contains(out.String(), "error"), out.String())
		require.Contains(t, out.String(), `"id":1,`)
	}
}
