package imports_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"ltm/tests/golden"
)

func flagNames() *regexp.Regexp { return regexp.MustCompile("(^|[\\s\"'`(])--[a-z]") }

// core lists the packages below the edges.
func core() []string {
	return []string{"engine", "engine/base", "engine/trust", "engine/rank", "engine/find", "engine/change",
		"engine/tell", "engine/person",
		"engine/audit", "engine/brief", "engine/finder", "engine/session", "engine/settings",
		"store", "store/scan", "text/abridge", "memory", "memory/memfile", "memory/api", "eviction", "priority",
		"text/search", "text/secrets",
		"engine/transcript", "engine/transfer", "engine/transfer/forms", "packet",
		"setup", "memory/advice", "memory/problems", "text/safe"}
}

// forReaders lists the files of the core whose texts are not messages, with what they
// may name all the same.
func forReaders(commands, tools *regexp.Regexp) map[string][]*regexp.Regexp {
	return map[string][]*regexp.Regexp{
		// These files are put into projects.
		"setup/mark.go": {commands, flagNames()}, "setup/ignore.go": {commands},
		"setup/section.go": {tools},
		// Credentials are looked for beside the flags of other programs.
		"text/secrets/flag.go": {flagNames()},
		// The names of calls in the client's record.
		"engine/transcript/outline.go": {tools},
		// The flags of programs that check something.
		"engine/transcript/command.go": {flagNames()},
	}
}

// TestMessagesNameWhatTheirReaderHas reads every text in the sources: those of the
// server name no commands, those of the command line no tools, and those of the core
// neither, and no flags.
func TestMessagesNameWhatTheirReaderHas(t *testing.T) {
	surface := golden.FindSurface(t)
	commands, tools := surface.Commands(t), surface.Tools(t)
	never := map[string][]*regexp.Regexp{"mcp": {commands, flagNames()}, "cmd/ltm": {tools}}
	for _, dir := range core() {
		never[dir] = []*regexp.Regexp{commands, flagNames(), tools}
	}
	for dir, words := range never {
		files, err := filepath.Glob(filepath.Join("..", "..", filepath.FromSlash(dir), "*.go"))
		require.NoError(t, err)
		require.NotEmpty(t, files, dir)
		for _, file := range files {
			may := forReaders(commands, tools)[dir+"/"+filepath.Base(file)]
			if strings.HasSuffix(file, "_test.go") {
				continue
			}
			for _, text := range textsIn(t, file) {
				for _, unwanted := range words {
					if !slices.ContainsFunc(may,
						func(r *regexp.Regexp) bool { return r.String() == unwanted.String() }) {
						require.NotRegexp(t, unwanted, text, "a text in %s", file)
					}
				}
			}
		}
	}
	for file, unwanted := range map[string][]*regexp.Regexp{"cmd/ltm/help.txt": {tools}, "cmd/ltm/steps.txt": {tools},
		"mcp/steps.txt": {commands, flagNames()}} {
		text, err := os.ReadFile(filepath.Join("..", "..", filepath.FromSlash(file)))
		require.NoError(t, err)
		for _, pattern := range unwanted {
			require.NotRegexp(t, pattern, string(text), file)
		}
	}
	for file := range forReaders(commands, tools) {
		require.FileExists(t, filepath.Join("..", "..", filepath.FromSlash(file)))
	}
}

// TestOnlyEdgesSayThatNothingWasChanged keeps the promise in one place: what it holds
// for is decided by [memory.Refused].
func TestOnlyEdgesSayThatNothingWasChanged(t *testing.T) {
	for _, dir := range core() {
		files, err := filepath.Glob(filepath.Join("..", "..", filepath.FromSlash(dir), "*.go"))
		require.NoError(t, err)
		for _, file := range files {
			if strings.HasSuffix(file, "_test.go") || dir == "memory/advice" {
				continue
			}
			switch dir + "/" + filepath.Base(file) {
			case "engine/change/prune.go", "engine/audit/plan.go": // the summaries of dry runs
				continue
			}
			for _, text := range textsIn(t, file) {
				require.NotContains(t, text, "nothing was changed", "a text in %s", file)
			}
		}
	}
}

// TestStepsFitBehindMessages holds every next step to the form of a part of a sentence.
func TestStepsFitBehindMessages(t *testing.T) {
	for _, file := range []string{"memory/advice/common.go", "hooks/words.go", "server/page/words.go"} {
		for _, text := range textsIn(t, filepath.Join("..", "..", filepath.FromSlash(file))) {
			require.NotRegexp(t, `\.$|nothing was changed`, text, "a text in %s", file)
		}
	}
	kinds := textsIn(t, filepath.Join("..", "..", "memory", "kind.go"))
	for _, file := range []string{"cmd/ltm/steps.txt", "mcp/steps.txt"} {
		text, err := os.ReadFile(filepath.Join("..", "..", filepath.FromSlash(file)))
		require.NoError(t, err)
		seen := map[string]bool{}
		for line := range strings.Lines(string(text)) {
			if line = strings.TrimSpace(line); line == "" || strings.HasPrefix(line, "# ") {
				continue
			}
			kind, step, ok := strings.Cut(line, ": ")
			require.True(t, ok, "%s: %s", file, line)
			require.Contains(t, kinds, kind, file)
			require.False(t, seen[kind], "%s has %s twice", file, kind)
			require.NotRegexp(t, `\.$|nothing was changed`, step, "a text in %s", file)
			seen[kind] = true
		}
	}
}

// textsIn returns the texts in a source file, those that are put together of several
// as one.
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
