//go:build e2e

package e2e

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestFailedToolsAreCounted(t *testing.T) {
	forEachVersion(t, func(t *testing.T, p *project) {
		p.claude("keep that", tool("store_memory", pool))
		p.claude("work", bash("true"), bash("false"), tool("get_memory", input{"id": "mem_ffffffff"}), bash("echo x"))
		s := p.sessionState()
		require.Equal(t, 2, s.ToolFailures)
		require.Equal(t, 2, s.ToolSuccesses)
		require.NotZero(t, s.SessionTokens)
		require.NotNil(t, s.EndedAt)
	})
}

func TestParallelToolsAreAllCounted(t *testing.T) {
	forEachVersion(t, func(t *testing.T, p *project) {
		p.claude("keep that", tool("store_memory", pool))
		var calls []step
		for i := range 12 {
			calls = append(calls, bash(fmt.Sprintf("echo %d", i)))
		}
		p.claude("work", together(calls...))
		require.Equal(t, 12, p.sessionState().ToolSuccesses)
	})
}

func TestHardSessionMakesDifficultMemory(t *testing.T) {
	forEachVersion(t, func(t *testing.T, p *project) {
		p.claude("begin", tool("store_memory", pool))
		easy := p.claude("work", bash("true"), tool("store_memory", input{"topic": "Easy", "content": "It went well."}))
		hard := p.claude("work", bash("false"), bash("false"), bash("false"),
			tool("store_memory", input{"topic": "Hard", "content": "Three attempts failed."}))
		require.Greater(t, hard.ok(3)["difficulty"], easy.ok(1)["difficulty"])
	})
}

func TestCompactionInjectsAgain(t *testing.T) {
	forEachVersion(t, func(t *testing.T, p *project) {
		p.claude("keep that", tool("store_memory", pool))
		s := p.claude("work", bash("echo one"), full(bash("echo two")), text("end"))
		require.Len(t, s.requests, 3)
		after := s.last()
		require.Contains(t, after.conversation(), "SUMMARY-OF-THE-TALK")
		require.Contains(t, contextBlock(t, after), "Connection pool exhausted under load")
		require.Equal(t, 1, strings.Count(after.conversation(), "</ltm-memory>"))
		require.True(t, p.sessionState().Compacted)
		require.Equal(t, 1, p.state().CompactionCount)
	})
}

func TestCompactionByHandInjectsAgain(t *testing.T) {
	forEachVersion(t, func(t *testing.T, p *project) {
		p.claude("keep that", tool("store_memory", pool))
		p.claude("work", bash("echo one"))
		require.NotEmpty(t, p.resume("/compact keep the facts").other)

		// Without the plugin nothing more is injected: the block has been there since the
		// compaction.
		p.plugin = ""
		after := p.resume("go on").first()
		require.Contains(t, after.conversation(), "SUMMARY-OF-THE-TALK")
		require.Contains(t, contextBlock(t, after), "Connection pool exhausted under load")
		require.Equal(t, 1, p.state().CompactionCount)
	})
}

func TestResumedSession(t *testing.T) {
	forEachVersion(t, func(t *testing.T, p *project) {
		p.claude("keep that", tool("store_memory", pool))
		p.claude("work", bash("true"))
		before := p.state()
		require.NotNil(t, p.sessionState().EndedAt)

		s := p.resume("go on", bash("true"), bash("false"), tool("ltm_status", input{}))
		// The client drops a context block that equals the one already there.
		require.Equal(t, 1, strings.Count(s.first().conversation(), "</ltm-memory>"))
		require.EqualValues(t, before.SessionCount+1, s.ok(2)["session_count"])
		require.Equal(t, before.SessionCount+1, p.state().SessionCount)
		require.Len(t, p.state().Sessions, len(before.Sessions))
		require.Equal(t, 1, p.sessionState().ToolFailures)
		require.NotNil(t, p.sessionState().EndedAt)

		// Here the server's session id differs from the hooks': what it stores must still get its
		// difficulty from this session.
		stored := p.resume("keep", bash("false"), bash("false"),
			tool("store_memory", input{"topic": "Resumed", "content": "Stored after a resume."}))
		require.Contains(t, p.ltm("why", fmt.Sprint(stored.ok(2)["id"])), "2 failed")
	})
}

