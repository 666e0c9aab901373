package mcp_test

import (
	"context"
	"io"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/require"

	"ltm/mcp"
)

// flood is a client that keeps sending requests and reads nothing.
type flood struct {
	line  string
	times int64 // 0: endlessly
	gone  bool

	asked  atomic.Int64
	once   sync.Once
	paused chan struct{} // closed when the server has stopped reading
}

func (f *flood) Read(b []byte) (int, error) {
	if n := f.asked.Add(1); f.times > 0 && n > f.times {
		return 0, io.EOF
	}
	return copy(b, f.line), nil
}

// HungUp is called after the server has stopped reading.
func (f *flood) HungUp() bool {
	f.once.Do(func() { close(f.paused) })
	return f.gone
}

func (f *flood) Write([]byte) (int, error) { select {} }

func (f *flood) serve(ctx context.Context) error {
	return mcp.Serve(ctx, newShelf(), mcp.Options{Stdin: f, Stdout: f})
}

func newFlood(line string) *flood { return &flood{line: line + "\n", paused: make(chan struct{})} }

// TestAClientThatDoesNotRead ends the server in every possible way while the client
// reads nothing: Serve must not wait forever.
func TestAClientThatDoesNotRead(t *testing.T) {
	for name, line := range map[string]string{
		"large answers": `{"jsonrpc":"2.0","id":1,"method":"tools/list"}`,
		"small answers": `{"jsonrpc":"2.0","id":1,"method":"ping"}`,
		"reads":         toolCall(1, "list_memories", `{}`),
		"writes":        toolCall(1, "store_memory", `{"topic":"t","content":"`+strings.Repeat("c", 2000)+`"}`),
		"no messages":   strings.Repeat("x", 2000),
	} {
		t.Run(name+" and the input ends", func(t *testing.T) {
			t.Parallel()
			f := newFlood(line)
			f.times = 300
			require.NoError(t, f.serve(t.Context()))
		})
		t.Run(name+" and it hangs up", func(t *testing.T) {
			t.Parallel()
			f := newFlood(line)
			f.gone = true
			require.NoError(t, f.serve(t.Context()))
			require.Less(t, f.asked.Load()*int64(len(f.line)), int64(64<<20), "bytes that were taken in")
			require.Less(t, f.asked.Load(), int64(1100), "lines that were taken in")
		})
		t.Run(name+" and the context ends", func(t *testing.T) {
			t.Parallel()
			ctx, cancel := context.WithCancel(t.Context())
			defer cancel()
			f := newFlood(line)
			done := make(chan error, 1)
			go func() { done <- f.serve(ctx) }()
			<-f.paused
			cancel()
			require.NoError(t, <-done)
		})
	}
}
