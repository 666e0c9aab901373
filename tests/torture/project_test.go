package torture_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"ltm/engine/locate"
	"ltm/memory"
	"ltm/memory/api"
	"ltm/store"
)

const (
	// shortRounds is the number of random kills without LTM_TORTURE_ROUNDS.
	shortRounds = 30

	// thorough is the number of rounds from which every call also fails in every way.
	thorough = 4000
)

// rounds returns the number of random kills, and whether the walks take every call.
func rounds(t *testing.T) (n int, full bool) {
	t.Helper()
	text, full := os.LookupEnv("LTM_TORTURE_ROUNDS")
	if !full {
		return shortRounds, false
	}
	n, err := strconv.Atoi(text)
	require.NoError(t, err, "LTM_TORTURE_ROUNDS")
	return n, true
}

// scratch is the directory of the program that tests build.
var scratch string

func TestMain(m *testing.M) {
	os.Exit(func() int {
		var err error
		if scratch, err = os.MkdirTemp("", "ltm-torture-"); err != nil {
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

// command is one run of the program.
type command struct {
	dir   string
	env   []string
	stdin string
	args  []string
}

func (c command) String() string { return "ltm " + strings.Join(c.args, " ") }

// outcome is the result of a run.
type outcome struct {
	status         int
	killed         bool
	stdout, stderr string
}

// project is a scratch project.
type project struct {
	t    *testing.T
	root string // holds the project, a home, and a directory for temporary files
	dir  string
}

// newProject makes a project in a git work tree.
func newProject(t *testing.T) project {
	t.Helper()
	p := newPlainProject(t)
	p.git("init", "--quiet", "--template=", "--initial-branch=main")
	return p
}

// newPlainProject makes a project that is not in a git work tree.
func newPlainProject(t *testing.T) project {
	t.Helper()
	root, err := filepath.EvalSymlinks(t.TempDir())
	require.NoError(t, err)
	p := project{t, root, filepath.Join(root, "project")}
	for _, dir := range []string{p.dir, filepath.Join(root, "home"), filepath.Join(root, "tmp")} {
		require.NoError(t, os.MkdirAll(dir, 0o755))
	}
	return p
}

// git runs git at the top of the project and returns its output. It ignores the machine's
// configuration, and takes no optional locks.
func (p project) git(args ...string) string {
	p.t.Helper()
	cmd := exec.Command("git", append([]string{"-c", "user.name=a", "-c", "user.email=a@b"}, args...)...)
	cmd.Dir = p.dir
	cmd.Env = append(p.env(), "GIT_CONFIG_GLOBAL="+os.DevNull, "GIT_CONFIG_NOSYSTEM=1", "GIT_OPTIONAL_LOCKS=0",
		"GIT_CEILING_DIRECTORIES="+p.root)
	out, err := cmd.CombinedOutput()
	require.NoError(p.t, err, "git %v: %s", args, out)
	return string(out)
}

// clone copies the project with all times, so that its caches stay valid.
func (p project) clone(t *testing.T, root string) project {
	t.Helper()
	var dirs []string
	times := map[string]fs.FileInfo{}
	require.NoError(t, filepath.WalkDir(p.root, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		target := filepath.Join(root, strings.TrimPrefix(path, p.root))
		info, err := d.Info()
		if err != nil {
			return err
		}
		if d.IsDir() {
			dirs = append(dirs, target)
			times[target] = info
			return os.MkdirAll(target, info.Mode().Perm())
		}
		data, err := os.ReadFile(path)
		if err == nil {
			err = os.WriteFile(target, data, info.Mode().Perm())
		}
		return errors.Join(err, os.Chtimes(target, info.ModTime(), info.ModTime()))
	}))
	for _, dir := range dirs {
		require.NoError(t, os.Chtimes(dir, times[dir].ModTime(), times[dir].ModTime()))
	}
	return project{t, root, filepath.Join(root, "project")}
}

func (p project) store() string { return filepath.Join(p.dir, ".claude", "ltm") }

// own returns the directory of the clone's own files.
func (p project) own() string {
	if p.inGit() {
		return filepath.Join(p.dir, ".git", "ltm")
	}
	return filepath.Join(p.store(), ".local")
}

func (p project) inGit() bool {
	_, err := os.Stat(filepath.Join(p.dir, ".git"))
	return err == nil
}

// person returns the directory of a person's files for all projects.
func (p project) person() string { return filepath.Join(p.root, "home", "ltm") }

// places returns the places of the files, for code that runs in this process.
func (p project) places() store.Places {
	return locate.Places(p.store(), p.person())
}

// env returns the environment of every program that runs in the project. The editor does not change
// a text.
func (p project) env() []string {
	home := filepath.Join(p.root, "home")
	env := []string{"HOME=" + home, "PATH=" + os.Getenv("PATH"), "TMPDIR=" + filepath.Join(p.root, "tmp"),
		"EDITOR=true", "LTM_USER_DIR=" + p.person()}
	if runtime.GOOS == "windows" {
		env = append(env, "SYSTEMROOT="+os.Getenv("SYSTEMROOT"), "USERPROFILE="+home)
	}
	return env
}

func (p project) command(stdin string, args ...string) command {
	return command{p.dir, p.env(), stdin, args}
}

func (c command) prepare(t *testing.T) (cmd *exec.Cmd, stdout, stderr *bytes.Buffer) {
	cmd = exec.Command(binary(t), c.args...)
	cmd.Dir, cmd.Env, cmd.Stdin = c.dir, c.env, strings.NewReader(c.stdin)
	stdout, stderr = new(bytes.Buffer), new(bytes.Buffer)
	cmd.Stdout, cmd.Stderr = stdout, stderr
	return cmd, stdout, stderr
}

// ran returns the result of a process that has ended.
func ran(cmd *exec.Cmd, stdout, stderr *bytes.Buffer) outcome {
	status := cmd.ProcessState.ExitCode()
	return outcome{status, status < 0, stdout.String(), stderr.String()}
}

// try runs the program to its end.
func (p project) try(stdin string, args ...string) outcome {
	cmd, stdout, stderr := p.command(stdin, args...).prepare(p.t)
	_ = cmd.Run() // ran returns the status
	return ran(cmd, stdout, stderr)
}

// run runs the program, which must succeed.
func (p project) run(stdin string, args ...string) string {
	p.t.Helper()
	o := p.try(stdin, args...)
	require.Zero(p.t, o.status, "ltm %v: %s", args, o.stderr)
	return o.stdout
}

// json runs the program and decodes its output, whatever its exit status.
func (p project) json(v any, args ...string) outcome {
	p.t.Helper()
	o := p.try("", append(args, "--json")...)
	require.NoError(p.t, json.Unmarshal([]byte(o.stdout), v), "ltm %v: %d %s", args, o.status, o.stderr)
	return o
}

// remember stores a memory and returns its id.
func (p project) remember(topic, content string, flags ...string) memory.ID {
	p.t.Helper()
	var r api.Receipt
	out := p.run(content, append([]string{"remember", topic, "-", "--json"}, flags...)...)
	require.NoError(p.t, json.Unmarshal([]byte(out), &r))
	return r.ID
}

// payload returns the input that the client gives a hook.
func payload(session, rest string) string {
	return fmt.Sprintf(`{"session_id":%q,%s}`, session, rest)
}

// long returns a text that every phase reduces.
func long(about string) string {
	return "The first paragraph is about " + about + ".\n\n- a key point of " + about + "\n- another one\n\n" +
		strings.Repeat("Detail of "+about+" that fades when the memory is reduced. ", 12)
}

// write writes a file of the project.
func (p project) write(name, text string) {
	p.t.Helper()
	path := filepath.Join(p.dir, filepath.FromSlash(name))
	require.NoError(p.t, os.MkdirAll(filepath.Dir(path), 0o755))
	require.NoError(p.t, os.WriteFile(path, []byte(text), 0o644))
}

// read reads a file of the project.
func (p project) read(name string) string {
	p.t.Helper()
	data, err := os.ReadFile(filepath.Join(p.dir, filepath.FromSlash(name)))
	require.NoError(p.t, err)
	return string(data)
}
