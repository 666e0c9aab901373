package imports_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// commandNames and toolNames match what a person types and what a model calls.
func commandNames() *regexp.Regexp {
	return regexp.MustCompile(`\bltm (remember|recall|list|show|update|forget|restore|undo|pin|unpin|trust|edit|archives|log|why|status|check|fix|evict|fade|config|init|doctor|help)\b`)
}

func toolNames() *regexp.Regexp {
	return regexp.MustCompile(`\b(store_memory|get_memory|update_memory|list_memories|restore_memory|search_archives|new_topic|reset_session|ltm_status|ltm_check|ltm_fix)\b`)
}

// forOneEdge lists the files of shared packages whose messages reach only one edge.
func forOneEdge() map[string]*regexp.Regexp {
	return map[string]*regexp.Regexp{
		// A model reads the context of a session and of a prompt. It has a shell for what only a
		// person should decide.
		"engine/brief/block.go": nil, "engine/brief/prompt.go": nil,
		"engine/session/nudge.go": commandNames(),
		// Not reachable from any tool.
		"engine/undo.go": toolNames(), "engine/edit.go": toolNames(), "engine/pin.go": toolNames(), "engine/trust.go": toolNames(), "engine/prune.go": toolNames(),
		"engine/resolve.go": toolNames(), "engine/settings/layers.go": toolNames(), "engine/audit/secrets.go": toolNames(), "engine/engine.go": toolNames(), // the last: a notice
	}
}

// TestMessagesNameWhatTheirReaderHas checks every string in the sources: the server's must not name
// commands, the command line's must not name tools, and shared ones must name neither.
func TestMessagesNameWhatTheirReaderHas(t *testing.T) {
	both := regexp.MustCompile(commandNames().String() + "|" + toolNames().String())
	never := map[string]*regexp.Regexp{"mcp": commandNames(), "cmd/ltm": toolNames()}
	for _, dir := range []string{"engine", "engine/audit", "engine/brief", "engine/finder", "engine/session", "engine/settings", "store", "abridge", "memory", "memfile", "api", "eviction", "priority", "search", "secrets", "transcript", "internal/problems", "internal/safetext"} {
		never[dir] = both
	}
	for dir, words := range never {
		files, err := filepath.Glob(filepath.Join("..", "..", filepath.FromSlash(dir), "*.go"))
		require.NoError(t, err)
		require.NotEmpty(t, files, dir)
		for _, file := range files {
			unwanted := words
			if of, single := forOneEdge()[dir+"/"+filepath.Base(file)]; single {
				unwanted = of
			}
			if strings.HasSuffix(file, "_test.go") || unwanted == nil {
				continue
			}
			for _, text := range textsIn(t, file) {
				require.NotRegexp(t, unwanted, text, "a text in %s", file)
			}
		}
	}
	for file := range forOneEdge() {
		require.FileExists(t, filepath.Join("..", "..", filepath.FromSlash(file)))
	}
}

// textsIn returns the strings in a source file, with concatenations joined.
func textsIn(t *testing.T, file string) []string {
	t.Helper()
	parsed, err := parser.ParseFile(token.NewFileSet(), file, nil, parser.SkipObjectResolution)
	require.NoError(t, err)
	var texts []string
	ast.Inspect(parsed, func(n ast.Node) bool {
		if sum, ok := n.(*ast.BinaryExpr); ok {
			texts = append(texts, joined(sum))
		}
		if text, ok := n.(*ast.BasicLit); ok {
			texts = append(texts, joined(text))
		}
		return true
	})
	return texts
}

// joined returns the constant text of an expression.
func joined(e ast.Expr) string {
	switch e := e.(type) {
	case *ast.BasicLit:
		if text, err := strconv.Unquote(e.Value); e.Kind == token.STRING && err == nil {
			return text
		}
	case *ast.BinaryExpr:
		return joined(e.X) + joined(e.Y)
	}
	return ""
}
