//go:build e2e

package e2e

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// managed runs a program where the machine's administrator has these settings of the client.
func (p *project) managed(settings string, env []string, argv ...string) (string, error) {
	p.t.Helper()
	dir := filepath.Join(p.home, "claude-code")
	require.NoError(p.t, os.MkdirAll(dir, 0o755))
	require.NoError(p.t, os.WriteFile(filepath.Join(dir, "managed-settings.json"), []byte(settings), 0o644))
	// Other tests run in this namespace at the same time.
	const script = `mkdir -p "$1/etc" && cp -a /etc/. "$1/etc" && cp -a "$1/claude-code" "$1/etc" && ` +
		`mount --bind "$1/etc" /etc && shift && exec "$@"`
	cmd := exec.Command("unshare", append([]string{"-m", "sh", "-c", script, "sh", p.home}, argv...)...)
	cmd.Dir, cmd.Env = p.dir, env
	out, err := cmd.CombinedOutput()
	return string(out), err
}

// TestManagedSettings compares what doctor says of an administrator's settings with what the client does.
func TestManagedSettings(t *testing.T) {
	if os.Getuid() != 0 {
		t.Skip("only root can have other settings for a single process")
	}
	forEachVersion(t, func(t *testing.T, p *project) {
		p.claude("keep that", tool("store_memory", pool))
		program := `[{"serverCommand":["` + p.plugin + `/bin/ltm","mcp"]}]`
		for settings, works := range map[string]struct{ hooks, server bool }{
			`{"disableAllHooks":true}`:                                    {false, true},
			`{"allowManagedHooksOnly":true}`:                              {false, true},
			`{"strictPluginOnlyCustomization":true}`:                      {true, true},
			`{"strictKnownMarketplaces":[]}`:                              {true, true},
			`{"allowedMcpServers":[{"serverName":"ltm"}]}`:                {true, false},
			`{"allowedMcpServers":` + program + `}`:                       {true, true},
			`{"deniedMcpServers":[{"serverName":"ltm"}]}`:                 {true, true},
			`{"deniedMcpServers":[{"serverName":"plugin:ltm:ltm"}]}`:      {true, false},
			`{"deniedMcpServers":` + program + `,"disableAllHooks":true}`: {false, false},
		} {
			a := newAPI(t, []step{text("ok")})
			client, err := clientPath(p.version)
			require.NoError(t, err)
			argv := append([]string{client}, p.begin("hello")...)
			out, err := p.managed(settings, p.environment(a.URL),
				append(argv, "--dangerously-skip-permissions", "--plugin-dir", p.plugin)...)
			require.NoError(t, err, out)
			a.mu.Lock()
			first := a.requests[0]
			a.mu.Unlock()
			require.Equal(t, works.hooks, contextBlock(t, first) != "", settings)
			named := first.seen() + strings.Join(first.toolNames(), " ")
			require.Equal(t, works.server, strings.Contains(named, "mcp__plugin_ltm_ltm__recall"), settings)

			env := append(p.environment(a.URL), "CLAUDE_PLUGIN_ROOT="+p.plugin)
			said, _ := p.managed(settings, env, os.Getenv(binaryEnv), "doctor")
			const file = ".*/etc/claude-code/managed-settings.json sets "
			require.Equal(t, !works.hooks, regexp.MustCompile("fail +hooks "+file).MatchString(said), said)
			require.Equal(t, !works.server, regexp.MustCompile("fail +server "+file).MatchString(said), said)
			require.Equal(t, strings.Contains(settings, "Marketplaces"),
				regexp.MustCompile("warn +settings "+file).MatchString(said), said)
		}
	})
}