// TestForkedSession has in its context what the other conversation had, once. The newest client reports
// it as a session of its own. 2.1.197 reports that the other one is resumed, and then goes on with a new id.
func TestForkedSession(t *testing.T) {
	forEachVersion(t, func(t *testing.T, p *project) {
		p.claude("keep that", tool("store_memory", pool))
		p.write(".claude/settings.json", `{"hooks":{"SessionStart":[{"hooks":[{"type":"command",`+
			`"command":"cat > $HOME/payload"}]}]}}`)
		p.claude("work", bash("false"))
		parent, before := p.sessionState(), p.state()
		fork := p.session(p.dir, []string{"-p", "go another way", "--resume", p.current, "--fork-session"},
			[]step{bash("false"), bash("false"), keep("The other way")})
		require.Equal(t, 1, strings.Count(fork.first().conversation(), "</ltm-memory>"))
		require.Regexp(t, "[23] failed", p.ltm("why", fmt.Sprint(fork.ok(2)["id"])), "the copies may count as well")

		raw, err := os.ReadFile(filepath.Join(p.home, "payload"))
		require.NoError(t, err)
		if p.version == versions[0] {
			require.Contains(t, string(raw), `"source":"resume"`)
			return
		}
		require.Contains(t, string(raw), `"source":"fork","seconds_since_last_response":`)
		require.Equal(t, before.SessionCount+1, p.state().SessionCount)
		require.Equal(t, parent, p.sessionState(), "the other one is left as it was")
	})
}

func TestSessionEndEvictsInTime(t *testing.T) {
	forEachVersion(t, func(t *testing.T, p *project) {
		for i := range 300 {
			p.addMemory(i+1, fmt.Sprintf("Lesson %d of the shop", i+1),
				fmt.Sprintf("First paragraph %d.\n\n%s", i+1, strings.Repeat("More detail. ", 200)))
		}
		p.git("add", ".")
		p.git("-c", "user.name=dev", "-c", "user.email=dev@example.org", "commit", "-q", "-m", "lessons")
		// run fails the test if the client reports a canceled hook.
		p.claude("go on")
		require.NotNil(t, p.sessionState().EndedAt)
		require.Equal(t, 10, strings.Count(p.read(".git/ltm/stats.json"), `"phase": 1`))
		require.Empty(t, p.git("status", "--short", "--untracked-files=all"), "fading changes no file")
		require.Len(t, p.memories(), 300)
	})
}

// TestHooksWithoutMemoryBlockNothing has too little memory for Go's runtime to start, in hooks of the plugin and in
// those of "ltm init".
func TestHooksWithoutMemoryBlockNothing(t *testing.T) {
	forEachVersion(t, func(t *testing.T, p *project) {
		p.failing = true
		binary, scarce := os.Getenv(binaryEnv), filepath.Join(p.home, "scarce", "ltm")
		require.NoError(t, os.Mkdir(filepath.Dir(scarce), 0o755))
		require.NoError(t, os.WriteFile(scarce, []byte("#!/bin/sh\n[ \"$1\" != hook ] || ulimit -v 60000\nexec '"+
			binary+"' \"$@\"\n"), 0o755))
		p.env = []string{"LTM_BIN=" + scarce}
		p.claude("hello", bash("true"))
		plugins := len(p.hookRuns())
		require.NotZero(t, plugins, "hooks failed with 1")

		p.plugin, p.env = "", nil
		p.ltm("init")
		settings := p.read(".claude/settings.local.json")
		require.Contains(t, settings, binary+" hook")
		p.write(".claude/settings.local.json", strings.ReplaceAll(settings, binary, scarce))
		p.claude("hello", bash("true"))
		require.Greater(t, len(p.hookRuns()), plugins, "hooks failed with 1")
	})
}
