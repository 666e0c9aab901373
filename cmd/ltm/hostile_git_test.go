//go:build linux

package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/spf13/cobra"
	"github.com/stretchr/testify/require"

	"ltm/cmd/internal/companion"
	"ltm/tests/gittrap"
)

// invocation is one run of the program.
type invocation struct {
	stdin string
	args  []string
}

// everyHook has each event that the plugin registers.
func everyHook() []invocation {
	return []invocation{
		{`{"session_id":"s","source":"startup"}`, []string{"hook", "SessionStart"}},
		{`{"session_id":"s","prompt":"what do we know about the connections of the pool?"}`,
			[]string{"hook", "UserPromptSubmit"}},
		{`{"session_id":"s","tool_name":"Bash","tool_response":"x"}`, []string{"hook", "PostToolUse"}},
		{`{"session_id":"s","tool_name":"Bash","error":"x"}`, []string{"hook", "PostToolUseFailure"}},
		{`{"session_id":"s","agent_type":"reviewer"}`, []string{"hook", "SubagentStart"}},
		{`{"session_id":"s"}`, []string{"hook", "PreCompact"}},
		{`{"session_id":"s"}`, []string{"hook", "PostCompact"}},
		{`{"session_id":"s"}`, []string{"hook", "SessionEnd"}},
	}
}

// toolCalls has each tool of the server with arguments.
func toolCalls() [][2]string {
	return [][2]string{
		{"store_memory", `{"topic":"By a tool","content":"The pool has a queue."}`}, {"recall", `{"query":"pool"}`},
		{"get_memory", `{"id":"mem_00000001"}`},
		{"update_memory", `{"id":"mem_00000001","tags":["tool"]}`}, {"list_memories", `{"include":"all"}`},
		{"forget", `{"id":"mem_00000001"}`},
		{"restore_memory", `{"id":"mem_00000001"}`}, {"review_candidates", `{}`}, {"new_topic", `{}`}, {"ltm_status", `{}`}, {"ltm_check", `{}`},
		{"ltm_fix", `{}`}, {"write_packet", `{"goal":"Pool","next_step":"Queue"}`}, {"resume_packet", `{}`},
	}
}

// everyTool calls each tool of the server.
func everyTool() string {
	var b strings.Builder
	b.WriteString(initialize + "\n" +
		`{"jsonrpc":"2.0","method":"notifications/initialized"}` + "\n" +
		`{"jsonrpc":"2.0","id":2,"method":"tools/list"}` + "\n")
	for i, call := range toolCalls() {
		fmt.Fprintf(&b, `{"jsonrpc":"2.0","id":%d,"method":"tools/call","params":{"name":%q,"arguments":%s}}`+"\n", i+3,
			call[0], call[1])
	}
	return b.String()
}

