package main

import (
	"encoding/json"
	"errors"
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

// TestReport reads the output of tests that pass, fail, are skipped and panic.
func TestReport(t *testing.T) {
	r, err := readEvents(t.Context(), "store", strings.NewReader("\x16=== RUN   TestA\n\x16--- PASS: TestA (0.00s)\n"+
		"\x16=== RUN   TestB\n    b_test.go:7: Wine: it has none\n\x16--- SKIP: TestB (0.00s)\n"+
		"\x16=== RUN   TestC\n    c_test.go:9: wrong\n\x16--- FAIL: TestC (0.00s)\n\x16FAIL\nexit status 1\n"))
	require.NoError(t, err)
	require.Equal(t, 1, r.passed)
	require.Equal(t, []skip{{"TestB", "Wine: it has none"}}, r.skips)
	require.Equal(t, []string{"TestC"}, r.broken)
	require.True(t, r.failed())
	require.Contains(t, r.String(), "c_test.go:9: wrong")
	require.Contains(t, r.String(), "skipped TestB: Wine: it has none")
}

// TestReportOfAHang checks that the report names the test that was running when the process ended.
func TestReportOfAHang(t *testing.T) {
	r, err := readEvents(t.Context(), "store", strings.NewReader("\x16=== RUN   TestA\n\x16--- PASS: TestA (0.00s)\n"+
		"\x16=== RUN   TestB\npanic: test timed out after 1s\n"))
	require.NoError(t, err)
	r.err = errors.New("exit status 2")
	require.True(t, r.failed())
	require.Contains(t, r.String(), "did not end: === RUN   TestB\npanic: test timed out after 1s\n")
	require.NotContains(t, r.String(), "TestA")
}

// TestPartsExist checks that the listed packages and tests exist: a renamed one would silently not
// run.
func TestPartsExist(t *testing.T) {
	for _, s := range known() {
		for _, p := range s.parts {
			files, err := filepath.Glob(filepath.Join("..", "..", filepath.FromSlash(p.pkg), "*_test.go"))
			require.NoError(t, err)
			require.NotEmpty(t, files, p.pkg)
			var tests strings.Builder
			for _, file := range files {
				text, err := os.ReadFile(file)
				require.NoError(t, err)
				tests.Write(text)
			}
			for _, name := range regexp.MustCompile(`Test\w+`).FindAllString(p.long, -1) {
				require.Contains(t, tests.String(), "func "+name+"(", p.pkg)
			}
		}
	}
	_, err := systems([]string{"amiga"})
	require.ErrorContains(t, err, "windows and arm64 are")
	_, err = systems(nil)
	require.Error(t, err)
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
