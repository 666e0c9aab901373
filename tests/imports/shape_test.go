package imports_test

import (
	"go/ast"
	"go/parser"
	"go/scanner"
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

// TestShape checks these limits in every Go file, including tests. Raw strings may be wider,
// because their contents have a format of their own.
func TestShape(t *testing.T) {
	for name, text := range goFiles(t) {
		lines := strings.Split(strings.TrimSuffix(text, "\n"), "\n")
		if len(lines) > maxFileLines {
			t.Errorf("%s has %d lines, more than %d", name, len(lines), maxFileLines)
		}
		raw := rawLines(text)
		for i, line := range lines {
			if n := columns(line); n > maxColumns && !raw[i+1] {
				t.Errorf("%s:%d has %d columns, more than %d", name, i+1, n, maxColumns)
			}
		}
		files := token.NewFileSet()
		parsed, err := parser.ParseFile(files, name, text, parser.SkipObjectResolution)
		require.NoError(t, err)
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

// rawLines returns the numbers of the lines that contain a part of a raw string.
func rawLines(text string) map[int]bool {
	lines := map[int]bool{}
	files := token.NewFileSet()
	file := files.AddFile("", files.Base(), len(text))
	var s scanner.Scanner
	s.Init(file, []byte(text), nil, 0)
	for {
		at, tok, literal := s.Scan()
		if tok == token.EOF {
			return lines
		}
		if tok == token.STRING && literal[0] == '`' {
			first := files.Position(at).Line
			for n := range strings.Count(literal, "\n") + 1 {
				lines[first+n] = true
			}
		}
	}
}

// columns returns the display width of a line.
func columns(line string) int {
	return utf8.RuneCountInString(line) + strings.Count(line, "\t")*(tabColumns-1)
}
