package main

import (
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"ltm/memory"
	"ltm/memory/memfile"
)

// BenchmarkProcess times whole processes: the ratio of each to "empty", a Go program
// that does nothing, is what to look at. Hooks are started without the shell that the
// client starts them with, but for those of "ltm init" and of the plugin.
func BenchmarkProcess(b *testing.B) {
	bin := b.TempDir()
	empty, ltm := filepath.Join(bin, "empty"), filepath.Join(bin, "ltm")
	source := filepath.Join(bin, "empty.go")
	require.NoError(b, os.WriteFile(source, []byte("package main\n\nfunc main() {}\n"), 0o644))
	installed(b, empty, source)
	installed(b, ltm, ".")

	b.Run("empty", func(b *testing.B) { process(b, bin, "", empty) })
	b.Run("version", func(b *testing.B) { process(b, bin, "", ltm, "version") })
	launcher := benchLauncher(b, ltm)
	for _, n := range []int{10, 1000, 10000} {
		dir := benchStore(b, ltm, n)
		const call = `{"session_id":"bench","tool_response":"output"}`
		b.Run(fmt.Sprintf("hook-PostToolUse-init/%d", n), func(b *testing.B) {
			process(b, dir, call, "sh", "-c",
				"trap '[ $? = 0 ] || exit 1' EXIT; LTM_CLIENT=$PPID "+ltm+" hook PostToolUse")
		})
		b.Run(fmt.Sprintf("hook-PostToolUse-plugin/%d", n), func(b *testing.B) {
			process(b, dir, call, launcher, "hook", "PostToolUse")
		})
		b.Run(fmt.Sprintf("hook-PostToolUse/%d", n), func(b *testing.B) {
			process(b, dir, call, ltm, "hook", "PostToolUse")
		})
		b.Run(fmt.Sprintf("hook-SessionStart/%d", n), func(b *testing.B) {
			process(b, dir, `{"session_id":"bench","source":"startup"}`, ltm, "hook", "SessionStart")
		})
		b.Run(fmt.Sprintf("hook-UserPromptSubmit/%d", n), func(b *testing.B) {
			process(b, dir, `{"session_id":"bench","prompt":"why does the scheduler drop the last job of a batch?"}`,
				ltm, "hook", "UserPromptSubmit")
		})
		b.Run(fmt.Sprintf("status-line/%d", n), func(b *testing.B) { process(b, dir, "{}", ltm, "status", "--line") })
		b.Run(fmt.Sprintf("recall/%d", n), func(b *testing.B) { process(b, dir, "", ltm, "recall", "component") })
		b.Run(fmt.Sprintf("store/%d", n), func(b *testing.B) {
			for b.Loop() { // each its own topic: a memory is not stored twice
				topic := fmt.Sprintf("topic %x", rand.Uint64())
				require.NoError(b, processIn(dir, "", []string{ltm, "remember", topic, "content"}).Run())
			}
		})
		if rg, err := exec.LookPath("rg"); err == nil {
			b.Run(fmt.Sprintf("rg/%d", n),
				func(b *testing.B) { process(b, dir, "", rg, "-il", "component", ".claude/ltm/memories") })
		}
	}
}

func build(b testing.TB, out, what string) {
	b.Helper()
	cmd := exec.Command("go", "build", "-trimpath", "-ldflags", "-s -w", "-o", out, what)
	cmd.Env = append(os.Environ(), "CGO_ENABLED=0")
	text, err := cmd.CombinedOutput()
	require.NoError(b, err, "%s", text)
}

// installed builds a program, and copies it as installing one does: a program starts a sixth slower while the
// kernel has its file in memory as Go's linker wrote it, which is page by page.
func installed(b *testing.B, out, what string) {
	b.Helper()
	linked := out + ".linked"
	build(b, linked, what)
	program, err := os.ReadFile(linked)
	require.NoError(b, err)
	require.NoError(b, os.WriteFile(out, program, 0o755))
	require.NoError(b, os.Remove(linked))
}

func process(b *testing.B, dir, stdin string, argv ...string) {
	for b.Loop() {
		require.NoError(b, processIn(dir, stdin, argv).Run())
	}
}

func processIn(dir, stdin string, argv []string) *exec.Cmd {
	cmd := exec.Command(argv[0], argv[1:]...)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "CLAUDE_PROJECT_DIR=", "LTM_DIR=",
		"LTM_USER_DIR="+filepath.Join(filepath.Dir(dir), "person"))
	cmd.Stdin = strings.NewReader(stdin)
	return cmd
}

// benchLauncher puts the plugin's launcher beside a program that make built there.
func benchLauncher(b *testing.B, ltm string) string {
	b.Helper()
	root := filepath.Join(filepath.Dir(ltm), "plugin")
	for _, name := range []string{"bin/ltm", ".build/ltm"} {
		from := map[string]string{"bin/ltm": "../../bin/ltm", ".build/ltm": ltm}[name]
		data, err := os.ReadFile(from)
		require.NoError(b, err)
		require.NoError(b, os.MkdirAll(filepath.Join(root, filepath.Dir(name)), 0o755))
		require.NoError(b, os.WriteFile(filepath.Join(root, name), data, 0o755))
	}
	return filepath.Join(root, "bin/ltm")
}

// benchStore is a project with n memories of about a kilobyte, whose caches are
// warm.
func benchStore(b *testing.B, ltm string, n int) string {
	b.Helper()
	dir := b.TempDir()
	folder := filepath.Join(dir, ".claude", "ltm", "memories")
	require.NoError(b, os.MkdirAll(folder, 0o755))
	for i := range n {
		m := memory.Memory{ID: memory.ID(fmt.Sprintf("mem_%08x", i)),
			Topic: fmt.Sprintf("Topic %d about component %d", i, i%97), Tags: []string{"bench"},
			Difficulty: float64(i%100) / 100, CreatedAt: time.Unix(1.7e9+int64(i), 0), Summary: "What was learned.",
			Content: strings.Repeat(fmt.Sprintf("Detail w%d of the component. ", i*7919%5000), 33)}
		require.NoError(b, os.WriteFile(filepath.Join(folder, m.ID.File()), memfile.Format(m), 0o644))
	}
	for range 2 {
		time.Sleep(100 * time.Millisecond) // until the stamps are stable
		for _, args := range [][]string{{"fix"}, {"recall", "component"}} {
			cmd := exec.Command(ltm, args...)
			cmd.Dir = dir
			out, err := cmd.CombinedOutput()
			require.NoError(b, err, "%s", out)
		}
	}
	return dir
}
