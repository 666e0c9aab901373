package terminal_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"ltm/cmd/internal/terminal"
)

func TestDiff(t *testing.T) {
	const text = "--- a\n+++ b\n@@ -1,2 +1,2 @@\n same\n-- old\n++ new\n"
	want := []string{bold + "--- a" + off, bold + "+++ b" + off, dim + "@@ -1,2 +1,2 @@" + off, " same",
		"\x1b[31m-- old" + off, "\x1b[32m++ new" + off}
	require.Equal(t, want, terminal.Screen{Color: true}.Diff(text))
	require.Equal(t, "-- old", terminal.Screen{}.Diff(text)[4])
}
