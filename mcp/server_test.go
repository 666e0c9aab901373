package mcp_test

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"ltm/mcp"
	"ltm/memory"
	"ltm/memory/api"
	"ltm/tests/golden"
)

// fake is an engine that records its calls.
type fake struct {
	mu    sync.Mutex
	asked []any
	err   error
	panic bool
	block chan struct{} // calls of Recall wait until it is closed

	withholds bool
	listed    []api.PacketEntry
}

func (f *fake) note(v any) error {
	if f.panic {
		panic("on purpose")
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	f.asked = append(f.asked, v)
	return f.err
}

func (f *fake) Remember(_ context.Context, d api.Draft) (api.Receipt, error) {
	return api.Receipt{Success: true, ID: "mem_00000001", Message: memory.Say("stored"), Tags: []string{}}, f.note(d)
}

func (f *fake) Similar(context.Context, string) ([]api.Similar, error) { return nil, nil }

func (f *fake) Recall(ctx context.Context, q api.Query) (api.Recall, error) {
	if f.block != nil {
		<-f.block
		if ctx.Err() != nil {
			return api.Recall{}, ctx.Err()
		}
		return api.Recall{Memories: []api.Hit{}}, nil
	}
	return api.Recall{Memories: []api.Hit{}}, f.note(q)
}

func (f *fake) List(_ context.Context, l api.ListFilter) (api.Listing, error) {
	return api.Listing{Memories: []api.Entry{}}, f.note(l)
}

func (f *fake) Get(_ context.Context, id string) (api.Detail, error) {
	return api.Detail{}, f.note(id)
}

func (f *fake) Peek(context.Context, string) (api.Detail, error) { return api.Detail{}, nil }

func (f *fake) Update(_ context.Context, id string, p api.Patch) (api.Receipt, error) {
	return api.Receipt{}, f.note([]any{id, p})
}

func (f *fake) Forget(_ context.Context, id string) (api.Forgotten, error) {
	return api.Forgotten{}, f.note(id)
}
func (f *fake) Status(context.Context) (api.Status, error) {
	return api.Status{}, f.note("status")
}
func (f *fake) Check(context.Context) (api.CheckReport, error) {
	return api.CheckReport{}, f.note("check")
}

func (f *fake) Fix(_ context.Context, o api.FixOptions) (api.FixReport, error) {
	return api.FixReport{}, f.note(o)
}

func (f *fake) SearchArchives(_ context.Context, q string, limit int) (api.ArchiveRecall, error) {
	return api.ArchiveRecall{}, f.note([]any{q, limit})
}

func (f *fake) ResetSession(_ context.Context, session string) (api.Segment, error) {
	return api.Segment{}, f.note([]any{"reset", session})
}

func (f *fake) Review(_ context.Context, s api.Sentence) (api.Review, error) {
	return api.Review{}, f.note(s)
}

func (f *fake) Restore(_ context.Context, id, importance string) (api.Receipt, error) {
	return api.Receipt{}, f.note([]any{id, importance})
}

func (f *fake) PeekArchive(_ context.Context, id string) (api.Detail, error) {
	return api.Detail{}, f.note([]any{"archive", id})
}

func (f *fake) GetMany(_ context.Context, ids []string) ([]api.Got, error) {
	return nil, f.note([]any{"get", ids})
}

func (f *fake) PeekArchives(_ context.Context, ids []string) ([]api.Got, error) {
	return nil, f.note([]any{"archives", ids})
}

// Write, Resume and List are those of [mcp.Packets].
type packets struct{ *fake }

func (p packets) Write(_ context.Context, d api.PacketDraft) (api.PacketReceipt, error) {
	return api.PacketReceipt{Success: true, ID: "01K3Q8ZJ6M4T2V9XWBDN7RHE02", Message: memory.Say("written")}, p.note(d)
}

func (p packets) Resume(_ context.Context, r api.ResumePacket) (api.Resumption, error) {
	return api.Resumption{ID: "01K3Q8ZJ6M4T2V9XWBDN7RHE02", Text: "<ltm-packet>"}, p.note(r)
}

func (p packets) List(_ context.Context, f api.PacketFilter) (api.PacketList, error) {
	return api.PacketList{Packets: p.listed, Total: len(p.listed)}, p.note(f)
}

func (f *fake) Running(context.Context, string) (*api.Segment, error) { return nil, nil }

func (f *fake) Withholds(context.Context) bool { return f.withholds }

const initialize = `{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-11-25",` +
	`"capabilities":{},"clientInfo":{"name":"test","version":"1"}}}`

// serve sends lines to a server and returns the answers by id.
func serve(t *testing.T, e mcp.Engine, lines ...string) map[string]json.RawMessage {
	t.Helper()
	var out, log bytes.Buffer
	in := strings.NewReader(strings.Join(append([]string{initialize,
		`{"jsonrpc":"2.0","method":"notifications/initialized"}`}, lines...), "\n") + "\n")
	f, ok := e.(*fake)
	if !ok {
		f = &fake{}
	}
	require.NoError(t, mcp.Serve(context.Background(), e,
		mcp.Options{Version: "1.2.3", Session: "s", Packets: packets{f}, Stdin: in, Stdout: &out, Log: &log}))
	return answers(t, &out)
}

func answers(t *testing.T, out io.Reader) map[string]json.RawMessage {
	t.Helper()
	found := map[string]json.RawMessage{}
	lines := bufio.NewScanner(out)
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		var m struct{ ID, Result, Error json.RawMessage }
		require.NoError(t, json.Unmarshal(lines.Bytes(), &m), "only JSON-RPC may be written, not %q", lines.Text())
		found[string(m.ID)] = append(m.Result, m.Error...)
	}
	return found
}

