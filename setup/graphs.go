package setup

import (
	"encoding/json"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// graphPackage is the npm package of the MCP server that keeps a knowledge graph in a file.
const graphPackage = "@modelcontextprotocol/server-memory"

// graphServer is how the client starts that server.
type graphServer struct {
	Command string            `json:"command"`
	Args    []string          `json:"args"`
	Env     map[string]string `json:"env"`
}

// isGraph reports whether it is that server, in any version.
func (s graphServer) isGraph() bool {
	is := func(word string) bool { return word == graphPackage || strings.HasPrefix(word, graphPackage+"@") }
	return is(s.Command) || slices.ContainsFunc(s.Args, is)
}

// graphFiles returns the paths of the files in which the servers of .mcp.json keep their graphs,
// as far as they are in the project. Only there does the path say which file it is: the server
// takes a relative one from its own directory.
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
