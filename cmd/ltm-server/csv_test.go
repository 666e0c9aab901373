package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestFilesOfUsersFromSpreadsheets reads a byte order mark before a quoted header, and says no more of a long row than
// one line.
func TestFilesOfUsersFromSpreadsheets(t *testing.T) {
	dir := t.TempDir()
	db, file := filepath.Join(dir, "ltm.db"), filepath.Join(dir, "people.csv")
	none := map[string]string{"HOME": dir}
	status, _, said := call(t, none, "init", "--db", db)
	require.Equal(t, exitOK, status, said)
	require.NoError(t, os.WriteFile(file, []byte("\ufeff\"Name\",\"Email\"\r\n\"bob\",bob@example.org\r\n"), 0o600))
	status, out, said := call(t, none, "user", "add", "--csv", file, "--db", db)
	require.Equal(t, exitOK, status, said)
	require.Equal(t, 1, strings.Count(out, "\n"))
	require.NoError(t, os.WriteFile(file, []byte(strings.Repeat("a", 1<<20)), 0o600))
	status, _, said = call(t, none, "user", "add", "--csv", file, "--db", db)
	require.Equal(t, exitInvalid, status)
	require.Less(t, len(said), 500+len(file))
}
