//go:build e2e

package e2e

import (
	"crypto/rand"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// project is a new git repository of a person with the plugin, and the version of the client to use
// in it.
type project struct {
	t       *testing.T
	version string
	dir     string
	home    string
	plugin  string   // the plugin's directory, for this run; "" for none
	env     []string // added to the client's environment
	failing bool     // whether hooks may fail, though never block
	asks    bool     // whether tools need the person's permission, which no one gives
	current string   // id of the last session
}

func newProject(t *testing.T, version string) *project {
	t.Helper()
	root := t.TempDir()
	p := &project{
		t: t, version: version,
		dir:    filepath.Join(root, "shop"),
		home:   filepath.Join(root, "home"),
		plugin: repository(t),
		env:    []string{"LTM_BIN=" + os.Getenv(binaryEnv)},
	}
	require.NoError(t, os.MkdirAll(p.home, 0o755))
	require.NoError(t, os.MkdirAll(p.dir, 0o755))
	p.git("init", "-q", "-b", "main")
	p.write("README.md", "# Shop\n")
	p.git("add", ".")
	p.git("-c", "user.name=dev", "-c", "user.email=dev@example.org", "commit", "-q", "-m", "begin")
	return p
}

// repository returns the plugin's directory: this repository.
func repository(t *testing.T) string {
	t.Helper()
	dir, err := filepath.Abs("../..")
	require.NoError(t, err)
	return dir
}

func (p *project) git(args ...string) string {
	p.t.Helper()
	cmd := exec.Command("git", args...)
	cmd.Dir, cmd.Env = p.dir, []string{"PATH=" + os.Getenv("PATH"), "HOME=" + p.home}
	out, err := cmd.CombinedOutput()
	require.NoError(p.t, err, string(out))
	return strings.TrimSpace(string(out))
}

func (p *project) path(name string) string { return filepath.Join(p.dir, filepath.FromSlash(name)) }

func (p *project) write(name, content string) {
	p.t.Helper()
	require.NoError(p.t, os.MkdirAll(filepath.Dir(p.path(name)), 0o755))
	require.NoError(p.t, os.WriteFile(p.path(name), []byte(content), 0o644))
}

func (p *project) read(name string) string {
	p.t.Helper()
	raw, err := os.ReadFile(p.path(name))
	require.NoError(p.t, err)
	return string(raw)
}

// environment returns all that the client inherits.
func (p *project) environment(baseURL string) []string {
	return append([]string{
		"PATH=" + os.Getenv("PATH"),
		"HOME=" + p.home,
		"TMPDIR=" + p.home,
		"LANG=C.UTF-8",
		"TERM=dumb",
		"ANTHROPIC_API_KEY=none",
		"ANTHROPIC_BASE_URL=" + baseURL,
		"CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC=1",
		"DISABLE_TELEMETRY=1",
		"DISABLE_AUTOUPDATER=1",
		"DISABLE_ERROR_REPORTING=1",
		"IS_SANDBOX=1",
		"MCP_CONNECTION_NONBLOCKING=0", // wait for the server, even on a busy machine
		fmt.Sprintf("CLAUDE_CODE_AUTO_COMPACT_WINDOW=%d", window),
	}, p.env...)
}

// claude plays one session with the client: the prompt and the steps of the scripted model.
func (p *project) claude(prompt string, steps ...step) *session {
	p.t.Helper()
	return p.session(p.dir, p.begin(prompt), steps)
}

// begin returns the arguments of a new session.
func (p *project) begin(prompt string) []string {
	var b [16]byte
	_, _ = rand.Read(b[:])
	b[6], b[8] = b[6]&0x0f|0x40, b[8]&0x3f|0x80 // required of a valid UUID
	p.current = fmt.Sprintf("%x-%x-%x-%x-%x", b[:4], b[4:6], b[6:8], b[8:10], b[10:])
	return []string{"-p", prompt, "--session-id", p.current}
}

// resume continues the last session.
func (p *project) resume(prompt string, steps ...step) *session {
	p.t.Helper()
	return p.session(p.dir, []string{"-p", prompt, "--continue"}, steps)
}

// claudeIn plays a session in a subdirectory of the project.
func (p *project) claudeIn(sub, prompt string, steps ...step) *session {
	p.t.Helper()
	require.NoError(p.t, os.MkdirAll(p.path(sub), 0o755))
	return p.session(p.path(sub), p.begin(prompt), steps)
}

func (p *project) session(dir string, args []string, steps []step) *session {
	p.t.Helper()
	a := newAPI(p.t, steps)
	if !p.asks {
		args = append(args, "--dangerously-skip-permissions")
	}
	if p.plugin != "" {
		args = append(args, "--plugin-dir", p.plugin)
	}
	out := run(p.t, p.version, dir, p.environment(a.URL), args...)
	a.mu.Lock()
	defer a.mu.Unlock()
	s := &session{t: p.t, output: out, requests: a.requests, other: a.other, calls: a.calls}
	require.Zero(p.t, out.status, out)
	require.Empty(p.t, a.steps, "steps that the client did not ask for\n%s", out)
	require.NotContains(p.t, out.stderr, "Hook cancelled")
	if !p.failing {
		require.NotContains(p.t, out.stderr, "hook", "SessionEnd reports there")
	}
	for _, h := range p.hookRuns() {
		require.NotContains(p.t, []string{"hook_blocking_error", "hook_cancelled"}, h.Type, h)
		require.True(p.t, h.ExitCode == 0 || p.failing && h.ExitCode == 1, h)
	}
	return s
}

// hookRun is a transcript's record of a hook that ran.
type hookRun struct {
	Type, HookName, Stdout, Stderr string
	ExitCode, DurationMs           int
}

// hookRuns reads the transcripts of the project. They do not contain SessionEnd, which runs after
// they are complete, or hooks without output.
func (p *project) hookRuns() []hookRun {
	p.t.Helper()
	paths, err := filepath.Glob(filepath.Join(p.home, ".claude/projects/*/*.jsonl"))
	require.NoError(p.t, err)
	var runs []hookRun
	for _, path := range paths {
		raw, err := os.ReadFile(path)
		require.NoError(p.t, err)
		for line := range strings.Lines(string(raw)) {
			var entry struct{ Attachment hookRun }
			if json.Unmarshal([]byte(line), &entry) == nil && strings.HasPrefix(entry.Attachment.Type, "hook_") {
				runs = append(runs, entry.Attachment)
			}
		}
	}
	return runs
}

// session is what happened in one run of the client.
type session struct {
	t        *testing.T
	output   output
	requests []*request // of the main loop
	other    []*request
	calls    []string
}

// first returns what the model saw when the session started.
func (s *session) first() *request {
	s.t.Helper()
	require.NotEmpty(s.t, s.requests, "no request of the main loop\n%s", s.output)
	return s.requests[0]
}

// last returns all that the model had seen in the end.
func (s *session) last() *request {
	s.t.Helper()
	require.NotEmpty(s.t, s.requests, "no request of the main loop\n%s", s.output)
	return s.requests[len(s.requests)-1]
}

// result returns the result of the tool call with this number, from 0.
func (s *session) result(call int) (content string, isError bool) {
	s.t.Helper()
	require.Less(s.t, call, len(s.calls), "tool calls of the script")
	for _, m := range s.last().Messages {
		for _, b := range blocks(m.Content) {
			if b.Type == "tool_result" && b.ToolUseID == s.calls[call] {
				return plain(b.Content), b.IsError
			}
		}
	}
	require.Failf(s.t, "no result", "of tool call %d", call)
	return "", false
}

// ok decodes the result of a tool call that must have succeeded.
func (s *session) ok(call int) map[string]any {
	s.t.Helper()
	content, isError := s.result(call)
	require.False(s.t, isError, content)
	var fields map[string]any
	require.NoError(s.t, json.Unmarshal([]byte(content), &fields), content)
	return fields
}

// failed returns the error that the model got from a tool call, which must have failed.
func (s *session) failed(call int) string {
	s.t.Helper()
	content, isError := s.result(call)
	require.True(s.t, isError, content)
	return content
}

// contextBlock returns what ltm injected into a request, including fences, or "". It fails the test
// if the block is incomplete.
func contextBlock(t *testing.T, r *request) string {
	t.Helper()
	_, rest, found := strings.Cut(r.conversation(), "<ltm-memory")
	if !found {
		return ""
	}
	inside, _, whole := strings.Cut(rest, "</ltm-memory>")
	require.True(t, whole, "the context block has no closing fence:\n%s", rest)
	return "<ltm-memory" + inside + "</ltm-memory>"
}

// state is the part of state.json that the tests check.
type state struct {
	SessionCount    int `json:"session_count"`
	CompactionCount int `json:"compaction_count"`
	Sessions        map[string]sessionState
}

type sessionState struct {
	ToolFailures  int     `json:"tool_failures"`
	ToolSuccesses int     `json:"tool_successes"`
	SessionTokens int     `json:"session_tokens"`
	Compacted     bool    `json:"compacted"`
	EndedAt       *string `json:"ended_at"`
	Client        int     `json:"client"`
	Lost          bool    `json:"lost"`
	Work          work    `json:"work"`
}

func (p *project) state() state {
	p.t.Helper()
	var s state
	require.NoError(p.t, json.Unmarshal([]byte(p.read(".git/ltm/state.json")), &s))
	return s
}

// sessionState returns the entry of the last session in state.json.
func (p *project) sessionState() sessionState {
	p.t.Helper()
	s := p.state()
	require.Contains(p.t, s.Sessions, p.current)
	return s.Sessions[p.current]
}

// addMemory writes a memory file as a git pull would, and returns its id.
func (p *project) addMemory(number int, topic, content string) string {
	p.t.Helper()
	id := fmt.Sprintf("mem_%08x", number)
	p.write(".claude/ltm/memories/"+id+".md", fmt.Sprintf(`---
id: %q
topic: %q
tags:
  - shop
phase: 0
difficulty: 0.5
created_at: "2026-01-15T10:30:00Z"
created_session: 1
---

## Summary
About %s.

## Content
%s
`, id, topic, topic, content))
	return id
}

// memories lists the memory files, without stubs.
func (p *project) memories() []string {
	p.t.Helper()
	names, err := filepath.Glob(p.path(".claude/ltm/memories/*.md"))
	require.NoError(p.t, err)
	return slices.DeleteFunc(names, func(name string) bool {
		data, err := os.ReadFile(name)
		require.NoError(p.t, err)
		return strings.Contains(string(data), "\nphase: 3\n")
	})
}
