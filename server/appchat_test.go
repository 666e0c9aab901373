package server_test

import (
	"context"
	"io"
	"net"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"ltm/server"
	"ltm/server/provider"
	"ltm/server/threads"
)

// talker is a model that says what it is told to, piece by piece.
type talker struct {
	pieces []string
	err    error // after them
}

func (*talker) Model() string { return "talker" }

func (m *talker) Chat(context.Context, string, provider.Chat) (provider.Reply, error) {
	return provider.Reply{Text: strings.Join(m.pieces, "")}, m.err
}

func (m *talker) ChatStream(_ context.Context, _ string, _ provider.Chat, out func(string) error) (provider.Reply,
	error) {
	for _, piece := range m.pieces {
		if err := out(piece); err != nil {
			return provider.Reply{}, err
		}
	}
	return provider.Reply{Text: strings.Join(m.pieces, "")}, m.err
}

// chat says something to the model of a thread.
func (p *place) chat(status int, thread, text, key string, stream bool) answer {
	p.t.Helper()
	r := of(keyA, `{"text":`+toJSON(p.t, text)+`}`)
	if key != "" {
		r.header["Idempotency-Key"] = key
	}
	if stream {
		r.header["Accept"] = "text/event-stream"
	}
	return p.ok(status, "POST /v1/threads/"+thread+"/chat", r)
}

func TestChat(t *testing.T) {
	model := &talker{pieces: []string{"Nice to ", "meet\nyou."}}
	p := start(t, withMemory(&threads.Models{Chat: model}))
	id := p.thread("ann")
	a := p.chat(200, id, "My name is Ann.", "", false)
	require.Equal(t, "text/plain; charset=utf-8", a.header.Get("Content-Type"))
	require.Equal(t, "Nice to meet\nyou.", string(a.body))
	p.clock.advance(1e9)
	messages := p.list("/v1/threads/"+id+"/events", "messages", keyA)
	require.Len(t, messages, 2)
	require.Equal(t, messages[0]["id"], a.header.Get("X-User-Event-Id"))
	require.Equal(t, messages[1]["id"], a.header.Get("X-Assistant-Event-Id"))
	require.Equal(t, "Nice to meet\nyou.", messages[1]["content"])

	a = p.chat(200, id, "I live in Rome.", "", true)
	require.Equal(t, "text/event-stream", a.header.Get("Content-Type"))
	messages = p.list("/v1/threads/"+id+"/events", "messages", keyA)
	require.Equal(t, "data: {\"text\":\"Nice to \"}\n\ndata: {\"text\":\"meet\\nyou.\"}\n\nevent: done\n"+
		"data: {\"assistant_event_id\":\""+messages[3]["id"].(string)+"\",\"user_event_id\":\""+
		messages[2]["id"].(string)+"\"}\n\n", string(a.body))

	first := p.chat(200, id, "Again?", "key-of-"+strings.Repeat("k", 200), false)
	model.pieces = []string{"Something else."}
	again := p.chat(200, id, "Again?", "key-of-"+strings.Repeat("k", 200), false)
	require.Equal(t, string(first.body), string(again.body))
	require.Equal(t, first.header.Get("X-Assistant-Event-Id"), again.header.Get("X-Assistant-Event-Id"))
	require.Len(t, p.list("/v1/threads/"+id+"/events", "messages", keyA), 6)
	p.chat(409, id, "Another text", "key-of-"+strings.Repeat("k", 200), false)
	p.chat(400, id, "x", strings.Repeat("k", 256), false)
}

// TestChatThatFails has a model that breaks off.
func TestChatThatFails(t *testing.T) {
	model := &talker{err: &provider.Error{Kind: provider.Failed, Message: "the endpoint failed"}}
	p := start(t, withMemory(&threads.Models{Chat: model}))
	id := p.thread("ann")
	p.chat(502, id, "Hello.", "k", false)
	a := p.chat(502, id, "Hello.", "k", true) // nothing was sent yet, so it is a problem
	require.Contains(t, string(a.body), "the endpoint failed")
	model.pieces = []string{"Well "}
	a = p.chat(200, id, "Hello.", "k", true)
	require.Contains(t, string(a.body), "data: {\"text\":\"Well \"}\n\nevent: error\ndata: {")
	require.Contains(t, string(a.body), `"status":502`)
	model.err = nil
	a = p.chat(200, id, "Hello.", "k", true)
	require.Contains(t, string(a.body), "event: done")
	require.Len(t, p.list("/v1/threads/"+id+"/events", "messages", keyA), 2)

	none := start(t, withMemory(nil))
	id = none.thread("ann")
	require.Contains(t, string(none.chat(503, id, "Hello.", "", false).body), "no model")
	require.Empty(t, none.list("/v1/threads/"+id+"/events", "messages", keyA))
}

// TestFilesOfUsers takes a user from one server to another.
func TestFilesOfUsers(t *testing.T) {
	p, q := start(t, withMemory(nil)), start(t, withMemory(nil))
	p.say(p.thread("ann"), "user", "My name is Ann.")
	p.work()
	file := p.ask(200, "GET /v1/users/ann/export")
	require.Equal(t, "application/x-ndjson", file.header.Get("Content-Type"))
	require.Contains(t, string(file.body), "My name is Ann.")
	added := q.ask(200, "POST /v1/users/ann/import", string(file.body)).value(t)["added"].(map[string]any)
	require.EqualValues(t, 1, added["event"])
	require.Equal(t, string(file.body), string(q.ask(200, "GET /v1/users/ann/export").body), "the same bytes")
	require.Empty(t, q.ask(200, "POST /v1/users/ann/import", string(file.body)).value(t)["added"])
	p.ask(404, "GET /v1/users/nobody/export")
	for _, bad := range []string{"", "{}", "x", string(file.body[:len(file.body)/2])} {
		a := q.ask(400, "POST /v1/users/bob/import", bad)
		require.NotContains(t, string(a.body), "My name")
	}
	q.ask(404, "GET /v1/users/bob/export")
}

// TestSlowImports sends a file that stops, and then more of them than there are places.
func TestSlowImports(t *testing.T) {
	p := start(t, withMemory(nil), func(o *server.Options) { o.BodyTime = 100 * time.Millisecond })
	head := "POST /v1/users/ann/import HTTP/1.1\r\nHost: x\r\nX-API-Key: " + keyA + "\r\nContent-Length: 1000\r\n\r\n"
	slow, err := net.Dial("tcp", strings.TrimPrefix(p.url, "http://"))
	require.NoError(t, err)
	defer func() { _ = slow.Close() }()
	_, err = io.WriteString(slow, head+"{")
	require.NoError(t, err)
	b, err := io.ReadAll(slow)
	require.NoError(t, err)
	require.Contains(t, string(b), "408 Request Timeout")

	p = start(t, withMemory(nil))
	answers := make(chan string, 3)
	for range 3 { // of which two find a place
		conn, err := net.Dial("tcp", strings.TrimPrefix(p.url, "http://"))
		require.NoError(t, err)
		defer func() { _ = conn.Close() }()
		_, err = io.WriteString(conn, head)
		require.NoError(t, err)
		go func() {
			b := make([]byte, 12)
			_, _ = io.ReadFull(conn, b)
			answers <- string(b)
		}()
	}
	require.Equal(t, "HTTP/1.1 503", <-answers)
}
