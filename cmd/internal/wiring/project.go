package wiring

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"ltm/clients"
	"ltm/engine/locate"
	"ltm/internal/git/gitdir"
	"ltm/store"
)

// project returns the directory of the project that the client says, or "".
func (e Env) project(cwd string) string {
	if dir := e.Getenv("CLAUDE_PROJECT_DIR"); dir != "" {
		return dir
	}
	if e.isPlugin(cwd) {
		return e.copilotProject()
	}
	return ""
}

// NoProject returns why the directory in which a server was started is not a project's, or "". Some clients start
// servers in the directory of the plugin, which an update replaces, or those of all projects in the person's home.
func (e Env) NoProject() string {
	where, what := e.Where(), ""
	cwd := where.Cwd
	switch {
	case where.Override != "" || where.Project != "" || e.Moved:
		return ""
	case e.isPlugin(cwd):
		what = "the directory of its plugin, "
	case e.IsProject(cwd):
		return ""
	}
	return "the client started ltm in " + what + cwd + ", and did not say where the project is"
}

// IsProject reports whether a directory can be a project's: one of all projects needs a store or a repository.
func (e Env) IsProject(dir string) bool {
	if !e.IsHome(dir) && filepath.Dir(dir) != dir {
		info, err := os.Stat(dir)
		return err == nil && info.IsDir()
	}
	_, err := os.Stat(filepath.Join(dir, filepath.FromSlash(store.Folder)))
	_, ok := gitdir.Find(dir)
	return err == nil || ok
}

// isPlugin reports whether a directory is that of the plugin, as a client has installed it.
func (e Env) isPlugin(dir string) bool {
	variables := []string{"PLUGIN_ROOT", "COPILOT_PLUGIN_ROOT", "CLAUDE_PLUGIN_ROOT"} // of what a client starts for it
	return slices.ContainsFunc(variables, func(name string) bool {
		root := e.Getenv(name)
		return root != "" && gitdir.SameFile(root, dir)
	}) || e.isInstalled(dir)
}

// isInstalled reports whether a directory has the plugin, and is in a client's own.
func (e Env) isInstalled(dir string) bool {
	if !slices.ContainsFunc(clients.All(), func(c clients.Client) bool {
		return c.Dir != "" && locate.Within(dir, e.ClientDir(c))
	}) {
		return false
	}
	return slices.ContainsFunc([]string{".codex-plugin/plugin.json", ".claude-plugin/plugin.json",
		"gemini-extension.json"}, func(name string) bool {
		data, _ := os.ReadFile(filepath.Join(dir, filepath.FromSlash(name)))
		var v struct{ Name string }
		return json.Unmarshal(data, &v) == nil && v.Name == "ltm"
	})
}

// copilotProject returns the directory of the session that Copilot started this process for, by its own note, or "".
func (e Env) copilotProject() string {
	id := e.Getenv("COPILOT_AGENT_SESSION_ID")
	if id == "" || id != filepath.Base(id) || !filepath.IsLocal(id) {
		return ""
	}
	copilot, _ := clients.Named("copilot")
	data, _ := os.ReadFile(filepath.Join(e.ClientDir(copilot), copilot.Records, id, "workspace.yaml"))
	for line := range bytes.Lines(data) {
		value, ok := strings.CutPrefix(strings.TrimSpace(string(line)), "cwd: ")
		if dir := strings.Trim(value, `"'`); ok && filepath.IsAbs(dir) {
			return dir
		}
	}
	return ""
}
