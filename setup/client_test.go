package setup_test

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"ltm/setup"
)

// TestPlugin finds out whether the plugin is active, and where it is, by what versions of the client write.
func TestPlugin(t *testing.T) {
	const user, shared, local, installed = "home/settings.json", ".claude/settings.json", ".claude/settings.local.json",
		"home/plugins/installed_plugins.json"
	enabled := `{"enabledPlugins":{"ltm@shop":true}}`
	for _, tt := range []struct {
		name  string
		files map[string]string
		where setup.Where
		want  *setup.Plugin
	}{
		{name: "nothing"},
		{name: "enabled by the user", files: map[string]string{user: enabled},
			want: &setup.Plugin{Why: "~/.claude/settings.json enables ltm@shop"}},
		{name: "enabled by the team", files: map[string]string{shared: enabled},
			want: &setup.Plugin{Why: ".claude/settings.json enables ltm@shop"}},
		{name: "with a byte order mark", files: map[string]string{shared: "\xef\xbb\xbf" + enabled},
			want: &setup.Plugin{Why: ".claude/settings.json enables ltm@shop"}},
		{name: "with a list of versions", files: map[string]string{shared: `{"enabledPlugins":{"ltm@shop":["1.x"]}}`},
			want: &setup.Plugin{Why: ".claude/settings.json enables ltm@shop"}},
		{name: "disabled for this machine",
			files: map[string]string{user: enabled, local: `{"enabledPlugins":{"ltm@shop":false}}`}},
		{name: "null", files: map[string]string{user: `{"enabledPlugins":{"ltm@shop":null}}`}},
		{name: "another plugin", files: map[string]string{user: `{"enabledPlugins":{"altm@shop":true}}`}},
		{name: "of another type", files: map[string]string{user: `{"enabledPlugins":["ltm@shop"]}`}},
		{name: "installed, an object",
			files: map[string]string{user: enabled, installed: `{"plugins":{"ltm@shop":{"installPath":"/p"}}}`},
			want:  &setup.Plugin{Why: "~/.claude/settings.json enables ltm@shop", Root: "/p"}},
		{name: "installed, a list", files: map[string]string{user: enabled,
			installed: `{"version":2,"plugins":{"ltm@shop":[{"installPath":"/old"},{"installPath":"/p"}]}}`},
			want: &setup.Plugin{Why: "~/.claude/settings.json enables ltm@shop", Root: "/p"}},
		{name: "installed, an empty list",
			files: map[string]string{user: enabled, installed: `{"plugins":{"ltm@shop":[]}}`},
			want:  &setup.Plugin{Why: "~/.claude/settings.json enables ltm@shop"}},
		{name: "on the PATH", where: setup.Where{PathPlugin: "plugin"},
			want: &setup.Plugin{Why: "its bin folder is on the PATH", Root: "plugin", Version: "1.2.3"}},
		{name: "by the environment", where: setup.Where{PluginRoot: "plugin"},
			want: &setup.Plugin{Why: "CLAUDE_PLUGIN_ROOT is set", Root: "plugin", Version: "1.2.3"}},
		{name: "another plugin's environment", where: setup.Where{PluginRoot: "other"}},
		{name: "enabled and by the environment", files: map[string]string{user: enabled},
			where: setup.Where{PluginRoot: "plugin"},
			want:  &setup.Plugin{Why: "~/.claude/settings.json enables ltm@shop", Root: "plugin", Version: "1.2.3"}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			p := newProject(t)
			p.write("plugin/.claude-plugin/plugin.json", []byte(`{"name":"ltm","version":"1.2.3"}`))
			p.write("other/.claude-plugin/plugin.json", []byte(`{"name":"other","version":"9"}`))
			for name, text := range tt.files {
				p.write(name, []byte(text))
			}
			w := setup.Where{Project: p.dir, Config: filepath.Join(p.dir, "home")}
			if tt.where.PathPlugin != "" {
				w.PathPlugin = filepath.Join(p.dir, tt.where.PathPlugin)
			}
			if tt.where.PluginRoot != "" {
				w.PluginRoot = filepath.Join(p.dir, tt.where.PluginRoot)
			}
			got := setup.Look(w)
			require.Empty(t, got.Problems)
			if tt.want != nil && tt.want.Version != "" {
				tt.want.Root = filepath.Join(p.dir, tt.want.Root)
			}
			require.Equal(t, tt.want, got.Plugin)
		})
	}
}

