package setup_test

import (
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"ltm/setup"
)

// TestLookAtAProjectOnAnotherCase finds the servers of a project whose directory
// the client has written with another case of its drive.
func TestLookAtAProjectOnAnotherCase(t *testing.T) {
	p := newProject(t)
	drive := filepath.VolumeName(p.dir)
	require.NotEmpty(t, drive)
	lower := string(drive[0]|0x20) + p.dir[1:]
	p.write("home.json", []byte(`{"projects":{"`+filepath.ToSlash(lower)+`":{"mcpServers":{"ltm":{"command":"ltm",`+
		`"args":["mcp"]}}}}}`))
	client := setup.Look(setup.Where{Project: p.dir, UserFile: filepath.Join(p.dir, "home.json")})
	require.Len(t, client.Servers, 1)
	require.False(t, client.Servers[0].Taken)
}
