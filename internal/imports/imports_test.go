// Package imports_test enforces the import directions of the module's packages.
package imports_test

import (
	"go/ast"
	"path"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// module is the path of this module.
const module = "ltm"

// allowed lists every package and what it may import from the module. A new package needs a line
// here, with a reason for each import that is not obvious.
func allowed() map[string][]string {
	return map[string][]string{
		"memory":       {}, // the standard library alone
		"achievements": {"memory"},
		"abridge":      {},
		"links":        {"memory"},
		"refs":         {"memory"},
		"memfile":      {"abridge", "memory"},
		"api":          {"memory", "packet"},
		"priority":     {"memory"},
		"search":       {"abridge", "internal/cachefile"},
		"secrets":      {},
		// sentences, stems and likeness, and no credentials in what is derived
		"conversation": {"abridge", "search", "secrets"},
		// no credential goes to the model
		"conversation/mcp":     {"conversation/client", "secrets", "internal/longline"},
		"conversation/client":  {}, // for applications: the standard library alone
		"examples/chat":        {"conversation/client"},
		"examples/memory-tool": {"conversation/client"},
		"conversation/recall":  {"search"},
		"transcript":           {},
		"packet":               {},
		"transfer":             {"abridge", "memfile", "memory"},
		// front matter, and first sentences
		"transfer/forms":        {"abridge", "memfile", "memory", "transfer", "internal/plural"},
		"transfer/transfertest": {"memfile", "memory", "transfer"}, // for tests alone
		"eviction":              {"abridge", "memory"},
		"store/scan": {"internal/cachefile", "links", "memory", "memfile", "internal/atomicfile",
			"internal/busyfile", "internal/regular"},
		// readers take no lock, so files are replaced under them
		// the other work trees of a clone come and go
		"store": {"store/scan", "memory", "memfile", "internal/atomicfile", "internal/busyfile", "internal/gitdir",
			"internal/regular", "store/trust"},
		"mcp": {"api", "memory", "packet", "internal/advice", "internal/safetext", "internal/problems",
			"internal/longline"},
		"hooks":       {"api", "memory", "packet", "internal/advice"},
		"store/trust": {"memory", "memfile", "internal/atomicfile", "internal/regular"},
		// the client may be reading its settings
		"signing": {"memory"},
		// a person's keys
		"internal/keyring": {"internal/atomicfile", "internal/regular", "memory", "signing"},
		"setup": {"memory", "internal/busyfile", "internal/atomicfile", "internal/gitdir",
			"internal/regular"},
		"ltm": {}, // the plugin's files, embedded
		"engine/brief": {"abridge", "memory", "search", "transcript", "internal/plural",
			"internal/safetext"},
		"engine/finder": {"abridge", "api", "memfile", "memory", "search", "store", "internal/cachefile"},
		"engine/session": {"api", "engine/settings", "memory", "priority", "store", "transcript",
			"internal/plural"},
		"engine/settings": {"eviction", "memory", "priority", "internal/didyoumean"},
		// drafts are made of the client's record
		"engine/handoff": {"api", "memory", "packet", "packet/redact", "store", "transcript", "internal/plural",
			"internal/safetext"},
		"packet/redact": {"packet", "secrets"},
		"packet/form":   {"packet"},
		// credentials by host
		"packet/client": {"packet", "packet/redact", "memory", "internal/atomicfile", "internal/regular"},
		"server": {"conversation", "packet", "packet/redact", "search", "server/threads", "internal/look",
			"internal/plural", "internal/safetext"},
		"server/threads": {"conversation", "conversation/recall", "provider", "search", "secrets"},
		"provider":       {"secrets", "internal/safetext"}, // what leaves the machine is masked and fenced
		// memories in directories: the engine decides what may be shown
		"server/shelf": {"api", "engine", "memory", "server/threads", "store", "internal/locate"},
		// one set of queries for both databases
		"server/sqlstore":        {"conversation", "server", "server/threads"},
		"server/sqlite":          {"server", "server/sqlstore", "internal/atomicfile"},
		"server/postgres":        {"server", "server/sqlstore"},
		"server/storagetest":     {"conversation", "server", "server/threads"}, // for tests alone
		"server/postgres/pgtest": {"internal/npm"},                             // for tests alone
		"cmd/ltm-server": {"conversation", "conversation/client", "conversation/mcp", "provider",
			"server", "server/shelf", "server/threads", "server/sqlstore", "server/sqlite",
			"server/postgres", "memory", "packet", "secrets", // no secret in a message
			"internal/terminal", "internal/safetext", "internal/plural", "internal/atomicfile", "internal/manual",
			"internal/didyoumean",
			// the local page, over the same stores as ltm's
			"web", "api", "engine", "memfile", "engine/settings", "hooks", "internal/gitstore", "internal/locate",
			"internal/companion", "internal/past", "internal/regular", "internal/wiring"},
		"web": {"api", "memory", "packet", "internal/advice", "internal/look", "internal/plural",
			"internal/safetext", "web/drawing"},
		"web/drawing":      {},
		"internal/look":    {}, // the style that both kinds of pages begin with
		"internal/browser": {}, // tests alone
		"internal/npm":     {}, // tests alone
		"engine": {"achievements", "engine/finder", "engine/settings", "abridge", "api", "links", "memory", "memfile",
			"priority", "search", "secrets", "eviction", "store", "transcript", "internal/didyoumean",
			"internal/safetext", "engine/brief", "internal/plural", "transfer", "engine/session", "engine/audit",
			"signing",
			"internal/worktree"}, // the files that memories refer to
		"cmd/ltm": {"achievements",
			"api", "memory", "memfile", "engine", "engine/settings", "store", "hooks", "mcp", "setup",
			"internal/advice", "internal/gitcmd", "internal/gitdir", "internal/gitstore", "internal/hookguard",
			"internal/locate", "internal/past", "internal/wiring",
			"internal/companion", "internal/didyoumean", "internal/problems", "internal/safetext",
			"internal/terminal", "internal/records", "internal/plural", "internal/sources", "transfer",
			"transfer/forms", "internal/keyring", "signing", "packet", "packet/client",
			"packet/redact", "packet/form", "engine/handoff", "internal/manual"},
		"internal/past": {"api", "engine", "internal/gitstore", "internal/locate", "memfile", "memory"},
		// opens stores as both programs do
		"internal/wiring": {"api", "engine", "engine/handoff", "internal/gitdir", "internal/gitstore",
			"internal/keyring", "internal/locate", "internal/records", "internal/worktree", "memory", "signing",
			"store"},
		"engine/audit": {"api", "engine/settings", "links", "memfile", "memory", "packet", "secrets", "store",
			"internal/plural"},
		"internal/advice":   {"memory"},
		"internal/gitdir":   {},
		"internal/gitindex": {},
		// what it is asked with, and answers
		"internal/worktree": {"internal/cachefile", "internal/gitindex", "internal/regular", "memory", "refs"},
		// a store's place, and its ids
		"internal/gitstore": {"achievements", "memory", "refs", "store", "internal/gitcmd", "internal/gitdir",
			"internal/locate", "internal/regular"},
		"internal/locate":     {"store", "internal/gitdir"},
		"internal/imports":    {},
		"internal/e2e":        {},
		"internal/atomicfile": {"internal/busyfile"}, // a reader may have the file open
		"internal/busyfile":   {},
		"internal/regular":    {"internal/busyfile"}, // another process may be writing the file
		"internal/cachefile":  {},
		"internal/longline":   {},
		"internal/stopwatch":  {},
		"internal/safetext":   {},
		"internal/companion":  {"internal/gitcmd", "internal/gitdir"},
		"internal/didyoumean": {},
		"internal/terminal":   {},
		"internal/plural":     {},
		"internal/manual":     {},
		"internal/records":    {"store", "transcript"}, // how far a record was read is in the state
		// what is imported
		"internal/sources":   {"memory", "transfer", "internal/atomicfile", "internal/plural", "internal/regular"},
		"internal/problems":  {"api", "memory", "internal/advice", "internal/safetext"},
		"internal/demo":      {"conversation/client"},
		"internal/gitcmd":    {},
		"internal/gitmatrix": {}, // tests alone
		"internal/gittrap":   {},
		"internal/hookguard": {},
		// the commit's date, and how the program is linked
		"internal/release":         {"internal/gitcmd", "internal/hookguard"},
		"internal/emulate":         {"internal/hookguard"}, // how the program is linked
		"internal/emulated":        {},                     // for tests alone
		"internal/conveval":        {"internal/conveval/eval"},
		"internal/conveval/eval":   {"conversation", "conversation/recall"},
		"internal/searcheval":      {"internal/searcheval/eval"},
		"internal/searcheval/eval": {"search"},
		"internal/torture":         {}, // tests alone
	}
}

// pure lists the packages that may not access anything but their arguments.
func pure() []string {
	return []string{"abridge", "achievements", "conversation",
		"refs", "internal/gitindex",
		"memory", "links", "signing", "memfile", "api", "priority", "search", "secrets", "eviction",
		"transcript", "transfer", "transfer/forms", "packet", "packet/form", "packet/redact", "engine/brief",
		"engine/settings",
		"internal/plural",
		"internal/didyoumean", "internal/safetext",
		"internal/problems", "internal/cachefile", "internal/advice"}
}

// impure lists what pure packages may not import.
func impure() []string {
	return []string{"os", "os/exec", "io/fs", "io/ioutil", "net", "net/http", "log", "log/slog", "math/rand",
		"math/rand/v2", "crypto/rand", "syscall"}
}

// packages returns the direct imports of every package of the module on any system, without its
// tests.
func packages(t *testing.T) map[string][]string {
	t.Helper()
	found := map[string][]string{}
	for name, file := range sources(t) {
		pkg := path.Dir(name)
		switch pkg {
		case ".":
			pkg = module
		case "internal/jsonschemaoff", "internal/yaml2off": // modules of their own, which replace libraries
			continue
		}
		for _, spec := range file.Imports {
			imported, err := strconv.Unquote(spec.Path.Value)
			require.NoError(t, err)
			found[pkg] = append(found[pkg], imported)
		}
	}
	return found
}

func TestImportDirections(t *testing.T) {
	for pkg, imports := range packages(t) {
		may, known := allowed()[pkg]
		require.True(t, known, "package %s has no line in the list of import directions", pkg)
		for _, imported := range imports {
			if inside, ok := strings.CutPrefix(imported, module+"/"); ok {
				require.Contains(t, may, inside, "%s must not import %s", pkg, inside)
			}
		}
	}
}

func TestPurePackages(t *testing.T) {
	found := packages(t)
	for _, pkg := range pure() {
		require.Contains(t, found, pkg)
		for _, imported := range found[pkg] {
			require.False(t, slices.Contains(impure(), imported), "%s is pure and must not import %s", pkg, imported)
		}
	}
}

// libraries lists the third-party modules in the program, and the packages that may import each. A
// new library needs a line here.
func libraries() map[string][]string {
	return map[string][]string{
		"github.com/adrg/frontmatter":         {"memfile"},
		"gopkg.in/yaml.v3":                    {"memfile"},
		"github.com/yuin/goldmark":            {"abridge", "web"},
		"github.com/cli/browser":              {"cmd/ltm-server"},
		"gonum.org/v1/gonum":                  {"web/drawing"},
		"github.com/kljensen/snowball":        {"search"},
		"github.com/gofrs/flock":              {"store", "server/sqlite", "packet/client"},
		"github.com/google/uuid":              {"server/threads"},
		"github.com/pressly/goose/v3":         {"server/postgres", "server/sqlite", "server/sqlstore"},
		"github.com/jackc/pgx/v5":             {"server/postgres", "server/postgres/pgtest"},
		"modernc.org/sqlite":                  {"server/sqlite"},
		"github.com/stretchr/testify":         {"server/postgres/pgtest", "server/storagetest"}, // for tests alone
		"github.com/google/renameio/v2":       {"internal/atomicfile"},
		"github.com/mark3labs/mcp-go":         {"mcp", "conversation/mcp"},
		"github.com/spf13/cobra":              {"cmd/ltm", "cmd/ltm-server", "internal/manual"},
		"github.com/spf13/pflag":              {"cmd/ltm", "cmd/ltm-server"},
		"github.com/aymanbagabas/go-udiff":    {"cmd/ltm", "engine", "web"},
		"github.com/aymanbagabas/go-osc52/v2": {"cmd/ltm"}, // asks a terminal for its clipboard
		"github.com/mattn/go-runewidth":       {"internal/terminal"},
		"github.com/danielgtaylor/huma/v2":    {"server"},
		"github.com/go-jose/go-jose/v4":       {"server"}, // the users of applications, by JWT
		"github.com/prometheus/client_golang": {"server"},
		"golang.org/x/net":                    {"web"},
		"golang.org/x/time":                   {"server"},
		"golang.org/x/term":                   {"internal/terminal"},
		"golang.org/x/text":                   {"internal/safetext", "secrets"},
		"golang.org/x/sys": {"cmd/ltm", "store/scan", "internal/atomicfile", "internal/gitcmd", "internal/wiring",
			"internal/hookguard", "internal/terminal", "internal/worktree"},
	}
}

// TestLibraries checks that only the listed packages import each library. For example, only memfile
// imports the YAML parser, so that no other package reads memory files in its own way.
func TestLibraries(t *testing.T) {
	used := map[string]map[string]bool{}
	for pkg, imports := range packages(t) {
		for _, imported := range imports {
			if first, _, _ := strings.Cut(imported, "/"); !strings.Contains(first, ".") {
				continue // the standard library, or this module
			}
			library := libraryOf(imported)
			require.NotEmpty(t, library, "%s imports %s, which is not in the list of libraries", pkg, imported)
			require.Contains(t, libraries()[library], pkg, "%s must not import %s", pkg, imported)
			if used[library] == nil {
				used[library] = map[string]bool{}
			}
			used[library][pkg] = true
		}
	}
	for library, users := range libraries() {
		for _, pkg := range users {
			require.True(t, used[library][pkg], "%s does not import %s any more: drop it from the list", pkg, library)
		}
	}
}

// libraryOf returns the listed module that an import path belongs to, or "".
func libraryOf(imported string) string {
	for library := range libraries() {
		if imported == library || strings.HasPrefix(imported, library+"/") {
			return library
		}
	}
	return ""
}

// processWide lists the identifiers of package os that access the whole process.
func processWide() []string {
	return []string{"Args", "Getenv", "LookupEnv", "Environ", "Exit", "Stdin", "Stdout", "Stderr"}
}

// TestOnlyTheCommandTouchesTheProcess checks that only programs use arguments, environment
// and exit.
func TestOnlyTheCommandTouchesTheProcess(t *testing.T) {
	for name, file := range sources(t) {
		pkg := path.Dir(name)
		programs := strings.HasPrefix(pkg, "cmd/") || strings.HasPrefix(pkg, "examples/")
		if (programs || strings.HasPrefix(pkg, "internal/")) && pkg != "internal/terminal" &&
			pkg != "internal/gitstore" {
			continue
		}
		if pkg == "server/postgres/pgtest" {
			continue // for tests alone, which it is told by whether Postgres may be missing
		}
		ast.Inspect(file, func(n ast.Node) bool {
			if s, ok := n.(*ast.SelectorExpr); ok {
				x, isName := s.X.(*ast.Ident)
				require.False(t, isName && x.Name == "os" && slices.Contains(processWide(), s.Sel.Name),
					"%s uses os.%s", name, s.Sel.Name)
			}
			return true
		})
	}
}
