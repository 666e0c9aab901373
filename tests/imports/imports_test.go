// Package imports_test enforces the import directions of the module's packages.
package imports_test

import (
	"go/ast"
	"os"
	"path"
	"path/filepath"
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
		"memory":              {}, // the standard library alone
		"engine/achievements": {"memory"},
		"engine/candidates":   {"engine/transcript", "memory", "text/abridge", "text/search"},
		"text/abridge":        {},
		"memory/links":        {"memory"},
		"memory/refs":         {"memory"},
		"memory/memfile":      {"text/abridge", "memory"},
		"memory/api":          {"memory", "packet"},
		"priority":            {"memory"},
		"text/search":         {"text/abridge", "internal/didyoumean", "internal/fs/cachefile"},
		"text/secrets":        {},
		// sentences, stems and likeness, and no credentials in what is derived
		"server/conversation": {"text/abridge", "text/search", "text/secrets"},
		// no credential goes to the model
		"server/conversation/mcp":    {"server/conversation/client", "text/secrets", "internal/fs/longline"},
		"server/conversation/client": {}, // for applications: the standard library alone
		"examples/chat":              {"server/conversation/client"},
		"examples/memory-tool":       {"server/conversation/client"},
		"server/conversation/recall": {"text/search"},
		"engine/transcript":          {},
		"packet":                     {},
		"engine/transfer":            {"text/abridge", "memory/links", "memory/memfile", "memory"},
		// front matter, and first sentences
		"engine/transfer/forms": {"text/abridge", "memory/memfile", "memory", "engine/transfer",
			"internal/plural"},
		"eviction": {"text/abridge", "memory"},
		"store/scan": {"internal/fs/cachefile", "memory/links", "memory", "memory/memfile", "internal/fs/atomicfile",
			"internal/fs/busyfile", "internal/fs/regular"},
		// readers take no lock, so files are replaced under them
		// the other work trees of a clone come and go
		"store": {"store/scan", "memory", "memory/memfile", "internal/fs/atomicfile", "internal/fs/busyfile",
			"internal/git/gitdir",
			"internal/fs/regular", "store/trust"},
		"mcp": {"clients", "memory/api", "memory", "packet", "memory/advice", "text/safe", "memory/problems",
			"internal/fs/longline"},
		"clients":     {}, // tables: the standard library alone
		"hooks":       {"clients", "memory/api", "memory", "packet", "memory/advice"},
		"store/trust": {"memory", "memory/memfile", "internal/fs/atomicfile", "internal/fs/regular"},
		// the client may be reading its settings
		"store/signing": {"memory"},
		// a person's keys
		"store/signing/keyring": {"internal/fs/atomicfile", "internal/fs/regular", "memory", "store/signing"},
		"setup": {"clients", "memory", "internal/fs/busyfile", "internal/fs/atomicfile", "internal/git/gitdir",
			"internal/fs/regular"},
		"ltm": {}, // the plugin's files, embedded
		"engine/brief": {"text/abridge", "memory", "text/search", "engine/transcript", "internal/plural",
			"text/safe"},
		"engine/finder": {"text/abridge", "memory/api", "memory/memfile", "memory", "text/search", "store",
			"internal/fs/cachefile"},
		"engine/session": {"memory/api", "engine/settings", "memory", "priority", "store", "engine/transcript",
			"internal/plural"},
		"engine/settings": {"eviction", "memory", "priority", "internal/didyoumean"},
		// drafts are made of the client's record
		"engine/handoff": {"memory/api", "memory", "packet", "packet/redact", "store", "engine/transcript",
			"internal/plural",
			"text/safe"},
		"packet/redact": {"packet", "text/secrets"},
		"packet/form":   {"packet"},
		// credentials by host
		"packet/client": {"packet", "packet/redact", "memory", "internal/fs/atomicfile", "internal/fs/regular",
			"internal/loopback"},
		"server": {"server/conversation", "packet", "packet/redact", "text/search", "server/threads", "internal/look",
			"internal/loopback", "internal/plural", "text/safe"},
		"server/threads": {"server/conversation", "server/conversation/recall", "server/provider", "text/search",
			"text/secrets"},
		// what leaves the machine is masked and fenced
		"server/provider": {"text/secrets", "text/safe", "internal/loopback"},
		// memories in directories: the engine decides what may be shown
		"server/shelf": {"memory/api", "engine", "memory", "server/threads", "store", "engine/locate"},
		// one set of queries for both databases
		"server/sqlstore":        {"server/conversation", "server", "server/threads"},
		"server/sqlite":          {"server", "server/sqlstore", "internal/fs/atomicfile"},
		"server/postgres":        {"server", "server/sqlstore"},
		"server/storagetest":     {},               // for tests alone
		"server/postgres/pgtest": {"internal/npm"}, // for tests alone
		"cmd/ltm-server": {"engine/find", "engine/person",
			"server/conversation", "server/conversation/client", "server/conversation/mcp",
			"server/provider",
			"server", "server/shelf", "server/threads", "server/sqlstore", "server/sqlite",
			"server/postgres", "memory", "packet", "text/secrets", // no secret in a message
			"cmd/internal/terminal", "text/safe", "internal/plural", "internal/fs/atomicfile",
			"cmd/internal/completion", "cmd/internal/helptext",
			"internal/loopback", "internal/didyoumean",
			// the local page, over the same stores as ltm's
			"server/page", "memory/api", "memory/advice", "engine", "memory/memfile", "engine/settings", "hooks",
			"cmd/internal/gitstore", "engine/locate",
			"cmd/internal/companion", "cmd/internal/past", "internal/fs/regular", "cmd/internal/wiring"},
		"server/page": {"memory/api", "memory", "packet", "memory/advice", "internal/look", "internal/plural",
			"text/safe"},
		"internal/look": {}, // the style that both kinds of pages begin with
		"tests/browser": {}, // tests alone
		"internal/npm":  {}, // tests alone
		// the rooms of the engine, each of which embeds the Engine of the one before it
		"engine/base": {"engine/audit", "engine/session", "engine/settings", "engine/worktree", "eviction",
			"internal/plural", "memory", "memory/api", "memory/links", "memory/memfile", "store", "store/signing"},
		"engine/trust": {"engine/base", "engine/settings", "memory", "memory/api", "memory/memfile", "store",
			"store/signing", "text/abridge", "text/secrets"},
		"engine/rank": {"engine/base", "engine/brief", "engine/finder", "engine/settings", "engine/trust",
			"engine/worktree", "eviction", "memory", "memory/api", "memory/links", "priority", "store",
			"text/safe", "text/search"},
		"engine/find": {"engine/base", "engine/brief", "engine/finder", "engine/rank", "engine/transcript",
			"engine/trust", "engine/worktree", "internal/didyoumean", "memory", "memory/api", "memory/links",
			"memory/memfile", "store", "text/search"},
		"engine/change": {"engine/achievements", "engine/candidates", "engine/audit", "engine/base", "engine/find",
			"engine/rank", "engine/session", "engine/settings", "engine/transfer", "engine/trust", "engine/worktree",
			"eviction", "internal/didyoumean", "internal/plural", "memory", "memory/api", "memory/links",
			"memory/memfile", "priority", "store", "text/abridge", "text/secrets"},
		"engine/tell": {"engine/audit", "engine/base", "engine/brief", "engine/candidates", "engine/change",
			"engine/find", "engine/finder", "engine/rank", "engine/session", "engine/settings", "engine/transcript",
			"engine/trust", "engine/worktree", "internal/plural", "memory", "memory/api", "priority", "store",
			"text/abridge", "text/safe", "text/search"},
		"engine/person": {"engine/base", "engine/brief", "engine/change", "engine/find", "engine/rank",
			"engine/settings", "engine/tell", "engine/transfer", "memory", "memory/api"},
		"engine": {"engine/base", "engine/tell"},
		"cmd/ltm": {"clients",
			"engine/candidates", "engine/change", "engine/find", "engine/person", "engine/achievements",
			"memory/api", "memory", "memory/memfile", "engine", "engine/settings", "store", "hooks", "mcp", "setup",
			"memory/advice", "internal/git/gitcmd", "internal/git/gitdir", "cmd/internal/gitstore",
			"internal/hookguard",
			"engine/locate", "cmd/internal/past", "cmd/internal/wiring",
			"cmd/internal/companion", "internal/didyoumean", "memory/problems", "text/safe",
			"cmd/internal/terminal", "engine/records", "internal/plural", "engine/transfer/sources",
			"engine/transfer",
			"engine/transfer/forms", "store/signing/keyring", "store/signing", "packet", "packet/client",
			"packet/redact", "packet/form", "engine/handoff", "cmd/internal/completion", "cmd/internal/helptext"},
		"cmd/internal/past": {"memory/api", "engine", "cmd/internal/gitstore", "engine/locate", "memory/memfile",
			"memory"},
		// opens stores as both programs do
		"cmd/internal/wiring": {"clients", "engine/base", "engine/person",
			"memory/api", "engine", "engine/handoff", "internal/git/gitdir",
			"cmd/internal/gitstore",
			"store/signing/keyring", "engine/locate", "engine/records", "engine/worktree", "memory", "store/signing",
			"store"},
		"engine/audit": {"memory/api", "engine/settings", "memory/links", "memory/memfile", "memory", "packet",
			"text/secrets", "store",
			"internal/plural"},
		"memory/advice":         {"memory"},
		"internal/git/gitdir":   {},
		"internal/git/gitindex": {},
		// what it is asked with, and answers
		"engine/worktree": {"internal/fs/cachefile", "internal/git/gitindex", "internal/fs/regular", "memory",
			"memory/refs"},
		// a store's place, and its ids
		"cmd/internal/gitstore": {"engine/achievements", "memory", "memory/refs", "store", "internal/git/gitcmd",
			"internal/git/gitdir",
			"engine/locate", "engine/worktree", "internal/fs/regular"},
		"engine/locate":           {"store", "internal/git/gitdir"},
		"tests/imports":           {},
		"tests/described":         {},
		"tests/e2e":               {},
		"internal/fs/atomicfile":  {"internal/fs/busyfile"}, // a reader may have the file open
		"internal/fs/busyfile":    {},
		"internal/fs/regular":     {"internal/fs/busyfile"}, // another process may be writing the file
		"internal/fs/cachefile":   {},
		"internal/fs/longline":    {},
		"internal/stopwatch":      {},
		"text/safe":               {},
		"cmd/internal/companion":  {"internal/git/gitcmd", "internal/git/gitdir"},
		"internal/didyoumean":     {},
		"cmd/internal/terminal":   {},
		"internal/plural":         {},
		"internal/loopback":       {},
		"cmd/internal/completion": {},
		"cmd/internal/helptext":   {},
		"engine/records":          {"store", "engine/transcript"}, // how far a record was read is in the state
		// what is imported
		"engine/transfer/sources": {"memory", "engine/transfer", "internal/fs/atomicfile", "internal/plural",
			"internal/fs/regular"},
		"memory/problems":       {"memory/api", "memory", "memory/advice", "text/safe"},
		"tools/demo":            {"server/conversation/client"},
		"internal/git/gitcmd":   {"internal/git/gitdir"},
		"tests/gitmatrix":       {}, // tests alone
		"tests/gittrap":         {},
		"tests/golden":          {}, // for tests alone
		"internal/hookguard":    {},
		"tools/release":         {"internal/git/gitcmd"}, // the commit's date
		"tools/emulate":         {},
		"internal/emulated":     {}, // for tests alone
		"tests/conveval":        {}, // tests alone
		"tools/searcheval":      {"tools/searcheval/eval"},
		"tools/searcheval/eval": {"text/search"},
		"tests/torture":         {}, // tests alone
		"tests/agents":          {}, // tests alone
	}
}

