package setup

import (
	"cmp"
	"encoding/json"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"ltm/clients"
)

// hook is one command of a settings file: a text for a shell or, with arguments, a program.
type hook struct {
	Type    string   `json:"type"`
	Command string   `json:"command"`
	Bash    string   `json:"bash,omitempty"` // instead of Command, by Copilot
	Args    []string `json:"args,omitempty"`
	Timeout int      `json:"timeout,omitempty"`
}

// hookGroup is one entry of an event's list.
type hookGroup struct {
	Matcher *string `json:"matcher,omitempty"`
	Hooks   []hook  `json:"hooks"`
}

const (
	hooksKey = "hooks"

	// guard begins a command for a shell. Whatever ends the program after it, and if the shell cannot start it, the
	// status is 0 or 1: the client takes 2 for "block". ClientVariable holds the client's process, which is not the
	// program's parent.
	guard = "trap '[ $? = 0 ] || exit 1' EXIT; " + ClientVariable + "=$PPID "

	// sharedStart begins the command of the hooks that a team shares. It does nothing where ltm is not installed.
	sharedStart = "command -v ltm >/dev/null 2>&1 || exit 0; "
)

// ClientVariable is the environment variable in which a hook's shell passes on the number of the client's process.
const ClientVariable = "LTM_CLIENT"

// SharedHook follows the event in the command of a shared hook, which leaves the work to hooks of the person's own.
const SharedHook = "shared"

// wantedHooks reads the plugin's hooks, and makes them run a program: from a shell, or without one in the exec form. If
// program is empty, they are those of a team.
func wantedHooks(template []byte, program string, shell bool) ([]clients.Hook, error) {
	root, err := parseJSON("hooks.json", template)
	if err != nil {
		return nil, err
	}
	var wanted []clients.Hook
	for _, m := range root.get(hooksKey).members {
		var groups []hookGroup
		if err := json.Unmarshal(m.value.text(template), &groups); err != nil {
			return nil, err
		}
		for _, g := range groups {
			for i := range g.Hooks {
				switch h := &g.Hooks[i]; {
				case program == "":
					h.Command, h.Args = sharedStart+guard+"ltm hook "+m.key+" "+SharedHook, nil
				case shell:
					h.Command, h.Args = guard+ShellWord(program)+" hook "+m.key, nil
				default:
					h.Command = program
				}
			}
			wanted = append(wanted, clients.Hook{Event: m.key, Command: g.Hooks[0].Command, Value: g})
		}
	}
	return wanted, nil
}

// foundHook is a hook of ltm in a settings file.
type foundHook struct {
	event   string
	command string
	program string                   // that the command starts, or all of a command that a team shares
	removal func(data []byte) []byte // removes it
}

// findHooks returns the hooks of ltm in a settings file. It refuses a file whose hooks the client could not read.
func findHooks(name string, data []byte) (found []foundHook, err error) {
	root, err := parseJSON(name, data)
	if err != nil {
		return nil, err
	}
	hooks := root.get(hooksKey)
	if hooks == nil {
		return nil, nil
	}
	if hooks.kind != '{' {
		return nil, refuse(name, data, hooks.start, `"hooks" is not an object`)
	}
	for e, event := range hooks.members {
		if event.value.kind != '[' {
			return nil, refuse(name, data, event.start, `the hooks of "`+event.key+`" are not a list`)
		}
		for g := range event.value.members {
			chain := []link{{in: root, at: root.find(hooksKey)}, {in: hooks, at: e}, {in: event.value, at: g}}
			found = append(found, findInGroup(data, event.key, chain)...)
		}
	}
	return found, nil
}

// findInGroup returns the hooks of ltm in the group that a chain leads to, which may be a hook itself.
func findInGroup(data []byte, event string, chain []link) (found []foundHook) {
	last := chain[len(chain)-1]
	group := last.in.members[last.at].value
	note := func(value *node, chain []link) {
		var v hook
		if json.Unmarshal(value.text(data), &v) != nil || v.program() == "" {
			return
		}
		found = append(found, foundHook{event, v.command(), v.program(),
			func(data []byte) []byte { return removeChain(data, chain) }})
	}
	list := group.get(hooksKey)
	switch {
	case list == nil:
		note(group, chain)
	case list.kind == '[':
		for h, m := range list.members {
			inside := []link{{in: group, at: group.find(hooksKey), group: true}, {in: list, at: h}}
			note(m.value, slices.Concat(chain, inside))
		}
	}
	return found
}

// link is a member of a container.
type link struct {
	in    *node
	at    int
	group bool // it is the list of a group of hooks, which goes as a whole
}

