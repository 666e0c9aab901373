//go:build e2e

package browser

import (
	"embed"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"ltm/internal/npm"
)

// bin is the directory of the programs under test: $LTM_E2E_BIN, or else one into which they are built.
var bin string

// axe is the script of axe-core.
var axe string

func TestMain(m *testing.M) {
	status, err := prepareAndRun(m)
	if err != nil {
		fmt.Fprintln(os.Stderr, "browser:", err)
		status = 1
	}
	os.Exit(status)
}

func prepareAndRun(m *testing.M) (status int, err error) {
	if _, err := chromium(); err != nil {
		return 0, err
	}
	if axe, err = axeCore(); err != nil {
		return 0, err
	}
	if bin = os.Getenv("LTM_E2E_BIN"); bin != "" {
		return m.Run(), nil
	}
	if bin, err = os.MkdirTemp("", "ltm-browser-"); err != nil {
		return 0, err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(bin)) }()
	build := exec.Command("go", "build", "-o", bin, "ltm/cmd/ltm", "ltm/cmd/ltm-server")
	build.Env = append(os.Environ(), "CGO_ENABLED=0")
	if out, err := build.CombinedOutput(); err != nil {
		return 0, fmt.Errorf("building the programs: %w\n%s", err, out)
	}
	return m.Run(), nil
}

// chromium returns the path of the browser.
func chromium() (string, error) {
	for _, name := range []string{os.Getenv("LTM_CHROMIUM"), "chromium", "chromium-browser", "google-chrome"} {
		if path, err := exec.LookPath(name); name != "" && err == nil {
			return path, nil
		}
	}
	return "", errors.New("no Chromium: install Debian's package chromium, or name the program in LTM_CHROMIUM")
}

//go:embed axe
var pinned embed.FS

// axeCore returns the script of axe-core, which is fetched if it is not there yet.
func axeCore() (string, error) {
	files, err := fs.Sub(pinned, "axe")
	if err != nil {
		return "", err
	}
	dir, installed, err := npm.Dir("axe", files)
	if err == nil && !installed {
		err = npm.Install(dir, files)
	}
	if err != nil {
		return "", err
	}
	text, err := os.ReadFile(filepath.Join(dir, "node_modules", "axe-core", "axe.min.js"))
	return string(text), err
}
