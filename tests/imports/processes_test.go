package imports_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// gitPackage is the only package of the program that starts git.
const gitPackage = "internal/git/gitcmd"

// starters lists the files that may import os/exec, and what they start.
func starters() map[string]string {
	return map[string]string{
		gitPackage + "/run.go":                 "git",
		gitPackage + "/environ.go":             "nothing; finds git",
		gitPackage + "/group_unix.go":          "what it is given, as a group",
		gitPackage + "/group_windows.go":       "what it is given, as a group",
		"cmd/ltm-server/ui_browser.go":         "the person's browser",
		"cmd/ltm-server/ui_cli.go":             "ltm doctor",
		"cmd/ltm/doctor.go":                    "the program itself; a client's, to ask it for its hooks",
		"cmd/ltm/edit.go":                      "the person's editor",
		"cmd/ltm/init.go":                      "nothing; finds programs",
		"cmd/ltm/sign.go":                      "ssh-keygen",
		"cmd/ltm/pick.go":                      "fzf",
		"cmd/internal/companion/companion.go":  "nothing; finds ltm and ltm-server",
		"cmd/ltm/server_windows.go":            "ltm-server",
		"cmd/internal/terminal/pager.go":       "the person's pager",
		"server/postgres/pgtest/start_unix.go": "initdb, pg_ctl and sh, for tests; not part of the program",
		"server/postgres/pgtest/vector.go":     "node, for tests; not part of the program",
		"internal/npm/npm.go":                  "npm, for tests; not part of the program",
		"tools/release/main.go":                "go, and the program itself; not part of the program",
		"tools/demo/demo.go":                   "git and the program, in a project of its own; not part of the program",
		"tools/demo/main.go":                   "go; not part of the program",
		"tools/demo/mcp.go":                    "the program; not part of the program",
		"tools/emulate/wine.go":                "Wine and a compiler; not part of the program",
		"tools/emulate/run.go":                 "go, and tests in an emulator; not part of the program",
	}
}

// becomes is the file that may replace the program by ltm-server.
const becomes = "cmd/ltm/server_unix.go"

// sources parses every non-test file of the module, keyed by path.
func sources(t *testing.T) map[string]*ast.File {
	t.Helper()
	root := filepath.Join("..", "..")
	found := map[string]*ast.File{}
	require.NoError(t, filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() && path != root && (strings.HasPrefix(d.Name(), ".") || d.Name() == "testdata") {
			return filepath.SkipDir
		}
		if !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
			return nil
		}
		file, err := parser.ParseFile(token.NewFileSet(), path, nil, 0)
		if err != nil {
			return err
		}
		name, err := filepath.Rel(root, path)
		found[filepath.ToSlash(name)] = file
		return err
	}))
	require.Greater(t, len(found), 100)
	return found
}

// TestOnlyOnePackageStartsGit checks the files for all systems against the list: every file that
// imports os/exec is on it, none uses the calls below os/exec, and only gitPackage passes "git" to
// a function that starts a program.
func TestOnlyOnePackageStartsGit(t *testing.T) {
	files := sources(t)
	for name := range starters() {
		require.Contains(t, files, name)
	}
	for name, file := range files {
		uses := map[string]bool{}
		for _, spec := range file.Imports {
			path, err := strconv.Unquote(spec.Path.Value)
			require.NoError(t, err)
			uses[path] = true
			if path == "os" || path == "os/exec" || path == "syscall" {
				require.Nil(t, spec.Name, "%s imports %s under another name", name, path)
			}
		}
		_, listed := starters()[name]
		require.Equal(t, listed, uses["os/exec"], "%s and os/exec", name)
		ast.Inspect(file, func(n ast.Node) bool {
			call, ok := n.(*ast.CallExpr)
			if !ok {
				return true
			}
			called := callee(call)
			switch called {
			case "os.StartProcess", "syscall.StartProcess", "syscall.ForkExec", "syscall.Exec", "unix.Exec",
				"windows.CreateProcess":
				if name != becomes {
					t.Errorf("%s calls %s", name, called)
				}
			case "exec.Command", "exec.CommandContext", "exec.LookPath":
				for _, arg := range call.Args {
					if saysGit(arg) && !strings.HasPrefix(name, gitPackage+"/") {
						t.Errorf("%s starts git, which only %s may", name, gitPackage)
					}
				}
			}
			return true
		})
	}
}

// callee returns the package function that is called, or "".
func callee(call *ast.CallExpr) string {
	f, ok := call.Fun.(*ast.SelectorExpr)
	if !ok {
		return ""
	}
	pkg, ok := f.X.(*ast.Ident)
	if !ok {
		return ""
	}
	return pkg.Name + "." + f.Sel.Name
}

// saysGit reports whether an argument is the name of git.
func saysGit(arg ast.Expr) bool {
	literal, ok := arg.(*ast.BasicLit)
	if !ok {
		return false
	}
	text, err := strconv.Unquote(literal.Value)
	return err == nil && (text == "git" || text == "git.exe")
}
