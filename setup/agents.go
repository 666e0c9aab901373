package setup

import (
	"bytes"
	"cmp"
	_ "embed"
	"encoding/json"
	"maps"
	"path"
	"slices"
	"strings"

	"ltm/clients"
	"ltm/memory"
)

// moduleText is the plugin for opencode and its forks. It names the client in its first line of code.
//
//go:embed module.js
var moduleText string

// piece is something that init adds to a file for a client. Either merge and strip are set, or whole is.
type piece struct {
	path  string
	what  string
	merge func(name string, data []byte) (merged []byte, kept memory.Note, err error) // kept: why nothing is added
	strip stripper
	whole []byte // the file, which ltm writes alone
	same  string // what is said if it is there already; "": that
}

// pieces lists what init adds for a client, file by file. The skills are made of the plugin's commands.
func pieces(c clients.Client, commands map[string][]byte) []piece {
	s := c.Setup
	var all []piece
	switch at := s.Server.Path; {
	case at == "":
	case s.Server.Key != "":
		all = append(all, serverEntry{s.Server.Key, json.RawMessage(s.Server.Value)}.piece(at))
	case path.Ext(at) == ".toml":
		all = append(all, tomlServer(at, s.Server.Value))
	default:
		all = append(all, piece{path: at, what: `the server "ltm"`, whole: marked([]byte(s.Server.Value))})
	}
	if s.Hooks != "" {
		merge := func(name string, data []byte) ([]byte, memory.Note, error) {
			if data == nil && s.Form != clients.Groups && s.Form != clients.Milliseconds {
				data = []byte(versioned)
			}
			merged, err := mergeHooks(name, data, c.Hooks(sharedStart+guard))
			return merged, nil, err
		}
		all = append(all, piece{path: s.Hooks, what: "hooks that run ltm where it is installed", merge: merge,
			strip: removeHooks})
	}
	if s.Plugin != "" {
		text := strings.Replace(moduleText, "CLIENT", c.Name, 1)
		all = append(all, piece{path: s.Plugin, what: "what calls ltm hook", whole: script([]byte(text))})
	}
	if s.Context != "" {
		all = append(all, sectionPiece(s.Context))
	}
	for _, name := range slices.Sorted(maps.Keys(commands)) {
		if skill := strings.TrimSuffix(name, ".md"); s.Skills != "" && skill != "ltm" {
			all = append(all, piece{path: s.Skills + "/" + skill + "/SKILL.md", what: "the skill " + skill,
				whole: marked(skillText(skill, commands[name]))})
		}
	}
	return all
}

// versioned is a new file of hooks in the forms that have a version.
const versioned = "{\n  \"version\": 1\n}\n"

// skillText makes a skill of a command: it has no arguments, and no other names for the commands.
func skillText(name string, command []byte) []byte {
	_, rest, _ := strings.Cut(string(command), "description: ")
	description, rest, _ := strings.Cut(rest, "\n")
	_, body, _ := strings.Cut(rest, "\n---\n")
	body = strings.NewReplacer("$ARGUMENTS", "(what was said with the name of this skill)", "/ltm:ltm ", "ltm ",
		"/ltm:", "").Replace(body)
	return []byte("---\nname: " + name + "\ndescription: " + description + "\n---\n" + body)
}

// agents plans the files of the clients other than Claude Code.
func (p *planner) agents() error {
	for _, c := range p.Agents {
		all := pieces(c, p.Commands)
		for len(all) > 0 {
			at := all[0].path
			same := slices.DeleteFunc(slices.Clone(all), func(q piece) bool { return q.path != at })
			all = slices.DeleteFunc(all, func(q piece) bool { return q.path == at })
			if p.planned(at) {
				continue // another client has the same
			}
			if err := p.file(at, same); err != nil {
				return err
			}
		}
	}
	return nil
}

// planned reports whether the plan has a file, perhaps by another name that leads to it.
func (p *planner) planned(at string) bool {
	real := p.real(at)
	return slices.ContainsFunc(p.plan.Changes, func(c Change) bool { return p.real(c.Path) == real })
}

// real is [folder.real], which does not change while a plan is made.
func (p *planner) real(name string) string {
	if p.reals[name] == "" {
		p.reals[name] = p.f.real(name)
	}
	return p.reals[name]
}

// file plans all pieces of one file.
func (p *planner) file(at string, parts []piece) error {
	before, err := p.f.read(at)
	if err != nil {
		return err
	}
	if parts[0].whole != nil {
		p.whole(at, before, parts[0].whole, parts[0].what)
		return nil
	}
	after := before.data
	var what []string
	for _, part := range parts {
		merged, kept, err := part.merge(at, after)
		if err != nil {
			return err
		}
		if kept != nil {
			p.add(Change{Action: Kept, Path: at, What: kept})
			return nil
		}
		after = merged
		what = append(what, part.what)
	}
	p.write(at, before, after, strings.Join(what, " and "), cmp.Or(parts[0].same, "it is there"), stripAll(parts))
	return nil
}

// stripAll removes all pieces of a file.
func stripAll(parts []piece) stripper {
	return func(name string, data []byte) ([]byte, error) {
		for _, part := range parts {
			if part.whole != nil {
				return stripWhole(name, data)
			}
			stripped, err := part.strip(name, data)
			if err != nil {
				return data, err
			}
			data = stripped
		}
		return data, nil
	}
}

// agentPieces maps the files of all clients to what init adds to them.
func agentPieces(commands map[string][]byte) map[string][]piece {
	all := map[string][]piece{}
	for _, c := range clients.All() {
		for _, part := range pieces(c, commands) {
			all[part.path] = append(all[part.path], part)
		}
	}
	return all
}

// Registered reports which of a client's files in a project hold something of ltm.
func Registered(project string, c clients.Client) (files []string) {
	f, err := openFolder(project)
	if err != nil {
		return nil
	}
	defer f.close()
	for _, part := range pieces(c, nil) {
		if part.path == c.Setup.Context {
			continue // other clients read it, too
		}
		found, err := f.read(part.path)
		if err != nil || found.data == nil {
			continue
		}
		stripped, err := stripAll([]piece{part})(part.path, found.data)
		there := err == nil && !bytes.Equal(stripped, found.data) || originOf(found.data) != unmarked ||
			path.Ext(part.path) == ".toml" && namesLtm(found.data)
		if there && !slices.Contains(files, part.path) {
			files = append(files, part.path)
		}
	}
	return files
}
