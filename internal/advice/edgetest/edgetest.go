// Package edgetest holds the tables of edges to the kinds of the core.
package edgetest

import (
	"go/ast"
	"go/parser"
	"go/token"
	"slices"
	"strconv"
	"strings"
	"testing"

	"ltm/internal/advice"
	"ltm/memory"
)

// Kinds returns all kinds, as their source in package memory has them.
func Kinds(t testing.TB, file string) []memory.Kind {
	t.Helper()
	parsed, err := parser.ParseFile(token.NewFileSet(), file, nil, parser.SkipObjectResolution)
	if err != nil {
		t.Fatal(err)
	}
	var kinds []memory.Kind
	ast.Inspect(parsed, func(n ast.Node) bool {
		spec, ok := n.(*ast.ValueSpec)
		if !ok {
			return true
		}
		for i, name := range spec.Names {
			text, err := strconv.Unquote(spec.Values[i].(*ast.BasicLit).Value)
			if err != nil || !strings.HasPrefix(name.Name, "Kind") {
				t.Fatalf("%s is not a kind", name.Name)
			}
			kinds = append(kinds, memory.Kind(text))
		}
		return false
	})
	return kinds
}

// Complete demands a line for every kind, or a word in the table that it has none, and no
// line for anything else.
func Complete(t *testing.T, table advice.Table, file string) {
	t.Helper()
	kinds := Kinds(t, file)
	if len(kinds) < 100 {
		t.Fatalf("%s has %d kinds", file, len(kinds))
	}
	for _, kind := range kinds {
		if _, known := table[kind]; !known {
			t.Errorf("%s has neither a next step nor a word that there is none", kind)
		}
	}
	for kind, line := range table {
		if !slices.Contains(kinds, kind) {
			t.Errorf("%s is not a kind", kind)
		}
		if strings.TrimSpace(line) != line || strings.HasSuffix(line, ".") || strings.Contains(line, advice.Unchanged) {
			t.Errorf("%s: %q does not fit behind a message", kind, line)
		}
	}
}
