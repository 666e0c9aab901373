package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"time"
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

func wine() tool { return tool{[]string{"wine64", "/usr/lib/wine/wine64"}, "wine64", "Wine"} }

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
			parts: grouped(readTable("windows")), prepare: prepareWine,
		},
		{
			name: "arm64", with: "QEMU", tools: []tool{qemu()}, demo: true,
			env:   []string{"GOOS=linux", "GOARCH=arm64", "CGO_ENABLED=0"},
			parts: grouped(readTable("arm64")), prepare: prepareQEMU,
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

// program is the environment variable that makes tests start the program itself instead of the copy in the test binary.
const program = "LTM_TEST_PROGRAM"

// limit is the time limit for the tests of a package, and longLimit the one for all that the tables leave
// out. They are generous, because an emulator on a busy machine is ten times slower than on an idle one:
// they only end tests that hang.
const (
	limit     = 20 * time.Minute
	longLimit = 2 * time.Hour
)

// grace is how long the tests of a package may take to stop by themselves after their time limit.
const grace = 30 * time.Second

// build builds the program and the packages' tests, and returns the program's path.
func (s system) build(ctx context.Context, e emulator, bin string, parts []part) (string, error) {
	ltm := filepath.Join(bin, "ltm"+s.exe)
	tests := append([]string{"test"}, e.build...)
	tests = append(tests, "-c", "-o", bin+string(filepath.Separator))
	for _, p := range parts {
		tests = append(tests, "./"+p.pkg)
	}
	all := [][]string{tests, append(append([]string{"build"}, e.build...), "-ldflags", "-s -w", "-o", ltm, "./cmd/ltm")}
	began := time.Now()
	for _, args := range all {
		cmd := exec.CommandContext(ctx, "go", args...)
		cmd.Env = append(os.Environ(), s.env...)
		if out, err := cmd.CombinedOutput(); err != nil {
			return "", fmt.Errorf("go %s: %w\n%s", strings.Join(args, " "), err, out)
		}
	}
	fmt.Printf("built for %s in %.0f s\n", s.name, time.Since(began).Seconds())
	return ltm, nil
}

// runner runs the tests of one system.
type runner struct {
	with     emulator
	exe      string // the extension of programs
	bin, ltm string // where the tests' binaries are, and the program
	sel      selection
}

// run runs the tests of the packages, one per processor at a time, prints a line for each and the output of those that
// failed, and returns how many did.
func (r *runner) run(ctx context.Context, parts []part) (failed int) {
	free := make(chan struct{}, runtime.NumCPU())
	var work sync.WaitGroup
	var mu sync.Mutex // guards the output and failed
	for _, p := range parts {
		free <- struct{}{}
		work.Go(func() {
			var out bytes.Buffer
			began := time.Now()
			err := r.test(ctx, p, &out)
			took := time.Since(began).Seconds()
			<-free
			mu.Lock()
			defer mu.Unlock()
			if err != nil {
				failed++
				fmt.Printf("FAIL  %-18s %6.1f s\n%s%v\n", p.pkg, took, out.Bytes(), err)
				return
			}
			fmt.Printf("ok    %-18s %6.1f s\n", p.pkg, took)
		})
	}
	work.Wait()
	return failed
}

// test runs the tests of one package in its directory, and writes what they print to out.
func (r *runner) test(ctx context.Context, p part, out *bytes.Buffer) error {
	limit := limit
	if r.sel.all {
		limit = longLimit
	}
	ctx, cancel := context.WithTimeout(ctx, limit+grace)
	defer cancel()
	name := path.Base(p.pkg) + ".test" + r.exe
	args := append(r.with.start[1:len(r.with.start):len(r.with.start)], filepath.Join(r.bin, name),
		fmt.Sprintf("-test.timeout=%s", limit))
	cmd := exec.CommandContext(ctx, r.with.start[0], append(args, r.sel.flags(p)...)...)
	cmd.Dir = filepath.FromSlash(p.pkg)
	cmd.Env = append(append(os.Environ(), r.with.env...), program+"="+r.with.pathOf(r.ltm))
	cmd.Stdout, cmd.Stderr = out, out
	cmd.WaitDelay = grace // processes that the tests started may hold the pipe open
	err := cmd.Run()
	if errors.Is(err, exec.ErrWaitDelay) { // the tests passed, but a server of the emulator holds the pipe open
		return nil
	}
	return err
}

// playDemo plays the demo with the program, which a script starts in the emulator.
func playDemo(ctx context.Context, e emulator, ltm string) error {
	script := ltm + ".sh"
	if err := os.WriteFile(script, fmt.Appendf(nil, "#!/bin/sh\nexec %s '%s' \"$@\"\n", strings.Join(e.start, " "),
		ltm), 0o755); err != nil {
		return err
	}
	began := time.Now()
	if out, err := exec.CommandContext(ctx, "go", "run", "./tools/demo", "-full", script).CombinedOutput(); err != nil {
		return fmt.Errorf("the demo failed: %w\n%s", err, out)
	}
	fmt.Printf("ok    the demo %14.1f s\n", time.Since(began).Seconds())
	return nil
}
