package wiring

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/user"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"ltm/engine/locate"
	"ltm/internal/git/gitdir"
)

// PersonVariables are the variables that decide where a person's own memories, keys and settings
// of git are, and which store takes the place of the project's.
func PersonVariables() []string {
	return []string{"LTM_USER_DIR", "LTM_DIR", "XDG_DATA_HOME", "XDG_CONFIG_HOME", "HOME", "USERPROFILE",
		"LOCALAPPDATA", "APPDATA"}
}

// maxClientSettings is the size limit of a settings file of the client.
const maxClientSettings = 8 << 20

// NamedByProject returns why the environment does not count: the client's settings in the project, which come with a
// repository, set one of its variables for what the client starts. They could send a person's memories anywhere, bring
// others into every session, or choose the keys whose signatures are trusted.
func (e Env) NamedByProject() string { return e.SetByProject(PersonVariables()) }

// SetByProject is NamedByProject for other variables, which contain HOME and USERPROFILE. The client
// can have been started in any directory at or above where this process is, or was.
func (e Env) SetByProject(variables []string) string {
	for _, dir := range e.clientDirs() {
		for _, name := range []string{".claude/settings.json", ".claude/settings.local.json", ".mcp.json"} {
			path := filepath.Join(dir, filepath.FromSlash(name))
			sets, isJSON := settingsIn(path)
			i := slices.IndexFunc(variables, sets)
			// The person's settings are in their home, which a file that sets HOME does not say.
			if i < 0 || e.IsHome(dir) && !sets("HOME") && !sets("USERPROFILE") || gitdir.SameFile(userHome(), dir) {
				continue
			}
			if !isJSON {
				return fmt.Sprintf("%s cannot be read as JSON, so it may set %s, which only your own environment may",
					path, variables[i])
			}
			return fmt.Sprintf("%s sets %s, which only your own environment may", path, variables[i])
		}
	}
	return ""
}

// clientDirs returns the directories in which the client can have been started.
func (e Env) clientDirs() []string {
	var dirs []string
	for _, dir := range e.starts() {
		for ; !slices.Contains(dirs, dir); dir = filepath.Dir(dir) {
			dirs = append(dirs, dir)
		}
	}
	return dirs
}

// starts returns the absolute paths of the client's directory and of the working directories, also behind links.
func (e Env) starts() []string {
	var starts []string
	for _, dir := range []string{e.Getenv("CLAUDE_PROJECT_DIR"), e.From, e.Where().Cwd} {
		if abs, err := filepath.Abs(dir); dir != "" && err == nil {
			starts = append(starts, abs, locate.Resolved(abs))
		}
	}
	return starts
}

// userHome returns the person's home as the system says, and not the environment, or "".
func userHome() string {
	find := user.Current // which falls back on HOME where users have numbers
	if uid := os.Getuid(); uid >= 0 {
		find = func() (*user.User, error) { return user.LookupId(strconv.Itoa(uid)) }
	}
	u, err := find()
	if err != nil {
		return ""
	}
	return u.HomeDir
}

// misplaced returns why a directory cannot be that of a person's keys: a repository can bring it.
func (e Env) misplaced(dir string) string {
	if !filepath.IsAbs(dir) {
		return dir + " is not an absolute path"
	}
	for _, start := range e.starts() {
		top := gitdir.Top(start)
		if top == "" || !locate.Within(dir, top) {
			continue
		}
		if home := userHome(); home == "" || !locate.Within(home, top) {
			return dir + " is in the work tree " + top
		}
	}
	return ""
}

// settingsIn returns which variables a settings file of the client sets, by their names in upper case: some systems and
// programs ignore case. A file that is not JSON, or too large, may set any.
func settingsIn(path string) (sets func(variable string) bool, isJSON bool) {
	info, err := os.Stat(path) // through links, as the client reads it
	if err != nil || !info.Mode().IsRegular() {
		return func(string) bool { return false }, true
	}
	names, err := namesIn(path)
	return func(variable string) bool { return err != nil || slices.Contains(names, variable) }, err == nil
}

func namesIn(path string) (names []string, err error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	data, err := io.ReadAll(io.LimitReader(f, maxClientSettings+1))
	if err == nil && len(data) > maxClientSettings {
		err = errors.New("too large")
	}
	// Fields of a struct would match keys in any case, and an "ENV" would hide the "env".
	var file map[string]json.RawMessage
	if err == nil {
		err = json.Unmarshal(bytes.TrimPrefix(data, []byte("\ufeff")), &file)
	}
	object := func(data json.RawMessage) (fields map[string]json.RawMessage) {
		if err == nil && data != nil {
			err = json.Unmarshal(data, &fields)
		}
		return fields
	}
	envs := []json.RawMessage{file["env"]}
	for _, server := range object(file["mcpServers"]) {
		envs = append(envs, object(server)["env"])
	}
	for _, env := range envs {
		for name := range object(env) {
			name, _, _ = strings.Cut(name, "=") // as where name and value become one string
			names = append(names, strings.ToUpper(name))
		}
	}
	return names, err
}
