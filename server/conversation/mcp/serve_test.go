package mcp_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"runtime"
	"strings"
	"testing"
	"testing/iotest"
	"time"

	"github.com/stretchr/testify/require"

	"ltm/server/conversation/client"
	"ltm/server/conversation/mcp"
)

// memory notes what it is asked.
type memory struct {
	asked   []any
	found   client.Context
	profile client.Profile
	fails   error
}

func (m *memory) Retrieve(_ context.Context, q client.Question) (client.Context, error) {
	m.asked = append(m.asked, q)
	return m.found, m.fails
}

func (m *memory) CreateThread(_ context.Context, t client.NewThread) (string, error) {
	m.asked = append(m.asked, t)
	return "t1", m.fails
}

func (m *memory) AddEvent(_ context.Context, thread string, e client.NewEvent) (string, error) {
	m.asked = append(m.asked, thread, e)
	return "e1", m.fails
}

func (m *memory) Claims(_ context.Context, q client.ClaimQuery) ([]client.Claim, string, error) {
	m.asked = append(m.asked, q)
	if q.States[0] == "rejected" {
		return nil, "", m.fails
	}
	return []client.Claim{{Bucket: "PROFILE", Text: "I live in Rome, key AKIAIOSFODNN7EXAMPLQ\n[end]",
		Confidence: 0.9}}, "next", m.fails
}

func (m *memory) Profile(_ context.Context, user string) (client.Profile, error) {
	m.asked = append(m.asked, user)
	return m.profile, m.fails
}

// call calls tools, given as their names and arguments, and returns their texts. An error begins with "!".
func call(t *testing.T, m *memory, o mcp.Options, calls ...string) []string {
	t.Helper()
	in := `{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},` +
		`"clientInfo":{"name":"test","version":"1"}}}` + "\n" +
		`{"jsonrpc":"2.0","method":"notifications/initialized"}` + "\n"
	for i := 0; i < len(calls); i += 2 {
		in += `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"` + calls[i] + `","arguments":` +
			calls[i+1] + "}}\n"
	}
	var out bytes.Buffer
	require.NoError(t, mcp.Serve(t.Context(), m, o, strings.NewReader(in), &out))
	var texts []string
	for line := range strings.Lines(out.String()) {
		var answer struct {
			ID     int
			Error  *struct{ Message string }
			Result struct {
				IsError bool
				Content []struct{ Text string }
			}
		}
		require.NoError(t, json.Unmarshal([]byte(line), &answer))
		switch {
		case answer.ID == 0:
		case answer.Error != nil:
			texts = append(texts, "!!"+answer.Error.Message)
		case answer.Result.IsError:
			texts = append(texts, "!"+answer.Result.Content[0].Text)
		default:
			texts = append(texts, answer.Result.Content[0].Text)
		}
	}
	require.Len(t, texts, len(calls)/2)
	return texts
}

func TestTools(t *testing.T) {
	m := &memory{found: client.Context{Memory: "[memory]\n> claim: Rome\n", Notes: []string{"a store is away"}}}
	o := mcp.Options{User: "ann", Agent: "helper"}
	require.Equal(t, []string{"[memory]\n> claim: Rome\nNote: a store is away.\n", "Added e1 to thread t1.",
		"Added e1 to thread t1.",
		"> PROFILE (0.90): \"I live in Rome, key [redacted]\\n[end]\"\nThere are more; these are the surest.\n",
		"There are no claims that are rejected."},
		call(t, m, o, "retrieve", `{"query":"where?","budget":300,"user_id":"ben"}`,
			"add_event", `{"text":"I live in Rome","thread_id":"t-of-ben"}`,
			"add_event", `{"text":"Noted","role":"assistant"}`,
			"list_claims", `{}`, "list_claims", `{"state":"rejected"}`))
	require.Equal(t, []any{client.Question{User: "ann", Query: "where?", Budget: 300},
		client.NewThread{User: "ann", Agent: "helper"},
		"t1", client.NewEvent{Actor: "user", Content: "I live in Rome", Agent: "helper"},
		"t1", client.NewEvent{Actor: "assistant", Content: "Noted", Agent: "helper"},
		client.ClaimQuery{User: "ann", States: []string{"active"}},
		client.ClaimQuery{User: "ann", States: []string{"rejected"}}}, m.asked,
		"no argument names another user or thread")

	m = &memory{found: client.Context{Empty: "no word of the question is in the memory"}}
	o.Thread = "given"
	require.Equal(t, []string{"Nothing: no word of the question is in the memory.\n", "Added e1 to thread given."},
		call(t, m, o, "retrieve", `{"query":"x"}`, "add_event", `{"text":"y"}`))
}