// removeChain removes the last link, and with it each container that held nothing else. The group of a hook goes with
// its last hook, matcher and all.
func removeChain(data []byte, chain []link) []byte {
	i := len(chain) - 1
	for i > 0 && (len(chain[i].in.members) == 1 || chain[i].group) {
		i--
	}
	return remove(data, chain[i].in, chain[i].at)
}

// program returns the program of a hook that starts ltm, in the exec form or in a shell's, all of the command if a team
// shares it, and "" for other hooks.
func (h hook) program() string {
	command, start := strings.TrimSpace(h.command()), h.Command
	switch {
	case len(h.Args) == 0 && strings.HasPrefix(command, sharedStart):
		return command
	case h.Type != "command":
		return ""
	case len(h.Args) == 0:
		start = programOf(strings.TrimPrefix(command, guard) + " ")
	case h.Args[0] != "hook":
		return ""
	}
	if !isProgram(start) {
		return ""
	}
	return start
}

// command returns the command for a shell, or the program.
func (h hook) command() string { return cmp.Or(h.Command, h.Bash) }

// programOf returns the program in a command that starts ltm with "hook", or "". A quoted path may have that word, too.
func programOf(command string) string {
	for i := range command {
		if strings.HasPrefix(command[i:], " hook ") {
			if start := unquoted(strings.TrimSpace(command[:i])); isProgram(start) {
				return start
			}
		}
	}
	return ""
}

// ShellWord quotes a path for a POSIX shell, if it needs that.
func ShellWord(path string) string {
	const plain = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-./:@%+=,"
	isSpecial := func(r rune) bool { return !strings.ContainsRune(plain, r) && r != filepath.Separator }
	if path != "" && !strings.ContainsFunc(path, isSpecial) && path[0] != '-' {
		return path
	}
	return "'" + strings.ReplaceAll(path, "'", `'\''`) + "'"
}

// unquoted returns the path that ShellWord or a person quoted, or "" for several words.
func unquoted(word string) string {
	if quote := word[:min(1, len(word))]; quote == "'" || quote == `"` {
		inside, whole := strings.CutSuffix(word[1:], quote)
		if inside = strings.ReplaceAll(inside, `'\''`, "\x00"); !whole || strings.Contains(inside, quote) {
			return ""
		}
		return strings.ReplaceAll(inside, "\x00", "'")
	}
	if strings.ContainsAny(word, " \t") {
		return ""
	}
	return word
}

// isProgram reports whether a command is ltm, whatever its directory and version.
func isProgram(command string) bool {
	name := path.Base(strings.ReplaceAll(command, `\`, "/"))
	name = strings.TrimSuffix(strings.ToLower(name), ".exe")
	return name == "ltm" || strings.HasPrefix(name, "ltm-")
}

// mergeHooks adds the wanted hooks to a settings file, where they are missing. If some start another binary or are
// there twice, all are written again.
func mergeHooks(name string, data []byte, wanted []clients.Hook) ([]byte, error) {
	if data == nil {
		data = []byte("{}\n")
	}
	found, err := findHooks(name, data)
	if err != nil {
		return nil, err
	}
	have, ok := current(found, wanted)
	if !ok {
		if data, err = removeHooks(name, data); err != nil {
			return nil, err
		}
	}
	for _, w := range wanted {
		if have[w.Event] {
			continue
		}
		if data, err = addHook(name, data, w); err != nil {
			return nil, err
		}
	}
	return data, nil
}

// current returns the events whose hooks are there, and whether all that were found are as wanted.
func current(found []foundHook, wanted []clients.Hook) (have map[string]bool, ok bool) {
	have = map[string]bool{}
	for _, f := range found {
		i := slices.IndexFunc(wanted, func(w clients.Hook) bool { return w.Event == f.event })
		if i < 0 || have[f.event] || wanted[i].Command != f.command {
			return nil, false
		}
		have[f.event] = true
	}
	return have, true
}

func addHook(name string, data []byte, w clients.Hook) ([]byte, error) {
	root, err := parseJSON(name, data)
	if err != nil {
		return nil, err
	}
	s := styleOf(data, root)
	hooks := root.get(hooksKey)
	switch {
	case hooks == nil:
		return s.insert(data, root, hooksKey, map[string][]any{w.Event: {w.Value}})
	case hooks.get(w.Event) == nil:
		return s.insert(data, hooks, w.Event, []any{w.Value})
	}
	return s.insert(data, hooks.get(w.Event), "", w.Value)
}

// removeHooks removes all hooks of ltm from a settings file.
func removeHooks(name string, data []byte) ([]byte, error) {
	for {
		found, err := findHooks(name, data)
		if err != nil || len(found) == 0 {
			return data, err
		}
		data = found[0].removal(data)
	}
}