func toolCall(id int, tool, arguments string) string {
	return fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"method":"tools/call","params":{"name":%q,"arguments":%s}}`, id,
		tool, arguments)
}

// text returns the text of a tool's answer and reports whether it is an error.
func text(t *testing.T, raw json.RawMessage) (string, bool) {
	t.Helper()
	var r struct {
		Content []struct{ Text string }
		IsError bool
	}
	require.NoError(t, json.Unmarshal(raw, &r), "%s", raw)
	require.Len(t, r.Content, 1, "%s", raw)
	return r.Content[0].Text, r.IsError
}

type listedTool struct {
	Name, Title, Description string

	Annotations  struct{ ReadOnlyHint, DestructiveHint, IdempotentHint, OpenWorldHint *bool }
	InputSchema  struct{ Type string }
	OutputSchema struct{ Type string }
	Meta         map[string]any `json:"_meta"`
}

func TestToolsAreSmallAndComplete(t *testing.T) {
	raw := serve(t, &fake{}, `{"jsonrpc":"2.0","id":1,"method":"tools/list"}`)["1"]
	require.Less(t, len(raw), 10_800, "bytes of tools/list")
	var list struct{ Tools []listedTool }
	require.NoError(t, json.Unmarshal(raw, &list))
	always, reads, destroys, repeats := []string{}, []string{}, []string{}, []string{}
	for _, tool := range list.Tools {
		require.NotEmpty(t, tool.Description)
		require.Regexp(t, "^[A-Z][a-z ]+$", tool.Title)
		require.Equal(t, "object", tool.InputSchema.Type)
		require.Contains(t, []string{"", "object"}, tool.OutputSchema.Type)
		require.False(t, *tool.Annotations.OpenWorldHint)
		if tool.Meta["anthropic/alwaysLoad"] == true {
			always = append(always, tool.Name)
		}
		if tool.Annotations.ReadOnlyHint != nil {
			require.True(t, *tool.Annotations.ReadOnlyHint)
			require.Nil(t, tool.Annotations.DestructiveHint, "it means nothing for a tool that reads")
			reads = append(reads, tool.Name)
			continue
		}
		require.NotNil(t, tool.Annotations.DestructiveHint, "without it, clients differ in what they assume")
		if *tool.Annotations.DestructiveHint {
			destroys = append(destroys, tool.Name)
		}
		if tool.Annotations.IdempotentHint != nil {
			repeats = append(repeats, tool.Name)
		}
	}
	require.ElementsMatch(t, []string{"store_memory", "recall", "get_memory"}, always)
	require.NotContains(t, reads, "get_memory", "it counts an access")
	require.ElementsMatch(t, golden.FindSurface(t).ToolNames(t, " (reads)"), reads)
	require.ElementsMatch(t, []string{"update_memory", "forget", "ltm_fix"}, destroys)
	require.Equal(t, []string{"ltm_fix"}, repeats, "what is appended twice is there twice")
}

func TestInstructionsAreShort(t *testing.T) {
	var r struct {
		Instructions    string
		ProtocolVersion string
		ServerInfo      struct{ Name, Version string }
	}
	require.NoError(t, json.Unmarshal(serve(t, &fake{})["0"], &r))
	require.Less(t, len(r.Instructions), 600)
	require.Equal(t, "2025-11-25", r.ProtocolVersion)
	require.Equal(t, "ltm", r.ServerInfo.Name)
	require.Equal(t, "1.2.3", r.ServerInfo.Version)
}

func TestArgumentsReachTheEngine(t *testing.T) {
	half, topic, phase := 0.5, "t", memory.Hint
	tags := []string{"a", "b"}
	for name, test := range map[string]struct {
		tool, arguments string
		want            any
	}{
		"all of store": {"store_memory",
			`{"topic":"t","content":"c","summary":"s","tags":["a","b"],"auto_tag":true,"difficulty":0.5,"redact":true}`,
			api.Draft{Topic: "t", Content: "c", Summary: "s", Tags: tags, AutoTag: true, Difficulty: &half,
				Redact: true, Session: "s"}},
		"null is left out": {"store_memory", `{"topic":"t","content":"c","tags":null,"difficulty":null}`,
			api.Draft{Topic: "t", Content: "c", Session: "s"}},
		"tags in a string": {"store_memory", `{"topic":"t","content":"c","tags":"a,b","difficulty":"0.5"}`,
			api.Draft{Topic: "t", Content: "c", Tags: tags, Difficulty: &half, Session: "s"}},
		"one tag": {"store_memory", `{"topic":"t","content":"c","tags":"a"}`,
			api.Draft{Topic: "t", Content: "c", Tags: []string{"a"}, Session: "s"}},
		"tags with spaces": {"store_memory", `{"topic":"t","content":"c","tags":"a, b,"}`,
			api.Draft{Topic: "t", Content: "c", Tags: tags, Session: "s"}},
		"a list in a text": {"store_memory", `{"topic":"t","content":"c","tags":"[\"a\",\"b\"]"}`,
			api.Draft{Topic: "t", Content: "c", Tags: tags, Session: "s"}},
		"recall's defaults": {"recall", `{"query":"q"}`, api.Query{Asked: true, Text: "q", Limit: 10}},
		"recall": {"recall", `{"query":"q","limit":3.0,"tag":"x","min_score":0.5}`,
			api.Query{Asked: true, Text: "q", Limit: 3, Tag: "x", MinScore: 0.5}},
		"recall's include": {"recall", `{"query":"q","include":"archives"}`,
			api.Query{Asked: true, Text: "q", Limit: 10, Include: api.IncludeArchives}},
		"any case": {"recall", `{"query":"q","include":" All"}`,
			api.Query{Asked: true, Text: "q", Limit: 10, Include: api.IncludeAll}},
		"list's include": {"list_memories", `{"include":"all"}`,
			api.ListFilter{Limit: 50, Include: api.IncludeAll}},
		"get": {"get_memory", `{"memory_id":"mem_1"}`, "mem_1"},
		"list": {"list_memories", `{"phase":"hint","limit":"7","offset":2,"keyword":"k"}`,
			api.ListFilter{Phase: &phase, Keyword: "k", Limit: 7, Offset: 2}},
		"both names, one id": {"get_memory", `{"id":"mem_1","memory_id":"mem_1"}`, "mem_1"},
		"list's defaults":    {"list_memories", `{}`, api.ListFilter{Limit: 50}},
		"no arguments":       {"list_memories", `null`, api.ListFilter{Limit: 50}},
		"list's bounds": {"list_memories", `{"phase":1.0,"limit":500,"offset":0}`,
			api.ListFilter{Phase: &phase, Limit: 500}},
		"phase in a text": {"list_memories", `{"phase":" 1"}`, api.ListFilter{Phase: &phase, Limit: 50}},
		"forget":          {"forget", `{"id":"i"}`, "i"},
		"status":          {"ltm_status", `{}`, "status"},
		"check":           {"ltm_check", `{}`, "check"},
		"no tags any more": {"update_memory", `{"id":"i","tags":[]}`,
			[]any{"i", api.Patch{Tags: &[]string{}, Session: "s"}}},
		"tags as they were": {"update_memory", `{"id":"i","topic":"t","tags":null}`,
			[]any{"i", api.Patch{Topic: &topic, Session: "s"}}},
		"restore as it was": {"restore_memory", `{"id":"i"}`, []any{"i", ""}},
		"update": {"update_memory", `{"id":"i","topic":"t"}`,
			[]any{"i", api.Patch{Topic: &topic, Session: "s"}}},
		"fix's defaults": {"ltm_fix", `{}`, api.FixOptions{}},
		"fix": {"ltm_fix", `{"archive_orphans":false,"dry_run":"true"}`,
			api.FixOptions{RemoveUnreadable: true, DryRun: true}},
		"a limit of 0":  {"recall", `{"query":"q","limit":0}`, api.Query{Text: "q", Limit: 1, Asked: true}},
		"a limit below": {"search_archives", `{"query":"q","limit":-7}`, []any{"q", 1}},
		"a limit above": {"recall", `{"query":"q","limit":"51"}`, api.Query{Text: "q", Limit: 50, Asked: true}},
		"a huge limit":  {"list_memories", `{"limit":1e300}`, api.ListFilter{Limit: 500}},
		"importance": {"store_memory", `{"topic":"t","content":"c","importance":" Low"}`,
			api.Draft{Topic: "t", Content: "c", Importance: memory.Low, Session: "s"}},
		"all of an update": {"update_memory",
			`{"id":"i","append":"t","summary":"","add_tags":["a","b"],"remove_tags":"a, b",` +
				`"importance":"critical","redact":true}`,
			[]any{"i", api.Patch{Append: &topic, Summary: new(string), AddTags: tags, RemoveTags: tags,
				Importance: memory.Critical, Redact: true, Session: "s"}}},
		"an archived text": {"get_memory", `{"id":"i","archived":true}`, []any{"archive", "i"}},
		"several":          {"get_memory", `{"ids":["a","b"]}`, []any{"get", tags}},
		"several archived": {"get_memory", `{"ids":"a,b","archived":"true"}`, []any{"archives", tags}},
		"new topic":        {"new_topic", `{}`, []any{"reset", "s"}},
		"its old name":     {"reset_session", `{}`, []any{"reset", "s"}},
		"candidates":       {"review_candidates", `{}`, api.Sentence{}},
		"some of them": {"review_candidates", `{"accept":"a, b","drop":["c"]}`,
			api.Sentence{Accept: []api.Acceptance{{ID: "a"}, {ID: "b"}}, Drop: []string{"c"}}},
		"one, changed": {"review_candidates", `{"accept":"a","topic":"t","content":"t","tags":[]}`,
			api.Sentence{Accept: []api.Acceptance{{ID: "a", Topic: &topic, Text: &topic, Tags: &[]string{}}}}},
		"archives": {"search_archives", `{"query":"q","limit":5}`, []any{"q", 5}},
		"restore":  {"restore_memory", `{"id":"i","importance":"low"}`, []any{"i", "low"}},
	} {
		t.Run(name, func(t *testing.T) {
			f := &fake{}
			message, failed := text(t, serve(t, f, toolCall(1, test.tool, test.arguments))["1"])
			require.False(t, failed, message)
			require.Equal(t, []any{test.want}, f.asked)
		})
	}
}

func TestTheServerGoesOnAfterRubbish(t *testing.T) {
	found := serve(t, &fake{}, `not json`, `[]`, `{"jsonrpc":"2.0","id":"x","method":"no/such"}`,
		toolCall(3, "no_such_tool", `{}`), toolCall(4, "recall", `[1]`),
		toolCall(5, "recall", `{"query":"`+strings.Repeat("x", 16<<20)+`"}`),
		`{"jsonrpc":"2.0","id":6,"method":"ping"}`)
	require.Contains(t, string(found[`"x"`]), "no/such")
	require.Contains(t, string(found["3"]), "no_such_tool")
	message, failed := text(t, found["4"])
	require.True(t, failed, message)
	require.NotEmpty(t, found["5"])
	require.NotEmpty(t, found["6"])
}
