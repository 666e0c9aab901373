package setup_test

import (
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"ltm/setup"
)

// TestManagedSettings has what an administrator may set. The test of the same name in tests/e2e compares
// the client with it.
func TestManagedSettings(t *testing.T) {
	const hooks, server, plugin = "hooks", "server", "plugin"
	for _, tt := range []struct {
		name, settings, more string
		project              bool // hooks and server are registered in the project, without the plugin
		off                  map[string]string
	}{
		{name: "none"},
		{name: "others", settings: `{"model":"opus","disableAllHooks":"x"}`},
		{name: "no hooks", settings: `{"disableAllHooks":true}`, off: map[string]string{hooks: "disableAllHooks"}},
		{name: "no hooks, in a second file", settings: `{}`, more: `{"disableAllHooks":true}`,
			off: map[string]string{hooks: "more.json sets disableAllHooks"}},
		{name: "managed hooks", settings: `{"allowManagedHooksOnly":true}`,
			off: map[string]string{hooks: "allowManagedHooksOnly"}},
		{name: "those of a managed plugin", settings: `{"allowManagedHooksOnly":true}`,
			more: `{"enabledPlugins":{"ltm@here":true}}`},
		{name: "plugins only", settings: `{"strictPluginOnlyCustomization":true}`},
		{name: "plugins only, and there is none", settings: `{"strictPluginOnlyCustomization":true}`, project: true,
			off: map[string]string{hooks: "strictPluginOnly", server: "strictPluginOnly"}},
		{name: "plugins only, for servers", settings: `{"strictPluginOnlyCustomization":["mcp"]}`, project: true,
			off: map[string]string{server: "strictPluginOnly"}},
		{name: "no servers", settings: `{"allowedMcpServers":[]}`,
			off: map[string]string{server: "allowedMcpServers"}},
		{name: "a plugin's server has another name", settings: `{"allowedMcpServers":[{"serverName":"ltm"}]}`,
			off: map[string]string{server: "allowedMcpServers"}},
		{name: "the project's has this one", settings: `{"allowedMcpServers":[{"serverName":"ltm"}]}`, project: true},
		{name: "allowed by its program", settings: `{"allowedMcpServers":[]}`,
			more: `{"allowedMcpServers":[{"serverCommand":["plugin/bin/ltm","mcp"]}]}`},
		{name: "denied by name", settings: `{"deniedMcpServers":[{"serverName":"plugin:ltm:ltm"}]}`,
			off: map[string]string{server: "deniedMcpServers"}},
		{name: "denied by its program", settings: `{"deniedMcpServers":[{"serverCommand":["plugin/bin/ltm","mcp"]}]}`,
			off: map[string]string{server: "deniedMcpServers"}},
		{name: "another is denied", settings: `{"deniedMcpServers":[{"serverName":"ltm"}]}`},
		{name: "plugin off", settings: `{"enabledPlugins":{"ltm@here":false}}`,
			off: map[string]string{plugin: "enabledPlugins"}},
		{name: "no marketplace", settings: `{"strictKnownMarketplaces":[]}`,
			off: map[string]string{plugin: "strictKnownMarketplaces"}},
		{name: "blocked marketplaces", settings: `{"blockedMarketplaces":[{"source":"github","repo":"a/b"}]}`,
			off: map[string]string{plugin: "blockedMarketplaces"}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Chdir(t.TempDir()) // relative paths are the same on every machine
			p := newProject(t)
			dir := filepath.Join(p.dir, "managed")
			for name, text := range map[string]string{"managed-settings.json": tt.settings,
				"managed-settings.d/more.json": tt.more} {
				if text != "" {
					p.write("managed/"+name, []byte(text))
				}
			}
			w := setup.Where{Project: p.dir, Managed: dir}
			if tt.project {
				p.write(".mcp.json", []byte(`{"mcpServers":{"ltm":{"command":"ltm","args":["mcp"]}}}`))
			} else {
				w.PluginRoot = "plugin"
			}
			got := setup.Look(w)
			for what, why := range map[string]string{hooks: got.Managed.Hooks, server: got.Managed.Server,
				plugin: got.Managed.Plugin} {
				if tt.off[what] == "" {
					require.Empty(t, why, what)
				} else {
					require.Contains(t, why, tt.off[what])
					require.Contains(t, why, dir)
				}
			}
		})
	}
}

// TestManagedServersAreTheOnlyOnes has an administrator's file of servers.
func TestManagedServersAreTheOnlyOnes(t *testing.T) {
	p := newProject(t)
	dir := filepath.Join(p.dir, "managed")
	p.write("managed/managed-mcp.json", []byte(`{"mcpServers":{"other":{"command":"other"}}}`))
	require.Contains(t, setup.Look(setup.Where{Project: p.dir, Managed: dir}).Managed.Server, "managed-mcp.json")
	p.write("managed/managed-mcp.json", []byte(`{"mcpServers":{"ltm":{"command":"ltm","args":["mcp"]}}}`))
	require.Empty(t, setup.Look(setup.Where{Project: p.dir, Managed: dir}).Managed.Server)
}
