package setup_test

import (
	"context"
	"os"
	"path/filepath"
	"runtime"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"ltm/memory"
	"ltm/setup"
)

// lines returns a plan as people see it: action, path and reason of each change.
func lines(t *testing.T, plan *setup.Plan, err error) map[string]string {
	t.Helper()
	require.NoError(t, err)
	got := map[string]string{}
	for _, c := range plan.Changes {
		got[c.Path] = string(c.Action) + ": " + c.What.String()
	}
	return got
}

// TestPlan has what an init would do with each file, by what is there.
func TestPlan(t *testing.T) {
	const (
		memory   = "CLAUDE.md"
		store    = ".claude/ltm"
		command  = ".claude/commands/remember.md"
		settings = ".claude/settings.local.json"
		servers  = ".mcp.json"
	)
	ours := `{"hooks":{"Stop":[{"hooks":[{"type":"command","command":"ltm","args":["hook","Stop"]}]}]}}`
	for _, tt := range []struct {
		name, file, text string // what is there
		change           func(*setup.Options)
		path, want       string // what is planned
	}{
		{path: memory, name: "no CLAUDE.md", want: "created: a section on when to recall and what to store"},
		{path: memory, name: "a CLAUDE.md", file: memory, text: "rules\n",
			want: "changed: a section on when to recall and what to store"},
		{path: ".claude/CLAUDE.md", name: "the other CLAUDE.md", file: ".claude/CLAUDE.md", text: "rules\n",
			want: "changed: a section on when to recall and what to store"},
		{path: store, name: "no store", want: "created: the store, with .gitignore and .gitattributes"},
		{path: store, name: "a store", file: store + "/config.json", text: "{}", want: "kept: the store"},
		{path: store, name: "a store elsewhere", change: func(o *setup.Options) { o.NoStore = true },
			want: "kept: LTM_DIR names another directory"},
		{path: command, name: "no command", want: "created: /remember"},
		{path: command, name: "a command of a person's", file: command, text: "mine\n",
			want: "kept: it is not ltm's"},
		{path: command, name: "a command that was edited", file: command, text: "---\n# written by \"ltm init\" " +
			"0123456789ab; x\n---\nmine\n",
			want: "kept: edited since ltm wrote it"},
		{path: settings, name: "no hooks", want: "created: hooks that run ltm"},
		{path: settings, name: "hooks of someone else", file: settings, text: `{"hooks":{"Stop":[]}}`,
			want: "changed: hooks that run ltm"},
		{path: settings, name: "shared hooks", file: ".claude/settings.json", text: ours,
			want: "kept: the hooks are in .claude/settings.json already, and would run twice"},
		{path: settings, name: "the plugin", change: plugin,
			want: "kept: the plugin is active (a test), and hooks would run twice"},
		{path: settings, name: "the plugin and hooks", file: settings, text: ours, change: plugin,
			want: `kept: its hooks run twice because the plugin is active (a test)`},
		{path: servers, name: "no server", want: `created: the server "ltm"`},
		{path: servers, name: "a server of another name", file: servers, text: `{"mcpServers":{"x":{}}}`,
			want: `changed: the server "ltm"`},
		{path: servers, name: "the server", file: servers, text: `{"mcpServers":{"ltm":{"command":"/opt/ltm","args":` +
			`["mcp"]}}}`,
			want: "kept: the server is there"},
		{path: servers, name: "a server of that name", file: servers, text: `{"mcpServers":{"ltm":{"command":"x"}}}`,
			want: `kept: another server has the name "ltm"`},
		{path: servers, name: "the plugin's server", change: plugin,
			want: "kept: the plugin is active (a test), and brings the server"},
		{path: servers, name: "a server of that name of the user's", file: "home.json",
			text: `{"mcpServers":{"ltm":{"command":"x"}}}`, want: `created: the server "ltm"`},
		{path: servers, name: "a server of the user's", file: "home.json", text: `{"mcpServers":{"ltm":{"command":` +
			`"ltm","args":["mcp"]}}}`,
			want: "kept: the server is in ~/.claude.json already"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			p := newProject(t)
			if tt.file != "" {
				p.write(tt.file, []byte(tt.text))
			}
			p.o.Client = setup.Look(setup.Where{Project: p.dir, UserFile: filepath.Join(p.dir, "home.json")})
			if tt.change != nil {
				tt.change(&p.o)
			}
			before := p.files()
			plan, err := setup.Init(p.o)
			require.Equal(t, tt.want, lines(t, plan, err)[tt.path])
			require.Equal(t, before, p.files(), "a plan changes nothing")
		})
	}
}

func plugin(o *setup.Options) { o.Client.Plugin = &setup.Plugin{Why: "a test"} }

