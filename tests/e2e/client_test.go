//go:build e2e

package e2e

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// versions are the releases of Claude Code that ltm is tested with: the last one whose npm package
// runs on Node 20, and the newest.
var versions = []string{"2.1.197", "2.1.332"}

// timeLimit bounds one run of the client, which usually takes about two seconds.
const timeLimit = 90 * time.Second

// platformPackage returns the npm package that contains the client for this machine.
func platformPackage() (string, error) {
	arch, ok := map[string]string{"amd64": "x64", "arm64": "arm64"}[runtime.GOARCH]
	if !ok || runtime.GOOS != "linux" && runtime.GOOS != "darwin" {
		return "", fmt.Errorf("claude code has no package for %s/%s", runtime.GOOS, runtime.GOARCH)
	}
	return "@anthropic-ai/claude-code-" + runtime.GOOS + "-" + arch, nil
}

// cacheFolder returns the directory of downloaded clients.
func cacheFolder() (string, error) {
	if dir := os.Getenv("LTM_E2E_CACHE"); dir != "" {
		return filepath.Abs(dir)
	}
	dir, err := os.UserCacheDir()
	return filepath.Join(dir, "ltm-e2e"), err
}

// clientPath returns the path of a version's binary, downloaded or not.
func clientPath(version string) (string, error) {
	pkg, err := platformPackage()
	if err != nil {
		return "", err
	}
	cache, err := cacheFolder()
	return filepath.Join(cache, version, "node_modules", filepath.FromSlash(pkg), "claude"), err
}

// install downloads a version with npm, unless it is in the cache. It downloads into a temporary
// directory first, so that an interrupted download does not look complete.
func install(version string) error {
	path, err := clientPath(version)
	if err != nil {
		return err
	}
	if _, err := os.Stat(path); err == nil {
		return nil
	}
	npm, err := exec.LookPath("npm")
	if err != nil {
		return errors.New("npm is not on PATH: install Node.js, or put the clients into $LTM_E2E_CACHE")
	}
	pkg, err := platformPackage()
	if err != nil {
		return err
	}
	cache, err := cacheFolder()
	if err != nil {
		return err
	}
	if err := os.MkdirAll(cache, 0o755); err != nil {
		return err
	}
	temp, err := os.MkdirTemp(cache, "."+version+"-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(temp)
	fmt.Fprintf(os.Stderr, "e2e: downloading %s@%s into %s\n", pkg, version, cache)
	cmd := exec.Command(npm, "install", "--no-audit", "--no-fund", "--prefix", temp, pkg+"@"+version)
	if out, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("npm install %s@%s: %w\n%s", pkg, version, err, out)
	}
	final := filepath.Join(cache, version)
	if err := os.RemoveAll(final); err != nil {
		return err
	}
	return os.Rename(temp, final)
}

// forEachVersion runs a test with every version of the client.
func forEachVersion(t *testing.T, test func(t *testing.T, p *project)) {
	t.Parallel()
	for _, version := range versions {
		t.Run(version, func(t *testing.T) {
			t.Parallel()
			test(t, newProject(t, version))
		})
	}
}

// output is the result of a run of the client.
type output struct {
	stdout, stderr string
	status         int
}

// run starts the client in dir and waits for it. After timeLimit it kills the client and its
// children.
func run(t *testing.T, version, dir string, env []string, args ...string) output {
	t.Helper()
	path, err := clientPath(version)
	require.NoError(t, err)
	var stdout, stderr bytes.Buffer
	cmd := exec.Command(path, args...)
	cmd.Dir, cmd.Env, cmd.Stdout, cmd.Stderr = dir, env, &stdout, &stderr
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	cmd.WaitDelay = 5 * time.Second
	require.NoError(t, cmd.Start())
	late := time.AfterFunc(timeLimit, func() { _ = syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) })
	err = cmd.Wait()
	inTime := late.Stop()
	out := output{stdout.String(), stderr.String(), cmd.ProcessState.ExitCode()}
	require.Truef(t, inTime, "claude %s took more than %s\n%s", strings.Join(args, " "), timeLimit, out)
	var failed *exec.ExitError
	if err != nil && !errors.As(err, &failed) {
		require.NoError(t, err, out)
	}
	return out
}

func (o output) String() string {
	return fmt.Sprintf("status %d\nstdout:\n%s\nstderr:\n%s", o.status, o.stdout, o.stderr)
}
