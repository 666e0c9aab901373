//go:build e2e

package e2e

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
)

// withoutPlugin makes a project whose client finds ltm only on the PATH.
func (p *project) withoutPlugin() {
	p.plugin = ""
	p.env = []string{"PATH=" + filepath.Dir(os.Getenv(binaryEnv)) + ":" + os.Getenv("PATH")}
}

// ltm runs the program in the project, as the person would.
func (p *project) ltm(args ...string) string {
	p.t.Helper()
	cmd := exec.Command(os.Getenv(binaryEnv), args...)
	cmd.Dir, cmd.Env = p.dir, append([]string{"HOME=" + p.home, "PATH=" + os.Getenv("PATH")}, p.env...)
	out, err := cmd.CombinedOutput()
	require.NoError(p.t, err, string(out))
	return string(out)
}

func TestInitWithoutThePlugin(t *testing.T) {
	forEachVersion(t, func(t *testing.T, p *project) {
		p.withoutPlugin()
		before := p.git("status", "--porcelain", "--untracked-files=all", "--ignored")
		p.ltm("init")

		s := p.claude("/remember keep db/pool.go at 20 connections", tool("store_memory", pool), bash("true"))
		expanded(t, s, "keep db/pool.go at 20 connections", "`store_memory`")
		require.Equal(t, "mcp__ltm__store_memory", s.first().fullName("store_memory"))
		s.ok(0)
		require.Contains(t, contextBlock(t, p.claude("go on").first()), "Connection pool exhausted under load")
		require.Equal(t, 2, p.state().SessionCount, "the hooks are registered once")

		p.ltm("init", "--undo")
		require.Len(t, p.memories(), 1)
		require.NoError(t, os.RemoveAll(p.path(".claude/ltm")), "memories stay until a person removes them")
		_ = os.Remove(p.path(".claude"))
		require.Equal(t, before, p.git("status", "--porcelain", "--untracked-files=all", "--ignored"))
	})
}

func TestInitAndUndoLeaveNothing(t *testing.T) {
	forEachVersion(t, func(t *testing.T, p *project) {
		p.withoutPlugin()
		p.write("CLAUDE.md", "# Shop\r\n\r\nNo trailing newline")
		before := p.read("CLAUDE.md")
		p.ltm("init")
		require.Contains(t, p.claude("hello").first().conversation(), "Long-term memory")
		p.ltm("init", "--undo")
		require.Equal(t, before, p.read("CLAUDE.md"))
	})
}