// TestRefusals has files that cannot be merged: init names the file and the line, and leaves every byte.
func TestRefusals(t *testing.T) {
	for _, tt := range []struct{ name, file, text, want string }{
		{"a comment", ".claude/settings.local.json", "{\n // mine\n}",
			".claude/settings.local.json, line 2: it has a comment"},
		{"a comma too many", ".mcp.json", "{\"a\": 1,\n}", ".mcp.json, line 2: invalid character '}'"},
		{"a byte order mark", ".mcp.json", "\xef\xbb\xbf{\n,}", ".mcp.json, line 2: invalid character ','"},
		{"an empty file", ".mcp.json", " \n", ".mcp.json, line 1: the file is empty"},
		{"no JSON", ".mcp.json", "servers: []", ".mcp.json, line 1: invalid character 's'"},
		{"cut off", ".mcp.json", `{"mcpServers": {`, ".mcp.json, line 1: unexpected end of JSON input"},
		{"a list", ".mcp.json", "[]", ".mcp.json, line 1: not a JSON object"},
		{"servers that are a list", ".mcp.json", "{\n\"mcpServers\": []}",
			`.mcp.json, line 2: "mcpServers" is not an object`},
		{"hooks that are a list", ".claude/settings.local.json", `{"hooks": []}`,
			`.claude/settings.local.json, line 1: "hooks" is not an object`},
		{"an event that is an object", ".claude/settings.local.json", `{"hooks": {"Stop": {}}}`,
			`.claude/settings.local.json, line 1: the hooks of "Stop" are not a list`},
		{"a section without an end", "CLAUDE.md", "x\n<!-- ltm:begin -->\ny\n",
			"CLAUDE.md, line 2: <!-- ltm:begin --> without <!-- ltm:end -->"},
		{"a section without a beginning", "CLAUDE.md", "<!-- ltm:end -->\n",
			"CLAUDE.md, line 1: <!-- ltm:end --> without <!-- ltm:begin -->"},
		{"two sections", "CLAUDE.md", "<!-- ltm:begin -->\n<!-- ltm:end -->\n<!-- ltm:begin -->\n<!-- ltm:end -->\n",
			"CLAUDE.md, line 3: a second <!-- ltm:begin -->"},
		{"UTF-16", "CLAUDE.md", "r\x00u\x00l\x00", "CLAUDE.md is not a text that can be added to"},
		{"too large", "CLAUDE.md", string(make([]byte, 8<<20+1)), "CLAUDE.md"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			p := newProject(t)
			p.write(tt.file, []byte(tt.text))
			before := p.files()
			err := p.init()
			require.Equal(t, memory.CodeConflict, memory.CodeOf(err), "%v", err)
			require.ErrorContains(t, err, tt.want)
			require.True(t, memory.Refused(err))
			require.Equal(t, before, p.files())
		})
	}
}

// TestHooksAreThereOnce has hooks that are there already, twice or for another binary.
func TestHooksAreThereOnce(t *testing.T) {
	ours := func(program string) string {
		return `{"hooks":[{"type":"command","command":"` + program + `","args":["hook","SessionEnd"]}]}`
	}
	once := `{"hooks":{"SessionEnd":[` + ours("ltm") + `]}}`
	for name, text := range map[string]string{
		"as wanted":           once,
		"twice":               `{"hooks":{"SessionEnd":[` + ours("ltm") + `,` + ours("ltm") + `]}}`,
		"of another binary":   `{"hooks":{"SessionEnd":[` + ours("/old/ltm") + `]}}`,
		"of another event":    `{"hooks":{"Stop":[` + ours("ltm") + `]}}`,
		"in the wanted event": `{"hooks":{"SessionEnd":[` + ours("ltm") + `],"Stop":[` + ours("ltm") + `]}}`,
	} {
		t.Run(name, func(t *testing.T) {
			p := newProject(t)
			p.write(".claude/settings.local.json", []byte(text))
			require.NoError(t, p.init())
			require.JSONEq(t, once, p.read(".claude/settings.local.json"))
		})
	}
}

