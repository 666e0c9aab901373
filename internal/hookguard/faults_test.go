package hookguard_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"testing"

	"github.com/stretchr/testify/require"

	"ltm/internal/hookguard"
)

// built is the environment variable with the directory of the programs of testdata, for
// systems where the tests run without the go command. tools/emulate sets it.
const built = "LTM_TEST_HELPERS"

// outcome is how a program ended.
type outcome struct {
	status         int // -1: by a signal
	stdout, stderr string
}

// build makes the program of testdata/faults.
func build(t *testing.T, flags string) string {
	t.Helper()
	name := "faults"
	if flags != "" {
		name += "-linked"
	}
	if runtime.GOOS == "windows" {
		name += ".exe"
	}
	if dir := os.Getenv(built); dir != "" {
		return filepath.Join(dir, name)
	}
	path := filepath.Join(t.TempDir(), name)
	cmd := exec.Command("go", "build", "-ldflags", flags, "-o", path, "./testdata/faults")
	cmd.Env = append(os.Environ(), "CGO_ENABLED=0")
	out, err := cmd.CombinedOutput()
	require.NoError(t, err, "%s", out)
	return path
}

func flags(t *testing.T) string {
	t.Helper()
	f := hookguard.LinkFlags(runtime.GOOS, runtime.GOARCH)
	if f == "" {
		t.Skip("a program cannot be entered before the runtime on this system")
	}
	return f
}