// TestRegistrations finds hooks and servers where a client keeps them, and names files that it cannot understand.
func TestRegistrations(t *testing.T) {
	hook := `{"hooks":{"Stop":[{"hooks":[{"type":"command","command":"/b/ltm hook Stop"}]}],` +
		`"Start":[{"hooks":[{"type":"command","command":"/a/ltm","args":["hook","Start"]},{"type":"command",` +
		`"command":"x"}]}]}}`
	server := `{"mcpServers":{"ltm":{"command":"ltm","args":["mcp"]}}}`
	for _, tt := range []struct {
		name, file, text string
		hooks, servers   []setup.Registration
		disabled         string
		problems         []string
	}{
		{name: "hooks of the user", file: "home/settings.json", text: hook, hooks: []setup.Registration{
			{Place: "~/.claude/settings.json", Events: []string{"Start", "Stop"},
				Commands: []string{"/a/ltm", "/b/ltm"}}}},
		{name: "hooks that are off", file: ".claude/settings.json", text: `{"disableAllHooks":true}`,
			disabled: ".claude/settings.json"},
		{name: "hooks of another type", file: "home/settings.json",
			text: `{"hooks":{"Stop":[{"hooks":[{"type":"prompt","command":"ltm hook Stop"}]}]}}`},
		{name: "a server of the project", file: ".mcp.json", text: server,
			servers: []setup.Registration{{Place: ".mcp.json", Commands: []string{"ltm"}}}},
		{name: "a server of that name", file: ".mcp.json", text: `{"mcpServers":{"ltm":{"command":"x"}}}`,
			servers: []setup.Registration{{Place: ".mcp.json", Commands: []string{"x"}, Taken: true}}},
		{name: "a server of the user", file: "home.json", text: server,
			servers: []setup.Registration{{Place: "~/.claude.json", Commands: []string{"ltm"}}}},
		{name: "a server of the user for this project", file: "home.json", text: `{"projects":{` +
			`"PROJECT":` + server + `}}`,
			servers: []setup.Registration{{Place: "~/.claude.json (for this project)", Commands: []string{"ltm"}}}},
		{name: "a server for another project", file: "home.json", text: `{"projects":{"/elsewhere":` + server + `}}`},
		{name: "no servers", file: "home.json", text: `{"mcpServers":null}`},
		{name: "broken settings", file: ".claude/settings.json", text: "{\n,}",
			problems: []string{".claude/settings.json, line 2: invalid character ',' looking for beginning of " +
				"object key string"}},
		{name: "broken servers", file: ".mcp.json", text: `{"mcpServers":7}`,
			problems: []string{`.mcp.json, line 1: "mcpServers" is not an object`}},
		{name: "broken user's file", file: "home.json", text: "[]",
			problems: []string{"~/.claude.json: json: cannot unmarshal array into Go value of type struct"}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			p := newProject(t)
			text := strings.ReplaceAll(tt.text, "PROJECT", filepath.ToSlash(p.dir))
			p.write(tt.file, []byte(text))
			got := setup.Look(setup.Where{Project: p.dir, Config: filepath.Join(p.dir, "home"),
				UserFile: filepath.Join(p.dir, "home.json")})
			require.Equal(t, tt.hooks, got.Hooks)
			require.Equal(t, tt.servers, got.Servers)
			require.Equal(t, tt.disabled, got.Disabled)
			require.Len(t, got.Problems, len(tt.problems))
			for i, want := range tt.problems {
				require.Contains(t, got.Problems[i], want)
			}
		})
	}
}
