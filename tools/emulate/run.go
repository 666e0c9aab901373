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
	"slices"
	"strings"
	"sync"
	"time"
)

// program is the environment variable that makes tests start the program itself instead of the copy
// in the test binary.
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

// run runs the tests of the packages, one per processor at a time, prints their reports, and
// returns how many failed.
func (r *runner) run(ctx context.Context, parts []part) (failed int) {
	free := make(chan struct{}, runtime.NumCPU())
	var work sync.WaitGroup
	var mu sync.Mutex // guards the output and failed
	for _, p := range parts {
		free <- struct{}{}
		work.Go(func() {
			rep := r.test(ctx, p)
			<-free
			mu.Lock()
			defer mu.Unlock()
			fmt.Print(rep)
			if rep.failed() {
				failed++
			}
		})
	}
	work.Wait()
	return failed
}

// test runs the tests of one package in its directory.
func (r *runner) test(ctx context.Context, p part) report {
	limit := limit
	if r.sel.all {
		limit = longLimit
	}
	ctx, cancel := context.WithTimeout(ctx, limit+grace)
	defer cancel()
	args := append(r.sel.flags(p), "-test.v=test2json", fmt.Sprintf("-test.timeout=%s", limit))
	var out bytes.Buffer
	began := time.Now()
	err := r.start(ctx, p, &out, args...)
	took := time.Since(began)
	rep, readErr := readEvents(ctx, p.pkg, &out)
	if readErr != nil {
		return report{pkg: p.pkg, err: readErr}
	}
	rep.took, rep.err = took, err
	if rep.err == nil && r.sel.chooses(p) {
		rep.left, rep.err = r.left(ctx, p, rep.begun)
	}
	return rep
}

// start runs the tests' binary of a package in the package's directory.
func (r *runner) start(ctx context.Context, p part, out *bytes.Buffer, args ...string) error {
	name := path.Base(p.pkg) + ".test" + r.exe
	args = append(append(r.with.start[1:len(r.with.start):len(r.with.start)], filepath.Join(r.bin, name)), args...)
	cmd := exec.CommandContext(ctx, r.with.start[0], args...)
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

// left returns the tests and scripts of a package that have not begun.
func (r *runner) left(ctx context.Context, p part, begun map[string]bool) ([]string, error) {
	var out bytes.Buffer
	if err := r.start(ctx, p, &out, "-test.list=."); err != nil {
		return nil, fmt.Errorf("listing the tests: %w\n%s", err, out.Bytes())
	}
	var left []string
	for name := range strings.FieldsSeq(out.String()) {
		if _, ran := begun[name]; !ran && isTest(name) {
			left = append(left, name)
		}
	}
	if p.scripts == "" {
		return left, nil
	}
	files, err := filepath.Glob(filepath.Join(filepath.FromSlash(p.scripts), "*.txtar"))
	if err != nil {
		return nil, err
	}
	for _, file := range files {
		name := strings.TrimSuffix(filepath.Base(file), ".txtar")
		if _, ran := begun[scriptTest+name]; !ran {
			left = append(left, name)
		}
	}
	return left, nil
}

// isTest reports whether a line of -test.list is the name of a test: benchmarks never run here.
func isTest(name string) bool {
	return strings.HasPrefix(name, "Test") || strings.HasPrefix(name, "Fuzz") || strings.HasPrefix(name, "Example")
}

// playDemo plays the demo with the program, which a script starts in the emulator.
func playDemo(ctx context.Context, e emulator, ltm string) error {
	script := ltm + ".sh"
	if err := os.WriteFile(script, fmt.Appendf(nil, "#!/bin/sh\nexec %s '%s' \"$@\"\n", strings.Join(e.start, " "),
		ltm), 0o755); err != nil {
		return err
	}
	began := time.Now()
	if out, err := exec.CommandContext(ctx, "go", "run", "./tools/demo", "-full",
		script).CombinedOutput(); err != nil {
		return fmt.Errorf("the demo failed: %w\n%s", err, out)
	}
	fmt.Printf("ok    the demo %14.1f s\n", time.Since(began).Seconds())
	return nil
}

// printLeft prints the packages whose tests did not run: those that the table leaves to -all, and those
// that it does not have.
func (s system) printLeft(ctx context.Context, sel selection) error {
	if !sel.whole() {
		return nil
	}
	for _, p := range s.parts {
		if p.rare != "" && !sel.all {
			fmt.Printf("left to -all: %s, %s\n", p.pkg, p.rare)
		}
	}
	const tested = `{{if or .TestGoFiles .XTestGoFiles}}{{.ImportPath}}{{end}}`
	cmd := exec.CommandContext(ctx, "go", "list", "-f", tested, "./...")
	cmd.Env = append(os.Environ(), s.env...)
	out, err := cmd.Output()
	if err != nil {
		return fmt.Errorf("listing the packages: %w", err)
	}
	var others []string
	for path := range strings.FieldsSeq(string(out)) {
		_, pkg, _ := strings.Cut(path, "/")
		if !slices.ContainsFunc(s.parts, func(p part) bool { return p.pkg == pkg }) {
			others = append(others, pkg)
		}
	}
	fmt.Printf("not in the table, so that they never run here: %s\n", strings.Join(others, " "))
	return nil
}
