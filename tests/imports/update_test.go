package imports_test

import (
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestMakeUpdateWritesEveryGoldenFile requires that "make update" runs each test that compares with golden files.
func TestMakeUpdateWritesEveryGoldenFile(t *testing.T) {
	root := filepath.Join("..", "..")
	text, err := os.ReadFile(filepath.Join(root, "Makefile"))
	require.NoError(t, err)
	list := func(name string) []string {
		line := regexp.MustCompile(`(?m)^` + name + ` := (.*)$`).FindStringSubmatch(string(text))
		require.NotNil(t, line, name)
		return regexp.MustCompile(`[ |]`).Split(line[1], -1)
	}
	tests, packages := list("GOLDEN"), list("GOLDENPKGS")
	compares := regexp.MustCompile(`\b(golden|surface|FindSurface\(t\))\.Require\(`)
	var found []string
	require.NoError(t, filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || !strings.HasSuffix(path, "_test.go") {
			return err
		}
		source, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		for _, function := range strings.Split(string(source), "\nfunc ") {
			if !compares.MatchString(function) {
				continue
			}
			dir, err := filepath.Rel(root, filepath.Dir(path))
			require.NoError(t, err)
			name, _, _ := strings.Cut(function, "(")
			found = append(found, strings.TrimPrefix(name, "Test"))
			require.Contains(t, tests, strings.TrimPrefix(name, "Test"), "GOLDEN in the Makefile, for %s", path)
			require.Contains(t, packages, "./"+filepath.ToSlash(dir), "GOLDENPKGS in the Makefile, for %s", path)
		}
		return nil
	}))
	require.Subset(t, found, tests, "GOLDEN names a test that does not compare")
}
