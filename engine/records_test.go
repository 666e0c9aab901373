package engine_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"ltm/engine"
	"ltm/engine/records"
	"ltm/engine/transcript"
	"ltm/hooks"
	"ltm/internal/emulated"
	"ltm/memory"
	"ltm/memory/api"
	"ltm/store"
)

// client is a directory of the client, and the directory beside it.
type client struct {
	*fixture
	projects, outside string
}

func newClient(t *testing.T) *client {
	t.Helper()
	f := newEngine(t)
	f.remember("Begun", "The store.", 0)
	top := t.TempDir()
	c := &client{f, filepath.Join(top, "projects"), filepath.Join(top, "elsewhere")}
	require.NoError(t, os.MkdirAll(filepath.Join(c.projects, "-p"), 0o755))
	require.NoError(t, os.MkdirAll(c.outside, 0o755))
	c.Engine = c.with(c.projects)
	return c
}

// with is an engine that reads records below a directory.
func (c *client) with(dir string) *engine.Engine {
	return engine.New(engine.Options{Store: store.New(c.places, time.Now), Version: "test", Now: time.Now,
		Random: new(counter), Next: hooks.NextSteps().Line,
		LockWait: patience, Records: records.Dirs{dir}})
}

// work starts a session with a record, and returns its work when three calls have
// failed, one of which hooks saw.
func (c *client) work(path string) memory.Work {
	c.t.Helper()
	_, err := c.StartSession(c.ctx, api.SessionStart{Session: "s", Source: "startup", Transcript: path})
	require.NoError(c.t, err)
	return c.worked(path)
}

func (c *client) worked(path string) memory.Work {
	c.t.Helper()
	if real, err := filepath.EvalSymlinks(path); err == nil {
		path = real
	}
	grow(c.t, path, bashCalls(0, 3, ""))
	_, err := c.RecordTool(c.ctx, api.ToolUse{Session: "s", Failed: true, Response: gaveBack(5)})
	require.NoError(c.t, err)
	segment, err := c.ResetSession(c.ctx, "s")
	require.NoError(c.t, err)
	return segment.Work
}

func (c *client) link(target, name string) {
	c.t.Helper()
	emulated.Symlink(c.t, target, name)
}

var (
	ofTheRecord = memory.Work{Calls: 3, Failures: 3, Tokens: 30, Source: memory.SourceTranscript}
	ofHooks     = memory.Work{Calls: 1, Failures: 1, Tokens: 5, Source: memory.SourceHooks}
)

// TestRecordsBelowTheClientsDirectory reads records that exist or do not yet exist when the
// session starts, and through links to the directory.
func TestRecordsBelowTheClientsDirectory(t *testing.T) {
	t.Run("there", func(t *testing.T) {
		c := newClient(t)
		path := filepath.Join(c.projects, "-p", "s.jsonl")
		grow(t, path, "")
		require.Equal(t, ofTheRecord, c.work(path))
	})
	t.Run("not yet", func(t *testing.T) {
		c := newClient(t)
		require.Equal(t, ofTheRecord, c.work(filepath.Join(c.projects, "-new", "s.jsonl")))
	})
	t.Run("the directory by another name", func(t *testing.T) {
		c := newClient(t)
		c.link(c.projects, filepath.Join(c.outside, "link"))
		c.Engine = c.with(filepath.Join(c.outside, "link"))
		path := filepath.Join(c.projects, "-p", "s.jsonl")
		grow(t, path, "")
		require.Equal(t, ofTheRecord, c.work(path))
	})
	t.Run("the record by another name", func(t *testing.T) {
		c := newClient(t)
		c.link(c.projects, filepath.Join(c.outside, "link"))
		path := filepath.Join(c.outside, "link", "-p", "s.jsonl")
		grow(t, filepath.Join(c.projects, "-p", "s.jsonl"), "")
		require.Equal(t, ofTheRecord, c.work(path))
	})
}

// TestRecordsElsewhereAreNotRead has payloads that name files outside the client's directory.
func TestRecordsElsewhereAreNotRead(t *testing.T) {
	for name, path := range map[string]func(*client) string{
		"beside":             func(c *client) string { return filepath.Join(c.outside, "s.jsonl") },
		"by going up":        func(c *client) string { return c.projects + "/-p/../../elsewhere/s.jsonl" },
		"the directory":      func(c *client) string { return c.projects },
		"with a like prefix": func(c *client) string { return c.projects + "-more/s.jsonl" },
		"relative":           func(c *client) string { return "s.jsonl" },
		"a link that leads out": func(c *client) string {
			grow(c.t, filepath.Join(c.outside, "s.jsonl"), "")
			c.link(filepath.Join(c.outside, "s.jsonl"), filepath.Join(c.projects, "-p", "s.jsonl"))
			return filepath.Join(c.projects, "-p", "s.jsonl")
		},
		"a directory that leads out": func(c *client) string {
			c.link(c.outside, filepath.Join(c.projects, "-out"))
			return filepath.Join(c.projects, "-out", "s.jsonl")
		},
	} {
		t.Run(name, func(t *testing.T) {
			c := newClient(t)
			t.Chdir(c.outside)
			p := path(c)
			if p == c.projects {
				_, err := c.StartSession(c.ctx, api.SessionStart{Session: "s", Source: "startup", Transcript: p})
				require.NoError(t, err)
				require.Equal(t, ofHooks, c.worked(filepath.Join(c.outside, "s.jsonl")))
				return
			}
			require.Equal(t, ofHooks, c.work(p))
		})
	}
}

// TestAStateFileNamesARecordElsewhere changes the path that was noted.
func TestAStateFileNamesARecordElsewhere(t *testing.T) {
	c := newClient(t)
	path := filepath.Join(c.projects, "-p", "s.jsonl")
	_, err := c.StartSession(c.ctx, api.SessionStart{Session: "s", Source: "startup", Transcript: path})
	require.NoError(t, err)
	state := filepath.Join(c.places.Clone, "state.json")
	before, err := os.ReadFile(state)
	require.NoError(t, err)
	outside := filepath.Join(c.outside, "s.jsonl")
	inJSON := func(s string) string { return strings.ReplaceAll(s, `\`, `\\`) }
	after := strings.ReplaceAll(string(before), inJSON(path), inJSON(outside))
	require.NotEqual(t, string(before), after)
	require.NoError(t, os.WriteFile(state, []byte(after), 0o644))
	require.Equal(t, ofHooks, c.worked(outside))
}

// TestRecordsOfSubagentsElsewhere has the directory of the subagents' records lead
// out of the client's.
func TestRecordsOfSubagentsElsewhere(t *testing.T) {
	c := newClient(t)
	path := filepath.Join(c.projects, "-p", "s.jsonl")
	grow(t, filepath.Join(c.outside, "agent-a.jsonl"), bashCalls(500, 4, `"isSidechain":true,`))
	require.NoError(t, os.MkdirAll(filepath.Dir(transcript.SubagentsFolder(path)), 0o755))
	require.NoError(t, os.MkdirAll(strings.TrimSuffix(path, ".jsonl"), 0o755))
	c.link(c.outside, transcript.SubagentsFolder(path))
	require.Equal(t, ofTheRecord, c.work(path))
}
