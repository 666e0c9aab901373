package engine_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"ltm/engine/settings"
	"ltm/memory"
	"ltm/memory/api"
)

// ran reports a call of a tool as hooks do, and returns what the model is told.
func (f *fixture) ran(session, command string, failed bool) string {
	f.t.Helper()
	text, err := f.RecordTool(f.ctx, api.ToolUse{Session: session, Failed: failed, Response: gaveBack(100),
		Tool: "Bash", Input: fmt.Appendf(nil, `{"command":%q}`, command)})
	require.NoError(f.t, err)
	return text
}

// nudged is what happens in a session, and what the model is told at its end.
type nudged struct {
	play func(*fixture) string
	want string
}

func nudges(t *testing.T) map[string]nudged {
	const nudge = "3 of 4 tool calls failed on the way, and what failed now works"
	hard := func(f *fixture) string {
		for range 3 {
			require.Empty(t, f.ran("s", "go test ./...", true))
		}
		return f.ran("s", "go test ./...", false)
	}
	return map[string]nudged{
		"hard, then it works": {hard, nudge},
		"only once": {func(f *fixture) string {
			hard(f)
			f.ran("s", "make", true)
			return f.ran("s", "make", false)
		}, ""},
		"again after a store": {func(f *fixture) string {
			hard(f)
			f.store("learned", "s")
			return hard(f)
		}, nudge},
		"again after a reset": {func(f *fixture) string {
			hard(f)
			_, err := f.ResetSession(f.ctx, "s")
			require.NoError(t, err)
			return hard(f)
		}, nudge},
		"stored before it works": {func(f *fixture) string {
			for range 3 {
				f.ran("s", "go test ./...", true)
			}
			f.store("learned", "s")
			return f.ran("s", "go test ./...", false)
		}, ""},
		"something else works": {func(f *fixture) string {
			for range 3 {
				f.ran("s", "go test ./...", true)
			}
			return f.ran("s", "ls -l", false)
		}, ""},
		"two failures are not hard": {func(f *fixture) string {
			f.ran("s", "make", true)
			f.ran("s", "make", true)
			return f.ran("s", "make", false)
		}, ""},
		// F = 1 − (64/67)·(4/8.5) = 0.55: three failures and three retries in 63 calls
		"few failures in much easy work": {func(f *fixture) string {
			for range 59 {
				require.Empty(t, f.ran("s", "cat a", false))
			}
			return hard(f)
		}, ""},
		"switched off": {func(f *fixture) string {
			_, err := f.SetConfig(f.ctx, "nudge", "off", settings.Clone)
			require.NoError(t, err)
			return hard(f)
		}, ""},
		"an older client names no tool": {func(f *fixture) string {
			f.tools("s", 0, 5, 10)
			text, err := f.RecordTool(f.ctx, api.ToolUse{Session: "s"})
			require.NoError(t, err)
			return text
		}, ""},
	}
}

func TestNudge(t *testing.T) {
	for name, c := range nudges(t) {
		t.Run(name, func(t *testing.T) {
			f := newEngine(t)
			f.remember("there is a store", "x", 0.1)
			f.start("s")
			text := c.play(f)
			if c.want == "" {
				require.Empty(t, text)
				return
			}
			require.Contains(t, text, c.want)
			require.NotContains(t, text, "\n")
		})
	}
}

// TestTheNudgeGoesByFailures checks that neither the weights nor the source of the counts
// matters.
func TestTheNudgeGoesByFailures(t *testing.T) {
	hard := func(f *fixture) string {
		for range 3 {
			require.Empty(t, f.ran("s", "go test ./...", true))
		}
		return f.ran("s", "go test ./...", false)
	}
	for _, weights := range []string{"balanced", "debugging", "research", "legacy", "tokens=1"} {
		for _, witness := range []string{memory.SourceHooks, memory.SourceTranscript} {
			f := newEngine(t)
			f.remember("there is a store", "x", 0.1)
			f.set("difficulty_weights", weights, settings.Clone)
			if witness == memory.SourceHooks {
				f.start("s")
			} else {
				r := newRecord(t)
				r.call("Bash", `{"command":"make"}`, false)
				f.startWith("s", r)
				r.call("Bash", `{"command":"make"}`, false)
			}
			require.Equal(t, witness, f.store("something", "s").Work.Source)
			require.Contains(t, hard(f), "3 of 4 tool calls failed", "%s, %s", weights, witness)
		}
	}
}

func TestNoNudgeWithoutAStore(t *testing.T) {
	f := newEngine(t)
	for range 5 {
		require.Empty(t, f.ran("s", "make", true))
	}
	require.Empty(t, f.ran("s", "make", false))
	require.False(t, f.Exists())
}
