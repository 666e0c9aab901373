package wiring

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"ltm/internal/gitdir"
)

// PersonVariables are the variables that decide where a person's own memories, keys and settings
// of git are.
func PersonVariables() []string {
	return []string{"LTM_USER_DIR", "XDG_DATA_HOME", "XDG_CONFIG_HOME", "HOME", "USERPROFILE", "LOCALAPPDATA",
		"APPDATA"}
}

// maxClientSettings is the size limit of a settings file of the client.
const maxClientSettings = 8 << 20

// NamedByProject returns why the environment does not count: the client's settings in the project,
// which come with a repository, set one of its variables for what the client starts. They could
// send a person's memories anywhere, bring others into every session, or choose the keys whose
// signatures are trusted.
func (e Env) NamedByProject() string { return e.SetByProject(PersonVariables()) }

// SetByProject is NamedByProject for other variables.
func (e Env) SetByProject(variables []string) string {
	w := e.Where()
	project := w.Project
	if project == "" {
		project = w.Cwd
	}
	dirs := []string{project}
	if top := gitdir.Top(project); top != "" && top != project {
		dirs = append(dirs, top)
	}
	for _, dir := range dirs {
		if e.IsHome(dir) {
			continue // these are the person's settings
		}
		for _, name := range []string{".claude/settings.json", ".claude/settings.local.json", ".mcp.json"} {
			path := filepath.Join(dir, filepath.FromSlash(name))
			if variable := setIn(path, variables); variable != "" {
				return fmt.Sprintf("%s sets %s, which only your own environment may", path, variable)
			}
		}
	}
	return ""
}

// setIn returns the first of these variables that a settings file of the client sets, or "". A
// file that is not JSON sets what it names. Some systems and programs ignore the case of names.
func setIn(path string, variables []string) string {
	info, err := os.Stat(path) // through links, as the client reads it
	if err != nil || !info.Mode().IsRegular() || info.Size() > maxClientSettings {
		return ""
	}
	data, err := os.ReadFile(path)
	if err != nil {
		return ""
	}
	var file struct {
		Env     map[string]json.RawMessage `json:"env"`
		Servers map[string]struct {
			Env map[string]json.RawMessage `json:"env"`
		} `json:"mcpServers"`
	}
	firstOf := func(is func(name string) bool) string {
		if i := slices.IndexFunc(variables, is); i >= 0 {
			return variables[i]
		}
		return ""
	}
	if json.Unmarshal(data, &file) != nil {
		upper := bytes.ToUpper(data)
		return firstOf(func(name string) bool { return bytes.Contains(upper, []byte(name)) })
	}
	set := map[string]bool{}
	for name := range file.Env {
		set[strings.ToUpper(name)] = true
	}
	for _, server := range file.Servers {
		for name := range server.Env {
			set[strings.ToUpper(name)] = true
		}
	}
	return firstOf(func(name string) bool { return set[name] })
}
