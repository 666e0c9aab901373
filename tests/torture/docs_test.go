package torture_test

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// tests lists the tests of a package.
func tests(t *testing.T, pkg string) (names []string) {
	t.Helper()
	files, err := filepath.Glob(filepath.Join("..", "..", filepath.FromSlash(pkg), "*_test.go"))
	require.NoError(t, err)
	for _, file := range files {
		text, err := os.ReadFile(file)
		require.NoError(t, err)
		for _, m := range regexp.MustCompile(
			`(?m)^func ((?:Test|Fuzz)\w+)\((?:t|f) \*testing\.[TF]\)`).FindAllStringSubmatch(string(text), -1) {
			names = append(names, m[1])
		}
	}
	return names
}

// TestReliabilityNamesTests requires that every promise in docs/reliability.md names existing tests
// or scripts, and that each test of this package is named there.
func TestReliabilityNamesTests(t *testing.T) {
	text, err := os.ReadFile(filepath.Join("..", "..", "docs", "reliability.md"))
	require.NoError(t, err)
	promises := 0
	for line := range strings.Lines(string(text)) {
		if !strings.HasPrefix(line, "| ") || strings.HasPrefix(line, "| Promise") {
			continue
		}
		promises++
		named := regexp.MustCompile("`([a-z0-9/-]+)` `((?:Test|Fuzz)\\w+)`").FindAllStringSubmatch(line, -1)
		scripts := regexp.MustCompile("script `(\\w+)`").FindAllStringSubmatch(line, -1)
		require.NotEmpty(t, append(named, scripts...), line)
		require.Len(t, named, strings.Count(line, "`Test")+strings.Count(line, "`Fuzz"), line)
		for _, m := range named {
			require.Contains(t, tests(t, m[1]), m[2], line)
		}
		for _, m := range scripts {
			require.FileExists(t, filepath.Join("..", "..", "testdata", "script", m[1]+".txtar"), line)
		}
	}
	require.Greater(t, promises, 10)
	for _, name := range tests(t, "tests/torture") {
		if name != t.Name() {
			require.Contains(t, string(text), "`"+name+"`")
		}
	}
}

// TestEveryFuzzTargetHasACorpus requires that every fuzz target of the module has a seed corpus
// next to it, with file names that describe the seeds, and that no corpus lacks its target.
func TestEveryFuzzTargetHasACorpus(t *testing.T) {
	root := filepath.Join("..", "..")
	packages := map[string]bool{}
	require.NoError(t, filepath.WalkDir(root, func(path string, d os.DirEntry, err error) error {
		if d != nil && d.IsDir() && path != root && strings.HasPrefix(d.Name(), ".") {
			return filepath.SkipDir
		}
		if strings.HasSuffix(path, "_test.go") {
			rel, err := filepath.Rel(root, filepath.Dir(path))
			require.NoError(t, err)
			packages[filepath.ToSlash(rel)] = true
		}
		return err
	}))
	targets := 0
	for pkg := range packages {
		kept, err := os.ReadDir(filepath.Join(root, filepath.FromSlash(pkg), "testdata", "fuzz"))
		require.True(t, err == nil || os.IsNotExist(err), "%v", err)
		var folders, want []string
		for _, folder := range kept {
			folders = append(folders, folder.Name())
		}
		for _, name := range tests(t, pkg) {
			if strings.HasPrefix(name, "Fuzz") {
				want = append(want, name)
			}
		}
		require.ElementsMatch(t, want, folders, "%s/testdata/fuzz", pkg)
		for _, target := range want {
			targets++
			shapes, err := os.ReadDir(filepath.Join(root, filepath.FromSlash(pkg), "testdata", "fuzz", target))
			require.NoError(t, err)
			require.GreaterOrEqual(t, len(shapes), 5, "%s %s", pkg, target)
			for _, shape := range shapes {
				require.Regexp(t, `^[a-z][a-z0-9_]*$`, shape.Name(), "%s %s", pkg, target)
				require.NotRegexp(t, `^[0-9a-f]{16}$`, shape.Name(), "give it a name that says what it is: %s %s", pkg,
					target)
			}
		}
	}
	require.Greater(t, targets, 40)
}
