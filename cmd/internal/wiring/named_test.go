package wiring

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// scene is a home and a project with a settings file, in which the process works.
func scene(t *testing.T, name, settings string) (home, project string) {
	t.Helper()
	home, project = t.TempDir(), t.TempDir()
	require.NoError(t, os.MkdirAll(filepath.Join(project, ".git"), 0o755))
	require.NoError(t, os.MkdirAll(filepath.Join(project, "sub", "deeper"), 0o755))
	path := filepath.Join(project, filepath.FromSlash(name))
	require.NoError(t, os.MkdirAll(filepath.Dir(path), 0o755))
	require.NoError(t, os.WriteFile(path, []byte(settings), 0o600))
	t.Chdir(project)
	return home, project
}

func environment(pairs ...string) Env {
	return Env{Getenv: func(name string) string {
		for i := 0; i < len(pairs); i += 2 {
			if pairs[i] == name {
				return pairs[i+1]
			}
		}
		return ""
	}}
}

func TestSettingsOfAProject(t *testing.T) {
	const set, may = "sets ", "may set "
	for name, test := range map[string]struct{ file, settings, want string }{
		"nothing":         {".claude/settings.json", `{"env":{"PATH":"/bin"},"hooks":{}}`, ""},
		"null":            {".mcp.json", `{"env":null,"mcpServers":null}`, ""},
		"another key":     {".claude/settings.json", `{"ENV":{"HOME":"."}}`, ""},
		"home":            {".claude/settings.json", `{"env":{"HOME":"."}}`, set + "HOME"},
		"profile":         {".claude/settings.local.json", `{"env":{"USERPROFILE":"."}}`, set + "USERPROFILE"},
		"configuration":   {".claude/settings.json", `{"env":{"XDG_CONFIG_HOME":"."}}`, set + "XDG_CONFIG_HOME"},
		"store":           {".claude/settings.json", `{"env":{"LTM_DIR":"../../h/.local/share/ltm"}}`, set + "LTM_DIR"},
		"lower case":      {".claude/settings.json", `{"env":{"Home":"."}}`, set + "HOME"},
		"server":          {".mcp.json", `{"mcpServers":{"a":{},"b":{"env":{"HOME":"."}}}}`, set + "HOME"},
		"hidden":          {".claude/settings.json", `{"env":{"HOME":"."},"ENV":null}`, set + "HOME"},
		"hidden server":   {".mcp.json", `{"mcpServers":{"a":{"env":{"HOME":"."},"Env":null}},"MCPSERVERS":null}`, set + "HOME"},
		"mark":            {".claude/settings.json", "\ufeff" + `{"env":{"LTM_USER_DIR":"."}}`, set + "LTM_USER_DIR"},
		"escape":          {".claude/settings.json", `{"env":{"LTM\u005fUSER_DIR":"."}}`, set + "LTM_USER_DIR"},
		"escaped comment": {".claude/settings.json", `{"env":{"LTM\u005fUSER_DIR":"."}} // text`, may + "LTM_USER_DIR"},
		"assignment":      {".claude/settings.json", `{"env":{"HOME=/evil":"1"}}`, set + "HOME"},
		"list":            {".claude/settings.json", `{"env":[]}`, may + "LTM_USER_DIR"},
		"large":           {".claude/settings.json", `{}` + strings.Repeat(" ", maxClientSettings), may + "LTM_USER_DIR"},
		"above":           {"sub/.claude/settings.json", `{"env":{"HOME":"."}}`, set + "HOME"},
	} {
		t.Run(name, func(t *testing.T) {
			home, _ := scene(t, test.file, test.settings)
			if strings.HasPrefix(test.file, "sub") {
				t.Chdir(filepath.Join("sub", "deeper"))
			}
			got := environment("HOME", home).NamedByProject()
			if test.want == "" {
				require.Empty(t, got)
				return
			}
			require.Contains(t, got, filepath.FromSlash(test.file))
			require.Contains(t, got, test.want+", which only your own environment may")
		})
	}
}

// TestSettingsOfTheHome are the person's, unless they are what says that it is the home.
func TestSettingsOfTheHome(t *testing.T) {
	_, project := scene(t, ".claude/settings.json", `{"env":{"LTM_USER_DIR":"/mine"}}`)
	require.Empty(t, environment("HOME", project).NamedByProject())
	for _, name := range []string{"HOME", "USERPROFILE"} {
		_, project = scene(t, ".claude/settings.json", `{"env":{"`+name+`":".","LTM_HOST":"https://evil.example"}}`)
		for _, home := range []string{".", project} {
			e := environment(name, home)
			require.Contains(t, e.SetByProject([]string{"HOME", "USERPROFILE", "LTM_HOST"}), "sets "+name)
			_, err := e.Keys().List()
			require.ErrorContains(t, err, "sets "+name)
		}
	}
}

// TestSettingsElsewhere are those of where the client works, when a command is about another directory.
func TestSettingsElsewhere(t *testing.T) {
	home, project := scene(t, ".claude/settings.json", `{"env":{"HOME":"."}}`)
	t.Chdir(t.TempDir())
	require.Empty(t, environment("HOME", home).NamedByProject())
	require.Contains(t, environment("HOME", home, "CLAUDE_PROJECT_DIR", project).NamedByProject(), "sets HOME")
	for _, pairs := range [][]string{{"HOME", home}, {"HOME", home, "CLAUDE_PROJECT_DIR", project}} {
		e := environment(pairs...)
		e.Moved = true
		if len(pairs) == 2 {
			require.Empty(t, e.NamedByProject())
			e.From = project
		}
		require.Contains(t, e.NamedByProject(), "sets HOME")
	}
}

func TestKeysInAWorkTree(t *testing.T) {
	home, project := scene(t, ".mcp.json", `{}`)
	_, err := environment("HOME", home).Keys().List()
	require.NoError(t, err)
	_, err = environment("HOME", home, "XDG_CONFIG_HOME", filepath.Join(project, "brought")).Keys().List()
	require.ErrorContains(t, err, "is in the work tree "+project)
	_, err = environment("HOME", ".").Keys().List()
	require.ErrorContains(t, err, "is not an absolute path")
}
