package setup_test

import (
	"crypto/sha256"
	"encoding/hex"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"ltm/memory"
	"ltm/setup"
)

// FuzzRecord puts anything in the file in which init notes what it did; AFTER in it is the checksum of CLAUDE.md as
// init left it, and MINE that of files which init knows nothing of. Undo takes out what it recognizes, or refuses and
// leaves every byte.
func FuzzRecord(f *testing.F) {
	f.Fuzz(func(t *testing.T, record []byte) {
		p := newProject(t)
		p.write("CLAUDE.md", []byte("rules\n"))
		for _, name := range []string{"notes/mine.md", ".git/config"} {
			p.write(name, []byte("mine\n"))
		}
		require.NoError(t, os.MkdirAll(filepath.Join(p.dir, ".git", "refs"), 0o755))
		require.NoError(t, p.init())
		sum := func(name string) string {
			sum := sha256.Sum256([]byte(p.read(name)))
			return hex.EncodeToString(sum[:])
		}
		text := strings.NewReplacer("AFTER", sum("CLAUDE.md"), "MINE", sum(".git/config")).Replace(string(record))
		require.NoError(t, os.WriteFile(p.record(), []byte(text), 0o644))
		before := p.files()
		if err := p.undo(); err != nil {
			require.NotEmpty(t, memory.CodeOf(err), "%v", err)
			require.Equal(t, before, p.files())
			return
		}
		for _, name := range []string{"notes/mine.md", ".git/config"} {
			require.Equal(t, "mine\n", p.read(name))
		}
		require.DirExists(t, filepath.Join(p.dir, ".git", "refs"))
		require.NoFileExists(t, p.record())
	})
}

// FuzzClient reads settings, servers and plugins of the client that hold anything: what cannot be understood is named,
// and nothing is written.
func FuzzClient(f *testing.F) {
	f.Fuzz(func(t *testing.T, settings, servers, plugins []byte) {
		p := newProject(t)
		for name, data := range map[string][]byte{
			".claude/settings.json": settings, ".mcp.json": servers, "home/settings.json": settings,
			"home.json":                           servers,
			"home/plugins/installed_plugins.json": plugins, "plugin/.claude-plugin/plugin.json": plugins,
		} {
			p.write(name, data)
		}
		before := p.files()
		client := setup.Look(setup.Where{Project: p.dir, Config: filepath.Join(p.dir, "home"),
			UserFile:   filepath.Join(p.dir, "home.json"),
			PathPlugin: filepath.Join(p.dir, "plugin")})
		require.Equal(t, before, p.files())
		require.LessOrEqual(t, len(client.Problems), 5)
		for _, problem := range client.Problems {
			require.NotContains(t, problem, "nothing was changed", "no change was asked for")
		}
		for _, place := range append(client.Hooks, client.Servers...) {
			require.NotEmpty(t, place.Place)
		}
		if setup.IsPlugin(filepath.Join(p.dir, "plugin")) {
			require.NotNil(t, client.Plugin)
		}
	})
}
