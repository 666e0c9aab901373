package mcp_test

import (
	"bytes"
	"context"
	"errors"
	"io"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"ltm/mcp"
	"ltm/memory"
	"ltm/memory/api"
)

// patience is far longer than an answer takes, and shorter than the server waits for a
// missing one.
const patience = 8 * time.Second

// TestTheEndWaitsForAnswers ends the input immediately after a request.
func TestTheEndWaitsForAnswers(t *testing.T) {
	for name, test := range map[string]struct{ line, id string }{
		"a call":                   {toolCall(1, "recall", `{"query":"q"}`) + "\n", `1`},
		"a last line without end":  {toolCall(1, "recall", `{"query":"q"}`), `1`},
		"a line of another system": {toolCall(1, "recall", `{"query":"q"}`) + "\r\n", `1`},
		"an id with a point":       {`{"jsonrpc":"2.0","id":1.0,"method":"ping"}` + "\n", `1.0`},
		"an id with an escape":     {`{"jsonrpc":"2.0","id":"\u0061","method":"ping"}` + "\n", `"\u0061"`},
		"an id with a tag":         {`{"jsonrpc":"2.0","id":"<a>","method":"ping"}` + "\n", `"\u003ca\u003e"`},
		"an id beyond a double": {`{"jsonrpc":"2.0","id":12345678901234567890,"method":"ping"}` + "\n",
			`12345678901234567890`},
		"an unknown method": {`{"jsonrpc":"2.0","id":"x","method":"no/such"}` + "\n", `"x"`},
		"a cancelled call": {toolCall(1, "recall", `{"query":"q"}`) + "\n" +
			`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1}}` + "\n", `1`},
		"an answer to nothing":      {`{"jsonrpc":"2.0","id":9,"result":{}}` + "\n", ``},
		"an answer with a method":   {`{"jsonrpc":"2.0","id":9,"method":"ping","result":{}}` + "\n", ``},
		"a batch, which is no more": {`[{"jsonrpc":"2.0","id":1,"method":"ping"}]` + "\n", `null`},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var out bytes.Buffer
			start := time.Now()
			require.NoError(t, mcp.Serve(context.Background(), &fake{},
				mcp.Options{Stdin: strings.NewReader(test.line), Stdout: &out}))
			require.Less(t, time.Since(start), patience)
			found := answers(t, &out)
			if test.id == "" {
				require.Empty(t, found)
				return
			}
			require.Len(t, found, 1)
			require.Contains(t, found, test.id)
		})
	}
}

// TestCallsUnderWayAreAnswered sends more calls than the queue of mcp-go holds.
func TestCallsUnderWayAreAnswered(t *testing.T) {
	const calls = 150
	lines := make([]string, calls)
	for i := range lines {
		lines[i] = toolCall(i+1, "recall", `{"query":"q"}`)
	}
	require.Len(t, serve(t, &fake{}, lines...), calls+1)
}

// TestTheEndComesFirst lets calls continue only after the server has read the end.
func TestTheEndComesFirst(t *testing.T) {
	f := &fake{block: make(chan struct{})}
	lines := toolCall(1, "recall", `{"query":"q"}`) + "\n" + toolCall(2, "recall", `{"query":"q"}`) + "\n"
	var out bytes.Buffer
	in := &atEnd{Reader: strings.NewReader(lines), then: sync.OnceFunc(func() { close(f.block) })}
	require.NoError(t, mcp.Serve(context.Background(), f, mcp.Options{Stdin: in, Stdout: &out}))
	found := answers(t, &out)
	require.Len(t, found, 2)
	for _, raw := range found {
		message, failed := text(t, raw)
		require.False(t, failed, message)
	}
}

// atEnd calls then at the end of the input.
type atEnd struct {
	io.Reader
	then func()
}

func (r *atEnd) Read(b []byte) (int, error) {
	n, err := r.Reader.Read(b)
	if errors.Is(err, io.EOF) {
		r.then()
	}
	return n, err
}

