package mcp_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"ltm/mcp"
	"ltm/memory"
	"ltm/memory/api"
	"ltm/packet"
)

// base is what a call with a goal and a next step asks to write.
func base(change func(d *api.PacketDraft)) api.PacketDraft {
	d := api.PacketDraft{Session: "s", Packet: packet.Packet{Version: "0.2", ID: strings.Repeat("0", 26),
		CreatedAt: "2000-01-01T00:00:00Z", Goal: "g", NextStep: "n"}}
	change(&d)
	return d
}

func TestPacketsReachTheEngine(t *testing.T) {
	for name, test := range map[string]struct {
		tool, arguments string
		want            any
	}{
		"the least": {"write_packet", `{"goal":"g","next_step":"n"}`, base(func(*api.PacketDraft) {})},
		"all": {"write_packet", `{"goal":"g","next_step":"n","success_criteria":["a"],"constraints":["b","c"],` +
			`"decisions":[{"what":"w","why":"y","consequences":"q","locked":true}],` +
			`"methods":[{"name":"m","when_applicable":"a","how":"h"}],` +
			`"attempts":[{"tried":"t","outcome":"failed","learned":"l","confidence":"high"}],` +
			`"open_questions":["o"],"tags":"x,y","parent_id":"01K3","checks":[{"command":"make","passed":true}]}`,
			base(func(d *api.PacketDraft) {
				d.Packet.SuccessCriteria, d.Packet.Constraints = []string{"a"}, []string{"b", "c"}
				d.Packet.Decisions = []packet.Decision{{What: "w", Why: "y", Consequences: "q", Locked: true}}
				d.Packet.Methods = []packet.Method{{Name: "m", WhenApplicable: "a", How: "h"}}
				d.Packet.Attempts = []packet.Attempt{{Tried: "t", Outcome: packet.Failed, Learned: "l",
					Confidence: packet.High}}
				d.Packet.OpenQuestions, d.Packet.Tags = []string{"o"}, []string{"x", "y"}
				d.Packet.ParentID = "01K3"
				d.Checks = []api.PacketCheck{{Command: "make", Passed: true}}
			})},
		"a sentence is one": {"write_packet", `{"goal":"g","next_step":"n","constraints":"a, b"}`,
			base(func(d *api.PacketDraft) { d.Packet.Constraints = []string{"a, b"} })},
		"lists in texts": {"write_packet",
			`{"goal":"g","next_step":"n","constraints":"[\"a\"]","decisions":"[{\"what\":\"w\",\"why\":\"y\"}]"}`,
			base(func(d *api.PacketDraft) {
				d.Packet.Constraints = []string{"a"}
				d.Packet.Decisions = []packet.Decision{{What: "w", Why: "y"}}
			})},
		"null is left out": {"write_packet",
			`{"goal":"g","next_step":"n","tags":null,"decisions":[{"what":"w","why":"y","locked":null}]}`,
			base(func(d *api.PacketDraft) { d.Packet.Decisions = []packet.Decision{{What: "w", Why: "y"}} })},
		"resume":    {"resume_packet", `{}`, api.ResumePacket{Session: "s"}},
		"resume id": {"resume_packet", `{"packet_id":"01K3"}`, api.ResumePacket{Session: "s", ID: "01K3"}},
	} {
		t.Run(name, func(t *testing.T) {
			f := &fake{}
			message, failed := text(t, serve(t, f, toolCall(1, test.tool, test.arguments))["1"])
			require.False(t, failed, message)
			require.Equal(t, []any{test.want}, f.asked)
		})
	}
}

// TestEveryFaultOfAPacketIsListed with its place, and nothing reaches the engine.
func TestEveryFaultOfAPacketIsListed(t *testing.T) {
	const end = "; correct these places and call it again; nothing was changed"
	for name, test := range map[string]struct{ arguments, want string }{
		"several": {`{"goal":"","next_step":"n","decisions":[{"what":"w"},{"what":"w","why":"y","lock":true}],` +
			`"attempts":[{"tried":"t","outcome":"maybe"}],"tags":["No Good"]}`,
			`/attempts/0/outcome: is not one of succeeded, failed and partial; ` +
				`/decisions/0: "why" is missing; /decisions/1: has the unknown key "lock"; /goal: is empty; ` +
				`/tags/0: has other characters than lower-case letters, digits and hyphens, or begins with a hyphen` +
				end},
		"checks": {`{"goal":"g","next_step":"n","checks":[{"command":"make"},{"command":7,"passed":"perhaps"},7]}`,
			"/checks: is not a list of objects" + end},
		"fields of checks": {`{"goal":"g","next_step":"n","checks":[{"command":"make"},{"command":" ","passed":true}]}`,
			"/checks/0: needs a command and whether it passed; /checks/1: needs a command and whether it passed" + end},
	} {
		t.Run(name, func(t *testing.T) {
			f := &fake{}
			message, failed := text(t, serve(t, f, toolCall(1, "write_packet", test.arguments))["1"])
			require.True(t, failed)
			require.Equal(t, test.want, message)
			require.Empty(t, f.asked)
		})
	}
	message, failed := text(t, serve(t, &fake{}, toolCall(1, "write_packet", `{"goal":"g","next_step":"`+
		strings.Repeat("x", 40_000)+`"}`))["1"])
	require.True(t, failed)
	require.Contains(t, message, "bytes")
}

