package engine_test

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/require"

	"ltm/engine"
	"ltm/engine/settings"
	"ltm/memory"
	"ltm/memory/api"
)

// shown is a setting's value as people see it, and as they can write it.
func shown(v any) string { return fmt.Sprint(v) }

// FuzzSetting sets any setting to any text: it is refused and nothing changes, or
// what it reads as can be written again and stays the same.
func FuzzSetting(f *testing.F) {
	f.Fuzz(func(t *testing.T, key, value string, team bool) {
		fx := newEngine(t)
		fx.remember("A memory", "It was written here.", 0.1)
		before, err := fx.Config(fx.ctx)
		require.NoError(t, err)
		layer := settings.Clone
		if team {
			layer = settings.Team
		}
		set, err := fx.SetConfig(fx.ctx, key, value, layer)
		after, readErr := fx.Config(fx.ctx)
		require.NoError(t, readErr)
		if err != nil {
			require.NotEmpty(t, memory.CodeOf(err), "%v", err)
			require.Equal(t, before, after)
			return
		}
		require.Contains(t, after, set)
		again, err := fx.SetConfig(fx.ctx, key, shown(set.Value), layer)
		require.NoError(t, err, "%q was shown as %q", value, shown(set.Value))
		require.Equal(t, shown(set.Value), shown(again.Value))
		problems, err := fx.ConfigProblems(fx.ctx)
		require.NoError(t, err)
		require.Empty(t, problems)
	})
}

// FuzzSettingsFiles lets the files of state and settings hold anything. Settings can
// come with a repository, and state with the directory of a store outside of git:
// sessions begin and end, settings stay within their bounds, and what is shown
// stays safe.
func FuzzSettingsFiles(f *testing.F) {
	f.Fuzz(func(t *testing.T, state, config, stats []byte) {
		fx := newEngine(t)
		id := fx.remember("A memory of its own", "It was written here.", 0.1)
		for path, data := range map[string][]byte{fx.own("state.json"): state,
			filepath.Join(fx.dir, "config.json"): config, fx.own("stats.json"): stats} {
			require.NoError(t, os.WriteFile(path, data, 0o644))
		}
		e := fx.reopen(new(counter))
		answers := func(err error) {
			t.Helper()
			require.True(t, err == nil || memory.CodeOf(err) == memory.CodeConflict ||
				memory.CodeOf(err) == memory.CodeUnreadable, "%v", err)
		}
		text, err := alone(e).StartSession(fx.ctx, api.SessionStart{Session: "s", Source: "startup"})
		answers(err)
		requireSafe(t, text)
		requireSettings(t, fx, e)
		_, err = e.RecordTool(fx.ctx, api.ToolUse{Session: "s", Failed: true, Response: gaveBack(7), Tool: "Bash",
			Input: []byte(`{"command":"go test"}`)})
		answers(err)
		answers(compacted(fx.ctx, e, "s"))
		_, err = e.Get(fx.ctx, string(id))
		require.True(t, err == nil || memory.CodeOf(err) == memory.CodeConflict,
			"a memory is read unless its counters are of a newer version: %v", err)
		_, err = alone(e).Why(fx.ctx, string(id), "")
		answers(err)
		status, err := e.Status(fx.ctx)
		answers(err)
		data, err := json.Marshal(status)
		require.NoError(t, err)
		require.True(t, utf8.Valid(data))
		_, err = e.Evict(fx.ctx, api.EvictOptions{DryRun: true})
		answers(err)
		answers(e.EndSession(fx.ctx, "s"))
		_, err = e.Check(fx.ctx)
		require.NoError(t, err)
		_, data, err = e.File(fx.ctx, string(id))
		require.NoError(t, err)
		require.Contains(t, string(data), "It was written here.")
	})
}

func requireSettings(t *testing.T, fx *fixture, e *engine.Engine) {
	t.Helper()
	all, err := e.Config(fx.ctx)
	if err != nil {
		require.Equal(t, memory.CodeConflict, memory.CodeOf(err))
		return
	}
	bounds := map[string][2]int{"max_memories": {1, 100000}, "memories_to_load": {0, 100},
		"eviction_batch_size": {1, 1000}, "context_budget_tokens": {200, 2700}, "context_size": {1000, 10_000_000}}
	for _, s := range all {
		if b, ok := bounds[s.Key]; ok {
			if share, isText := s.Value.(string); isText {
				require.Regexp(t, `^\d+(\.\d+)?%$`, share)
				continue
			}
			require.True(t, b[0] <= s.Value.(int) && s.Value.(int) <= b[1], "%s is %v", s.Key, s.Value)
		}
		if s.Key == "trust" {
			require.Contains(t, []any{"mark", "ask"}, s.Value, "no file lowers it")
		}
	}
}
