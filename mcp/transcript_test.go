package mcp_test

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"io"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"ltm/mcp"
	"ltm/memory"
	"ltm/memory/api"
	"ltm/tests/golden"
)

// TestTranscripts sends the requests of each file in testdata, one at a time, and
// compares the answers with the lines that follow them there.
func TestTranscripts(t *testing.T) {
	files, err := filepath.Glob("testdata/*.jsonl")
	require.NoError(t, err)
	require.NotEmpty(t, files)
	for _, file := range files {
		t.Run(filepath.Base(file), func(t *testing.T) {
			want, err := os.ReadFile(file)
			require.NoError(t, err)
			golden.Require(t, file, string(play(t, want)))
		})
	}
}

// play sends the requests of a transcript to a server and returns them with the
// answers.
func play(t *testing.T, transcript []byte) []byte {
	t.Helper()
	c := dial(t, newShelf())
	var got bytes.Buffer
	for line := range bytes.Lines(transcript) {
		var m struct {
			ID     any
			Method string
		}
		require.NoError(t, json.Unmarshal(line, &m), "%s", line)
		if m.Method == "" {
			continue
		}
		got.Write(line)
		c.send(line)
		if m.ID != nil {
			got.Write(c.receive())
		}
	}
	return got.Bytes()
}

// client is a client with a server of its own.
type client struct {
	t   *testing.T
	in  io.Writer
	out *bufio.Reader
}

func dial(t *testing.T, e mcp.Engine) *client {
	t.Helper()
	in, toServer := io.Pipe()
	fromServer, out := io.Pipe()
	done := make(chan error, 1)
	go func() {
		done <- mcp.Serve(context.Background(), e, mcp.Options{Version: "1.2.3", Session: "s", Stdin: in, Stdout: out})
	}()
	t.Cleanup(func() {
		require.NoError(t, toServer.Close())
		require.NoError(t, <-done)
	})
	return &client{t, toServer, bufio.NewReader(fromServer)}
}

func (c *client) send(line []byte) {
	c.t.Helper()
	_, err := c.in.Write(line)
	require.NoError(c.t, err)
}

func (c *client) receive() []byte {
	c.t.Helper()
	line, err := c.out.ReadBytes('\n')
	require.NoError(c.t, err)
	return line
}

// shelf is an engine with one memory. It returns nil lists and times in another zone,
// neither of which clients may see.
type shelf struct{ *fake }

func newShelf() shelf { return shelf{&fake{}} }

func (shelf) noon() time.Time {
	return time.Date(2026, 1, 15, 12, 30, 0, 987654321, time.FixedZone("", 2*60*60))
}

func (shelf) Remember(_ context.Context, d api.Draft) (api.Receipt, error) {
	return api.Receipt{Success: true, ID: "mem_1a2b3c4d", Message: memory.Say("stored mem_1a2b3c4d: " + d.Topic),
		Difficulty: 0.5, Tags: d.Tags}, nil
}

func (shelf) Recall(_ context.Context, q api.Query) (api.Recall, error) {
	if q.Text == "nothing" {
		return api.Recall{}, nil
	}
	return api.Recall{Memories: []api.Hit{{ID: "mem_1a2b3c4d", Topic: "Pool <limit>", Summary: "Raise max_conns.",
		Priority: 0.65, Score: 0.9}}, Total: 1}, nil
}

func (s shelf) List(context.Context, api.ListFilter) (api.Listing, error) {
	seen := s.noon()
	return api.Listing{Memories: []api.Entry{
		{ID: "mem_1a2b3c4d", Topic: "Pool <limit>", Priority: 0.65, CreatedAt: api.Time{Time: s.noon()},
			AccessedAt: &seen},
		{ID: "mem_5e6f7a8b", Topic: "Older", Phase: memory.Abstract, Priority: 0.1, Tags: []string{"go"},
			CreatedAt: api.Time{Time: s.noon()}},
	}, Total: 3, HasMore: true}, nil
}

func (s shelf) Peek(ctx context.Context, id string) (api.Detail, error) { return s.Get(ctx, id) }

func (s shelf) Get(_ context.Context, id string) (api.Detail, error) {
	if id != "mem_1a2b3c4d" {
		return api.Detail{}, memory.NewError(memory.CodeNotFound, memory.KindMemoryUnknown, "", "there is no memory %s",
			id)
	}
	return api.Detail{ID: "mem_1a2b3c4d", Topic: "Pool <limit>", Content: "Raise max_conns.\n\n- 50 is enough",
		Summary: "The pool.", Priority: 0.65,
		Difficulty: 0.8, AccessCount: 1, CreatedAt: api.Time{Time: s.noon()}, CreatedSession: 3, LastSession: 4}, nil
}

