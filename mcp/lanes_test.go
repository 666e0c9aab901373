package mcp_test

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"ltm/memory/api"
)

// queue is an engine whose stores wait until open is closed.
type queue struct {
	shelf
	open chan struct{}

	mu     sync.Mutex
	stored []string
}

func (q *queue) Remember(_ context.Context, d api.Draft) (api.Receipt, error) {
	<-q.open
	q.mu.Lock()
	defer q.mu.Unlock()
	q.stored = append(q.stored, d.Topic)
	return api.Receipt{Success: true, ID: "mem_00000001"}, nil
}

func store(id int) []byte {
	return []byte(toolCall(id, "store_memory", fmt.Sprintf(`{"topic":"%03d","content":"c"}`, id)) + "\n")
}

// idOf returns the id of an answer.
func idOf(t *testing.T, answer []byte) string {
	t.Helper()
	var m struct{ ID json.RawMessage }
	require.NoError(t, json.Unmarshal(answer, &m))
	return string(m.ID)
}

// TestReadsDoNotWaitForWrites sends questions after many stores that wait: all of them
// are answered before the stores, which then run in order of arrival.
func TestReadsDoNotWaitForWrites(t *testing.T) {
	const stores = 150
	q := &queue{open: make(chan struct{})}
	c := dial(t, q)
	var topics []string
	for id := range stores {
		c.send(store(id))
		topics = append(topics, fmt.Sprintf("%03d", id))
	}
	for i, question := range []string{
		toolCall(1000, "recall", `{"query":"pool"}`), toolCall(1001, "list_memories", `{}`),
		toolCall(1002, "get_memory", `{"id":"mem_1a2b3c4d"}`),
		toolCall(1003, "search_archives", `{"query":"q"}`), toolCall(1004, "ltm_status", `{}`),
		toolCall(1005, "ltm_check", `{}`),
		`{"jsonrpc":"2.0","id":1006,"method":"tools/list"}`, `{"jsonrpc":"2.0","id":1007,"method":"ping"}`,
		toolCall(1008, "no_such_tool", `{}`),
	} {
		c.send([]byte(question + "\n"))
		require.Equal(t, fmt.Sprint(1000+i), idOf(t, c.receive()))
	}
	close(q.open)
	for id := range stores {
		require.Equal(t, fmt.Sprint(id), idOf(t, c.receive()))
	}
	require.Equal(t, topics, q.stored)
}

// TestCanceledBeforeItsTurn cancels a waiting store: it does not run, and the next one
// does.
func TestCanceledBeforeItsTurn(t *testing.T) {
	q := &queue{open: make(chan struct{})}
	c := dial(t, q)
	for id := range 3 {
		c.send(store(id))
	}
	c.send([]byte(`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1}}` + "\n"))
	c.send([]byte(`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":"none"}}` + "\n"))
	c.send([]byte(`{"jsonrpc":"2.0","id":"read","method":"ping"}` + "\n"))
	require.Equal(t, `"read"`, idOf(t, c.receive()))
	close(q.open)
	require.Equal(t, "0", idOf(t, c.receive()))
	require.Equal(t, "2", idOf(t, c.receive()))
	require.Equal(t, []string{"000", "002"}, q.stored)
}

// TestRequestsSayWhenTheyCame expects an arrival time only where requests queue.
func TestRequestsSayWhenTheyCame(t *testing.T) {
	e := &arrivals{}
	require.Len(t, serve(t, e, string(store(1)), toolCall(2, "recall", `{"query":"q"}`)), 3)
	require.True(t, e.ofStore, "it counts what a store waited for its turn")
	require.False(t, e.ofRecall)
}

// arrivals records whether use cases know when their request arrived.
type arrivals struct {
	shelf
	ofStore, ofRecall bool
}

func (a *arrivals) Remember(ctx context.Context, d api.Draft) (api.Receipt, error) {
	_, a.ofStore = api.Arrival(ctx)
	return a.shelf.Remember(ctx, d)
}

func (a *arrivals) Recall(ctx context.Context, q api.Query) (api.Recall, error) {
	_, a.ofRecall = api.Arrival(ctx)
	return a.shelf.Recall(ctx, q)
}

// TestListening opens a stream that never ends by itself. It delays neither other
// requests nor the end of the input.
func TestListening(t *testing.T) {
	meta := `"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28",` +
		`"io.modelcontextprotocol/clientInfo":{"name":"t","version":"1"},` +
		`"io.modelcontextprotocol/clientCapabilities":{}}`
	c := dial(t, newShelf())
	c.send([]byte(`{"jsonrpc":"2.0","id":"l","method":"subscriptions/listen","params":{` + meta +
		`,"notifications":{"toolsListChanged":true}}}` + "\n"))
	c.send([]byte(`{"jsonrpc":"2.0","id":"p","method":"tools/list","params":{` + meta + `}}` + "\n"))
	var ids []string
	for !slices.Contains(ids, `"p"`) {
		ids = append(ids, idOf(t, c.receive()))
	}
	go func() { _, _ = io.Copy(io.Discard, c.out) }() // whatever else is written at the end
}

// slowPeek is an engine that does not show a memory until open is closed.
type slowPeek struct {
	library
	open chan struct{}
}

func (s *slowPeek) Peek(ctx context.Context, id string) (api.Detail, error) {
	<-s.open
	return s.library.Peek(ctx, id)
}

// TestNothingWaitsForASubscription that must look at a memory first.
func TestNothingWaitsForASubscription(t *testing.T) {
	e := &slowPeek{library{project: []api.Detail{aMemory(1, "Pool", "c", 0.5)}}, make(chan struct{})}
	c := dial(t, e)
	c.send([]byte(initialize + "\n"))
	require.Equal(t, "0", idOf(t, c.receive()))
	c.send([]byte(`{"jsonrpc":"2.0","method":"notifications/initialized"}` + "\n"))
	late := time.AfterFunc(10*time.Second, func() { close(e.open) })
	c.send([]byte(`{"jsonrpc":"2.0","id":1,"method":"resources/subscribe","params":` +
		`{"uri":"ltm://project/mem_00000001"}}` + "\n"))
	c.send([]byte(`{"jsonrpc":"2.0","id":2,"method":"ping"}` + "\n"))
	require.Equal(t, "2", idOf(t, c.receive()))
	require.True(t, late.Stop())
	close(e.open)
	require.Equal(t, "1", idOf(t, c.receive()))
}

// TestSubscriptionsKeepTheirOrder ends one that has not begun yet.
func TestSubscriptionsKeepTheirOrder(t *testing.T) {
	e := &slowPeek{library{project: []api.Detail{aMemory(1, "Pool", "c", 0.5)}}, make(chan struct{})}
	c := dial(t, e)
	c.send([]byte(initialize + "\n"))
	require.Equal(t, "0", idOf(t, c.receive()))
	c.send([]byte(`{"jsonrpc":"2.0","method":"notifications/initialized"}` + "\n"))
	for i, method := range []string{"subscribe", "unsubscribe", "subscribe", "unsubscribe"} {
		c.send(fmt.Appendf(nil, `{"jsonrpc":"2.0","id":%d,"method":"resources/%s","params":`+
			`{"uri":"ltm://project/mem_00000001"}}`+"\n", i, method))
	}
	c.send([]byte(`{"jsonrpc":"2.0","id":"p","method":"ping"}` + "\n"))
	require.Equal(t, `"p"`, idOf(t, c.receive()))
	close(e.open)
	for i := range 4 {
		require.Equal(t, fmt.Sprint(i), idOf(t, c.receive()))
	}
}
