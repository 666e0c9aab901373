package gitmatrix_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"
)

// scratch is the directory of the program that tests build.
var scratch string

func TestMain(m *testing.M) {
	os.Exit(func() int {
		var err error
		if scratch, err = os.MkdirTemp("", "ltm-gitmatrix-"); err != nil {
			fmt.Fprintln(os.Stderr, err)
			return 1
		}
		defer os.RemoveAll(scratch)
		return m.Run()
	}())
}

// built builds the real program once, for the first test that needs it.
var built = sync.OnceValues(func() (string, error) {
	path := filepath.Join(scratch, "ltm")
	if runtime.GOOS == "windows" {
		path += ".exe"
	}
	build := exec.Command("go", "build", "-o", path, "ltm/cmd/ltm")
	build.Env = append(os.Environ(), "CGO_ENABLED=0")
	if out, err := build.CombinedOutput(); err != nil {
		return "", fmt.Errorf("%w: %s", err, out)
	}
	return path, nil
})

// binary is the program under test.
func binary(t testing.TB) string {
	t.Helper()
	path, err := built()
	require.NoError(t, err)
	return path
}

// all reports whether to play every combination.
func all() bool { return os.Getenv("LTM_GITMATRIX") == "all" }

// project is a directory with a store, with or without git.
type project struct {
	t    *testing.T
	dir  string // where commands run; the top of the work tree
	home string
}

// outcome is the result of running a program.
type outcome struct {
	status         int
	stdout, stderr string
}

func (o outcome) String() string {
	return fmt.Sprintf("status %d\n%s%s", o.status, o.stdout, o.stderr)
}

// in returns the same person's project in another directory.
func (p project) in(dir string) project { return project{p.t, dir, p.home} }

// with returns the project for another test.
func (p project) with(t *testing.T) project { return project{t, p.dir, p.home} }

func (p project) path(parts ...string) string {
	return filepath.Join(append([]string{p.dir}, parts...)...)
}

// store returns the store's directory.
func (p project) store() string { return p.path(".claude", "ltm") }

// environ returns the environment of a person with a name, no settings, and no prompts.
func (p project) environ() []string {
	environ := []string{"HOME=" + p.home, "PATH=" + os.Getenv("PATH"), "TMPDIR=" + os.TempDir(), "LC_ALL=C",
		"GIT_CONFIG_NOSYSTEM=1", "GIT_TERMINAL_PROMPT=0", "GIT_EDITOR=true", "GIT_MERGE_AUTOEDIT=no",
		"GIT_TEMPLATE_DIR=", "GIT_AUTHOR_NAME=t", "GIT_AUTHOR_EMAIL=t@example.com", "GIT_COMMITTER_NAME=t",
		"GIT_COMMITTER_EMAIL=t@example.com"}
	if runtime.GOOS == "windows" {
		environ = append(environ, "SYSTEMROOT="+os.Getenv("SYSTEMROOT"), "USERPROFILE="+p.home, "TEMP="+os.TempDir())
	}
	return environ
}

func (p project) start(program, stdin string, args ...string) outcome {
	p.t.Helper()
	cmd := exec.Command(program, args...)
	var out, errs bytes.Buffer
	cmd.Dir, cmd.Env, cmd.Stdin, cmd.Stdout, cmd.Stderr = p.dir, p.environ(), strings.NewReader(stdin), &out, &errs
	if err := cmd.Run(); cmd.ProcessState == nil {
		require.NoError(p.t, err)
	}
	return outcome{cmd.ProcessState.ExitCode(), out.String(), errs.String()}
}

// tryGit runs git, which may fail.
func (p project) tryGit(args ...string) outcome {
	p.t.Helper()
	return p.start("git", "", args...)
}

// git runs git, which must succeed, and returns its output.
func (p project) git(args ...string) string {
	p.t.Helper()
	o := p.tryGit(args...)
	require.Zero(p.t, o.status, "git %s: %s", strings.Join(args, " "), o)
	return strings.TrimSuffix(o.stdout, "\n")
}

// try runs ltm, which may fail, with this standard input.
func (p project) try(stdin string, args ...string) outcome {
	p.t.Helper()
	return p.start(binary(p.t), stdin, args...)
}

// ltm runs ltm, which must succeed, and returns its output.
func (p project) ltm(stdin string, args ...string) string {
	p.t.Helper()
	o := p.try(stdin, args...)
	require.Zero(p.t, o.status, "ltm %s: %s", strings.Join(args, " "), o)
	return o.stdout
}

