package main

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestOverlay(t *testing.T) {
	goroot, err := exec.Command("go", "env", "GOROOT").Output()
	require.NoError(t, err)
	path, err := writeOverlay(strings.TrimSpace(string(goroot)), t.TempDir())
	require.NoError(t, err)
	list, err := os.ReadFile(path)
	require.NoError(t, err)
	var overlay struct{ Replace map[string]string }
	require.NoError(t, json.Unmarshal(list, &overlay))
	require.Len(t, overlay.Replace, 1)
	for original, changed := range overlay.Replace {
		before, err := os.ReadFile(original)
		require.NoError(t, err)
		after, err := os.ReadFile(changed)
		require.NoError(t, err)
		require.Equal(t, strings.ReplaceAll(string(before), removeOff, removeOn), string(after))
		require.NotEqual(t, string(before), string(after))
	}
}

// TestOverlayOfAnotherGo requires an error for a Go whose file lacks the variable.
func TestOverlayOfAnotherGo(t *testing.T) {
	goroot := t.TempDir()
	_, err := writeOverlay(goroot, t.TempDir())
	require.Error(t, err)
	file := filepath.Join(goroot, filepath.FromSlash(removeFile))
	require.NoError(t, os.MkdirAll(filepath.Dir(file), 0o755))
	require.NoError(t, os.WriteFile(file, []byte("package windows\n"), 0o644))
	_, err = writeOverlay(goroot, t.TempDir())
	require.ErrorContains(t, err, "TestDeleteatFallback")
}

// TestTablesNameWhatExists checks the names in the tables: a renamed package, test or script would silently
// not run.
func TestTablesNameWhatExists(t *testing.T) {
	for _, s := range known() {
		for _, p := range s.parts {
			dir := filepath.Join("..", "..", filepath.FromSlash(p.pkg))
			names := testsIn(t, dir)
			require.NotEmpty(t, names, p.pkg)
			if p.pkg == "cmd/ltm" {
				scripts, err := filepath.Glob(filepath.Join("..", "..", "testdata", "script", "*.txtar"))
				require.NoError(t, err)
				for _, script := range scripts {
					names = append(names, "TestScript/"+strings.TrimSuffix(filepath.Base(script), ".txtar"))
				}
			}
			for _, name := range append(p.tests, p.but...) {
				require.True(t, slices.ContainsFunc(names, func(found string) bool {
					begin, many := strings.CutSuffix(name, "*")
					return found == name || many && strings.HasPrefix(found, begin)
				}), "%s has no test %s", p.pkg, name)
			}
		}
	}
	_, err := systems([]string{"amiga"})
	require.ErrorContains(t, err, "windows and arm64 are")
	_, err = systems(nil)
	require.Error(t, err)
}

// testsIn returns the names of the tests and fuzz targets in a directory.
func testsIn(t *testing.T, dir string) (names []string) {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(dir, "*_test.go"))
	require.NoError(t, err)
	for _, file := range files {
		text, err := os.ReadFile(file)
		require.NoError(t, err)
		for _, m := range regexp.MustCompile(`(?m)^func ((?:Test|Fuzz)\w+)\(`).FindAllStringSubmatch(string(text), -1) {
			names = append(names, m[1])
		}
	}
	return names
}

// TestEveryRowHasAReason also checks that a package is chosen from, or left to -all, and not both.
func TestEveryRowHasAReason(t *testing.T) {
	for _, table := range [][]row{readTable("windows"), readTable("arm64")} {
		require.Greater(t, len(table), 10)
		for i, r := range table {
			require.NotEmpty(t, r.why, r.pkg)
			for _, other := range table[:i] {
				if other.pkg == r.pkg {
					require.NotEmpty(t, r.tests, "a row for all tests of %s stands alone", r.pkg)
					require.NotEqual(t, rest, strings.TrimSpace(r.tests), r.pkg)
					require.NotEqual(t, rest, strings.TrimSpace(other.tests), r.pkg)
					require.NotEmpty(t, other.tests, r.pkg)
				}
			}
		}
	}
}

// TestSelection checks what a table's rows become for go test.
func TestSelection(t *testing.T) {
	s := system{parts: grouped([]row{{pkg: "a", tests: "TestOne TestTwo*", why: "x"}, {pkg: "b", why: "x"},
		{pkg: "a", tests: "TestScript/hooks", but: "TestTwoMany", why: "x"}, {pkg: "c", tests: rest, why: "x"}})}
	parts := s.chosen(selection{})
	require.Len(t, parts, 2)
	require.Equal(t, []string{"-test.run=^TestOne$|^TestTwo|^TestScript$/^hooks$", "-test.skip=^TestTwoMany$"},
		selection{}.flags(parts[0]))
	require.Empty(t, selection{}.flags(parts[1]))
	require.Empty(t, selection{all: true}.flags(parts[0]))
	require.Len(t, s.chosen(selection{all: true}), 3)
	require.Len(t, s.chosen(selection{pkg: "c"}), 1)
	require.Equal(t, []string{"-test.run=X"}, selection{tests: "X"}.flags(parts[0]))
}

// TestNamesOfAllSystems rejects file names that git cannot check out on Windows, and names that are
// equal there.
func TestNamesOfAllSystems(t *testing.T) {
	top := filepath.Join("..", "..")
	lower := map[string]string{}
	require.NoError(t, filepath.WalkDir(top, func(path string, d os.DirEntry, err error) error {
		if err != nil || d.IsDir() && slices.Contains([]string{".git", ".build", "dist", "node_modules"}, d.Name()) {
			if err == nil {
				err = filepath.SkipDir
			}
			return err
		}
		name := d.Name()
		if path == top {
			return nil
		}
		base, _, _ := strings.Cut(name, ".")
		require.NotRegexp(t, `(?i)^(con|prn|aux|nul|com\d|lpt\d|conin\$|conout\$)$`, strings.TrimRight(base, " "), path)
		require.NotRegexp(t, `[<>:"|?*\\\x00-\x1f]|[. ]$`, name, path)
		require.Less(t, len(path), 150, path)
		require.Empty(t, lower[strings.ToLower(path)], path)
		lower[strings.ToLower(path)] = path
		return nil
	}))
	require.Greater(t, len(lower), 100)
}