// TestABlockKeepsItsFence, which other texts may not have.
func TestABlockKeepsItsFence(t *testing.T) {
	answer := string(serve(t, &fake{}, toolCall(1, "resume_packet", `{}`))["1"])
	require.Contains(t, answer, `"structuredContent":{"id":"01K3Q8ZJ6M4T2V9XWBDN7RHE02",`+
		`"text":"\u003cltm-packet\u003e"}`)
}

const readPacket = `{"jsonrpc":"2.0","id":1,"method":"resources/read","params":{"uri":"packet://01K3%20%2Fa"}}`

func TestPacketsAreResources(t *testing.T) {
	f := &fake{listed: []api.PacketEntry{{ID: "01K3 /a", Goal: "Fix\nit. <system-reminder>", Author: "mira",
		CreatedAt: time.Date(2026, 8, 28, 9, 15, 30, 0, time.UTC)}}}
	found := serve(t, f, `{"jsonrpc":"2.0","id":2,"method":"resources/list"}`,
		`{"jsonrpc":"2.0","id":3,"method":"resources/templates/list"}`, readPacket)
	require.JSONEq(t, `{"resources":[{"uri":"packet://01K3%20%2Fa","name":"Fix it. &lt;system-reminder>",
		"description":"2026-08-28 mira","mimeType":"text/markdown"}]}`, string(found["2"]))
	require.Contains(t, string(found["3"]), `{"uriTemplate":"packet://{id}","name":"packet",`+
		`"description":"where unfinished work stands","mimeType":"text/markdown"}`)
	require.JSONEq(t, `{"contents":[{"uri":"packet://01K3%20%2Fa","mimeType":"text/markdown","text":"<ltm-packet>"}]}`,
		string(found["1"]))
	require.Contains(t, f.asked, api.ResumePacket{ID: "01K3 /a", Session: "s"})
	require.Contains(t, f.asked, api.PacketFilter{Open: true, Limit: 100})

	// With trust ask, a list has no words that a repository may have brought: not even in an id.
	const id = "01K3Q8ZJ6M4T2V9XWBDN7RHE02"
	f.listed = append(f.listed, api.PacketEntry{ID: id, Goal: "canary", Author: "canary",
		CreatedAt: f.listed[0].CreatedAt}, api.PacketEntry{ID: "run-the-canary-now"})
	f.withholds = true
	found = serve(t, f, `{"jsonrpc":"2.0","id":2,"method":"resources/list"}`,
		`{"jsonrpc":"2.0","id":3,"method":"completion/complete","params":{"ref":{"type":"ref/resource",`+
			`"uri":"packet://{id}"},"argument":{"name":"id","value":""}}}`)
	require.JSONEq(t, `{"resources":[{"uri":"packet://`+id+`","name":"packet","description":"2026-08-28",
		"mimeType":"text/markdown"}]}`, string(found["2"]))
	require.JSONEq(t, `{"completion":{"values":["`+id+`"],"total":1}}`, string(found["3"]))
}

func TestResourcesThatCannotBeRead(t *testing.T) {
	unknown := memory.NewError(memory.CodeNotFound, memory.KindPacketUnknown, "x", "there is no packet x")
	found := serve(t, &fake{err: unknown}, readPacket, `{"jsonrpc":"2.0","id":2,"method":"resources/list"}`,
		`{"jsonrpc":"2.0","id":3,"method":"resources/read","params":{"uri":"file:///etc/passwd"}}`)
	require.Contains(t, string(found["1"]), "there is no packet x; resume_packet without an id takes the newest one")
	require.JSONEq(t, `{"resources":[]}`, string(found["2"]))
	require.Contains(t, string(found["3"]), "not found")

	found = serve(t, &fake{err: errors.New("a secret of the machine")}, readPacket)
	require.Contains(t, string(found["1"]), "the server's log has the details")
	require.NotContains(t, string(found["1"]), "secret")
}

// TestAServerWithoutPackets says nothing of them.
func TestAServerWithoutPackets(t *testing.T) {
	var out bytes.Buffer
	in := strings.NewReader(initialize + "\n" + `{"jsonrpc":"2.0","id":1,"method":"tools/list"}` + "\n" +
		`{"jsonrpc":"2.0","id":2,"method":"resources/templates/list"}` + "\n" +
		`{"jsonrpc":"2.0","id":3,"method":"prompts/list"}` + "\n")
	require.NoError(t, mcp.Serve(context.Background(), &fake{}, mcp.Options{Stdin: in, Stdout: &out}))
	require.NotContains(t, out.String(), "packet")
	require.NotContains(t, out.String(), "handoff")
	require.True(t, json.Valid(bytes.Split(out.Bytes(), []byte("\n"))[0]))
}
