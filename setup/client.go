package setup

import (
	"encoding/json"
	"errors"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
)

// Where tells where the client keeps its settings.
type Where struct {
	Project    string // the project's directory
	Config     string // ~/.claude; "": unknown
	UserFile   string // ~/.claude.json; "": unknown
	PluginRoot string // CLAUDE_PLUGIN_ROOT, or ""
	PathPlugin string // the plugin whose bin directory is on the PATH of a session, or ""
	Managed    string // the directory of the administrator's settings, or ""
}

// Client is what a project's client is set up to do with ltm.
type Client struct {
	Plugin   *Plugin // nil: not active
	Hooks    []Registration
	Servers  []Registration
	Graphs   []string // files in the project in which servers of .mcp.json keep knowledge graphs; relative to it
	Disabled string   // the settings file that switches all hooks off, or ""
	Managed  Managed  // what the machine's administrator switches off
	Problems []string // files that could not be understood
}

// Plugin is the active plugin.
type Plugin struct {
	Why     string // how it is known to be active, for people
	Root    string // its directory, or "" if unknown
	Version string // from its manifest, or ""
}

// Registration is one place in which hooks or a server are registered.
type Registration struct {
	Place    string // the file, as people call it
	Events   []string
	Commands []string // the programs, each once
	Taken    bool     // another program's server has our name
}

// Shared reports whether hooks are those that a team shares.
func (r Registration) Shared() bool {
	return !slices.ContainsFunc(r.Commands, func(c string) bool { return !strings.HasPrefix(c, sharedStart) })
}

// OwnHooks returns where hooks of the person's own are registered, beside those that a team shares, or "".
func (c Client) OwnHooks() string {
	if c.Plugin != nil {
		return "the plugin"
	}
	for _, r := range c.Hooks {
		if !r.Shared() {
			return r.Place
		}
	}
	return ""
}

// Places in which things are registered, for people.
const (
	placeUser    = "~/.claude/settings.json"
	placeShared  = ".claude/settings.json"
	placeLocal   = ".claude/settings.local.json"
	placeServers = ".mcp.json"
	placeGlobal  = "~/.claude.json"
)

// Look reads what the client is set up to do. Missing files are skipped; those that cannot be understood are in
// Problems.
func Look(w Where) Client {
	c := Client{}
	settings := []struct{ place, path string }{
		{placeUser, join(w.Config, "settings.json")},
		{placeShared, join(w.Project, placeShared)},
		{placeLocal, join(w.Project, placeLocal)},
	}
	enabled := map[string]string{} // plugin → the place that says so; "" when off
	for _, s := range settings {
		if data := c.read(s.place, s.path); data != nil {
			c.settings(s.place, data, enabled)
		}
	}
	managed := c.managed(w.Managed, enabled)
	servers := c.read(placeServers, join(w.Project, placeServers))
	c.servers(placeServers, servers)
	c.Graphs = graphFiles(w.Project, servers)
	c.user(w.Project, c.read(placeGlobal, w.UserFile))
	c.plugin(w, enabled)
	c.judge(w.Managed, managed)
	return c
}

// join is [filepath.Join] for a directory that may be unknown.
func join(dir, name string) string {
	if dir == "" {
		return ""
	}
	return filepath.Join(dir, filepath.FromSlash(name))
}

