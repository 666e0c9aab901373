//go:build e2e

package agents_test

import (
	"context"
	"encoding/json"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// agent is a client as the tests start it.
type agent struct {
	name, pack, version string
	program             string // its path below node_modules; {arch} is the platform, as packages name it

	home map[string]string // files in the home directory; {url} is the model's address, {dir} the project
	env  []string
	args []string // before the prompt

	failing step   // a call that fails
	own     string // the files and directories that the client itself writes into a project

	doctor  string // what ltm doctor says of it once it is set up, as a regular expression
	window  int    // tokens of context after which it compacts; 0: it tells of no compaction
	resumes bool   // after it, the memories are back in the same session
}

// unknownMemory is a call of ltm's server that fails.
func unknownMemory() step { return step{tool: "get_memory", args: object{"id": "mem_00000000"}} }

func agents() []agent {
	return []agent{
		{name: "codex", pack: "@openai/codex", version: "0.169.0", program: ".bin/codex",
			failing: unknownMemory(), window: 400_000, resumes: true,
			doctor: `^warn .* not accepted: .*sessionStart \(untrusted\)`,
			home: map[string]string{".codex/config.toml": `model = "fake-model"
model_provider = "fake"
check_for_update_on_startup = false
[model_providers.fake]
name = "fake"
base_url = "{url}/v1"
wire_api = "responses"
env_key = "FAKE_KEY"
[projects."{dir}"]
trust_level = "trusted"
`},
			env: []string{"FAKE_KEY=x"}, args: []string{"exec", "--json", "--dangerously-bypass-hook-trust"}},
		{name: "copilot", pack: "@github/copilot", version: "1.0.102", program: ".bin/copilot",
			failing: unknownMemory(), window: 400_000, doctor: "not trust the project yet",
			env: []string{"COPILOT_ALLOW_ALL=true", "COPILOT_PROVIDER_BASE_URL={url}/v1", "COPILOT_MODEL=fake-model",
				"COPILOT_OFFLINE=true", "COPILOT_AUTO_UPDATE=false"},
			args: []string{"--allow-all-tools", "-p"}},
		{name: "gemini", pack: "@google/gemini-cli", version: "0.61.0", program: ".bin/gemini",
			failing: unknownMemory(), doctor: "not trust the project yet",
			home: map[string]string{".gemini/settings.json": `{"security":{"auth":{"selectedType":"gemini-api-key"}},` +
				`"general":{"enableAutoUpdate":false},"privacy":{"usageStatisticsEnabled":false}}`},
			env:  []string{"GEMINI_API_KEY=x", "GOOGLE_GEMINI_BASE_URL={url}", "GEMINI_CLI_TRUST_WORKSPACE=true"},
			args: []string{"-m", "gemini-2.5-flash", "-p"}},
		{name: "opencode", pack: "opencode-ai", version: "1.18.33", program: "opencode-{arch}/bin/opencode",
			window: 99_000, resumes: true, doctor: "^ok ",
			failing: step{tool: "read", args: object{"filePath": "nothere.txt"}},
			own:     "opencode.json .opencode/ .git/opencode", // its schema's address, modules, and name of the project
			home: map[string]string{".config/opencode/opencode.json": `{"model":"fake/fake-model",` +
				`"small_model":"fake/fake-model","autoupdate":false,"share":"disabled","provider":{"fake":{` +
				`"npm":"@ai-sdk/openai-compatible","name":"fake","options":{"baseURL":"{url}/v1","apiKey":"x"},"models":{` +
				`"fake-model":{"name":"fake","limit":{"context":100000,"output":8000}}}}}}`},
			args: []string{"run", "--auto"}},
	}
}

// claude is Claude Code, which package e2e tests by itself.
func claude() agent {
	return agent{name: "claude", pack: "@anthropic-ai/claude-code-{arch}", version: "2.1.332",
		program: "@anthropic-ai/claude-code-{arch}/claude", failing: unknownMemory(),
		env: []string{"ANTHROPIC_API_KEY=none", "ANTHROPIC_BASE_URL={url}", "IS_SANDBOX=1", "DISABLE_AUTOUPDATER=1",
			"CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC=1", "MCP_CONNECTION_NONBLOCKING=0"},
		args: []string{"--dangerously-skip-permissions", "-p"}}
}

// installed returns the path of the client's program, which is installed from npm once.
func (a agent) installed(t *testing.T) string {
	t.Helper()
	arch := strings.NewReplacer("{arch}", runtime.GOOS+"-"+strings.Replace(runtime.GOARCH, "amd64", "x64", 1))
	dir := filepath.Join(os.Getenv("LTM_CLIENTS"), a.name)
	if os.Getenv("LTM_CLIENTS") == "" {
		cache, err := os.UserCacheDir()
		require.NoError(t, err)
		dir = filepath.Join(cache, "ltm-test", "client-"+a.name+"-"+a.version)
	}
	program := filepath.Join(dir, "node_modules", filepath.FromSlash(arch.Replace(a.program)))
	if _, err := os.Stat(program); err != nil {
		require.NoError(t, os.MkdirAll(dir, 0o755))
		require.NoError(t, os.WriteFile(filepath.Join(dir, "package.json"), []byte(`{"private":true}`), 0o644))
		install := exec.Command("npm", "install", "--ignore-scripts", "--no-audit", "--no-fund",
			arch.Replace(a.pack)+"@"+a.version)
		install.Dir = dir
		out, err := install.CombinedOutput()
		require.NoError(t, err, "%s", out)
	}
	return program
}

// stage is a project and a home in which a client works.
type stage struct {
	agent
	program, dir, home, bin string
	model                   *model
}

func newStage(t *testing.T, a agent, bin string) stage {
	t.Helper()
	root, err := filepath.EvalSymlinks(t.TempDir())
	require.NoError(t, err)
	s := stage{dir: filepath.Join(root, "project"), home: filepath.Join(root, "home"), bin: bin}
	require.NoError(t, os.MkdirAll(s.dir, 0o755))
	s = s.with(t, a)
	s.run(t, "git", "init", "-q", ".")
	require.NoError(t, os.WriteFile(filepath.Join(s.dir, "AGENTS.md"), []byte("# Rules\r\n\r\nNo tabs."), 0o644))
	s.run(t, "git", "add", ".")
	s.run(t, "git", "-c", "user.name=a", "-c", "user.email=a@b.c", "commit", "-qm", "start")
	return s
}

// with returns the same project and home for another client.
func (s stage) with(t *testing.T, a agent) stage {
	t.Helper()
	s.agent, s.program, s.model = a, a.installed(t), newModel(t)
	require.NoError(t, os.MkdirAll(s.home, 0o755))
	_ = os.Symlink(s.program, filepath.Join(s.bin, a.name)) // it may be there
	for name, text := range a.home {
		path := filepath.Join(s.home, filepath.FromSlash(name))
		require.NoError(t, os.MkdirAll(filepath.Dir(path), 0o755))
		require.NoError(t, os.WriteFile(path, []byte(s.filled(text)), 0o644))
	}
	return s
}

func (s stage) filled(text string) string {
	return strings.NewReplacer("{url}", s.model.URL, "{dir}", s.dir).Replace(text)
}

// run runs a program in the project and returns what it printed.
func (s stage) run(t *testing.T, program string, args ...string) string {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), 4*time.Minute)
	defer cancel()
	if program == "ltm" {
		program = filepath.Join(s.bin, program)
	}
	cmd := exec.CommandContext(ctx, program, args...)
	cmd.Dir = s.dir
	cmd.Env = []string{"HOME=" + s.home, "PATH=" + s.bin + string(os.PathListSeparator) + os.Getenv("PATH"),
		"TERM=dumb", "LANG=C.UTF-8", "PWD=" + s.dir}
	for _, variable := range s.env {
		cmd.Env = append(cmd.Env, s.filled(variable))
	}
	out, err := cmd.CombinedOutput()
	require.NoError(t, err, "%s %q\n%s", program, args, out)
	return string(out)
}

