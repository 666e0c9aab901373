//go:build e2e

package browser

import (
	"context"
	"crypto/sha256"
	"embed"
	"encoding/hex"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"
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
	cache, err := os.UserCacheDir()
	if err != nil {
		return "", err
	}
	lock, err := pinned.ReadFile("axe/package-lock.json")
	if err != nil {
		return "", err
	}
	sum := sha256.Sum256(lock)
	dir := filepath.Join(cache, "ltm-test", "axe-"+hex.EncodeToString(sum[:8]))
	script := filepath.Join(dir, "node_modules", "axe-core", "axe.min.js")
	if _, err := os.Stat(script); err != nil {
		if err := fetch(dir); err != nil {
			return "", err
		}
	}
	text, err := os.ReadFile(script)
	return string(text), err
}

// fetch installs the pinned packages into a directory, which then is there as a whole.
func fetch(dir string) (err error) {
	if err := os.MkdirAll(filepath.Dir(dir), 0o755); err != nil {
		return err
	}
	temp, err := os.MkdirTemp(filepath.Dir(dir), "new-")
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(temp)) }()
	for from, to := range map[string]string{"package.json": "package.json", "package-lock.json": "package-lock.json",
		"npmrc": ".npmrc"} {
		data, err := pinned.ReadFile("axe/" + from)
		if err != nil {
			return err
		}
		if err := os.WriteFile(filepath.Join(temp, to), data, 0o644); err != nil {
			return err
		}
	}
	ctx, cancel := context.WithTimeout(context.Background(), 5*time.Minute)
	defer cancel()
	cmd := exec.CommandContext(ctx, "npm", "ci", "--ignore-scripts", "--no-audit", "--no-fund")
	cmd.Dir = temp
	if out, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("npm ci: %w\n%s", err, out)
	}
	return os.Rename(temp, dir)
}