// everyCommand has each command of the program. TestEveryCommandIsListed holds it
// to that.
func everyCommand() []invocation {
	commands := append(everyHook(), invocation{everyTool(), []string{"mcp"}})
	for _, args := range []string{
		"doctor", "doctor --json", "init --dry-run", "init", "init --undo", "init", "list --all", "recall --all pool",
		"show mem_00000002", "status", "context", "graph", "stats", "check --secrets",
		"why mem_00000002", "log", "archives", "archives list",
		"archives prune --older-than 1h --dry-run", "archives prune --older-than 9999d --yes", "config",
		"config max_memories 3", "config --shared nudge off", "resolve mem_00000002 --ours", "history mem_00000002",
		"diff mem_00000002", "list --long", "trust", "trust --all --yes", "remember New text",
		"correct mem_00000003 text --related mem_00000002",
		"update mem_00000002 --tag new", "edit mem_00000002", "pin mem_00000002", "unpin mem_00000002",
		"forget mem_00000002", "restore mem_00000002", "forget mem_00000003 --hard --yes", "evict --dry-run", "evict",
		"achievements --all --since all --dry-run", "achievements --all --since all --yes",
		"fade --dry-run", "fade --write", "undo --list", "undo", "fix --dry-run", "fix", "man " + os.TempDir() +
			"/none", "version", "help", "completion bash", "completion zsh", "completion fish", "completion powershell",
		"__complete doc", "pick", "alias mem_00000002", "alias mem_00000002 add other", "tag", "tag list",
		"tag add new mem_00000002", "tag rename new newer",
		"key", "key new", "key list", "key show", "key import none", "key use 0000", "key rm 0000",
		"sign --dry-run", "sign", "verify-signature", "stale", "verify mem_00000002 --follow",
		"tag rm newer 00000002", "user", "user init", "list --sort used --since 7d --limit 0", "-C . list",
		"export -", "import . --dry-run", "server --help", "ui --help",
		"auth", "auth ls", "auth whoami", "auth use none.example", "auth rm none.example",
		"teams", "teams ls", "teams create x", "teams rm x --yes", "teams leave x", "teams members x",
		"teams remove x user", "teams transfer x user --yes", "invite -t x", "invite ls -t x", "invite revoke -t x id",
		"join 0123456789abcdef --yes", "push", "push --queued", "push --drop none", "pull 0123456789",
		"save --goal Pool --next Queue",
		"write --goal Pool --next Queue --dry-run", "write --goal Pool --next Queue", "packet", "packet ls --all",
		"packet search pool", "packet show none", "packet chain none", "packet done none", "packet keep none",
		"packet rm none --yes",
		"packet diff none file.md", "packet validate file.md", "packet fix file.md", "packet schema",
		"resume", "resume --copy", "review", "review --sessions",
		"tidy", "tidy --merge mem_00000001 mem_00000002 --yes", "tidy --not-same mem_00000001 mem_00000002",
	} {
		commands = append(commands, invocation{"", strings.Fields(args)})
	}
	return commands
}

// startsProcesses are the commands that start programs, or could.
func startsProcesses(args []string) bool {
	return slices.Contains([]string{"doctor", "init", "edit", "mcp", "hook"}, args[0])
}

// TestEveryCommandIsListed compares the list with the program's own commands, the
// plugin's hooks and the server's tools.
func TestEveryCommandIsListed(t *testing.T) {
	listed := map[string]bool{}
	for _, c := range everyCommand() {
		listed[c.args[0]] = true
		if len(c.args) > 1 {
			listed[c.args[0]+" "+c.args[1]] = true
		}
	}
	root := (&app{}).rootCommand()
	root.InitDefaultHelpCmd()
	root.InitDefaultCompletionCmd()
	var walk func(c *cobra.Command)
	walk = func(c *cobra.Command) {
		for _, sub := range c.Commands() {
			name := strings.TrimPrefix(sub.CommandPath(), "ltm ")
			require.True(t, listed[name], "ltm %s is not in everyCommand", name)
			walk(sub)
		}
	}
	walk(root)
	events, err := wantedEvents()
	require.NoError(t, err)
	for _, event := range events {
		require.True(t, listed["hook "+event], "the hook %s is not in everyHook", event)
	}
	tools := regexp.MustCompile(`"method":"tools/call","params":\{"name":"(\w+)"`).FindAllStringSubmatch(everyTool(),
		-1)
	var called []string
	for _, m := range tools {
		called = append(called, m[1])
	}
	out := newProject(t).run(everyTool(), "mcp")
	var offered []string
	for line := range strings.Lines(out) {
		var m struct {
			Result struct{ Tools []struct{ Name string } }
		}
		require.NoError(t, json.Unmarshal([]byte(line), &m))
		for _, tool := range m.Result.Tools {
			offered = append(offered, tool.Name)
		}
	}
	require.ElementsMatch(t, offered, called)
}

// lostMemory is the file of a memory that was archived and has no archive file.
const lostMemory = "mem_00000000.md"