// session plays a session of the client, and returns what the model was told with the first and the last request.
func (s stage) session(t *testing.T, prompt string, steps ...step) (first, last string) {
	t.Helper()
	s.model.play(append(steps, step{text: "All done."})...)
	out := s.run(t, s.program, append(s.args[:len(s.args):len(s.args)], prompt)...)
	told := s.model.told()
	require.NotEmpty(t, told, "the model was not asked: %s", out)
	return told[0], told[len(told)-1]
}

// store is a call that stores a memory.
func store(topic, content string) step {
	return step{tool: "store_memory", args: object{"topic": topic, "content": content}}
}

// learned is what is known of a memory: who wrote it, its difficulty, and the work behind it.
type learned struct {
	Client     string
	Difficulty float64
	Work       struct {
		Calls, Failures int
		Compacted       bool
	}
}

// memories returns the ids of the active memories by topic.
func (s stage) memories(t *testing.T) map[string]string {
	t.Helper()
	var v struct{ Memories []struct{ ID, Topic string } }
	require.NoError(t, json.Unmarshal([]byte(s.run(t, "ltm", "list", "--json")), &v))
	all := map[string]string{}
	for _, m := range v.Memories {
		all[m.Topic] = m.ID
	}
	return all
}

// learned returns what is known of the memory with a topic.
func (s stage) learned(t *testing.T, topic string) (l learned) {
	t.Helper()
	id := s.memories(t)[topic]
	require.NotEmpty(t, id, "%s was not stored\n%s", topic, outputs(s.model.told()))
	require.NoError(t, json.Unmarshal([]byte(s.run(t, "ltm", "show", id, "--json")), &l))
	return l
}

