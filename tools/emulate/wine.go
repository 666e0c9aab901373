package main

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
)

// standIn is the source of the library that Wine lacks, relative to the repository's root.
const standIn = "tools/emulate/wine/bcryptprimitives.c"

// prefix is a Wine prefix: the drives and the registry of one Windows installation.
type prefix struct {
	dir string
	env []string
}

// newPrefix returns the prefix in dir, which need not exist. Wine is configured to print nothing and to need no screen.
func newPrefix(dir string) prefix {
	return prefix{dir, []string{"WINEPREFIX=" + dir, "WINEDEBUG=-all", "WINEDLLOVERRIDES=mscoree,mshtml=", "DISPLAY="}}
}

// prepareWine makes the prefix and the overlay below dir.
func prepareWine(ctx context.Context, dir string) (emulator, func(), error) {
	goroot, err := exec.CommandContext(ctx, "go", "env", "GOROOT").Output()
	if err != nil {
		return emulator{}, nil, err
	}
	overlay, err := writeOverlay(strings.TrimSpace(string(goroot)), filepath.Join(dir, "overlay"))
	if err != nil {
		return emulator{}, nil, err
	}
	p := newPrefix(filepath.Join(dir, "prefix"))
	if err := p.make(ctx); err != nil {
		return emulator{}, nil, fmt.Errorf("making the Wine prefix: %w", err)
	}
	e := emulator{start: []string{wine().find()}, env: p.env, build: []string{"-overlay", overlay}, drive: "Z:"}
	return e, func() { p.end() }, nil
}

// make makes the prefix unless the same Wine already made it with the same stand-in.
func (p prefix) make(ctx context.Context) error {
	mark, err := p.mark(ctx)
	if err != nil {
		return err
	}
	ready := filepath.Join(p.dir, "ready")
	if found, err := os.ReadFile(ready); err == nil && string(found) == mark {
		return nil
	}
	if err := os.RemoveAll(p.dir); err != nil {
		return err
	}
	if err := os.MkdirAll(filepath.Dir(p.dir), 0o755); err != nil {
		return err
	}
	if err := p.command(ctx, wine().find(), "wineboot", "--init").Run(); err != nil {
		return err
	}
	if err := p.wait(ctx); err != nil {
		return err
	}
	library := filepath.Join(p.dir, "drive_c/windows/system32/bcryptprimitives.dll")
	if out, err := exec.CommandContext(ctx, mingw().find(), "-shared", "-O2", "-s", "-o", library, standIn,
		"-ladvapi32").CombinedOutput(); err != nil {
		return fmt.Errorf("building %s: %w\n%s", standIn, err, out)
	}
	if err := p.share(); err != nil {
		return err
	}
	return os.WriteFile(ready, []byte(mark), 0o644)
}

// share makes the path \\localhost\c$ refer to drive C, as on Windows.
func (p prefix) share() error {
	host := filepath.Join(p.dir, "dosdevices", "unc", "localhost")
	if err := os.MkdirAll(host, 0o755); err != nil {
		return err
	}
	return os.Symlink(filepath.Join(p.dir, "drive_c"), filepath.Join(host, "c$"))
}

// mark identifies how a prefix is made, so that an outdated one is replaced.
func (p prefix) mark(ctx context.Context) (string, error) {
	version, err := p.command(ctx, wine().find(), "--version").Output()
	if err != nil {
		return "", err
	}
	source, err := os.ReadFile(standIn)
	if err != nil {
		return "", fmt.Errorf("run this at the top of the repository: %w", err)
	}
	sum := sha256.Sum256(source)
	return string(version) + hex.EncodeToString(sum[:]) + "\n", nil
}

func (p prefix) command(ctx context.Context, name string, args ...string) *exec.Cmd {
	cmd := exec.CommandContext(ctx, name, args...)
	cmd.Env = append(os.Environ(), p.env...)
	return cmd
}

// wait waits until all programs of this prefix have ended.
func (p prefix) wait(ctx context.Context) error {
	return p.command(ctx, wineServer().find(), "--wait").Run()
}

// end kills the remaining programs of this prefix.
func (p prefix) end() {
	_ = p.command(context.Background(), wineServer().find(), "--kill").Run() // it fails if none are left
}

// Since 1.25, Go removes files in a way that Wine 8.0 does not support: Wine answers that there is no such function,
// and Go treats that as an error. Go still has the older way, behind a variable for its own tests. An overlay builds
// programs with that variable set. Its file is derived from the Go that builds, so that their versions match.

const (
	removeFile = "src/internal/syscall/windows/at_windows.go"
	removeOff  = "\nvar TestDeleteatFallback bool\n"
	removeOn   = "\nvar TestDeleteatFallback = true\n"
)

// writeOverlay writes the changed file and the overlay's JSON below dir, and returns the path of the JSON.
func writeOverlay(goroot, dir string) (string, error) {
	original := filepath.Join(goroot, filepath.FromSlash(removeFile))
	text, err := os.ReadFile(original)
	if err != nil {
		return "", err
	}
	if bytes.Count(text, []byte(removeOff)) != 1 {
		return "", fmt.Errorf("%s of %s has no variable TestDeleteatFallback: see how this Go removes files on Windows",
			removeFile, runtime.Version())
	}
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return "", err
	}
	changed := filepath.Join(dir, "at_windows.go")
	if err := os.WriteFile(changed, bytes.Replace(text, []byte(removeOff), []byte(removeOn), 1), 0o644); err != nil {
		return "", err
	}
	list, err := json.Marshal(map[string]map[string]string{"Replace": {original: changed}})
	if err != nil {
		return "", err
	}
	path := filepath.Join(dir, "overlay.json")
	return path, os.WriteFile(path, list, 0o644)
}