func (shelf) Update(_ context.Context, _ string, p api.Patch) (api.Receipt, error) {
	return api.Receipt{Success: true, ID: "mem_1a2b3c4d", Message: memory.Say("updated mem_1a2b3c4d: " + *p.Topic),
		Difficulty: 0.8}, nil
}

func (shelf) Forget(context.Context, string) (api.Forgotten, error) {
	return api.Forgotten{Success: true, Message: memory.Say("forgot mem_1a2b3c4d: Pool <limit>"), Archived: true}, nil
}

func (s shelf) Status(context.Context) (api.Status, error) {
	evicted := s.noon()
	return api.Status{TotalMemories: 2, ByPhase: api.PhaseCounts{Full: 1, Abstract: 1}, TotalArchived: 1,
		SessionCount: 4, LastEviction: &evicted,
		StorageSizeBytes: 2048, Config: map[string]any{"max_memories": 100}, Version: "1.2.3",
		StorePath: "/p/.claude/ltm", ClonePath: "/p/.git/ltm", CachePath: "/p/.git/ltm",
		Health: memory.Say("in order")}, nil
}

func (shelf) Check(context.Context) (api.CheckReport, error) {
	return api.CheckReport{OK: true, Summary: memory.Say("in order")}, nil
}

func (shelf) Fix(_ context.Context, o api.FixOptions) (api.FixReport, error) {
	r := api.FixReport{DryRun: o.DryRun, Summary: "1 step"}
	if !o.DryRun {
		r.Actions = []api.FixAction{{Action: "recover", Target: "mem_1a2b3c4d",
			Reason: "there is no archive of it; git has it"}}
	}
	return r, nil
}

func (shelf) SearchArchives(_ context.Context, query string, _ int) (api.ArchiveRecall, error) {
	if query == "nothing" {
		return api.ArchiveRecall{}, nil
	}
	return api.ArchiveRecall{Archives: []api.ArchiveHit{{ID: "mem_5e6f7a8b", Topic: "Older", Summary: "What it was.",
		Score: 0.4, Active: true}}, Total: 1}, nil
}

func (shelf) Restore(_ context.Context, id, importance string) (api.Receipt, error) {
	return api.Receipt{Success: true, ID: memory.ID(id), Message: memory.Say("restored " + id),
		Tags: memory.WithImportance(nil, memory.Importance(importance))}, nil
}

func (shelf) ResetSession(_ context.Context, session string) (api.Segment, error) {
	return api.Segment{Work: memory.Work{Calls: 3, Failures: 1, Tokens: 40, Source: memory.SourceHooks},
		Difficulty: 0.2, Message: "new segment"}, nil
}

func (s shelf) PeekArchive(ctx context.Context, id string) (api.Detail, error) {
	d, err := s.Get(ctx, "mem_1a2b3c4d")
	d.Archived, d.ArchivedReason, d.Note = true, memory.ReasonForgotten,
		memory.Advise(memory.KindEarlierText, "", "an earlier text")
	return d, err
}

func (s shelf) PeekArchives(ctx context.Context, ids []string) ([]api.Got, error) {
	return s.GetMany(ctx, ids)
}

func (s shelf) GetMany(ctx context.Context, ids []string) ([]api.Got, error) {
	var all []api.Got
	for _, id := range ids {
		d, err := s.Get(ctx, id)
		all = append(all, api.Got{ID: memory.ID(id), Detail: d, Err: err})
	}
	return all, nil
}

func (shelf) Running(_ context.Context, session string) (*api.Segment, error) {
	return &api.Segment{Work: memory.Work{Calls: 3, Source: memory.SourceHooks}, Difficulty: 0.2,
		Message: "session " + session + ": 3 tool calls"}, nil
}

// TestResultsAreCopied requires the server to leave results unmodified, because an engine
// may return the same list to other calls.
func TestResultsAreCopied(t *testing.T) {
	e := &sharing{shelf: newShelf(), listing: api.Listing{Memories: []api.Entry{{ID: "mem_1a2b3c4d",
		CreatedAt: api.Time{Time: shelf{}.noon()}}}}}
	found := serve(t, e, toolCall(1, "list_memories", `{}`))
	require.Contains(t, string(found["1"]), `"tags":[],"created_at":"2026-01-15T10:30:00Z"`)
	require.Nil(t, e.listing.Memories[0].Tags)
	require.Equal(t, shelf{}.noon(), e.listing.Memories[0].CreatedAt.Time)
}

type sharing struct {
	shelf
	listing api.Listing
}

func (s *sharing) List(context.Context, api.ListFilter) (api.Listing, error) {
	return s.listing, nil
}