// tree returns the files of the project with their bytes, without what git and ltm keep for themselves.
func (s stage) tree(t *testing.T) map[string]string {
	t.Helper()
	files := map[string]string{}
	require.NoError(t, filepath.WalkDir(s.dir, func(path string, d fs.DirEntry, err error) error {
		name, _ := filepath.Rel(s.dir, path)
		switch name = filepath.ToSlash(name); {
		case err != nil:
			return err
		case d.IsDir() && slices.Contains([]string{".git/objects", ".git/ltm", ".claude/ltm"}, name):
			return fs.SkipDir
		case d.IsDir() || name == ".git/index":
			return nil
		}
		data, err := os.ReadFile(path)
		files[name] = string(data)
		return err
	}))
	return files
}

// built returns a directory with ltm.
func built(t *testing.T) string {
	t.Helper()
	bin := t.TempDir()
	out, err := exec.Command("go", "build", "-o", filepath.Join(bin, "ltm"), "ltm/cmd/ltm").CombinedOutput()
	require.NoError(t, err, "%s", out)
	return bin
}

const (
	pool     = "Connection pool exhausted under load"
	question = "why is the connection pool exhausted under load?"
	block    = "What earlier sessions learned"
)

// TestAgents plays sessions of each client with ltm as "ltm init --client" sets it up.
func TestAgents(t *testing.T) {
	bin := built(t)
	for _, a := range agents() {
		t.Run(a.name, func(t *testing.T) {
			s := newStage(t, a, bin)
			clean := s.tree(t)
			s.run(t, "ltm", "init", "--client", a.name)
			require.NotEqual(t, clean, s.tree(t))
			s.run(t, "ltm", "init", "--undo")
			require.Equal(t, clean, s.tree(t), "before any session")
			s.run(t, "ltm", "init", "--client", a.name)
			doctor := regexp.MustCompile("(?m)^.* " + a.name + " .*$").FindString(s.run(t, "ltm", "doctor"))
			require.Regexp(t, a.doctor, doctor)
			s.run(t, "ltm", "remember", "Release freeze", "Nothing is merged before a release.", "--importance",
				"critical")

			t.Run("failures", s.countsFailures)
			t.Run("contexts", s.addsContexts)
			t.Run("compaction", s.compacts)

			require.NoError(t, os.RemoveAll(filepath.Join(s.dir, ".claude")))
			s.run(t, "ltm", "init", "--undo")
			left := s.tree(t)
			for name, data := range left {
				if _, was := clean[name]; !was && slices.ContainsFunc(strings.Fields(a.own), func(own string) bool {
					return strings.HasPrefix(name, own)
				}) {
					require.NotContains(t, name, "ltm.js")
					require.NotContains(t, data, `"ltm"`, name)
					delete(left, name)
				}
			}
			require.Equal(t, clean, left, "after sessions")
		})
	}
}

// countsFailures has calls fail before a memory is stored.
func (s stage) countsFailures(t *testing.T) {
	first, _ := s.session(t, "remember what went wrong", store("Where things are", "In src."),
		s.failing, s.failing, s.failing, step{tool: "recall", args: object{"query": "release"}},
		store(pool, "Connections leaked."))
	require.Contains(t, first, "Nothing is merged before a release.", "in the context of a session")
	easy, hard := s.learned(t, "Where things are"), s.learned(t, pool)
	require.Zero(t, easy.Work.Failures)
	require.Equal(t, 3, hard.Work.Failures)
	require.GreaterOrEqual(t, hard.Work.Calls, 4)
	require.Greater(t, hard.Difficulty, easy.Difficulty)
	require.Equal(t, s.name, hard.Client, "which client wrote it")
	require.True(t, s.ended(t), "the session's end was seen")
}

