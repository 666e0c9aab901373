package hooks_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"ltm/clients"
)

// readInto decodes a file of the repository.
func readInto(t *testing.T, name string, v any) {
	t.Helper()
	data, err := os.ReadFile(filepath.Join("..", filepath.FromSlash(name)))
	require.NoError(t, err)
	require.NoError(t, json.Unmarshal(data, v), name)
}

// TestPluginsOfOtherClients compares the plugin for Codex and the extension for Gemini CLI with what the tables say,
// and their versions with that of Claude Code's plugin.
func TestPluginsOfOtherClients(t *testing.T) {
	type manifest struct{ Name, Version string }
	var plugin manifest
	readInto(t, ".claude-plugin/plugin.json", &plugin)
	for client, of := range map[string]struct {
		manifest, hooks, program string
		unit                     int
	}{
		"codex":  {".codex-plugin/plugin.json", ".codex-plugin/hooks.json", `"${CLAUDE_PLUGIN_ROOT}/bin/ltm"`, 1},
		"gemini": {"packaging/gemini/gemini-extension.json", "packaging/gemini/hooks/hooks.json", "ltm", 1000},
	} {
		var own manifest
		readInto(t, of.manifest, &own)
		require.Equal(t, plugin, own, client)
		var v struct {
			Hooks map[string][]struct {
				Hooks []struct {
					Type, Command string
					Timeout       int
				}
			}
		}
		readInto(t, of.hooks, &v)
		c, ok := clients.Named(client)
		require.True(t, ok)
		require.Len(t, v.Hooks, len(c.Events), client)
		for _, event := range c.Events {
			require.Len(t, v.Hooks[event.Name], 1, event.Name)
			hook := v.Hooks[event.Name][0].Hooks[0]
			require.Equal(t, of.program+" hook "+event.Name+" --client "+client, hook.Command)
			require.Equal(t, of.unit*event.Seconds, hook.Timeout, event.Name)
		}
	}
}
