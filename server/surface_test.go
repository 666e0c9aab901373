package server_test

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"ltm/server"
)

// TestSurface compares the routes with the checked-in list. LTM_UPDATE_SURFACE=1 writes the list.
func TestSurface(t *testing.T) {
	p := start(t, withApps, func(o *server.Options) { o.Metrics = true })
	text := strings.Join(slices.Sorted(slices.Values(p.srv.Patterns())), "\n") + "\n"
	path := filepath.Join("..", "testdata", "surface", "routes.txt")
	if os.Getenv("LTM_UPDATE_SURFACE") != "" {
		require.NoError(t, os.WriteFile(path, []byte(text), 0o644))
	}
	want, err := os.ReadFile(path)
	require.NoError(t, err)
	require.Equal(t, string(want), text)
}
