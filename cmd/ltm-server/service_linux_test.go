package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// packaged reads a file that is installed with the program.
func packaged(t *testing.T, name string) string {
	t.Helper()
	data, err := os.ReadFile(filepath.Join("..", "..", "packaging", "systemd", name))
	require.NoError(t, err)
	return string(data)
}

// TestServiceNamesRealOptions compares the variables in the unit and its environment with the
// options.
func TestServiceNamesRealOptions(t *testing.T) {
	known := map[string]bool{}
	for _, from := range origins() {
		known[from.variable] = true
		if from.secret {
			known[from.variable+"_FILE"] = true
		}
	}
	found := 0
	for _, name := range []string{"ltm-server.service", "ltm-server-backup.service", "ltm-server.env"} {
		for _, m := range regexp.MustCompile(`(LTM_[A-Z_]+)=`).FindAllStringSubmatch(packaged(t, name), -1) {
			require.True(t, known[m[1]], "%s names %s, which is not an option", name, m[1])
			found++
		}
	}
	require.Greater(t, found, 5)
}

// TestServiceHasTheManualsUser holds the unit to the user and the directory that docs/server.md makes. With
// a dynamic user, systemd moves the directory to where only root can look.
func TestServiceHasTheManualsUser(t *testing.T) {
	for _, name := range []string{"ltm-server.service", "ltm-server-backup.service"} {
		unit := packaged(t, name)
		require.NotRegexp(t, `(?m)^DynamicUser=`, unit)
		require.Regexp(t, `(?m)^User=ltm-server$`, unit)
		require.Regexp(t, `(?m)^StateDirectory=ltm-server( ltm-server/backups)?$`, unit)
	}
	manual := manualText(t)
	require.Contains(t, manual, "--home-dir /var/lib/ltm-server --shell /usr/sbin/nologin ltm-server\n")
	require.Contains(t, manual, "sudo -u ltm-server ltm-server backup /var/lib/ltm-server/")
}

// TestServiceIsValid has systemd check the units, with the path of a program that is there. Without systemd it
// is skipped, or fails if LTM_REQUIRE_SYSTEMD is 1.
func TestServiceIsValid(t *testing.T) {
	analyze, err := exec.LookPath("systemd-analyze")
	if err != nil {
		require.NotEqual(t, "1", os.Getenv("LTM_REQUIRE_SYSTEMD"), "systemd-analyze is not installed")
		t.Skip("systemd is not installed")
	}
	self, err := os.Executable()
	require.NoError(t, err)
	dir := t.TempDir()
	for _, name := range []string{"ltm-server.service", "ltm-server-backup.service", "ltm-server-backup.timer"} {
		text := strings.ReplaceAll(packaged(t, name), "/usr/local/bin/ltm-server", self)
		require.NoError(t, os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644))
	}
	for _, name := range []string{"ltm-server.service", "ltm-server-backup.service", "ltm-server-backup.timer"} {
		unit := filepath.Join(dir, name)
		out, err := exec.Command(analyze, "verify", "--man=no", unit).CombinedOutput()
		require.NoError(t, err, "%s", out)
		require.NotContains(t, string(out), name, "a warning about the unit")
		if strings.HasSuffix(name, ".service") {
			requireConfined(t, analyze, unit)
		}
	}
}

// requireConfined has systemd rate what a unit may do.
func requireConfined(t *testing.T, analyze, unit string) {
	t.Helper()
	out, err := exec.Command(analyze, "security", "--offline=true", "--no-pager", unit).CombinedOutput()
	require.NoError(t, err, "%s", out)
	level := regexp.MustCompile(`Overall exposure level for \S+: (\d+\.\d)`).FindStringSubmatch(string(out))
	require.NotNil(t, level, "%s", out)
	require.Less(t, level[1], "2.0", "of 10.0; what is open is marked:\n%s", out)
}
