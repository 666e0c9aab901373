//go:build e2e

package e2e

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// TestManifestsAreValid holds the plugin to the strictest checks of the newest client, those of the
// directory of plugins included. 2.1.197 knows nothing of hosts: it warns, and loads the plugin all the same.
func TestManifestsAreValid(t *testing.T) {
	forEachVersion(t, func(t *testing.T, p *project) {
		directory := []string{"--strict", "--profile", "directory"}
		for path, checks := range map[string][]string{"": directory, ".claude-plugin/plugin.json": directory,
			".claude-plugin/marketplace.json": {"--strict"}} {
			if p.version == versions[0] {
				checks = nil
			}
			out := run(t, p.version, p.dir, p.environment("http://127.0.0.1:1"),
				append([]string{"plugin", "validate", filepath.Join(repository(t), path)}, checks...)...)
			require.Zero(t, out.status, out)
			require.Contains(t, out.stdout, "Validation passed")
			require.LessOrEqual(t, strings.Count(out.stdout, "Unknown field"), 1, "that of the hosts")
		}
	})
	icon, err := os.Stat(filepath.Join(repository(t), ".claude-plugin/icon.png"))
	require.NoError(t, err)
	require.Less(t, icon.Size(), int64(60<<10), "every installation copies it")
}

func TestPluginAndBinaryAreOfOneVersion(t *testing.T) {
	raw, err := os.ReadFile(filepath.Join(repository(t), ".claude-plugin/plugin.json"))
	require.NoError(t, err)
	var manifest struct{ Version string }
	require.NoError(t, json.Unmarshal(raw, &manifest))
	out, err := exec.Command(os.Getenv(binaryEnv), "version").Output()
	require.NoError(t, err)
	require.Equal(t, "ltm "+manifest.Version+"\n", string(out), "the launcher starts no other version")
}

// checkout copies what git would track of this repository, which is what the client installs: it
// contains no binary.
func checkout(t *testing.T) string {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "checkout")
	list := exec.Command("git", "ls-files", "-z", "--cached", "--others", "--exclude-standard")
	list.Dir = repository(t)
	out, err := list.Output()
	require.NoError(t, err)
	for name := range strings.SplitSeq(strings.Trim(string(out), "\x00"), "\x00") {
		from, to := filepath.Join(list.Dir, name), filepath.Join(dir, name)
		info, err := os.Stat(from)
		if os.IsNotExist(err) {
			continue // removed, but still in git's index
		}
		require.NoError(t, err)
		raw, err := os.ReadFile(from)
		require.NoError(t, err)
		require.NoError(t, os.MkdirAll(filepath.Dir(to), 0o755))
		require.NoError(t, os.WriteFile(to, raw, info.Mode().Perm()))
	}
	return dir
}

// goEnvironment lets Go build offline with an empty HOME.
func goEnvironment(t *testing.T) []string {
	t.Helper()
	env := []string{"GOPROXY=off", "GOTOOLCHAIN=local"}
	for _, name := range []string{"GOMODCACHE", "GOCACHE"} {
		out, err := exec.Command("go", "env", name).Output()
		require.NoError(t, err)
		env = append(env, name+"="+strings.TrimSpace(string(out)))
	}
	return env
}

func TestInstalledPluginBuildsItself(t *testing.T) {
	forEachVersion(t, func(t *testing.T, p *project) {
		p.plugin, p.env = "", goEnvironment(t)
		for _, args := range [][]string{
			{"plugin", "marketplace", "add", checkout(t)},
			{"plugin", "install", "ltm@ltm"},
		} {
			out := run(t, p.version, p.dir, p.environment("http://127.0.0.1:1"), args...)
			require.Zero(t, out.status, out)
		}
		// A session that starts before the binary is built works without it.
		p.env = append(p.env, "MCP_CONNECTION_NONBLOCKING=1")
		require.Equal(t, "hello\n", p.claude("hello", text("hello")).output.stdout)
		built := filepath.Join(p.home, ".claude/plugins/data/ltm-ltm/ltm-0.1.0")
		require.Eventually(t, func() bool {
			_, err := os.Stat(built)
			return err == nil
		}, 3*time.Minute, 100*time.Millisecond)

		p.env = p.env[:len(p.env)-1]
		p.claude("keep that", tool("store_memory", pool)).ok(0)
		next := p.claude("go on", bash("ltm list"))
		require.Contains(t, contextBlock(t, next.first()), "Connection pool exhausted under load")
		content, isError := next.result(0)
		require.False(t, isError, content)
		require.Contains(t, content, "Connection pool exhausted under load")
	})
}

func TestPluginWithoutBinaryBreaksNoSession(t *testing.T) {
	forEachVersion(t, func(t *testing.T, p *project) {
		p.plugin = checkout(t)
		// If Go is installed anyway, it finds no modules.
		p.env = []string{"PATH=/usr/bin:/bin", "GOPROXY=off", "GOFLAGS=-mod=mod"}
		s := p.claude("work", bash("seq 1 100000"), bash("false"), text("end"))
		require.Equal(t, "end\n", s.output.stdout)
		require.Len(t, s.requests, 3)
		require.NotContains(t, s.last().conversation(), "hook error")
		require.Empty(t, p.git("status", "--short"))
	})
}
