package imports_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/require"
)

// The length limits of Go code: longer files and functions are split.
const (
	maxFileLines     = 500
	maxFunctionLines = 80
	maxColumns       = 120
	tabColumns       = 4
)

// TestShape checks these limits in every Go file, including tests. A raw string of several lines may be wider, because
// its contents have a format of their own, and so may the tag of a field, which cannot be split. In tests, so may every
// raw string: it is what a program reads or writes.
func TestShape(t *testing.T) {
	for name, text := range goFiles(t) {
		lines := strings.Split(strings.TrimSuffix(text, "\n"), "\n")
		if len(lines) > maxFileLines {
			t.Errorf("%s has %d lines, more than %d", name, len(lines), maxFileLines)
		}
		files := token.NewFileSet()
		parsed, err := parser.ParseFile(files, name, text, parser.SkipObjectResolution)
		require.NoError(t, err)
		free := freeLines(files, parsed, strings.HasSuffix(name, "_test.go"))
		for i, line := range lines {
			if n := columns(line); n > maxColumns && !free[i+1] {
				t.Errorf("%s:%d has %d columns, more than %d", name, i+1, n, maxColumns)
			}
		}
		for _, decl := range parsed.Decls {
			if f, ok := decl.(*ast.FuncDecl); ok && !strings.HasSuffix(name, "_test.go") {
				if n := files.Position(f.End()).Line - files.Position(f.Pos()).Line + 1; n > maxFunctionLines {
					t.Errorf("%s: %s has %d lines, more than %d", name, f.Name.Name, n, maxFunctionLines)
				}
			}
		}
	}
}

// goFiles returns the text of every Go file of the module, keyed by path.
func goFiles(t *testing.T) map[string]string {
	t.Helper()
	root := filepath.Join("..", "..")
	found := map[string]string{}
	require.NoError(t, filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() && path != root && (strings.HasPrefix(d.Name(), ".") || d.Name() == "testdata") {
			return filepath.SkipDir
		}
		if !strings.HasSuffix(path, ".go") {
			return nil
		}
		text, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		name, err := filepath.Rel(root, path)
		found[filepath.ToSlash(name)] = string(text)
		return err
	}))
	require.Greater(t, len(found), 300)
	return found
}

// freeLines returns the numbers of the lines that have a part of a raw string, of several lines unless short ones count
// too, or the tag of a field.
func freeLines(files *token.FileSet, parsed *ast.File, short bool) map[int]bool {
	lines := map[int]bool{}
	ast.Inspect(parsed, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.Field:
			if n.Tag != nil {
				lines[files.Position(n.Tag.Pos()).Line] = true
			}
		case *ast.BasicLit:
			first, breaks := files.Position(n.Pos()).Line, strings.Count(n.Value, "\n")
			if n.Value[0] != '`' || breaks == 0 && !short {
				return true
			}
			for more := range breaks + 1 {
				lines[first+more] = true
			}
		}
		return true
	})
	return lines
}

// columns returns the display width of a line.
func columns(line string) int {
	return utf8.RuneCountInString(line) + strings.Count(line, "\t")*(tabColumns-1)
}