// scene is a malicious project.
type scene struct {
	t       *testing.T
	set     gittrap.Set
	top     string
	environ []string // beside the usual
	fire    string   // a shell script that springs a trap, run at the top

	recovers bool // fix finds the text of the lost memory with git
}

func (s *scene) store() string { return filepath.Join(s.top, ".claude", "ltm") }

// lay sets traps in a git directory of the project.
func (s *scene) lay(dir string, traps ...gittrap.Trap) {
	s.t.Helper()
	require.NoError(s.t, s.set.Lay(filepath.Join(s.top, dir), traps...))
}

// shape gives a directory of the project the shape of a git directory.
func (s *scene) shape(dir string) {
	s.t.Helper()
	worktree, err := filepath.Rel(filepath.Join(s.top, dir), s.top)
	require.NoError(s.t, err)
	require.NoError(s.t, s.set.Shape(filepath.Join(s.top, dir), worktree, gittrap.Traps()...))
	s.fire = "git -C ./" + dir + " status"
}

func (s *scene) remove(path string) {
	s.t.Helper()
	require.NoError(s.t, os.RemoveAll(filepath.Join(s.top, path)))
}

func (s *scene) write(path, text string) {
	s.t.Helper()
	require.NoError(s.t, os.MkdirAll(filepath.Dir(filepath.Join(s.top, path)), 0o755))
	require.NoError(s.t, os.WriteFile(filepath.Join(s.top, path), []byte(text), 0o755))
}

// scenes are the ways in which a repository can come with traps.
func scenes() map[string]func(*scene) {
	hooksPath := func(trap gittrap.Trap) bool { return trap.Name == "hooks-path" }
	return map[string]func(*scene){
		"its configuration, attributes and hooks": func(s *scene) {
			s.lay(".git", slices.DeleteFunc(gittrap.Traps(), hooksPath)...)
			s.lay("sub/.git", gittrap.Traps()...)
			s.write(".lfsconfig", "[lfs]\n\tcustomtransfer.x.path = false\n")
			s.fire = "git status; git diff; git branch x"
			s.recovers = true
		},
		"its path of hooks": func(s *scene) {
			s.lay(".git", gittrap.Traps()...)
			s.fire = "git commit --allow-empty -m x"
		},
		"a store that is shaped":                     func(s *scene) { s.shape(".claude/ltm") },
		"a directory above the store that is shaped": func(s *scene) { s.shape(".claude") },
		"a directory of memories that is shaped":     func(s *scene) { s.shape(".claude/ltm/memories") },
		"a directory of archives that is shaped":     func(s *scene) { s.shape(".claude/ltm/archives") },
		"a store that is shaped, without a clone":    func(s *scene) { s.remove(".git"); s.shape(".claude/ltm") },
		"a top that is shaped":                       func(s *scene) { s.remove(".git"); s.shape("") },
		"a top that is shaped, and a .git that is empty": func(
			s *scene) {
			s.remove(".git")
			s.shape("")
			s.write(".git/x", "")
		},
		"a .git that leads into the store": func(s *scene) {
			s.remove(".git")
			s.shape(".claude/ltm")
			s.write(".git", "gitdir: .claude/ltm\n")
			s.fire = "git status"
		},
		"a repository in the store": func(s *scene) {
			require.NoError(s.t, os.CopyFS(filepath.Join(s.store(), ".git"), os.DirFS(filepath.Join(s.top, ".git"))))
			s.lay(".claude/ltm/.git", gittrap.Traps()...)
			s.fire = "git -C .claude/ltm status"
		},
		"a store that LTM_DIR names": func(s *scene) {
			s.shape(".claude/ltm")
			s.environ = []string{"LTM_DIR=" + s.store()}
		},
		"an environment": func(s *scene) {
			elsewhere := s.t.TempDir()
			require.NoError(s.t, os.CopyFS(elsewhere, os.DirFS(s.top)))
			require.NoError(s.t, s.set.Lay(filepath.Join(elsewhere, ".git"), gittrap.Traps()...))
			program, err := s.set.Program("environment")
			require.NoError(s.t, err)
			s.environ = []string{"GIT_DIR=" + filepath.Join(elsewhere, ".git"), "GIT_EXTERNAL_DIFF=" + program,
				"GIT_PAGER=" + program, "PAGER=" + program, "GIT_EDITOR=" + program, "GIT_ASKPASS=" + program,
				"SSH_ASKPASS=" + program, "GIT_SSH_COMMAND=" + program, "GIT_CONFIG_COUNT=1",
				"GIT_CONFIG_KEY_0=core.fsmonitor", "GIT_CONFIG_VALUE_0=" + program}
			s.fire = "git status"
		},
		"a git of its own": func(s *scene) {
			program, err := s.set.Program("own-git")
			require.NoError(s.t, err)
			for _, dir := range []string{"bin", ".claude/ltm", "."} {
				s.write(dir+"/git", "#!/bin/sh\nexec '"+program+"'\n")
			}
			s.environ = []string{"PATH=" + strings.Join([]string{".", "bin", filepath.Join(s.top, "bin"), s.store(),
				os.Getenv("PATH")}, ":")}
			s.fire = "git status"
		},
	}
}

