package mcp_test

import (
	"context"
	"io"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"ltm/mcp"
	"ltm/memory/api"
)

// flood is a client that keeps sending requests and reads nothing.
type flood struct {
	line  string
	rest  string // of the line that is being read
	times int64  // 0: endlessly
	gone  bool

	asked  atomic.Int64
	once   sync.Once
	paused chan struct{} // closed when the server has stopped reading
}

func (f *flood) Read(b []byte) (int, error) {
	if f.rest == "" {
		if n := f.asked.Add(1); f.times > 0 && n > f.times {
			return 0, io.EOF
		}
		f.rest = f.line
	}
	n := copy(b, f.rest)
	f.rest = f.rest[n:]
	return n, nil
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

// longText is an engine whose memory has a megabyte.
type longText struct {
	shelf
	calls atomic.Int64
}

func (l *longText) Get(ctx context.Context, id string) (api.Detail, error) {
	l.calls.Add(1)
	d, err := l.shelf.Get(ctx, id)
	d.Content = strings.Repeat("c", 1<<20)
	return d, err
}

// TestAnswersThatWaitAreBounded asks for large answers and reads none of them: few are made.
func TestAnswersThatWaitAreBounded(t *testing.T) {
	l := &longText{shelf: newShelf()}
	f := newFlood(toolCall(1, "get_memory", `{"id":"mem_1a2b3c4d"}`))
	ctx, cancel := context.WithCancel(t.Context())
	done := make(chan error, 1)
	go func() { done <- mcp.Serve(ctx, l, mcp.Options{Stdin: f, Stdout: f}) }()
	<-f.paused
	require.Never(t, func() bool { return l.calls.Load() > 20 }, time.Second, 10*time.Millisecond)
	cancel()
	require.NoError(t, <-done)
}

// TestCallsThatWaitAreBounded sends large calls that wait for the store: few of them are in memory.
func TestCallsThatWaitAreBounded(t *testing.T) {
	q := &queue{open: make(chan struct{})}
	f := newFlood(toolCall(1, "store_memory", `{"topic":"t","content":"`+strings.Repeat("c", 4<<20)+`"}`))
	f.times = 40
	done := make(chan error, 1)
	go func() { done <- mcp.Serve(t.Context(), q, mcp.Options{Stdin: f, Stdout: io.Discard}) }()
	require.Eventually(t, func() bool { return f.asked.Load() >= 8 }, time.Minute, time.Millisecond)
	require.Never(t, func() bool { return f.asked.Load() > 10 }, 300*time.Millisecond, 10*time.Millisecond)
	close(q.open)
	require.NoError(t, <-done)
	require.Greater(t, f.asked.Load(), int64(40), "it goes on")
}
