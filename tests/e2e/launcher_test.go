//go:build unix

package e2e_test

import (
	"bytes"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// The launcher is a shell script, which Windows cannot run.

// fakeGo is a compiler that makes a script which prints what it was built from, and logs each call.
const fakeGo = `#!/bin/sh
echo "built $*" >>"$GO_LOG"
while [ "$1" != -o ]; do shift; done
sleep 0.3
read -r source <main.go
[ "$source" != broken ] || exit 1
echo '#!/bin/sh
echo "'"$source"' $*"' >"$2"
chmod +x "$2"
`

// install is a plugin directory with the launcher, and a person's machine.
type install struct {
	t    *testing.T
	root string
	dir  string // the working directory; "": that of the tests
	env  map[string]string
}

func newInstall(t *testing.T) *install {
	t.Helper()
	top := t.TempDir()
	in := &install{t: t, root: filepath.Join(top, "plugin"), env: map[string]string{
		"PATH":               filepath.Join(top, "bin"),
		"HOME":               filepath.Join(top, "home"),
		"CLAUDE_PLUGIN_DATA": filepath.Join(top, "data"),
		"GO_LOG":             filepath.Join(top, "go.log"),
	}}
	launcher, err := os.ReadFile("../../bin/ltm")
	require.NoError(t, err)
	in.write(filepath.Join(in.root, "bin/ltm"), string(launcher))
	in.version("1.2.3")
	in.write(filepath.Join(in.root, "main.go"), "first\n")
	// Everything that the launcher needs from a system.
	for _, name := range []string{"sh", "cat", "cksum", "find", "ln", "mkdir", "mv", "readlink", "rm", "rmdir", "sleep",
		"sort", "tr", "xargs", "chmod"} {
		path, err := exec.LookPath(name)
		require.NoError(t, err)
		require.NoError(t, os.MkdirAll(in.env["PATH"], 0o755))
		require.NoError(t, os.Symlink(path, filepath.Join(in.env["PATH"], name)))
	}
	return in
}

func (in *install) write(path, content string) {
	in.t.Helper()
	require.NoError(in.t, os.MkdirAll(filepath.Dir(path), 0o755))
	require.NoError(in.t, os.WriteFile(path, []byte(content), 0o755))
}

func (in *install) version(v string) {
	in.t.Helper()
	in.write(filepath.Join(in.root, ".claude-plugin/plugin.json"), "{\n  \"name\": \"ltm\",\n  \"version\": \""+v+
		"\"\n}\n")
}

// binary writes an ltm that prints its name.
func (in *install) binary(path, name string) {
	in.t.Helper()
	in.write(path, "#!/bin/sh\n[ \"$1\" = version ] && echo \"ltm $ITS_VERSION\" && exit\necho \""+name+" $*\"\n")
}

func (in *install) withGo() { in.write(filepath.Join(in.env["PATH"], "go"), fakeGo) }

func (in *install) builds() int {
	raw, _ := os.ReadFile(in.env["GO_LOG"])
	return bytes.Count(raw, []byte("built"))
}

// run starts the launcher with a stdin that is neither written to nor closed.
func (in *install) run(args ...string) (stdout, stderr string, status int) {
	in.t.Helper()
	r, w, err := os.Pipe()
	require.NoError(in.t, err)
	defer r.Close()
	defer w.Close()
	var out, errs bytes.Buffer
	cmd := exec.Command(filepath.Join(in.root, "bin/ltm"), args...)
	cmd.Stdin, cmd.Stdout, cmd.Stderr, cmd.Env = r, &out, &errs, []string{}
	cmd.Dir = in.dir
	for name, value := range in.env {
		cmd.Env = append(cmd.Env, name+"="+value)
	}
	require.NoError(in.t, cmd.Start())
	late := time.AfterFunc(30*time.Second, func() { _ = cmd.Process.Kill() })
	defer late.Stop()
	err = cmd.Wait()
	var failed *exec.ExitError
	if err != nil && !errors.As(err, &failed) {
		require.NoError(in.t, err)
	}
	return out.String(), errs.String(), cmd.ProcessState.ExitCode()
}

func (in *install) prints(want string, args ...string) {
	in.t.Helper()
	stdout, stderr, status := in.run(args...)
	require.Equal(in.t, want+"\n", stdout, stderr)
	require.Zero(in.t, status)
}

func TestLauncherTakesTheFirstOfItsPlaces(t *testing.T) {
	in := newInstall(t)
	in.env["ITS_VERSION"] = "1.2.3"
	in.binary(filepath.Join(in.env["PATH"], "ltm"), "path")
	in.prints("path hook PostToolUse", "hook", "PostToolUse")
	in.prints("path mcp", "mcp")
	in.binary(filepath.Join(in.env["HOME"], ".claude/plugins/data/ltm-ltm/ltm-1.2.3"), "other data")
	in.prints("other data list", "list")
	in.binary(filepath.Join(in.env["CLAUDE_PLUGIN_DATA"], "ltm-1.2.3"), "data")
	in.prints("data hook PostToolUse", "hook", "PostToolUse")
	in.binary(filepath.Join(in.root, ".build/ltm"), "build")
	in.prints("build hook PostToolUse", "hook", "PostToolUse")
	in.env["LTM_BIN"] = filepath.Join(in.root, "mine")
	in.binary(in.env["LTM_BIN"], "mine")
	in.prints("mine hook PostToolUse", "hook", "PostToolUse")
	in.prints("mine remember a b", "remember", "a b")
}

// TestLauncherRunsNoProgramOfTheProject has programs of a repository first on the PATH, in each way in which a
// directory of it can be there.
func TestLauncherRunsNoProgramOfTheProject(t *testing.T) {
	for _, entry := range []string{".", "", "tools", "..", "PROJECT", "PROJECT/tools", "LINK"} {
		t.Run(entry, func(t *testing.T) {
			in := newInstall(t)
			in.env["ITS_VERSION"] = "1.2.3"
			project, sprung := t.TempDir(), filepath.Join(t.TempDir(), "sprung")
			in.dir = filepath.Join(project, "tools")
			require.NoError(t, os.Mkdir(filepath.Join(project, ".git"), 0o755))
			for _, dir := range []string{project, in.dir, filepath.Join(in.dir, "tools")} {
				for _, name := range []string{"ltm", "go", "readlink", "find", "cksum", "sort", "mkdir", "ln"} {
					in.write(filepath.Join(dir, name), "#!/bin/sh\necho $0 >>'"+sprung+"'\necho ltm 1.2.3\n")
				}
			}
			link := filepath.Join(t.TempDir(), "link")
			require.NoError(t, os.Symlink(in.dir, link))
			in.env["PATH"] = strings.NewReplacer("PROJECT", project, "LINK", link).Replace(entry) + ":" + in.env["PATH"]
			_, _, status := in.run("list")
			require.Equal(t, 1, status, "there is no other ltm")
			for _, args := range [][]string{{"hook", "SessionStart"}, {"mcp"}} {
				in.run(args...)
			}
			outside := strings.TrimPrefix(in.env["PATH"][strings.Index(in.env["PATH"], ":"):], ":")
			in.binary(filepath.Join(outside, "ltm"), "path $PATH")
			in.prints("path "+in.env["PATH"]+" list", "list")
			in.write(filepath.Join(outside, "go"), fakeGo)
			in.prints("first mcp", "mcp")
			raw, _ := os.ReadFile(sprung)
			require.Empty(t, string(raw), "programs of the project ran")
		})
	}
}

// TestLauncherRefusesProgramsThatTheProjectNames has the project's settings name a program of the project, in each
// variable that leads to one and in each way.
func TestLauncherRefusesProgramsThatTheProjectNames(t *testing.T) {
	for name, value := range map[string]string{
		"LTM_BIN":            "tools/ltm-1.2.3",
		"LTM_BIN ":           "./tools/ltm-1.2.3",
		"LTM_BIN below":      "PROJECT/tools/ltm-1.2.3",
		"LTM_BIN up":         "PROJECT/tools/../../shop/tools/ltm-1.2.3",
		"LTM_BIN directory":  "LINK/ltm-1.2.3",
		"LTM_BIN link":       "FILE",
		"CLAUDE_PLUGIN_DATA": "PROJECT/tools",
		"XDG_CACHE_HOME":     "PROJECT",
		"XDG_CACHE_HOME ":    ".",
		"HOME":               "PROJECT",
		"CLAUDE_CONFIG_DIR":  "PROJECT/config",
	} {
		t.Run(name, func(t *testing.T) {
			in := newInstall(t)
			project, elsewhere := filepath.Join(t.TempDir(), "shop"), t.TempDir()
			in.dir = project
			require.NoError(t, os.MkdirAll(filepath.Join(project, ".git"), 0o755))
			tools := filepath.Join(project, "tools")
			for _, dir := range []string{tools, filepath.Join(project, "ltm"), filepath.Join(project, ".cache/ltm"),
				filepath.Join(project, ".claude/plugins/data/ltm"), filepath.Join(project, "config/plugins/data/ltm")} {
				in.binary(filepath.Join(dir, "ltm-1.2.3"), "the project's")
			}
			link, file := filepath.Join(elsewhere, "link"), filepath.Join(elsewhere, "file")
			require.NoError(t, os.Symlink(tools, link))
			require.NoError(t, os.Symlink(filepath.Join(link, "ltm-1.2.3"), file))
			variable, _, _ := strings.Cut(name, " ")
			if variable != "CLAUDE_PLUGIN_DATA" && variable != "LTM_BIN" {
				delete(in.env, "CLAUDE_PLUGIN_DATA")
			}
			in.env[variable] = strings.NewReplacer("PROJECT", project, "LINK", link, "FILE", file).Replace(value)
			for want, args := range map[int][]string{0: {"hook", "PostToolUse"}, 1: {"list"}} {
				for _, dir := range []string{project, tools} {
					in.dir = dir
					if dir == tools && strings.HasSuffix(name, " ") {
						continue // from there it leads nowhere
					}
					stdout, stderr, status := in.run(args...)
					require.Empty(t, stdout)
					require.Equal(t, want, status)
					require.Equal(t, 1, strings.Count(stderr, "\n"), stderr)
				}
			}
		})
	}
}

// TestLauncherInItsOwnRepository runs programs of the project, which is the plugin itself.
func TestLauncherInItsOwnRepository(t *testing.T) {
	in := newInstall(t)
	in.dir = in.root
	require.NoError(t, os.Mkdir(filepath.Join(in.root, ".git"), 0o755))
	in.env["LTM_BIN"] = filepath.Join(in.root, "mine")
	in.binary(in.env["LTM_BIN"], "mine")
	in.prints("mine hook PostToolUse", "hook", "PostToolUse")
	in.env["CLAUDE_PROJECT_DIR"] = t.TempDir()
	in.prints("mine mcp", "mcp")
}

func TestLauncherIsFoundThroughLinks(t *testing.T) {
	in := newInstall(t)
	in.binary(filepath.Join(in.root, ".build/ltm"), "build")
	link := filepath.Join(t.TempDir(), "ltm")
	require.NoError(t, os.Symlink(filepath.Join(in.root, "bin/ltm"), link))
	cmd := exec.Command(link, "list")
	cmd.Env = []string{"PATH=" + in.env["PATH"]}
	out, err := cmd.CombinedOutput()
	require.NoError(t, err, string(out))
	require.Equal(t, "build list\n", string(out))
}

func TestLauncherTakesNoOtherVersion(t *testing.T) {
	in := newInstall(t)
	in.env["ITS_VERSION"] = "1.2.30"
	in.binary(filepath.Join(in.env["PATH"], "ltm"), "path")
	in.binary(filepath.Join(in.env["CLAUDE_PLUGIN_DATA"], "ltm-1.2.2"), "old")
	in.binary(filepath.Join(in.root, ".build/ltm"), "old")
	before := time.Now().Add(-time.Hour)
	require.NoError(t, os.Chtimes(filepath.Join(in.root, ".build/ltm"), before, before))
	_, stderr, status := in.run("list")
	require.Equal(t, 1, status)
	require.Contains(t, stderr, "1.2.3")
}

func TestLauncherWithoutBinaryBreaksNothing(t *testing.T) {
	in := newInstall(t)
	for _, event := range []string{"SessionStart", "PostToolUse", "SessionEnd"} {
		stdout, stderr, status := in.run("hook", event)
		require.Zero(t, status)
		require.Empty(t, stdout)
		require.Equal(t, 1, strings.Count(stderr, "\n"), stderr)
	}
	for _, args := range [][]string{{"mcp"}, {"list"}, nil} {
		stdout, stderr, status := in.run(args...)
		require.Equal(t, min(1, len(args)), status, "without arguments it may be a client that runs a hook")
		require.Empty(t, stdout)
		require.Contains(t, stderr, "install Go")
	}
	in.env["LTM_BIN"] = "/nowhere/ltm"
	_, stderr, status := in.run("hook", "PostToolUse")
	require.Zero(t, status)
	require.Contains(t, stderr, "LTM_BIN")
	require.NoDirExists(t, in.env["CLAUDE_PLUGIN_DATA"])
}

func TestLauncherBuildsOnceForServersAtOnce(t *testing.T) {
	in := newInstall(t)
	in.withGo()
	var wg sync.WaitGroup
	for range 6 {
		wg.Go(func() {
			stdout, stderr, _ := in.run("mcp")
			if stdout != "first mcp\n" {
				t.Errorf("stdout %q, stderr %q", stdout, stderr)
			}
		})
	}
	wg.Wait()
	require.Equal(t, 1, in.builds())
	in.prints("first hook PostToolUse", "hook", "PostToolUse")
	in.prints("first mcp", "mcp")
	require.Equal(t, 1, in.builds())
}

func TestLauncherBuildsAnewWhenTheSourcesDiffer(t *testing.T) {
	in := newInstall(t)
	in.withGo()
	in.prints("first mcp", "mcp")
	in.write(filepath.Join(in.root, "main.go"), "second\n")
	in.prints("first hook PostToolUse", "hook", "PostToolUse")
	in.prints("second mcp", "mcp")
	in.prints("second hook PostToolUse", "hook", "PostToolUse")
	require.Equal(t, 2, in.builds())

	in.version("1.2.4")
	stdout, _, status := in.run("hook", "PostToolUse")
	require.Zero(t, status)
	require.Empty(t, stdout, "a binary of the older version was used")
	in.prints("second mcp", "mcp")
	require.Equal(t, 3, in.builds())

	// A version that was built before is not built again.
	in.version("1.2.3")
	in.write(filepath.Join(in.root, "main.go"), "first\n")
	in.prints("first mcp", "mcp")
	in.prints("first hook PostToolUse", "hook", "PostToolUse")
	require.Equal(t, 3, in.builds())
}

// TestLauncherBuildsAnewWhenAnEmbeddedFileDiffers covers what ltm embeds, apart from the plugin's own files.
func TestLauncherBuildsAnewWhenAnEmbeddedFileDiffers(t *testing.T) {
	list := exec.Command("go", "list", "-deps", "-f",
		`{{if .Module}}{{if .Module.Main}}{{range .EmbedFiles}}{{$.Dir}}/{{.}} {{end}}{{end}}{{end}}`, "ltm/cmd/ltm")
	out, err := list.Output()
	require.NoError(t, err)
	root, err := filepath.Abs("../..")
	require.NoError(t, err)
	in := newInstall(t)
	in.withGo()
	in.prints("first mcp", "mcp")
	builds := 1
	for _, path := range strings.Fields(string(out)) {
		rel, err := filepath.Rel(root, path)
		require.NoError(t, err)
		if dir := filepath.Dir(rel); dir == "commands" || strings.HasPrefix(rel, ".") {
			continue
		}
		in.write(filepath.Join(in.root, rel), "another text\n")
		in.prints("first mcp", "mcp")
		builds++
		require.Equal(t, builds, in.builds(), "%s is new", rel)
	}
	require.Greater(t, builds, 5)
}

// TestLauncherWithoutAManifest checks that the shell's own error names what is missing.
func TestLauncherWithoutAManifest(t *testing.T) {
	in := newInstall(t)
	require.NoError(t, os.Remove(filepath.Join(in.root, ".claude-plugin/plugin.json")))
	_, stderr, status := in.run("hook", "SessionStart")
	require.Equal(t, 1, status)
	require.Equal(t, 1, strings.Count(stderr, "\n"), stderr)
}

func TestLauncherHookDoesNotWaitForTheBuild(t *testing.T) {
	in := newInstall(t)
	in.withGo()
	stdout, stderr, status := in.run("hook", "SessionStart")
	require.Zero(t, status)
	require.Empty(t, stdout)
	require.Contains(t, stderr, "building")
	require.Eventually(t, func() bool {
		stdout, _, _ := in.run("hook", "PostToolUse")
		return stdout == "first hook PostToolUse\n"
	}, 20*time.Second, 50*time.Millisecond)
	require.Equal(t, 1, in.builds())
}

func TestLauncherTellsOfAFailedBuild(t *testing.T) {
	in := newInstall(t)
	in.withGo()
	in.write(filepath.Join(in.root, "main.go"), "broken\n")
	_, stderr, status := in.run("mcp")
	require.Equal(t, 1, status)
	require.Contains(t, stderr, filepath.Join(in.env["CLAUDE_PLUGIN_DATA"], "build.log"))
	in.write(filepath.Join(in.root, "main.go"), "mended\n")
	in.prints("mended mcp", "mcp")
}

func TestLauncherTakesOverFromAKilledBuild(t *testing.T) {
	in := newInstall(t)
	in.withGo()
	ended := exec.Command("true")
	require.NoError(t, ended.Run())
	in.write(filepath.Join(in.env["CLAUDE_PLUGIN_DATA"], "build.lock/pid"), strconv.Itoa(ended.Process.Pid)+"\n")
	in.prints("first mcp", "mcp")
	require.NoDirExists(t, filepath.Join(in.env["CLAUDE_PLUGIN_DATA"], "build.lock"))
}