// TestNothingARepositoryBringsIsStarted runs every command, hook and tool in every
// such project, at the top and in the store, and looks at every program that was
// started: only ltm itself, the person's editor, and git at the top of the work
// tree, told to start nothing. No trap is sprung, although each scene has one that
// stock git springs.
func TestNothingARepositoryBringsIsStarted(t *testing.T) {
	template := t.TempDir()
	shell(t, template, nil, gittrap.Script)
	p := project{t: t, dir: template}
	p.run("", "remember", "An honest memory", "It holds fifty connections of the pool.")
	for i := range 4 {
		name := fmt.Sprintf("mem_%08x.md", i)
		require.NoError(t, os.WriteFile(filepath.Join(template, ".claude/ltm/memories", name),
			[]byte(memoryFile("Pool "+name, "Connections of the pool, "+name)), 0o644))
	}
	shell(t, template, nil, "git add -A && git commit -qm store")
	// Its text is in git's objects alone, where check and fix look for it.
	require.NoError(t, os.WriteFile(filepath.Join(template, ".claude/ltm/memories", lostMemory),
		[]byte("---\ntopic: \"Pool\"\nphase: 3\narchived: \""+time.Now().UTC().Format(time.DateOnly)+
			"\"\narchived_reason: forgotten\n---\n"), 0o644))
	for name, prepare := range scenes() {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dir, err := filepath.EvalSymlinks(t.TempDir())
			require.NoError(t, err)
			s := &scene{t: t, top: filepath.Join(dir, "project")}
			require.NoError(t, os.CopyFS(s.top, os.DirFS(template)))
			s.set, err = gittrap.New(t.TempDir())
			require.NoError(t, err)
			prepare(s)
			for _, c := range everyCommand() {
				s.harmless(s.top, c)
				if startsProcesses(c.args) {
					s.harmless(s.store(), c)
				}
			}
			if s.recovers {
				text, err := os.ReadFile(filepath.Join(s.store(), "archives", lostMemory))
				require.NoError(t, err)
				require.Contains(t, string(text), "Connections of the pool")
			}
			shell(t, s.top, s.environ, s.fire+" || true")
			sprung, err := s.set.Sprung()
			require.NoError(t, err)
			require.NotEmpty(t, sprung, "stock git springs none either")
		})
	}
}

