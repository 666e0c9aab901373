package setup_test

import (
	"context"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"testing"

	"github.com/stretchr/testify/require"

	"ltm/memory"
	"ltm/setup"
)

// makeStore replaces the store's own function that makes its directory.
func (p *project) makeStore(context.Context) error {
	p.write(".claude/ltm/.gitignore", []byte("/state.json\n"))
	p.write(".claude/ltm/.gitattributes", []byte("*.md text eol=lf\n"))
	return nil
}

func (p *project) init() error { return p.run(setup.Init) }
func (p *project) undo() error { return p.run(setup.Undo) }

func (p *project) run(prepare func(setup.Options) (*setup.Plan, error)) error {
	plan, err := prepare(p.o)
	if err != nil {
		return err
	}
	return plan.Run(context.Background(), p.makeStore)
}

func (p *project) read(name string) string {
	p.t.Helper()
	data, err := os.ReadFile(filepath.Join(p.dir, filepath.FromSlash(name)))
	require.NoError(p.t, err)
	return string(data)
}

func TestMergedHooksKeepTheStyle(t *testing.T) {
	for name, c := range map[string]struct{ in, out string }{
		"one line": {
			`{"a":1}`,
			`{"a":1,"hooks":{"SessionEnd":[{"hooks":[{"type":"command","command":"ltm","args":["hook",` +
				`"SessionEnd"]}]}]}}`,
		},
		"four spaces": {
			"{\n    \"hooks\": {\n        \"Stop\": []\n    }\n}\n",
			"{\n    \"hooks\": {\n        \"Stop\": [],\n        \"SessionEnd\": [\n            {\n                " +
				"\"hooks\": [\n                    {\n" +
				"                        \"type\": \"command\",\n                        \"command\": \"ltm\",\n    " +
				"                    \"args\": [\n" +
				"                            \"hook\",\n                            \"SessionEnd\"\n                " +
				"        ]\n                    }\n" +
				"                ]\n            }\n        ]\n    }\n}\n",
		},
		"brackets together": {
			"{\n\t\"hooks\": {\n\t\t\"SessionEnd\": [{\n\t\t\t\"hooks\": []\n\t\t}]\n\t}\n}",
			"{\n\t\"hooks\": {\n\t\t\"SessionEnd\": [{\n\t\t\t\"hooks\": []\n\t\t}, {\n\t\t\t\"hooks\": [\n\t\t\t\t{" +
				"\n\t\t\t\t\t\"type\": \"command\",\n" +
				"\t\t\t\t\t\"command\": \"ltm\",\n\t\t\t\t\t\"args\": [\n\t\t\t\t\t\t\"hook\",\n" +
				"\t\t\t\t\t\t\"SessionEnd\"\n\t\t\t\t\t]\n\t\t\t\t}\n\t\t\t]\n\t\t}]\n\t}\n}",
		},
	} {
		t.Run(name, func(t *testing.T) {
			p := newProject(t)
			p.write(".claude/settings.local.json", []byte(c.in))
			require.NoError(t, p.init())
			require.Equal(t, c.out, p.read(".claude/settings.local.json"))
		})
	}
}

// TestHooksOfAShell writes hooks for a shell, finds them again, and replaces those of other forms.
func TestHooksOfAShell(t *testing.T) {
	for program, word := range map[string]string{"ltm": "ltm", "/opt/my ltm/ltm": "'/opt/my ltm/ltm'",
		"/it's/ltm-1.2": `'/it'\''s/ltm-1.2'`, "/$HOME/ltm": "'/$HOME/ltm'", "/é/ltm": "'/é/ltm'",
		"/a hook b/ltm": "'/a hook b/ltm'", "/a' hook 'b/ltm": `'/a'\'' hook '\''b/ltm'`} {
		p := newProject(t)
		p.o.Program = program
		require.NoError(t, p.init())
		p.o.Shell = true
		require.NoError(t, p.init())
		want := "trap '[ $? = 0 ] || exit 1' EXIT; LTM_CLIENT=$PPID " + word + " hook SessionEnd"
		quoted, err := json.Marshal(want)
		require.NoError(t, err)
		require.JSONEq(t, `{"hooks":{"SessionEnd":[{"hooks":[{"type":"command","command":`+string(quoted)+`}]}]}}`,
			p.read(".claude/settings.local.json"))
		plan, err := setup.Init(p.o)
		require.NoError(t, err)
		require.False(t, plan.Writes())
		require.Equal(t, []setup.Registration{{Place: ".claude/settings.local.json", Events: []string{"SessionEnd"},
			Commands: []string{program}}}, setup.Look(setup.Where{Project: p.dir}).Hooks)
		p.o.Shell = false
		require.NoError(t, p.init())
		require.NotContains(t, p.read(".claude/settings.local.json"), "trap")
	}
}

func TestShellWord(t *testing.T) {
	for path, want := range map[string]string{
		"/home/ana/.claude/x": "/home/ana/.claude/x", "a b": "'a b'", "it's": `'it'\''s'`, "$(x)": "'$(x)'", "-x": "'-x'",
		"": "''", "é": "'é'",
	} {
		require.Equal(t, want, setup.ShellWord(path))
	}
}

