package setup

import (
	"encoding/json"

	"ltm/memory"
)

// serverEntry is how a client's file of servers starts ours: in the object key, under the name of ltm.
type serverEntry struct {
	key   string
	value any
}

const (
	serversKey = "mcpServers"
	serverName = "ltm"

	// nameTaken is why a file is kept.
	nameTaken = `another server has the name "ltm"`
)

// server is how Claude Code starts a server.
type server struct {
	Command string   `json:"command"`
	Args    []string `json:"args"`
}

// claudeServer is the same on all machines because .mcp.json is shared.
func claudeServer() serverEntry { return serverEntry{serversKey, server{"ltm", []string{"mcp"}}} }

// isOurs reports whether an entry starts ltm, with a list of words or with a command and its arguments.
func isOurs(entry []byte) bool {
	var v struct {
		Command json.RawMessage
		Args    []string
	}
	if json.Unmarshal(entry, &v) != nil {
		return false
	}
	var words []string
	if json.Unmarshal(v.Command, &words) != nil {
		words = []string{""}
		_ = json.Unmarshal(v.Command, &words[0])
	}
	words = append(words, v.Args...)
	return len(words) == 2 && isProgram(words[0]) && words[1] == "mcp"
}

// find returns the place of the server named ltm in a file of servers, or -1, and whether it is ours.
func (e serverEntry) find(name string, data []byte) (root *node, at int, ours bool, err error) {
	if root, err = parseJSON(name, data); err != nil {
		return nil, 0, false, err
	}
	servers := root.get(e.key)
	if servers == nil {
		return root, -1, false, nil
	}
	if servers.kind != '{' {
		return nil, 0, false, refuse(name, data, servers.start, `"`+e.key+`" is not an object`)
	}
	at = servers.find(serverName)
	if at < 0 {
		return root, at, false, nil
	}
	return root, at, isOurs(servers.members[at].value.text(data)), nil
}

// piece is the server in a file.
func (e serverEntry) piece(path string) piece {
	return piece{path: path, what: `the server "ltm"`, merge: e.merge, strip: e.remove}
}

// merge adds the server unless there is one of its name. A file in which another program's has the name is kept.
func (e serverEntry) merge(name string, data []byte) (merged []byte, kept memory.Note, err error) {
	if data == nil {
		data = []byte("{}\n")
	}
	root, at, ours, err := e.find(name, data)
	switch {
	case err != nil, at >= 0 && ours:
		return data, nil, err
	case at >= 0:
		return data, memory.Advise(memory.KindKeptOther, name, nameTaken), nil
	}
	s := styleOf(data, root)
	if servers := root.get(e.key); servers != nil {
		merged, err = s.insert(data, servers, serverName, e.value)
	} else {
		merged, err = s.insert(data, root, e.key, map[string]any{serverName: e.value})
	}
	return merged, nil, err
}

// remove removes our server.
func (e serverEntry) remove(name string, data []byte) ([]byte, error) {
	root, at, ours, err := e.find(name, data)
	if err != nil || !ours {
		return data, err
	}
	return removeChain(data, []link{{in: root, at: root.find(e.key)}, {in: root.get(e.key), at: at}}), nil
}