// harmless runs one command and looks at what it started.
func (s *scene) harmless(dir string, c invocation) {
	s.t.Helper()
	what := fmt.Sprintf("ltm %s in %s", strings.Join(c.args, " "), dir)
	log := filepath.Join(s.t.TempDir(), "started")
	editor, err := exec.LookPath("true")
	require.NoError(s.t, err)
	ltm, err := exec.LookPath("ltm")
	require.NoError(s.t, err)
	ctx, cancel := context.WithTimeout(s.t.Context(), hostileTime)
	defer cancel()
	cmd := exec.CommandContext(ctx, "watch", append([]string{log, ltm}, c.args...)...)
	cmd.Dir, cmd.Stdin = dir, strings.NewReader(c.stdin)
	cmd.Env = append(append(os.Environ(), "CLAUDE_PROJECT_DIR=", "LTM_DIR=", "HOME="+filepath.Dir(s.top), "VISUAL=",
		"EDITOR="+editor), s.environ...)
	out, err := cmd.CombinedOutput()
	var exit *exec.ExitError
	require.True(s.t, err == nil || errors.As(err, &exit), "%s: %v: %s", what, err, out)
	require.NotContains(s.t, string(out), "watch:", what)
	require.NoError(s.t, ctx.Err(), what)
	for i, p := range s.startedIn(log) {
		switch filepath.Base(p.Program) {
		case "git":
			s.safeGit(what, p)
		case filepath.Base(resolved(s.t, editor)):
			require.Equal(s.t, "edit", c.args[0], "%s started %q", what, p.Args)
		case companion.Server:
			require.Equal(s.t, filepath.Join(filepath.Dir(resolved(s.t, ltm)), companion.Server), p.Program, what)
			require.Contains(s.t, []string{"server", "ui"}, c.args[0], "%s started %q", what, p.Args)
		default:
			require.Equal(s.t, resolved(s.t, ltm), p.Program, "%s started %q", what, p.Args)
		}
		if i > 0 {
			require.False(s.t, p.Dir == s.store() || strings.HasPrefix(p.Dir, s.store()+"/"), "%s started %q in %s",
				what, p.Args, p.Dir)
		}
	}
	sprung, err := s.set.Sprung()
	require.NoError(s.t, err)
	require.Empty(s.t, sprung, "%s: %s", what, out)
}

// safeGit requires that git was started as it should be.
func (s *scene) safeGit(what string, p started) {
	s.t.Helper()
	git, err := exec.LookPath("git")
	require.NoError(s.t, err)
	require.Equal(s.t, resolved(s.t, git), p.Program, what)
	top := s.top
	if strings.HasPrefix(what, "ltm user init ") { // in a directory that it has just made
		top = filepath.Join(filepath.Dir(s.top), ".local/share/ltm/.local/repository")
	}
	require.Equal(s.t, top, p.Dir, "%s started %q", what, p.Args)
	require.Equal(s.t, []string{"-C", top, "--no-pager"}, p.Args[1:4], what)
	for _, setting := range []string{"core.fsmonitor=false", "core.hooksPath=/dev/null",
		"safe.bareRepository=explicit"} {
		require.Contains(s.t, p.Args, setting, what)
	}
	for _, variable := range p.Environ {
		require.NotRegexp(s.t, `^(GIT_(DIR|CONFIG|EXTERNAL|SSH|TRACE)|EDITOR=)`, variable, what)
	}
}

func (s *scene) startedIn(log string) []started {
	s.t.Helper()
	data, err := os.ReadFile(log)
	require.NoError(s.t, err)
	var found []started
	for d := json.NewDecoder(bytes.NewReader(data)); d.More(); {
		var p started
		require.NoError(s.t, d.Decode(&p))
		found = append(found, p)
	}
	require.NotEmpty(s.t, found)
	return found
}

func resolved(t *testing.T, path string) string {
	t.Helper()
	path, err := filepath.EvalSymlinks(path)
	require.NoError(t, err)
	return path
}

// shell runs a shell script in a directory, as a person without settings.
func shell(t *testing.T, dir string, environ []string, script string) {
	t.Helper()
	cmd := exec.Command("sh", "-c", script)
	cmd.Dir = dir
	cmd.Env = append(append(os.Environ(), "HOME="+dir), environ...)
	out, err := cmd.CombinedOutput()
	require.NoError(t, err, "%s", out)
}