// pure lists the packages that may not access anything but their arguments.
func pure() []string {
	return []string{"clients", "text/abridge", "engine/achievements", "engine/candidates", "server/conversation",
		"memory/refs", "internal/git/gitindex",
		"memory", "memory/links", "store/signing", "memory/memfile", "memory/api", "priority", "text/search",
		"text/secrets", "eviction",
		"engine/transcript", "engine/transfer", "engine/transfer/forms", "packet", "packet/form", "packet/redact",
		"engine/brief",
		"engine/settings",
		"internal/plural",
		"internal/didyoumean", "text/safe",
		"memory/problems", "internal/fs/cachefile", "memory/advice"}
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
		case "internal/jsonschemaoff": // a module of its own, which replaces a library
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

// TestRooms checks what holds for whole directories: internal and text know nothing of the product, and the
// repository has few directories at its top.
func TestRooms(t *testing.T) {
	for pkg, may := range allowed() {
		room, _, _ := strings.Cut(pkg, "/")
		for _, imported := range may {
			below, _, _ := strings.Cut(imported, "/")
			switch room {
			case "internal":
				require.Equal(t, "internal", below, "%s must not import %s", pkg, imported)
			case "text":
				require.Contains(t, []string{"internal", "text"}, below, "%s must not import %s", pkg, imported)
			}
		}
	}
	entries, err := os.ReadDir(filepath.Join("..", ".."))
	require.NoError(t, err)
	var rooms []string
	for _, e := range entries {
		if e.IsDir() && (e.Name()[0] != '.' || e.Name() == ".claude-plugin") && e.Name() != "dist" {
			rooms = append(rooms, e.Name())
		}
	}
	require.LessOrEqual(t, len(rooms), 24, "%q", rooms)
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
		"github.com/adrg/frontmatter":   {"memory/memfile"},
		"gopkg.in/yaml.v3":              {"memory/memfile"},
		"github.com/yuin/goldmark":      {"text/abridge", "server/page"},
		"github.com/cli/browser":        {"cmd/ltm-server"},
		"github.com/kljensen/snowball":  {"text/search"},
		"github.com/gofrs/flock":        {"store", "server/sqlite", "packet/client"},
		"github.com/google/uuid":        {"server/conversation/mcp", "server/threads"},
		"github.com/pressly/goose/v3":   {"server/postgres", "server/sqlite", "server/sqlstore"},
		"github.com/jackc/pgx/v5":       {"server/postgres", "server/postgres/pgtest"},
		"modernc.org/sqlite":            {"server/sqlite"},
		"github.com/stretchr/testify":   {"server/postgres/pgtest"}, // for tests alone
		"github.com/google/renameio/v2": {"internal/fs/atomicfile"},
		"github.com/mark3labs/mcp-go":   {"mcp", "server/conversation/mcp", "tools/demo"},
		"github.com/spf13/cobra": {"cmd/ltm", "cmd/ltm-server", "cmd/internal/completion",
			"cmd/internal/helptext"},
		"github.com/spf13/pflag":              {"cmd/ltm", "cmd/ltm-server"},
		"github.com/aymanbagabas/go-udiff":    {"cmd/ltm", "engine/change", "server/page", "tests/golden"},
		"github.com/aymanbagabas/go-osc52/v2": {"cmd/ltm"}, // asks a terminal for its clipboard
		"github.com/mattn/go-runewidth":       {"cmd/internal/terminal"},
		"github.com/danielgtaylor/huma/v2":    {"server"},
		"github.com/go-jose/go-jose/v4":       {"server"}, // the users of applications, by JWT
		"github.com/prometheus/client_golang": {"server"},
		"golang.org/x/crypto":                 {"store/signing"},
		"golang.org/x/net":                    {"server/page"},
		"golang.org/x/sync":                   {"mcp"},
		"golang.org/x/time":                   {"server"},
		"golang.org/x/term":                   {"cmd/internal/terminal"},
		"golang.org/x/text":                   {"text/safe", "text/secrets"},
		"golang.org/x/sys": {"cmd/ltm", "server/sqlite", "store/scan", "internal/fs/atomicfile", "internal/git/gitcmd",
			"cmd/internal/wiring", "internal/hookguard", "cmd/internal/terminal"},
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
		room, _, _ := strings.Cut(pkg, "/")
		if slices.Contains([]string{"cmd", "examples", "internal", "tests", "tools"}, room) &&
			pkg != "cmd/internal/terminal" && pkg != "cmd/internal/gitstore" {
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
