//go:build e2e

package agents_test

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// agent is a client as the tests start it.
type agent struct {
	name, pack, version, program string

	home map[string]string // files in the home directory; {url} is the model's address, {dir} the project
	env  []string
	args []string // before the prompt

	failing step   // a call that fails
	own     string // what git says of files that the client itself writes into a project
}

// unknownMemory is a call of ltm's server that fails.
func unknownMemory() step { return step{tool: "get_memory", args: object{"id": "mem_00000000"}} }

func agents() []agent {
	return []agent{
		{name: "codex", pack: "@openai/codex", version: "0.169.0", program: "codex", failing: unknownMemory(),
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
		{name: "copilot", pack: "@github/copilot", version: "1.0.102", program: "copilot", failing: unknownMemory(),
			env: []string{"COPILOT_ALLOW_ALL=true", "COPILOT_PROVIDER_BASE_URL={url}/v1", "COPILOT_MODEL=fake-model",
				"COPILOT_OFFLINE=true", "COPILOT_AUTO_UPDATE=false"},
			args: []string{"--allow-all-tools", "-p"}},
		{name: "gemini", pack: "@google/gemini-cli", version: "0.61.0", program: "gemini", failing: unknownMemory(),
			home: map[string]string{".gemini/settings.json": `{"security":{"auth":{"selectedType":"gemini-api-key"}},` +
				`"general":{"enableAutoUpdate":false},"privacy":{"usageStatisticsEnabled":false}}`},
			env:  []string{"GEMINI_API_KEY=x", "GOOGLE_GEMINI_BASE_URL={url}", "GEMINI_CLI_TRUST_WORKSPACE=true"},
			args: []string{"-m", "gemini-2.5-flash", "-p"}},
		{name: "opencode", pack: "opencode-ai", version: "1.18.33", program: "opencode",
			failing: step{tool: "read", args: object{"filePath": "nothere.txt"}},
			own:     "?? opencode.json\n!! .opencode/\n", // the address of its schema, and its modules
			home: map[string]string{".config/opencode/opencode.json": `{"model":"fake/fake-model",` +
				`"small_model":"fake/fake-model","autoupdate":false,"share":"disabled","provider":{"fake":{` +
				`"npm":"@ai-sdk/openai-compatible","name":"fake","options":{"baseURL":"{url}/v1","apiKey":"x"},"models":{` +
				`"fake-model":{"name":"fake","limit":{"context":100000,"output":8000}}}}}}`},
			args: []string{"run", "--auto"}},
	}
}

// installed returns the path of the client's program, which is installed from npm once.
func (a agent) installed(t *testing.T) string {
	dir := filepath.Join(os.Getenv("LTM_CLIENTS"), a.name)
	if os.Getenv("LTM_CLIENTS") == "" {
		cache, err := os.UserCacheDir()
		require.NoError(t, err)
		dir = filepath.Join(cache, "ltm-test", "client-"+a.name+"-"+a.version)
	}
	program := filepath.Join(dir, "node_modules", ".bin", a.program)
	if _, err := os.Stat(program); err != nil {
		require.NoError(t, os.MkdirAll(dir, 0o755))
		require.NoError(t, os.WriteFile(filepath.Join(dir, "package.json"), []byte(`{"private":true}`), 0o644))
		install := exec.Command("npm", "install", "--ignore-scripts", "--no-audit", "--no-fund", a.pack+"@"+a.version)
		install.Dir = dir
		out, err := install.CombinedOutput()
		require.NoError(t, err, "%s", out)
	}
	return program
}

// stage is a project and a home in which a client works.
type stage struct {
	agent
	dir, home, bin string
	model          *model
}

func newStage(t *testing.T, a agent, bin string) stage {
	t.Helper()
	root, err := filepath.EvalSymlinks(t.TempDir())
	require.NoError(t, err)
	s := stage{a, filepath.Join(root, "project"), filepath.Join(root, "home"), bin, newModel(t)}
	require.NoError(t, os.MkdirAll(s.dir, 0o755))
	require.NoError(t, os.MkdirAll(s.home, 0o755))
	for name, text := range a.home {
		path := filepath.Join(s.home, filepath.FromSlash(name))
		require.NoError(t, os.MkdirAll(filepath.Dir(path), 0o755))
		require.NoError(t, os.WriteFile(path, []byte(s.filled(text)), 0o644))
	}
	s.run(t, "git", "init", "-q", ".")
	require.NoError(t, os.WriteFile(filepath.Join(s.dir, "AGENTS.md"), []byte("# Rules\n\nNo tabs.\n"), 0o644))
	s.run(t, "git", "add", ".")
	s.run(t, "git", "-c", "user.name=a", "-c", "user.email=a@b.c", "commit", "-qm", "start")
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

// session plays a session of the client.
func (s stage) session(t *testing.T, program, prompt string, steps ...step) {
	t.Helper()
	s.model.play(steps...)
	out := s.run(t, program, append(s.args[:len(s.args):len(s.args)], prompt)...)
	require.NotEmpty(t, s.model.told(), "the model was not asked: %s", out)
}

// TestAgents plays two sessions of each client with ltm as "ltm init --client" sets it up.
func TestAgents(t *testing.T) {
	bin := t.TempDir()
	build := exec.Command("go", "build", "-o", filepath.Join(bin, "ltm"), "ltm/cmd/ltm")
	out, err := build.CombinedOutput()
	require.NoError(t, err, "%s", out)
	for _, a := range agents() {
		t.Run(a.name, func(t *testing.T) {
			program := a.installed(t)
			s := newStage(t, a, bin)
			clean := s.run(t, "git", "status", "--porcelain", "--ignored")
			s.run(t, "ltm", "init", "--client", a.name)
			require.NoError(t, os.WriteFile(filepath.Join(s.dir, "retry.go"), []byte("package retry\n"), 0o644))
			s.run(t, "ltm", "remember", "Another agent found the flaky suite", "It fails on Windows.")

			s.session(t, program, "please remember the retry budget", a.failing,
				step{tool: "store_memory", args: object{"topic": "The retry budget is per host",
					"content": "Three tries."}},
				step{text: "All done."})
			require.Contains(t, s.model.told(), "Another agent found the flaky suite", "in the context of a session")
			found := s.run(t, "ltm", "recall", "--json", "retry budget")
			var v struct {
				Memories []struct{ ID, Topic string }
			}
			require.NoError(t, json.Unmarshal([]byte(found), &v))
			require.Len(t, v.Memories, 1, "%s\n%s", found, outputs(s.model.told()))
			require.Regexp(t, `judged from \d+ tool calls? \([1-9]`, s.run(t, "ltm", "why", v.Memories[0].ID))
			require.True(t, s.ended(t), "the session's end was seen")

			s.session(t, program, "what is the retry budget per host?", step{tool: "recall", args: object{
				"query": "retry budget"}}, step{text: "All done."})
			require.Contains(t, s.model.told(), "What earlier sessions learned")
			require.Contains(t, s.model.told(), "The retry budget is per host")

			s.run(t, "git", "rm", "-rq", "--cached", "--ignore-unmatch", ".claude")
			require.NoError(t, os.RemoveAll(filepath.Join(s.dir, ".claude", "ltm", "memories")))
			require.NoError(t, os.RemoveAll(filepath.Join(s.dir, ".claude", "ltm", "archives")))
			require.NoError(t, os.Remove(filepath.Join(s.dir, "retry.go")))
			s.run(t, "ltm", "init", "--undo")
			require.Equal(t, clean+a.own, s.run(t, "git", "status", "--porcelain", "--ignored"), "undo leaves no trace")
			left, err := os.ReadFile(filepath.Join(s.dir, "opencode.json"))
			require.Equal(t, a.own == "", err != nil)
			require.NotContains(t, string(left), "ltm")
			require.NoFileExists(t, filepath.Join(s.dir, ".opencode", "plugin", "ltm.js"))
		})
	}
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
func outputs(told string) string {
	return strings.Join(regexp.MustCompile(`_output".{0,600}|"role":"tool".{0,600}|functionResponse.{0,600}`).
		FindAllString(told, 8), "\n")
}