// read reads a file of the client's, or returns nil.
func (c *Client) read(place, path string) []byte {
	if path == "" {
		return nil
	}
	info, err := os.Stat(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err == nil && (!info.Mode().IsRegular() || info.Size() > maxBytes<<3) {
		err = errors.New("not a file that can be read")
	}
	var data []byte
	if err == nil {
		data, err = os.ReadFile(path)
	}
	if err != nil {
		c.Problems = append(c.Problems, place+": "+err.Error())
	}
	return data
}

// settings reads one settings file.
func (c *Client) settings(place string, data []byte, enabled map[string]string) {
	found, err := findHooks(place, data)
	if err != nil {
		c.Problems = append(c.Problems, err.Error())
		return
	}
	if len(found) > 0 {
		c.Hooks = append(c.Hooks, registered(place, found))
	}
	var v struct {
		EnabledPlugins  map[string]json.RawMessage `json:"enabledPlugins"`
		DisableAllHooks bool                       `json:"disableAllHooks"`
	}
	_ = json.Unmarshal(trimMark(data), &v) // values of another type are ignored
	for name, on := range v.EnabledPlugins {
		if strings.HasPrefix(name, "ltm@") {
			enabled[name] = ""
			if text := string(on); text != "false" && text != "null" {
				enabled[name] = place
			}
		}
	}
	if v.DisableAllHooks {
		c.Disabled = place
	}
}

// registered sums up the hooks of one place.
func registered(place string, found []foundHook) Registration {
	r := Registration{Place: place}
	for _, h := range found {
		r.Events = append(r.Events, h.event)
		r.Commands = append(r.Commands, h.program)
	}
	slices.Sort(r.Events)
	slices.Sort(r.Commands)
	r.Commands = slices.Compact(r.Commands)
	return r
}

func trimMark(data []byte) []byte {
	if rest, ok := strings.CutPrefix(string(data), byteOrderMark); ok {
		return []byte(rest)
	}
	return data
}

// servers notes a server of our name in a file of servers.
func (c *Client) servers(place string, data []byte) {
	if data == nil {
		return
	}
	root, at, ours, err := claudeServer().find(place, data)
	if err != nil {
		c.Problems = append(c.Problems, err.Error())
		return
	}
	if at < 0 {
		return
	}
	var s server
	_ = json.Unmarshal(root.get(serversKey).members[at].value.text(data), &s)
	c.Servers = append(c.Servers, Registration{Place: place, Commands: []string{s.Command}, Taken: !ours})
}

// user reads the user's own file: servers of every project, and of this one.
func (c *Client) user(project string, data []byte) {
	var v struct {
		Servers  json.RawMessage           `json:"mcpServers"`
		Projects map[string]projectServers `json:"projects"`
	}
	if data == nil {
		return
	}
	if err := json.Unmarshal(trimMark(data), &v); err != nil {
		c.Problems = append(c.Problems, placeGlobal+": "+err.Error())
		return
	}
	for place, raw := range map[string]json.RawMessage{
		placeGlobal: v.Servers, placeGlobal + " (for this project)": ofProject(v.Projects, project),
	} {
		if len(raw) > 0 && string(raw) != "null" {
			c.servers(place, slices.Concat([]byte(`{"mcpServers":`), raw, []byte(`}`)))
		}
	}
	slices.SortStableFunc(c.Servers, func(a, b Registration) int { return strings.Compare(a.Place, b.Place) })
}

// projectServers is the entry of a project in the user's own file.
type projectServers struct {
	Servers json.RawMessage `json:"mcpServers"`
}

// ofProject returns the servers of a project; the client may spell its directory in another way.
func ofProject(projects map[string]projectServers, project string) json.RawMessage {
	if p, ok := projects[filepath.ToSlash(project)]; ok {
		return p.Servers
	}
	for _, key := range slices.Sorted(maps.Keys(projects)) {
		if samePath(key, project, runtime.GOOS == "windows") {
			return projects[key].Servers
		}
	}
	return nil
}

// samePath reports whether two texts name one path. On Windows case and the kind of slash are ignored.
func samePath(a, b string, windows bool) bool {
	if !windows {
		return a == b
	}
	plain := func(s string) string { return strings.TrimRight(strings.ReplaceAll(s, `\`, "/"), "/") }
	return strings.EqualFold(plain(a), plain(b))
}

// plugin finds out whether the plugin is active, and where it is.
func (c *Client) plugin(w Where, enabled map[string]string) {
	installed := installedPlugins(join(w.Config, "plugins/installed_plugins.json"))
	for _, name := range slices.Sorted(maps.Keys(enabled)) {
		if place := enabled[name]; place != "" {
			c.Plugin = &Plugin{Why: place + " enables " + name, Root: installed[name]}
			break
		}
	}
	c.pluginAt(w.PathPlugin, "its bin folder is on the PATH")
	c.pluginAt(w.PluginRoot, "CLAUDE_PLUGIN_ROOT is set")
	if c.Plugin != nil && c.Plugin.Root != "" {
		_, c.Plugin.Version = manifest(c.Plugin.Root)
	}
}

// pluginAt notes the plugin in a directory that may be unknown or another plugin's.
func (c *Client) pluginAt(root, why string) {
	if name, _ := manifest(root); root == "" || name != "" && name != "ltm" {
		return
	}
	if c.Plugin == nil {
		c.Plugin = &Plugin{Why: why}
	}
	c.Plugin.Root = root
}

// manifest reads the name and version of the plugin in a directory.
func manifest(root string) (name, version string) {
	data, err := os.ReadFile(filepath.Join(root, ".claude-plugin", "plugin.json"))
	if err != nil {
		return "", ""
	}
	var v struct{ Name, Version string }
	_ = json.Unmarshal(data, &v)
	return v.Name, v.Version
}

// IsPlugin reports whether a directory is that of the plugin.
func IsPlugin(root string) bool {
	name, _ := manifest(root)
	return name == "ltm"
}

// installedPlugins maps plugins to their directories. Two versions of the file are known: a plugin's entry is an
// object, or a list of them.
func installedPlugins(path string) map[string]string {
	type install struct {
		InstallPath string `json:"installPath"`
	}
	data, err := os.ReadFile(path)
	if path == "" || err != nil {
		return nil
	}
	var v struct{ Plugins map[string]json.RawMessage }
	_ = json.Unmarshal(data, &v)
	folders := map[string]string{}
	for name, raw := range v.Plugins {
		var many []install
		var one install
		if json.Unmarshal(raw, &many) == nil && len(many) > 0 {
			folders[name] = many[len(many)-1].InstallPath
		} else if json.Unmarshal(raw, &one) == nil {
			folders[name] = one.InstallPath
		}
	}
	return folders
}

// graphPackage is the npm package of the MCP server that keeps a knowledge graph in a file.
const graphPackage = "@modelcontextprotocol/server-memory"

// graphServer is how the client starts that server.
type graphServer struct {
	server
	Env map[string]string `json:"env"`
}

// isGraph reports whether it is that server, in any version.
func (s graphServer) isGraph() bool {
	is := func(word string) bool { return word == graphPackage || strings.HasPrefix(word, graphPackage+"@") }
	return is(s.Command) || slices.ContainsFunc(s.Args, is)
}

// graphFiles returns the paths of the files in which the servers of .mcp.json keep their graphs, as far as they are in
// the project. Only there does the path say which file it is: the server takes a relative one from its own directory.
func graphFiles(project string, data []byte) []string {
	var v struct {
		Servers map[string]json.RawMessage `json:"mcpServers"`
	}
	if json.Unmarshal(trimMark(data), &v) != nil {
		return nil
	}
	root, err := os.OpenRoot(project)
	if err != nil {
		return nil
	}
	defer root.Close()
	var found []string
	for _, name := range slices.Sorted(maps.Keys(v.Servers)) {
		var s graphServer
		if json.Unmarshal(v.Servers[name], &s) != nil || !s.isGraph() {
			continue
		}
		path := s.Env["MEMORY_FILE_PATH"]
		for _, variable := range []string{"${CLAUDE_PROJECT_DIR}", "${CLAUDE_PROJECT_DIR:-.}"} {
			path = strings.ReplaceAll(path, variable, project)
		}
		local, err := filepath.Rel(project, path)
		if !filepath.IsAbs(path) || err != nil || !filepath.IsLocal(local) {
			continue
		}
		if info, err := root.Lstat(local); err == nil && info.Mode().IsRegular() && !slices.Contains(found, local) {
			found = append(found, local)
		}
	}
	return found
}
