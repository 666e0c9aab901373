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
	require.NoError(t, run(binary, (*demo).tell, &story))
	require.LessOrEqual(t, strings.Count(story.String(), "\n"), 45)
	for _, want := range []string{`stored mem_`, `<ltm-memory>`, `MaxOpenConns`, `\$ ltm list`,
		`\?\? \.claude/ltm/memories/mem_`, `Every step showed what it should`} {
		require.Regexp(t, regexp.MustCompile(want), story.String())
	}
}

// TestDemoOfTheServer plays two people, an application and a server.
func TestDemoOfTheServer(t *testing.T) {
	emulated.SkipUnderWine(t, "no git is installed there")
	dir := t.TempDir()
	build := exec.Command("go", "build", "-o", dir, "ltm/cmd/ltm", "ltm/cmd/ltm-server")
	out, err := build.CombinedOutput()
	require.NoError(t, err, "%s", out)
	var story bytes.Buffer
	require.NoError(t, run(filepath.Join(dir, "ltm"), (*demo).playServer, &story), "%s", story.String())
	for _, want := range []string{`\$ ltm server serve &`, `\$ ltm auth http://127\.0\.0\.1:\d+ < token`, `\$ ltm join http`,
		`\$ ltm resume [0-9A-Z]{26}`, `Run the cold chamber test`, `\$ ltm server app create notes`,
		`80 messages of one conversation`, `PROFILE: I live in Rome`, `claim: I live in Turin`, `Every step showed what it should`} {
		require.Regexp(t, regexp.MustCompile(want), story.String())
	}
}
