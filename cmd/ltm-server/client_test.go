package main

import (
	"bufio"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"
	"github.com/stretchr/testify/require"
)

// TestClient runs the scripts in which ltm works with this server, both in processes of their own.
func TestClient(t *testing.T) {
	bin := t.TempDir()
	build := exec.Command("go", "build", "-o", filepath.Join(bin, "ltm"+exeSuffix()), "ltm/cmd/ltm")
	out, err := build.CombinedOutput()
	require.NoError(t, err, "%s", out)
	testscript.Run(t, testscript.Params{
		Dir:                filepath.Join("testdata", "client"),
		RequireUniqueNames: true,
		Setup: func(env *testscript.Env) error {
			home := filepath.Join(env.WorkDir, "home")
			for _, name := range []string{"HOME", "USERPROFILE", "LOCALAPPDATA", "LTM_CONFIG_DIR"} {
				env.Setenv(name, home)
			}
			env.Setenv("GIT_CONFIG_GLOBAL", filepath.Join(env.WorkDir, "gitconfig"))
			env.Setenv("LTM", filepath.Join(bin, "ltm"+exeSuffix()))
			env.Setenv("PATH", bin+string(os.PathListSeparator)+env.Getenv("PATH"))
			return os.MkdirAll(home, 0o755)
		},
		Cmds: map[string]func(*testscript.TestScript, bool, []string){
			"serving": serveScript, "capture": capture, "device": signInByCode, "join": joinByLink,
		},
	})
}

func exeSuffix() string {
	if runtime.GOOS == "windows" {
		return ".exe"
	}
	return ""
}

// serveScript starts a server, which is stopped at the end of the script: serving DB ARGS. $SERVER is its
// address.
func serveScript(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) == 0 {
		ts.Fatalf("usage: serving DB ARGS")
	}
	p, err := launch(serving(ts.MkAbs(args[0]), args[1:]...)...)
	ts.Check(err)
	ts.Defer(p.kill)
	ts.Setenv("SERVER", p.url)
}

// capture sets a variable to the first match of an expression in a file, or of the group in it:
// capture NAME EXPRESSION FILE.
func capture(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 3 {
		ts.Fatalf("usage: capture NAME EXPRESSION FILE")
	}
	found := regexp.MustCompile(`(?m)` + args[1]).FindStringSubmatch(ts.ReadFile(args[2]))
	if found == nil {
		ts.Fatalf("no %s", args[1])
	}
	ts.Setenv(args[0], found[len(found)-1])
}

// joinByLink runs ltm join with the link in a file: join FILE ARGS.
func joinByLink(ts *testscript.TestScript, neg bool, args []string) {
	link := strings.TrimSpace(ts.ReadFile(args[0]))
	if err := ts.Exec("ltm", append([]string{"join", link}, args[1:]...)...); (err != nil) != neg {
		ts.Fatalf("join %s: %v", link, err)
	}
}

// signInByCode signs in without a token, and approves or denies the code that ltm shows:
// device DB ARGS of ltm-server approve.
func signInByCode(ts *testscript.TestScript, neg bool, args []string) {
	c := exec.Command(ts.Getenv("LTM"), "auth", ts.Getenv("SERVER"))
	c.Dir = ts.MkAbs(".")
	c.Env = append(os.Environ(), "HOME="+ts.Getenv("HOME"), "LTM_CONFIG_DIR="+ts.Getenv("LTM_CONFIG_DIR"),
		"LTM_TOKEN=", "LTM_HOST=")
	stderr, err := c.StderrPipe()
	ts.Check(err)
	ts.Check(c.Start())
	lines := bufio.NewScanner(stderr)
	var said strings.Builder
	for code := regexp.MustCompile(`enter the code ([A-Z0-9]{4}-[A-Z0-9]{4})`); lines.Scan(); {
		said.WriteString(lines.Text() + "\n")
		if found := code.FindStringSubmatch(lines.Text()); found != nil {
			approve := append([]string{"approve", found[1], "--db", ts.MkAbs(args[0])}, args[1:]...)
			ts.Check(ts.Exec("ltm-server", approve...))
		}
	}
	err = c.Wait()
	ts.Logf("%s", said.String())
	if (err != nil) != neg {
		ts.Fatalf("ltm auth: %v", err)
	}
}
