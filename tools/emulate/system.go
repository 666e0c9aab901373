package main

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

// system is a system to emulate.
type system struct {
	name, with string // its name, and the emulator's
	tools      []tool
	env        []string // for the Go command
	exe        string   // the extension of programs
	parts      []part
	demo       bool // play the demo: the tests of cmd/ltm cannot start it

	// prepare makes what the emulator needs below dir. done stops what it started.
	prepare func(ctx context.Context, dir string) (e emulator, done func(), err error)
}

// tool is a program that an emulator needs, its possible paths, and its Debian package.
type tool struct {
	paths   []string
	debian  string
	program string // its name in messages
}

// emulator starts programs for another system.
type emulator struct {
	start []string // the command line before the program
	env   []string // added to this process's environment
	build []string // flags for the Go command
	drive string   // prefix of the host's paths; "" if paths are the same
}

// pathOf returns a path of the host as the emulated system writes it.
func (e emulator) pathOf(path string) string {
	if e.drive == "" {
		return path
	}
	return e.drive + strings.ReplaceAll(path, "/", `\\`)
}

func (t tool) find() string {
	for _, path := range t.paths {
		if found, err := exec.LookPath(path); err == nil {
			return found
		}
	}
	return ""
}

// missing returns the Debian packages that are not installed.
func (s system) missing() []string {
	var packages []string
	for _, t := range s.tools {
		if t.find() == "" {
			packages = append(packages, t.debian)
		}
	}
	return packages
}

func wine() tool {
	return tool{[]string{"wine64", "/usr/lib/wine/wine64"}, "wine64", "Wine"}
}

func wineServer() tool {
	return tool{[]string{"wineserver", "wineserver64", "/usr/lib/wine/wineserver64"}, "wine64", "Wine's server"}
}

func mingw() tool {
	return tool{[]string{"x86_64-w64-mingw32-gcc"}, "gcc-mingw-w64-x86-64", "the C compiler for Windows"}
}

func qemu() tool {
	return tool{[]string{"qemu-aarch64-static", "qemu-aarch64"}, "qemu-user-static", "QEMU"}
}

// known lists the systems.
func known() []system {
	return []system{
		{
			name: "windows", with: "Wine", tools: []tool{wine(), wineServer(), mingw()}, exe: ".exe",
			env:   []string{"GOOS=windows", "GOARCH=amd64", "CGO_ENABLED=0"},
			parts: grouped(windowsTable()), prepare: prepareWine,
		},
		{
			name: "arm64", with: "QEMU", tools: []tool{qemu()}, demo: true,
			env:   []string{"GOOS=linux", "GOARCH=arm64", "CGO_ENABLED=0"},
			parts: grouped(arm64Table()), prepare: prepareQEMU,
		},
	}
}

// prepareQEMU does nothing: QEMU needs no preparation.
func prepareQEMU(context.Context, string) (emulator, func(), error) {
	return emulator{start: []string{qemu().find()}}, func() {}, nil
}

// test builds the program and the tests for the system below dir, and runs those of the selection.
func (s system) test(ctx context.Context, dir string, sel selection) error {
	parts := s.chosen(sel)
	if len(parts) == 0 {
		return fmt.Errorf("the table has no package %s", sel.pkg)
	}
	bin := filepath.Join(dir, "bin")
	if err := os.RemoveAll(bin); err != nil {
		return err
	}
	if err := os.MkdirAll(bin, 0o755); err != nil {
		return err
	}
	e, done, err := s.prepare(ctx, dir)
	if err != nil {
		return err
	}
	defer done()
	ltm, err := s.build(ctx, e, bin, parts)
	if err != nil {
		return err
	}
	r := &runner{with: e, exe: s.exe, bin: bin, ltm: ltm, sel: sel}
	failed := r.run(ctx, parts)
	if failed > 0 {
		return fmt.Errorf("%d of %d packages failed", failed, len(parts))
	}
	if s.demo && sel.whole() {
		return playDemo(ctx, e, ltm)
	}
	return nil
}
