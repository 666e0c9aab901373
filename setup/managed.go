package setup

import (
	"encoding/json"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
)

// ManagedDir returns the directory in which the client looks for the settings of the machine's
// administrator, which come before all others.
func ManagedDir() string {
	switch runtime.GOOS {
	case "darwin":
		return "/Library/Application Support/ClaudeCode"
	case "windows":
		return `C:\Program Files\ClaudeCode`
	}
	return "/etc/claude-code"
}

// Managed is what the administrator's settings switch off: the file and the setting that does it, for people, or "".
type Managed struct {
	Hooks, Server, Plugin string
}

// managedSettings are those of an administrator that concern ltm.
type managedSettings struct {
	place string

	DisableAllHooks       bool                       `json:"disableAllHooks"`
	OnlyManagedHooks      bool                       `json:"allowManagedHooksOnly"`
	OnlyPlugins           json.RawMessage            `json:"strictPluginOnlyCustomization"` // true, or a list of what
	Plugins               map[string]json.RawMessage `json:"enabledPlugins"`
	Allowed               *[]serverMatch             `json:"allowedMcpServers"`
	Denied                []serverMatch              `json:"deniedMcpServers"`
	Marketplaces          *[]json.RawMessage         `json:"strictKnownMarketplaces"`
	MarketplacesByAlias   *[]json.RawMessage         `json:"allowedMarketplaces"`
	ForbiddenMarketplaces []json.RawMessage          `json:"blockedMarketplaces"`
}

// serverMatch names servers: by name, or by the program and its arguments.
type serverMatch struct {
	Name    string   `json:"serverName"`
	Command []string `json:"serverCommand"`
}

// managed reads the administrator's settings. It returns what they say of plugins in enabled.
func (c *Client) managed(dir string, enabled map[string]string) []managedSettings {
	if dir == "" {
		return nil
	}
	files := []string{filepath.Join(dir, "managed-settings.json")}
	more, _ := filepath.Glob(filepath.Join(dir, "managed-settings.d", "*.json")) // sorted
	var all []managedSettings
	for _, path := range append(files, more...) {
		data := c.read(path, path)
		if data == nil {
			continue
		}
		c.settings(path, data, enabled)
		s := managedSettings{place: path}
		_ = json.Unmarshal(trimMark(data), &s) // settings says of an error; a value of another type is ignored
		all = append(all, s)
	}
	return all
}

// judge notes what the administrator's settings switch off, once all that is registered is known.
func (c *Client) judge(dir string, all []managedSettings) {
	if dir == "" {
		return
	}
	of := func(s managedSettings, setting string) string { return s.place + " sets " + setting }
	trusted := slices.ContainsFunc(all, func(s managedSettings) bool {
		return slices.ContainsFunc(pluginsOf(s), func(on bool) bool { return on })
	}) || slices.ContainsFunc(c.Hooks, func(r Registration) bool { return strings.HasPrefix(r.Place, dir) })
	var allowed []serverMatch // the lists of all files together
	for _, s := range all {
		if s.Allowed != nil {
			allowed = append(allowed, *s.Allowed...)
		}
	}
	ours := c.serverMatches()
	for _, s := range all {
		switch {
		case s.DisableAllHooks:
			c.Managed.Hooks = of(s, "disableAllHooks")
		case s.OnlyManagedHooks && !trusted:
			c.Managed.Hooks = of(s, "allowManagedHooksOnly")
		case s.onlyPlugins("hooks") && c.Plugin == nil:
			c.Managed.Hooks = of(s, "strictPluginOnlyCustomization")
		}
		switch {
		case len(s.Denied) > 0 && every(ours, s.Denied, true):
			c.Managed.Server = of(s, "deniedMcpServers")
		case s.Allowed != nil && every(ours, allowed, false):
			c.Managed.Server = of(s, "allowedMcpServers")
		case s.onlyPlugins("mcp") && c.Plugin == nil:
			c.Managed.Server = of(s, "strictPluginOnlyCustomization")
		}
		switch {
		case slices.Contains(pluginsOf(s), false):
			c.Managed.Plugin = of(s, "enabledPlugins, which switches ltm's off")
		case s.Marketplaces != nil || s.MarketplacesByAlias != nil:
			c.Managed.Plugin = of(s, "strictKnownMarketplaces: plugins come from those alone")
		case len(s.ForbiddenMarketplaces) > 0:
			c.Managed.Plugin = of(s, "blockedMarketplaces: plugins come from none of those")
		}
	}
	exclusive := filepath.Join(dir, "managed-mcp.json")
	if _, err := os.Stat(exclusive); err == nil && c.Managed.Server == "" {
		if _, at, _, err := claudeServer().find(exclusive, c.read(exclusive, exclusive)); err == nil && at < 0 {
			c.Managed.Server = exclusive + " has the only servers that start"
		}
	}
}

// pluginsOf returns whether settings switch ltm's plugin on or off, for each marketplace that they name.
func pluginsOf(s managedSettings) (on []bool) {
	for name, value := range s.Plugins {
		if strings.HasPrefix(name, "ltm@") {
			on = append(on, string(value) != "false")
		}
	}
	return on
}

// onlyPlugins reports whether only plugins may bring something of a kind.
func (s managedSettings) onlyPlugins(kind string) bool {
	var kinds []string
	_ = json.Unmarshal(s.OnlyPlugins, &kinds)
	return string(s.OnlyPlugins) == "true" || slices.Contains(kinds, kind)
}

// serverMatches returns by what the registered servers of ltm are known to the client. A server of a
// plugin has a name that no list of allowed ones can have.
func (c *Client) serverMatches() []serverMatch {
	var all []serverMatch
	if p := c.Plugin; p != nil { // .mcp.json has a slash there, on every system
		all = append(all, serverMatch{"plugin:ltm:ltm", []string{p.Root + "/bin/ltm", "mcp"}})
	}
	for _, r := range c.Servers {
		if !r.Taken {
			all = append(all, serverMatch{"ltm", append(slices.Clone(r.Commands), "mcp")})
		}
	}
	if len(all) == 0 {
		all = append(all, serverMatch{Name: "ltm"})
	}
	return all
}

// every reports whether all servers are in a list, or all are not.
func every(servers, list []serverMatch, listed bool) bool {
	return !slices.ContainsFunc(servers, func(s serverMatch) bool {
		return listed != slices.ContainsFunc(list, func(m serverMatch) bool {
			return m.Name == s.Name || len(m.Command) > 0 && slices.Equal(m.Command, s.Command)
		})
	})
}