// json runs ltm and decodes its output, whatever its exit status.
func (p project) json(v any, args ...string) {
	p.t.Helper()
	o := p.try("", append(args, "--json")...)
	require.NoError(p.t, json.Unmarshal([]byte(o.stdout), v), "ltm %s: %s", strings.Join(args, " "), o)
}

// call calls a tool of the MCP server, as a model does.
func (p project) call(tool string, arguments map[string]any) {
	p.t.Helper()
	request, err := json.Marshal(map[string]any{"jsonrpc": "2.0", "id": 2, "method": "tools/call",
		"params": map[string]any{"name": tool, "arguments": arguments}})
	require.NoError(p.t, err)
	out := p.ltm(`{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25",`+
		`"capabilities":{},"clientInfo":{"name":"t","version":"1"}}}`+
		"\n"+`{"jsonrpc":"2.0","method":"notifications/initialized"}`+"\n"+string(request)+"\n", "mcp")
	for line := range strings.Lines(out) {
		var answer struct {
			ID     int
			Result struct{ IsError bool }
			Error  any
		}
		require.NoError(p.t, json.Unmarshal([]byte(line), &answer), line)
		if answer.ID == 2 {
			require.False(p.t, answer.Result.IsError || answer.Error != nil, "%s: %s", tool, line)
			return
		}
	}
	require.Fail(p.t, "no answer", "%s: %s", tool, out)
}

// session plays a session of the client with one failed tool call.
func (p project) session(id string) {
	p.t.Helper()
	p.ltm(fmt.Sprintf(`{"session_id":%q,"source":"startup"}`, id), "hook", "SessionStart")
	p.ltm(fmt.Sprintf(`{"session_id":%q,"tool_name":"Bash","error":"x"}`, id), "hook", "PostToolUseFailure")
	p.ltm(fmt.Sprintf(`{"session_id":%q,"tool_name":"Bash","tool_response":"x"}`, id), "hook", "PostToolUse")
	p.ltm(fmt.Sprintf(`{"session_id":%q,"prompt":"what do we know of the pool?"}`, id), "hook", "UserPromptSubmit")
	p.ltm(fmt.Sprintf(`{"session_id":%q}`, id), "hook", "SessionEnd")
}

// changes returns the changes that git sees in the work tree.
func (p project) changes() string {
	p.t.Helper()
	return p.git("status", "--porcelain", "--untracked-files=all")
}

// commit commits everything; the commit may be empty.
func (p project) commit(message string) {
	p.t.Helper()
	p.git("add", "-A")
	p.git("commit", "-q", "--allow-empty", "-m", message)
}

func (p project) write(text string, parts ...string) {
	p.t.Helper()
	require.NoError(p.t, os.MkdirAll(filepath.Dir(p.path(parts...)), 0o755))
	require.NoError(p.t, os.WriteFile(p.path(parts...), []byte(text), 0o644))
}

// newProject returns a repository with one commit and no store.
func newProject(t *testing.T) project {
	t.Helper()
	p := plainProject(t)
	p.git("init", "-q", "-b", "main")
	p.write("A project.\n", "README.md")
	p.commit("before the store")
	p.git("tag", "before")
	return p
}

// plainProject returns a project without git.
func plainProject(t *testing.T) project {
	t.Helper()
	root, err := filepath.EvalSymlinks(t.TempDir())
	require.NoError(t, err)
	p := project{t, filepath.Join(root, "project"), filepath.Join(root, "home")}
	require.NoError(t, os.MkdirAll(p.dir, 0o755))
	require.NoError(t, os.MkdirAll(p.home, 0o755))
	return p
}

// copied copies a project, including .git, with all modes and times. It links git's objects, which
// never change.
func (p project) copied(t *testing.T) project {
	t.Helper()
	to := plainProject(t)
	objects := p.path(".git", "objects")
	type stamp struct {
		path string
		info fs.FileInfo
	}
	var dirs []stamp
	require.NoError(t, filepath.WalkDir(p.dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		rel, err := filepath.Rel(p.dir, path)
		if err != nil {
			return err
		}
		target := to.path(rel)
		info, err := d.Info()
		switch {
		case err != nil:
			return err
		case d.IsDir():
			dirs = append(dirs, stamp{target, info})
			return os.MkdirAll(target, 0o755)
		case strings.HasPrefix(path, objects):
			return os.Link(path, target)
		}
		data, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		if err := os.WriteFile(target, data, info.Mode().Perm()); err != nil {
			return err
		}
		return os.Chtimes(target, info.ModTime(), info.ModTime())
	}))
	for _, d := range dirs {
		require.NoError(t, os.Chtimes(d.path, d.info.ModTime(), d.info.ModTime()))
	}
	return to
}