// A project whose store cannot be made, or in which a file cannot be written, is
// as it was.
func TestFailureLeavesNothingBehind(t *testing.T) {
	p := newProject(t)
	p.write("CLAUDE.md", []byte("rules\n"))
	p.write(".mcp.json", []byte("{}\n"))
	before := p.files()
	plan, err := setup.Init(p.o)
	require.NoError(t, err)
	failure := errors.New("no store")
	require.ErrorIs(t, plan.Run(context.Background(), func(context.Context) error { return failure }), failure)
	require.Equal(t, before, p.files())
	require.NoFileExists(t, p.record())

	require.NoError(t, os.Chmod(filepath.Join(p.dir, ".mcp.json"), 0o444))
	before = p.files()
	err = p.init()
	require.Equal(t, memory.CodeStorage, memory.CodeOf(err))
	require.EqualError(t, err, "cannot write .mcp.json: permission denied")
	require.Equal(t, memory.KindSetupUnwritable, memory.KindOf(err))
	require.True(t, memory.Refused(err))
	require.Equal(t, before, p.files())
	require.NoFileExists(t, p.record())
}

// What someone else writes between the plan and its run is not overwritten.
func TestChangeInBetweenIsRefused(t *testing.T) {
	p := newProject(t)
	plan, err := setup.Init(p.o)
	require.NoError(t, err)
	p.write("CLAUDE.md", []byte("theirs\n"))
	before := p.files()
	err = plan.Run(context.Background(), p.makeStore)
	require.Equal(t, memory.CodeConflict, memory.CodeOf(err))
	require.ErrorContains(t, err, "CLAUDE.md was changed at the same moment")
	require.Equal(t, before, p.files())

	// A memory that comes while a store is being undone stays.
	require.NoError(t, p.init())
	plan, err = setup.Undo(p.o)
	require.NoError(t, err)
	p.write(".claude/ltm/memories/mem_00000001.md", []byte("x"))
	require.NoError(t, plan.Run(context.Background(), p.makeStore))
	require.Equal(t, "x", p.read(".claude/ltm/memories/mem_00000001.md"))
	require.FileExists(t, filepath.Join(p.dir, ".claude/ltm/.gitignore"))
	require.Equal(t, "theirs\n", p.read("CLAUDE.md"))
}

// The mode of a file stays, and so does a private one private.
func TestModesStay(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("Windows has no modes: who may read a file is in its access list, which a replacement inherits from " +
			"the directory")
	}
	p := newProject(t)
	p.write("CLAUDE.md", []byte("rules\n"))
	require.NoError(t, os.Chmod(filepath.Join(p.dir, "CLAUDE.md"), 0o600))
	before := p.files()
	require.NoError(t, p.init())
	info, err := os.Stat(filepath.Join(p.dir, "CLAUDE.md"))
	require.NoError(t, err)
	require.Equal(t, os.FileMode(0o600), info.Mode().Perm())
	require.NoError(t, p.undo())
	require.Equal(t, before, p.files())
}

// Inits of several versions, with edits between them, are undone as one.
func TestUndoAfterSeveralInits(t *testing.T) {
	p := newProject(t)
	p.write(".claude/settings.local.json", []byte(`{"hooks": { }}`))
	p.write("CLAUDE.md", []byte("rules\n"))
	before := p.files()
	require.NoError(t, p.init())
	p.o.Program = "/elsewhere/ltm"
	p.o.Commands["remember.md"] = []byte("---\ndescription: newer\n---\n")
	require.NoError(t, p.init())
	require.Contains(t, p.read(".claude/settings.local.json"), "/elsewhere/ltm")
	require.Contains(t, p.read(".claude/commands/remember.md"), "newer")
	require.NoError(t, p.undo())
	require.Equal(t, before, p.files())

	require.NoError(t, p.init())
	p.write("CLAUDE.md", []byte(p.read("CLAUDE.md")+"more rules\n"))
	p.o.Program = "ltm"
	require.NoError(t, p.init())
	require.NoError(t, p.undo())
	require.Equal(t, "rules\nmore rules\n", p.read("CLAUDE.md"))
}

func TestRegisteredCommandsAreRecognized(t *testing.T) {
	for command, ours := range map[string]bool{
		`ltm hook SessionStart`:                             true,
		`/usr/local/bin/ltm hook SessionStart`:              true,
		`"${CLAUDE_PLUGIN_ROOT}/bin/ltm" hook SessionStart`: true,
		`'/my tools/ltm' hook SessionStart`:                 true,
		`C:\tools\LTM.exe hook SessionStart`:                true,
		`ltm list`:                                          false,
		`ltm`:                                               false,
		`altm hook SessionStart`:                            false,
		`echo ltm hook`:                                     false,
		``:                                                  false,
	} {
		p := newProject(t)
		p.write(".claude/settings.json", []byte(`{"hooks":{"SessionStart":[{"hooks":[{"type":"command",`+
			`"command":`+quote(command)+`}]}]}}`))
		c := setup.Look(setup.Where{Project: p.dir})
		require.Empty(t, c.Problems)
		require.Equal(t, ours, len(c.Hooks) == 1, command)
	}
}

// quote writes a string as JSON.
func quote(s string) string {
	data, err := json.Marshal(s)
	if err != nil {
		panic(err)
	}
	return string(data)
}