// TestCallsRunAtOnce needs three concurrent calls: none ends before all have begun.
func TestCallsRunAtOnce(t *testing.T) {
	e := &meeting{fake: &fake{}, here: make(chan struct{}, 3), all: make(chan struct{})}
	go func() {
		for range 3 {
			<-e.here
		}
		close(e.all)
	}()
	found := serve(t, e, toolCall(1, "recall", `{"query":"q"}`), toolCall(2, "recall", `{"query":"q"}`),
		toolCall(3, "recall", `{"query":"q"}`))
	require.Len(t, found, 4)
}

// meeting is an engine whose calls wait for each other.
type meeting struct {
	*fake
	here, all chan struct{}
}

func (m *meeting) Recall(context.Context, api.Query) (api.Recall, error) {
	m.here <- struct{}{}
	<-m.all
	return api.Recall{}, nil
}

// TestTheContextEndsTheServer ends the context but not the input.
func TestTheContextEndsTheServer(t *testing.T) {
	for name, end := range map[string]func() (context.Context, context.CancelFunc){
		"cancelled": func() (context.Context, context.CancelFunc) {
			ctx, cancel := context.WithCancel(context.Background())
			cancel()
			return ctx, cancel
		},
		"too late": func() (context.Context, context.CancelFunc) {
			return context.WithDeadline(context.Background(), time.Now())
		},
	} {
		t.Run(name, func(t *testing.T) {
			ctx, cancel := end()
			defer cancel()
			in, w := io.Pipe()
			defer func() { _ = w.Close() }()
			require.NoError(t, mcp.Serve(ctx, &fake{}, mcp.Options{Stdin: in, Stdout: io.Discard}))
		})
	}
}

// TestABrokenPipeEndsTheServer writes to a client that is gone.
func TestABrokenPipeEndsTheServer(t *testing.T) {
	r, w := io.Pipe()
	require.NoError(t, r.Close())
	start := time.Now()
	in := strings.NewReader(toolCall(1, "recall",
		`{"query":"q"}`) + "\n" + `{"jsonrpc":"2.0","id":2,"method":"ping"}` + "\n")
	require.NoError(t, mcp.Serve(context.Background(), &fake{}, mcp.Options{Stdin: in, Stdout: w}))
	require.Less(t, time.Since(start), patience)
}

// TestFaultsAreToolErrors expects every error in the answer, and faults of the server
// also in the log.
func TestFaultsAreToolErrors(t *testing.T) {
	known := memory.NewError(memory.CodeNotFound, memory.KindMemoryUnknown, "x", "there is no memory x")
	for name, test := range map[string]struct {
		engine    *fake
		want, log string
	}{
		"of the domain": {&fake{err: known},
			"there is no memory x; recall and list_memories show the ids that exist", ""},
		"of the domain, inside": {&fake{err: errors.Join(known)},
			"there is no memory x; recall and list_memories show the ids that exist", ""},
		"of ours": {&fake{err: errors.New("boom")}, "internal error: boom",
			"ltm mcp: ltm_status: internal error: boom\n"},
		"a panic": {&fake{panic: true}, "internal error: panic: on purpose",
			"ltm mcp: ltm_status: internal error: panic: on purpose\n"},
	} {
		t.Run(name, func(t *testing.T) {
			var out, log bytes.Buffer
			in := strings.NewReader(toolCall(1, "ltm_status",
				`{}`) + "\n" + `{"jsonrpc":"2.0","id":2,"method":"ping"}` + "\n")
			require.NoError(t, mcp.Serve(context.Background(), test.engine,
				mcp.Options{Stdin: in, Stdout: &out, Log: &log}))
			found := answers(t, &out)
			message, failed := text(t, found["1"])
			require.True(t, failed)
			require.Equal(t, test.want, message)
			require.Equal(t, test.log, log.String())
			require.NotEmpty(t, found["2"], "the server goes on")
		})
	}
}