// TestUnusualFiles has directories and links in the place of files.
func TestUnusualFiles(t *testing.T) {
	t.Run("a directory", func(t *testing.T) {
		p := newProject(t)
		require.NoError(t, os.Mkdir(filepath.Join(p.dir, "CLAUDE.md"), 0o755))
		before := p.files()
		require.ErrorContains(t, p.init(), "CLAUDE.md is not a regular file")
		require.Equal(t, before, p.files())
	})
	if runtime.GOOS == "windows" {
		t.Skip("links need a privilege on Windows")
	}
	link := func(p *project, target, name string) {
		require.NoError(t, os.Symlink(target, filepath.Join(p.dir, name)))
	}
	t.Run("a link", func(t *testing.T) {
		p := newProject(t)
		p.write("docs/rules.md", []byte("rules\n"))
		link(p, "docs/rules.md", "CLAUDE.md")
		require.NoError(t, p.init())
		require.Contains(t, p.read("docs/rules.md"), "ltm:begin")
		target, err := os.Readlink(filepath.Join(p.dir, "CLAUDE.md"))
		require.NoError(t, err)
		require.Equal(t, "docs/rules.md", target)
		require.NoError(t, p.undo())
		require.Equal(t, "rules\n", p.read("docs/rules.md"))
	})
	for name, target := range map[string]string{"a link that leads out": "../rules.md", "an absolute " +
		"link": "/etc/hosts", "a link to git's": ".git/config", "a link through a directory": "docs/config"} {
		t.Run(name, func(t *testing.T) {
			p := newProject(t)
			p.write(".git/config", []byte("[core]\n"))
			link(p, ".git", "docs")
			link(p, target, "CLAUDE.md")
			before := filepath.Join(p.dir, "CLAUDE.md")
			require.ErrorContains(t, p.init(), "CLAUDE.md is a symbolic link that leads out of the project")
			require.NoDirExists(t, filepath.Join(p.dir, ".claude"))
			require.Equal(t, "[core]\n", p.read(".git/config"))
			got, err := os.Readlink(before)
			require.NoError(t, err)
			require.Equal(t, target, got)
		})
	}
	t.Run("a loop", func(t *testing.T) {
		p := newProject(t)
		link(p, "other.md", "CLAUDE.md")
		link(p, "CLAUDE.md", "other.md")
		require.ErrorContains(t, p.init(), "CLAUDE.md is a symbolic link that leads nowhere")
	})
	t.Run("a directory that leads out", func(t *testing.T) {
		p := newProject(t)
		outside := t.TempDir()
		link(p, outside, ".claude")
		require.Error(t, p.init())
		entries, err := os.ReadDir(outside)
		require.NoError(t, err)
		require.Empty(t, entries)
	})
}

// TestIgnored keeps the hooks of this machine out of git by the clone's own list.
func TestIgnored(t *testing.T) {
	const entry = "# ltm init: settings that name programs of this machine\n**/.claude/settings.local.json\n"
	for _, tt := range []struct{ name, before, after string }{
		{"no list", "", entry},
		{"an empty list", "\n", "\n" + entry},
		{"a list", "*.log\n", "*.log\n" + entry},
		{"a list without a final newline", "*.log", "*.log\n" + entry},
	} {
		t.Run(tt.name, func(t *testing.T) {
			p := newProject(t)
			p.o.ShowsLocal, p.o.Exclude = true, filepath.Join(t.TempDir(), "info")
			list := filepath.Join(p.o.Exclude, "exclude")
			if tt.before != "" {
				require.NoError(t, os.MkdirAll(p.o.Exclude, 0o755))
				require.NoError(t, os.WriteFile(list, []byte(tt.before), 0o644))
			}
			require.NoError(t, p.init())
			data, err := os.ReadFile(list)
			require.NoError(t, err)
			require.Equal(t, tt.after, string(data))
			require.NoError(t, p.undo())
			data, err = os.ReadFile(list)
			require.NoError(t, err)
			require.NotContains(t, string(data), "ltm")
			require.Contains(t, string(data), tt.before)
		})
	}
	t.Run("ignored already", func(t *testing.T) {
		p := newProject(t)
		p.o.Exclude = filepath.Join(t.TempDir(), "info")
		require.NoError(t, p.init())
		require.NoDirExists(t, p.o.Exclude)
	})
	t.Run("a list that cannot be written", func(t *testing.T) {
		p := newProject(t)
		p.o.ShowsLocal, p.o.Exclude = true, filepath.Join(t.TempDir(), "file", "info")
		require.NoError(t, os.WriteFile(filepath.Dir(p.o.Exclude), nil, 0o644))
		before := p.files()
		require.Error(t, p.init())
		require.Equal(t, before, p.files())
		require.NoFileExists(t, p.record())
	})
}

// TestInitsAtOnce starts several: each succeeds or refuses, and in the end everything is there once.
func TestInitsAtOnce(t *testing.T) {
	p := newProject(t)
	p.write("CLAUDE.md", []byte("rules\n"))
	require.NoError(t, p.makeStore(context.Background()))
	before := p.files()
	errs := make([]error, 4)
	var wg sync.WaitGroup
	for i := range errs {
		wg.Go(func() { errs[i] = p.init() })
	}
	wg.Wait()
	for _, err := range errs {
		if err != nil {
			require.Contains(t, []memory.Code{memory.CodeConflict, memory.CodeStorage}, memory.CodeOf(err), "%v", err)
		}
	}
	require.NoError(t, p.init())
	for path := range p.files() {
		require.NotContains(t, filepath.Base(path), ".tmp", "a temporary file is left")
	}
	once := newProject(t)
	once.write("CLAUDE.md", []byte("rules\n"))
	require.NoError(t, once.init())
	for _, name := range []string{"CLAUDE.md", ".mcp.json", ".claude/settings.local.json",
		".claude/commands/plain.md"} {
		require.Equal(t, once.read(name), p.read(name))
	}
	require.NotEqual(t, before, p.files())
}
