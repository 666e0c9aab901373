package setup_test

import (
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"ltm/setup"
)

// TestDriverCommand writes a path for the shell that git brings along, to which
// a backslash is no part of a path.
func TestDriverCommand(t *testing.T) {
	for program, want := range map[string]string{
		`C:\ltm\ltm.exe`:               `C:/ltm/ltm.exe merge-index %O %A %B`,
		`C:\Program Files\ltm\ltm.exe`: `'C:/Program Files/ltm/ltm.exe' merge-index %O %A %B`,
		`C:\Users\O'Neil\ltm.exe`:      `'C:/Users/O'\''Neil/ltm.exe' merge-index %O %A %B`,
		`\\host\share\ltm.exe`:         `//host/share/ltm.exe merge-index %O %A %B`,
	} {
		require.Equal(t, want, setup.DriverCommand(program))
		require.Equal(t, filepath.ToSlash(program), setup.DriverProgram(want))
	}
}

// TestLookAtAProjectOnAnotherCase finds the servers of a project whose folder the
// client has written with another case of its drive.
func TestLookAtAProjectOnAnotherCase(t *testing.T) {
	p := newProject(t)
	drive := filepath.VolumeName(p.dir)
	require.NotEmpty(t, drive)
	lower := string(drive[0]|0x20) + p.dir[1:]
	p.write("home.json", []byte(`{"projects":{"`+filepath.ToSlash(lower)+`":{"mcpServers":{"ltm":{"command":"ltm","args":["mcp"]}}}}}`))
	client := setup.Look(setup.Where{Project: p.dir, UserFile: filepath.Join(p.dir, "home.json")})
	require.Len(t, client.Servers, 1)
	require.False(t, client.Servers[0].Foreign)
}
