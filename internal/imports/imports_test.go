// Package imports_test holds the module's packages to their import directions.
package imports_test

import (
	"os/exec"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// module is the path of this module.
const module = "ltm"

// allowed lists every package and what it may import inside the module. A new
// package needs a line here, with a reason for each arrow.
func allowed() map[string][]string {
	return map[string][]string{
		"memory":                   {},
		"abridge":                  {},
		"memfile":                  {"abridge", "memory"},
		"api":                      {"memory"},
		"priority":                 {},
		"search":                   {},
		"secrets":                  {},
		"transcript":               {},
		"eviction":                 {"abridge", "memory"},
		"store":                    {"memory", "memfile", "internal/busyfile"}, // readers take no lock, so files are replaced under them
		"mcp":                      {"api", "memory", "internal/safetext", "internal/problems"},
		"hooks":                    {"api", "memory"},
		"setup":                    {"memory", "internal/busyfile"}, // the client may be reading its settings
		"ltm":                      {},                              // the plugin's files, embedded
		"engine":                   {"abridge", "api", "memory", "memfile", "priority", "search", "secrets", "eviction", "store", "transcript", "internal/didyoumean", "internal/safetext"},
		"cmd/ltm":                  {"api", "memory", "memfile", "engine", "store", "hooks", "mcp", "setup", "internal/gitcmd", "internal/gitdir", "internal/hookguard", "internal/locate", "internal/didyoumean", "internal/picker", "internal/problems", "internal/safetext"},
		"internal/gitdir":          {},
		"internal/locate":          {"store", "internal/gitdir"},
		"internal/imports":         {},
		"internal/e2e":             {},
		"internal/busyfile":        {},
		"internal/stopwatch":       {},
		"internal/safetext":        {},
		"internal/didyoumean":      {},
		"internal/picker":          {},
		"internal/problems":        {"api", "memory", "internal/safetext"},
		"internal/demo":            {},
		"internal/gitcmd":          {},
		"internal/gitmatrix":       {}, // tests alone
		"internal/gittrap":         {},
		"internal/hookguard":       {},
		"internal/release":         {"internal/gitcmd", "internal/hookguard"}, // the commit's date, and how the program is linked
		"internal/emulate":         {"internal/hookguard"},                    // how the program is linked
		"internal/emulated":        {},                                        // for tests alone
		"internal/searcheval":      {"internal/searcheval/eval"},
		"internal/searcheval/eval": {"search"},
		"internal/torture":         {}, // tests alone
	}
}

// pure lists the packages that may not reach outside of their arguments.
func pure() []string {
	return []string{"abridge", "memory", "memfile", "api", "priority", "search", "secrets", "eviction", "transcript", "internal/didyoumean", "internal/picker", "internal/safetext", "internal/problems"}
}

// impure lists what pure packages may not import.
func impure() []string {
	return []string{"os", "os/exec", "io/fs", "io/ioutil", "net", "net/http", "log", "log/slog", "math/rand", "math/rand/v2", "crypto/rand", "syscall"}
}

// packages returns the direct imports of every package of the module, tests not
// counted.
func packages(t *testing.T) map[string][]string {
	t.Helper()
	cmd := exec.Command("go", "list", "-f", "{{.ImportPath}} {{join .Imports \" \"}}", module+"/...")
	out, err := cmd.Output()
	require.NoError(t, err)
	found := map[string][]string{}
	for line := range strings.Lines(string(out)) {
		fields := strings.Fields(line)
		found[strings.TrimPrefix(fields[0], module+"/")] = fields[1:]
	}
	require.NotEmpty(t, found)
	return found
}

func TestImportDirections(t *testing.T) {
	for pkg, imports := range packages(t) {
		may, known := allowed()[pkg]
		require.True(t, known, "package %s has no line in the list of import directions", pkg)
		for _, path := range imports {
			if inside, ok := strings.CutPrefix(path, module+"/"); ok {
				require.Contains(t, may, inside, "%s must not import %s", pkg, inside)
			}
		}
	}
}

func TestPurePackages(t *testing.T) {
	found := packages(t)
	for _, pkg := range pure() {
		require.Contains(t, found, pkg)
		for _, path := range found[pkg] {
			require.False(t, slices.Contains(impure(), path), "%s is pure and must not import %s", pkg, path)
		}
	}
}

// TestOnlyTheCommandTouchesTheProcess keeps arguments, environment and exit in
// cmd/ltm.
func TestOnlyTheCommandTouchesTheProcess(t *testing.T) {
	for _, pkg := range []string{"abridge", "memory", "memfile", "api", "priority", "search", "secrets", "eviction", "store", "transcript", "mcp", "hooks", "setup", "engine"} {
		cmd := exec.Command("grep", "-nE", `os\.(Args|Getenv|LookupEnv|Environ|Exit|Stdin|Stdout|Stderr)\b`, "-r", "--include=*.go", "--exclude=*_test.go", "../../"+pkg)
		out, _ := cmd.Output() // grep exits with 1 when it finds nothing
		require.Empty(t, string(out))
	}
}
