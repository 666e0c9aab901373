package torture_test

import (
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/gofrs/flock"
	"github.com/stretchr/testify/require"
)

const (
	// The deadlines that the lock is waited for, with room for a busy machine:
	// what is asserted is that nobody waits for ever.
	commandPatience = 2*time.Second + 8*time.Second
	hookPatience    = 500*time.Millisecond + 4*time.Second
)

// TestLockedForEver has another process hold the lock and never let go.
func TestLockedForEver(t *testing.T) {
	p := newProject(t)
	first := p.remember("kept", "This was acknowledged.")
	other := p.remember("archived", "This too.")
	p.run("", "forget", string(other))
	p.run(payload("s", `"source":"startup"`), "hook", "SessionStart")
	p.remember("one too many", "An eviction is due.")
	p.run("", "config", "max_memories", "1")
	before := readFacts(t, p)
	lock := flock.New(filepath.Join(p.store(), ".lock"))
	held, err := lock.TryLock()
	require.NoError(t, err)
	require.True(t, held)

	t.Run("while it is held", func(t *testing.T) { whileLocked(t, p, string(first), string(other)) })
	require.Equal(t, before, readFacts(t, p))

	require.NoError(t, lock.Close())
	p.run("", "update", string(first), "--content", "Changed afterwards.")
	require.Equal(t, "Changed afterwards.", readFacts(t, p).active["kept"].Content)
}

func whileLocked(t *testing.T, p project, id, archived string) {
	for _, args := range [][]string{
		{"remember", "another", "text"}, {"update", id, "--content", "text"}, {"forget", id}, {"restore", archived}, {"evict"},
		{"fix"}, {"config", "max_memories", "5"}, {"config", "--shared", "max_memories", "5"}, {"config", "--reset", "max_memories"},
	} {
		t.Run("writes/"+strings.Join(args, " "), func(t *testing.T) {
			t.Parallel()
			begun := time.Now()
			o := p.try("", args...)
			require.Less(t, time.Since(begun), commandPatience)
			require.Equal(t, 4, o.status, o.stderr)
			require.Equal(t, "ltm: another process has held the lock of the store for more than 2s; nothing was changed; try again\n", o.stderr)
			require.Empty(t, o.stdout)
		})
	}
	for event, rest := range map[string]string{
		"PostToolUse": `"tool_response":"x"`, "PostToolUseFailure": `"error":"x"`, "PreCompact": `"trigger":"auto"`,
		"SessionEnd": `"reason":"other"`, "SessionStart": `"source":"startup"`, "UserPromptSubmit": `"prompt":"what was acknowledged?"`,
	} {
		t.Run("hook/"+event, func(t *testing.T) {
			t.Parallel()
			begun := time.Now()
			o := p.try(payload("s2", rest), "hook", event)
			require.Less(t, time.Since(begun), hookPatience)
			require.LessOrEqual(t, o.status, 1, o.stderr)
			require.LessOrEqual(t, strings.Count(o.stderr, "\n"), 1, o.stderr)
			if event == "SessionStart" {
				require.Contains(t, o.stdout, "This was acknowledged.")
			}
		})
	}
	for _, args := range [][]string{
		{"list"}, {"recall", "acknowledged"}, {"show", id}, {"status"}, {"archives"}, {"evict", "--dry-run"}, {"log"}, {"config"}, {"fix", "--dry-run"},
	} {
		t.Run("reads/"+strings.Join(args, " "), func(t *testing.T) {
			t.Parallel()
			o := p.try("", args...)
			require.Zero(t, o.status, o.stderr)
			require.NotEmpty(t, o.stdout)
		})
	}
	for tool, c := range map[string]struct {
		arguments map[string]any
		refused   bool
	}{
		"get_memory": {arguments: map[string]any{"id": id}}, "recall": {arguments: map[string]any{"query": "acknowledged"}},
		"store_memory": {arguments: map[string]any{"topic": "another", "content": "text"}, refused: true},
	} {
		t.Run("server/"+tool, func(t *testing.T) {
			t.Parallel()
			s, err := newCrew(p).serve("s")
			require.NoError(t, err)
			_, err = s.greet()
			require.NoError(t, err)
			r, _, err := s.call(tool, c.arguments)
			require.NoError(t, err)
			require.Equal(t, c.refused, r.IsError, r.text())
			require.NoError(t, s.close())
		})
	}
}
