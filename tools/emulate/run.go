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
	if out, err := exec.CommandContext(ctx, "go", "run", "./tools/demo", "-full",
		script).CombinedOutput(); err != nil {
		return fmt.Errorf("the demo failed: %w\n%s", err, out)
	}
	fmt.Printf("ok    the demo %14.1f s\n", time.Since(began).Seconds())
	return nil
}
