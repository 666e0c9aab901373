package mcp_test

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"ltm/mcp"
)

// exchange sends lines to a server after negotiating a protocol version, and returns
// the lines that answer them.
func exchange(t *testing.T, version string, lines ...string) []string {
	t.Helper()
	var out bytes.Buffer
	in := strings.Join(append([]string{strings.Replace(initialize, "2025-11-25", version, 1)}, lines...), "\n")
	require.NoError(t, mcp.Serve(context.Background(), &fake{},
		mcp.Options{Stdin: strings.NewReader(in), Stdout: &out}))
	answers := []string{}
	scanner := bufio.NewScanner(&out)
	scanner.Buffer(nil, 1<<20)
	for scanner.Scan() {
		answers = append(answers, scanner.Text())
	}
	require.NotEmpty(t, answers)
	require.Contains(t, answers[0], `"protocolVersion":"`+version+`"`)
	return answers[1:]
}

func pinged(id string) string { return `{"jsonrpc":"2.0","id":` + id + `,"result":{}}` }

// refused is the error response to a request.
func refused(id string, code int, message string) string {
	return fmt.Sprintf(`{"jsonrpc":"2.0","id":%s,"error":{"code":%d,"message":%q}}`, id, code, message)
}

func ping(id string) string { return `{"jsonrpc":"2.0","id":` + id + `,"method":"ping"}` }

// TestBatches sends batches under the protocol version that has them.
func TestBatches(t *testing.T) {
	for name, test := range map[string]struct {
		line string
		want []string
	}{
		"several": {"[" + ping("1") + "," + ping(`"b"`) + "]",
			[]string{"[" + pinged("1") + "," + pinged(`"b"`) + "]"}},
		"one": {"[" + ping("1") + "]", []string{"[" + pinged("1") + "]"}},
		"with what has no answer": {
			`[{"jsonrpc":"2.0","method":"notifications/initialized"},` + ping("1") + "," + pinged("7") + "]",
			[]string{"[" + pinged("1") + "]"}},
		"nothing to answer": {`[{"jsonrpc":"2.0","method":"notifications/initialized"}]`, []string{}},
		"one that is wrong": {"[" + ping("1") + `,5]`,
			[]string{"[" + pinged("1") + "," + refused("null", -32700, "Failed to parse message") + "]"}},
		"empty": {`[]`,
			[]string{refused("null", -32600, "a list has 1 to 100 messages, and this one has 0; nothing was changed")}},
		"too many": {"[" + strings.Repeat(ping("1")+",", 100) + ping("1") + "]",
			[]string{refused("null", -32600,
				"a list has 1 to 100 messages, and this one has 101; nothing was changed")}},
		"cut off": {`[` + ping("1"),
			[]string{refused("null", -32700, "Parse error")}},
	} {
		t.Run(name, func(t *testing.T) { require.Equal(t, test.want, exchange(t, "2025-03-26", test.line)) })
	}
}

// TestBatchesOfCalls sends calls that read and calls that write in one batch.
func TestBatchesOfCalls(t *testing.T) {
	answers := exchange(t, "2025-03-26",
		"["+toolCall(1, "store_memory", `{"topic":"t","content":"c"}`)+","+toolCall(2, "recall", `{"query":"q"}`)+"]")
	require.Len(t, answers, 1)
	var list []struct {
		ID     int
		Result struct{ StructuredContent json.RawMessage }
	}
	require.NoError(t, json.Unmarshal([]byte(answers[0]), &list))
	require.Len(t, list, 2)
	require.Contains(t, string(list[0].Result.StructuredContent), "mem_00000001")
	require.Contains(t, string(list[1].Result.StructuredContent), "memories")
}

// TestBatchesUnderOtherVersions expects one refusal for a whole batch.
func TestBatchesUnderOtherVersions(t *testing.T) {
	for _, version := range []string{"2024-11-05", "2025-06-18", "2025-11-25"} {
		refusal := refused("null", -32600, "only protocol version 2025-03-26 allows a list of messages")
		require.Equal(t, []string{refusal, pinged("2")}, exchange(t, version, "["+ping("1")+"]", ping("2")))
	}
}

// TestIDsComeBackAsTheyWere compares ids byte for byte.
func TestIDsComeBackAsTheyWere(t *testing.T) {
	for _, id := range []string{`0`, `-1`, `9007199254740993`, `9007199254740992`, `12345678901234567890`,
		`123456789012345678901234567890`, `1.0`, `0.1e1`,
		`""`, `"1"`, `"é"`, `"\u00e9\n"`, `"a b"`} {
		require.Equal(t, []string{pinged(id)}, exchange(t, "2025-11-25", ping(id)))
		called := exchange(t, "2025-11-25",
			strings.Replace(toolCall(7, "recall", `{"query":"q"}`), `"id":7`, `"id":`+id, 1))
		require.Len(t, called, 1)
		require.Contains(t, called[0], `"id":`+id+`,"result"`)
		failed := exchange(t, "2025-11-25", strings.Replace(ping(id), "ping", "no/such", 1))
		require.Len(t, failed, 1)
		require.Contains(t, failed[0], `"id":`+id+`,"error"`)
	}
	for _, id := range []string{`{}`, `[1]`, `true`} {
		require.Equal(t,
			[]string{refused("null", -32600, "an id must be a string or a number")},
			exchange(t, "2025-11-25", ping(id)))
	}
}
