package setup

import (
	"encoding/json"
	"slices"
)

// server is how the client starts a server.
type server struct {
	Command string   `json:"command"`
	Args    []string `json:"args"`
}

const (
	serversKey = "mcpServers"
	serverName = "ltm"
)

// wantedServer is the same on all machines because .mcp.json is shared.
func wantedServer() server { return server{"ltm", []string{"mcp"}} }

func (s server) isOurs() bool { return isProgram(s.Command) && slices.Equal(s.Args, []string{"mcp"}) }

// findServer returns the place of the server named ltm in a file of servers, or -1, and whether it is ours.
func findServer(name string, data []byte) (root *node, at int, ours bool, err error) {
	if root, err = parseJSON(name, data); err != nil {
		return nil, 0, false, err
	}
	servers := root.get(serversKey)
	if servers == nil {
		return root, -1, false, nil
	}
	if servers.kind != '{' {
		return nil, 0, false, refuse(name, data, servers.start, `"mcpServers" is not an object`)
	}
	at = servers.find(serverName)
	if at < 0 {
		return root, at, false, nil
	}
	var v server
	err = json.Unmarshal(servers.members[at].value.text(data), &v)
	return root, at, err == nil && v.isOurs(), nil
}

// mergeServer adds the server unless there is one of its name. taken reports that another program's has the name.
func mergeServer(name string, data []byte) (merged []byte, taken bool, err error) {
	if data == nil {
		data = []byte("{}\n")
	}
	root, at, ours, err := findServer(name, data)
	if err != nil || at >= 0 {
		return data, at >= 0 && !ours, err
	}
	s := styleOf(data, root)
	if servers := root.get(serversKey); servers != nil {
		merged, err = s.insert(data, servers, serverName, wantedServer())
	} else {
		merged, err = s.insert(data, root, serversKey, map[string]server{serverName: wantedServer()})
	}
	return merged, false, err
}

// removeServer removes our server.
func removeServer(name string, data []byte) ([]byte, error) {
	root, at, ours, err := findServer(name, data)
	if err != nil || !ours {
		return data, err
	}
	return removeChain(data, []link{{root, root.find(serversKey)}, {root.get(serversKey), at}}), nil
}
