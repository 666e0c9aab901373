package main

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"ltm/internal/emulated"
)

// TestDemoFitsAScreen plays the short demo, which must fit in about 40 lines.
func TestDemoFitsAScreen(t *testing.T) {
	emulated.SkipUnderWine(t, "no git is installed there")
	binary := filepath.Join(t.TempDir(), "ltm")
	build := exec.Command("go", "build", "-o", binary, "ltm/cmd/ltm")
	build.Env = append(os.Environ(), "CGO_ENABLED=0")
	out, err := build.CombinedOutput()
	require.NoError(t, err, "%s", out)
	var story bytes.Buffer
	require.NoError(t, run(binary, false, &story))
	require.LessOrEqual(t, strings.Count(story.String(), "\n"), 45)
	for _, want := range []string{`stored mem_`, `<ltm-memory>`, `MaxOpenConns`, `\$ ltm list`,
		`\?\? \.claude/ltm/memories/mem_`, `Every step showed what it should`} {
		require.Regexp(t, regexp.MustCompile(want), story.String())
	}
}