// addsContexts has a prompt bring up what the start of a session only names.
func (s stage) addsContexts(t *testing.T) {
	s.run(t, "ltm", "config", "memories_to_load", "1")
	first, _ := s.session(t, "good morning")
	require.Contains(t, first, block)
	require.Contains(t, first, pool, "its title")
	require.NotContains(t, first, pool+": ")
	first, last := s.session(t, question, step{tool: "recall", args: object{"query": "connection pool"}})
	require.Contains(t, first, pool+": Connections leaked.", "by the prompt")
	require.Greater(t, strings.Count(last, "Connections leaked."), strings.Count(first, "Connections leaked."),
		"recalled: %s", outputs(s.model.told()))
}

// compacts fills the context.
func (s stage) compacts(t *testing.T) {
	if s.window == 0 {
		t.Skip("the client does not tell of compactions")
	}
	full := step{tool: "list_memories", args: object{}, used: s.window}
	_, last := s.session(t, "go on", full, store("After the compaction", "It goes on."))
	require.True(t, s.learned(t, "After the compaction").Work.Compacted)
	if s.resumes {
		require.Contains(t, last, block, "the memories are back")
	}
}

// TestTogether has sessions of Claude Code and of Codex in one project.
func TestTogether(t *testing.T) {
	codex := newStage(t, agents()[0], built(t))
	claude := codex.with(t, claude())
	codex.run(t, "ltm", "init", "--client", "claude,codex")

	claude.session(t, "remember it", store(pool, "Connections leaked."))
	recall := step{tool: "recall", args: object{"query": "connection pool"}}
	first, last := codex.session(t, "go on", recall, store("Retry budget", "Three tries for each host."))
	require.Contains(t, first, "Connections leaked.", "at the start")
	require.Contains(t, last, codex.memories(t)[pool], "recalled")
	first, last = claude.session(t, "go on", step{tool: "recall", args: object{"query": "retry budget"}})
	require.Contains(t, first, "Three tries for each host.", "at the start")
	require.Contains(t, last, codex.memories(t)["Retry budget"], "recalled")

	require.Equal(t, "claude", codex.learned(t, pool).Client)
	require.Equal(t, "codex", codex.learned(t, "Retry budget").Client)

	var group sync.WaitGroup
	for _, s := range []stage{codex, claude} {
		var steps []step
		for i := range 8 {
			lesson := fmt.Sprintf("Lesson %d of %s", i, s.name)
			steps = append(steps, store(lesson, lesson+" is long."))
		}
		group.Go(func() { s.session(t, "remember all", steps...) })
	}
	group.Wait()
	require.Len(t, codex.memories(t), 18, "what both stored at once")
	require.Contains(t, codex.run(t, "ltm", "check"), "in order: 18 memories")
}

// TestRoots has a client start the server outside the project, and offer its roots.
func TestRoots(t *testing.T) {
	a := agents()[3]
	path := ".config/opencode/opencode.json"
	a.home = map[string]string{path: strings.Replace(a.home[path], "{", `{"mcp":{"ltm":{"type":"local","command":`+
		`["sh","-c","cd && exec ltm mcp"]}},`, 1)}
	s := newStage(t, a, built(t))
	s.session(t, "remember it", store(pool, "Connections leaked."))
	require.Equal(t, "opencode", s.learned(t, pool).Client)
	require.NoDirExists(t, filepath.Join(s.home, ".claude"))
}

// ended reports whether ltm saw the end of the last session.
func (s stage) ended(t *testing.T) bool {
	t.Helper()
	data, err := os.ReadFile(filepath.Join(s.dir, ".git", "ltm", "state.json"))
	require.NoError(t, err)
	var v struct {
		Session struct {
			Ended *time.Time `json:"ended_at"`
		} `json:"current_session"`
	}
	require.NoError(t, json.Unmarshal(data, &v), fmt.Sprintf("%s", data))
	return v.Session.Ended != nil
}

// outputs returns what the model was told of the calls that it made.
func outputs(told []string) string {
	return strings.Join(regexp.MustCompile(`_output".{0,600}|"role":"tool".{0,600}|functionResponse.{0,600}`).
		FindAllString(strings.Join(told, "\n"), 8), "\n")
}
