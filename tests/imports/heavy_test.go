package imports_test

import (
	"os"
	"os/exec"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// heavy lists import paths that cmd/ltm must not reach, nor what is below those that end in "/".
// Initializing such packages takes time at every start, and hooks start at every tool call.
func heavy() []string {
	return []string{"ltm/server", "ltm/server/", "ltm/cmd/ltm-server",
		"modernc.org/",
		"github.com/yuin/goldmark/extension", "github.com/yuin/goldmark/extension/", "github.com/cli/browser",
		"github.com/jackc/",
		"github.com/pressly/", "github.com/danielgtaylor/", "github.com/prometheus/", "database/sql",
		"github.com/google/go-containerregistry/"}
}

// TestTheToolReachesNoServer lists all that cmd/ltm is built of, on each system.
func TestTheToolReachesNoServer(t *testing.T) {
	for _, system := range []string{"linux", "darwin", "windows"} {
		cmd := exec.Command("go", "list", "-deps", "ltm/cmd/ltm")
		cmd.Env = append(os.Environ(), "GOOS="+system, "GOARCH=amd64", "CGO_ENABLED=0")
		out, err := cmd.CombinedOutput()
		require.NoError(t, err, "%s", out)
		reached := strings.Fields(string(out))
		require.Contains(t, reached, "ltm/engine")
		for _, path := range reached {
			for _, no := range heavy() {
				require.False(t, path == no || strings.HasSuffix(no, "/") && strings.HasPrefix(path, no),
					"cmd/ltm reaches %s on %s", path, system)
			}
		}
	}
}