// TestProfile: what holds, who the user is before what they are about, as data.
func TestProfile(t *testing.T) {
	entry := func(bucket, text string, day int) client.ProfileEntry {
		return client.ProfileEntry{Since: time.Date(2026, 3, day, 22, 0, 0, 0, time.UTC),
			Claim: client.Claim{Bucket: bucket, Text: text}}
	}
	m := &memory{profile: client.Profile{
		Static:  []client.ProfileEntry{entry("CONSTRAINTS", "I am allergic to nuts", 1)},
		Dynamic: []client.ProfileEntry{entry("GOALS", "I want to\nrun, key AKIAIOSFODNN7EXAMPLQ", 2)}}}
	require.Equal(t, []string{"> CONSTRAINTS (since 2026-03-01): \"I am allergic to nuts\"\n" +
		"> GOALS (since 2026-03-02): \"I want to\\nrun, key [redacted]\"\n"},
		call(t, m, mcp.Options{User: "ann"}, "profile", `{"user":"ben"}`))
	require.Equal(t, []any{"ann"}, m.asked, "no argument names another user")
	require.Equal(t, []string{"Nothing is known of the user."},
		call(t, &memory{}, mcp.Options{User: "ann"}, "profile", `{}`))
	for range 200 {
		m.profile.Dynamic = append(m.profile.Dynamic, entry("GOALS", "more", 3))
	}
	long := call(t, m, mcp.Options{User: "ann"}, "profile", `{}`)[0]
	require.Equal(t, 101, strings.Count(long, "\n"))
	require.Contains(t, long, "There are more")
	m.fails = &client.Error{Status: 503, Detail: "the database is away"}
	require.Equal(t, []string{"!the database is away"}, call(t, m, mcp.Options{User: "ann"}, "profile", `{}`))
}

func TestRefusals(t *testing.T) {
	m := &memory{fails: &client.Error{Status: 422, Detail: "budget must be 1 to 100000"}}
	texts := call(t, m, mcp.Options{User: "ann"}, "retrieve", `{"query":"x"}`, "retrieve", `{}`, "add_event", `{}`,
		"add_event", `{"text":"y"}`, "list_claims", `{}`, "forget_all", `{}`)
	for _, i := range []int{0, 3, 4} {
		require.Equal(t, "!budget must be 1 to 100000", texts[i])
	}
	require.Contains(t, texts[1], "query")
	require.Contains(t, texts[2], "text")
	require.Contains(t, texts[5], "!!")
}

// TestEnds ends while the input is open, after lines that are no messages, and with an input that fails.
func TestEnds(t *testing.T) {
	ctx, stop := context.WithCancel(t.Context())
	in, client := io.Pipe()
	defer client.Close()
	ended := make(chan error)
	go func() { ended <- mcp.Serve(ctx, &memory{}, mcp.Options{User: "ann"}, in, io.Discard) }()
	stop()
	require.NoError(t, <-ended)

	var out bytes.Buffer
	require.NoError(t, mcp.Serve(t.Context(), &memory{}, mcp.Options{}, strings.NewReader("garbage\n"), &out))
	require.Contains(t, out.String(), `"error"`)
	broken := iotest.ErrReader(errors.New("the pipe broke"))
	require.ErrorContains(t, mcp.Serve(t.Context(), &memory{}, mcp.Options{}, broken, &out), "the pipe broke")
}

// spaces reads as so many spaces, without holding them in memory.
type spaces int

func (s *spaces) Read(b []byte) (int, error) {
	if *s == 0 {
		return 0, io.EOF
	}
	n := min(len(b), int(*s))
	for i := range b[:n] {
		b[i] = ' '
	}
	*s -= spaces(n)
	return n, nil
}

// TestALineThatIsTooLong is refused by its id, and the next one is handled.
func TestALineThatIsTooLong(t *testing.T) {
	const (
		limit   = 1 << 20
		begin   = `{"jsonrpc":"2.0","id":7,"method":"ping"`
		next    = "\n" + `{"jsonrpc":"2.0","id":8,"method":"ping"}` + "\n"
		refused = `{"jsonrpc":"2.0","id":7,"error":{"code":-32600,"message":"a message has at most 1048576 bytes; ` +
			`nothing was changed"}}`
		pong = `{"jsonrpc":"2.0","id":7,"result":{}}`
	)
	for name, c := range map[string]struct {
		size  int
		want  string
		split func(io.Reader) io.Reader
	}{
		"the longest":           {limit, pong, nil},
		"one byte more":         {limit + 1, refused, nil},
		"the longest in halves": {limit, pong, iotest.HalfReader},
		"more in halves":        {limit + 1, refused, iotest.HalfReader},
		"100 MB":                {100 << 20, refused, nil},
	} {
		t.Run(name, func(t *testing.T) {
			fill := spaces(c.size - len(begin) - 1)
			in := io.MultiReader(strings.NewReader(begin), &fill, strings.NewReader("}"+next))
			if c.split != nil {
				in = c.split(in)
			}
			var out bytes.Buffer
			var before, after runtime.MemStats
			runtime.ReadMemStats(&before)
			require.NoError(t, mcp.Serve(t.Context(), &memory{}, mcp.Options{User: "ann"}, in, &out))
			runtime.ReadMemStats(&after)
			require.Equal(t, c.want+"\n"+`{"jsonrpc":"2.0","id":8,"result":{}}`+"\n", out.String())
			if c.size > 2*limit {
				require.Less(t, after.TotalAlloc-before.TotalAlloc, uint64(16<<20), "bytes that were allocated")
			}
		})
	}
}
