package setup

import (
	"bytes"
	"regexp"
	"slices"
	"sync"

	"ltm/memory"
)

// What of a TOML file decides whether a server can be added at its end. Only tables of servers leave room there; any
// other form of mcp_servers could end the list of servers. Hooks, which start often, need none of these.
var (
	tomlServers = later(`(?m)^\s*\[*\s*["']?mcp_servers\b.*`)
	tomlTable   = later(`^\s*\[\s*["']?mcp_servers["']?\s*\.\s*(?:([\w-]+)|"([^"\\]*)"|'([^']*)')\s*[\].]`)
	tomlCommand = later(`(?m)^\s*command\s*=\s*["'](.*?)["']`)

	// tomlByHand is the command of a server that a person added, in any form.
	tomlByHand = later(`\bcommand\s*=\s*["'](.*?)["']`)
)

// later returns a function that compiles an expression when it is first called.
func later(expression string) func() *regexp.Regexp {
	return sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(expression) })
}

// tomlServer adds the server to a TOML file. One that is there stays as it is, with what a person added to it.
func tomlServer(at, text string) piece {
	m := inTOML(text)
	merge := func(name string, data []byte) ([]byte, memory.Note, error) {
		found, err := m.find(name, data)
		switch {
		case err != nil:
			return data, nil, err
		case found != nil && startsLtm(data[found.from:found.to]):
			return data, nil, nil
		}
		rest, err := m.remove(name, data)
		if err != nil {
			return data, nil, err
		}
		for _, at := range tomlServers().FindAllIndex(rest, -1) {
			key := tomlTable().FindSubmatch(rest[at[0]:at[1]])
			if key == nil {
				return data, memory.Say("its mcp_servers have a form to which ltm does not add; add ltm by hand, " +
					`with command = "ltm" and args = ["mcp"]`), nil
			}
			if string(bytes.Join(key[1:], nil)) != serverName {
				continue
			}
			if startsLtm(tomlBody(rest[at[1]:])) {
				return data, nil, nil
			}
			return data, memory.Advise(memory.KindKeptOther, name, nameTaken), nil
		}
		return m.merge(name, data)
	}
	return piece{path: at, what: `the server "ltm"`, merge: merge, strip: m.remove}
}

// startsLtm reports whether the first command in a text is ltm.
func startsLtm(text []byte) bool {
	command := tomlCommand().FindSubmatch(text)
	return command != nil && isProgram(string(command[1]))
}

// namesLtm reports whether any command in a text is ltm.
func namesLtm(text []byte) bool {
	return slices.ContainsFunc(tomlByHand().FindAllSubmatch(text, -1),
		func(command [][]byte) bool { return isProgram(string(command[1])) })
}

// tomlBody returns what is in a table whose header ends where a text begins.
func tomlBody(text []byte) []byte {
	body, _, _ := bytes.Cut(text, []byte("\n["))
	return body
}
