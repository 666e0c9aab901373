// Command emulate runs this repository's tests on systems that it emulates:
// Windows with Wine, and Linux on ARM64 with QEMU.
//
//	go run ./tools/emulate [-all] [-package PACKAGE] [-run TESTS] [-dir .build/emulate] windows|arm64
//	go run ./tools/emulate -missing windows|arm64 ...
//
// Each package's tests are built for the system and run in the package's own directory, with a time limit. The tables
// in tables.txt choose what runs on every change; -all runs the rest of their packages too, and -package and -run one
// package or test. Each package gets a line, and failures their output. The exit status is 1 if a test failed.
//
// It installs nothing. It names missing packages in one line, and -missing prints the Debian
// packages for a script to install.
//
// Features that Wine 8.0 lacks are made at run time below -dir: see wine.go.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"path/filepath"
	"slices"
	"strings"
)

func main() {
	var sel selection
	flag.BoolVar(&sel.all, "all", false, "run the tests that the tables leave out, too")
	flag.StringVar(&sel.pkg, "package", "", "run the tests of this package only, such as cmd/ltm")
	flag.StringVar(&sel.tests, "run", "", "run these tests, as go test -run takes them, instead of those in the tables")
	dir := flag.String("dir", filepath.Join(".build", "emulate"), "where binaries and the Wine prefix are kept")
	missing := flag.Bool("missing", false, "print the Debian packages that are missing, and run nothing")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	run := func() error { return emulate(ctx, *dir, flag.Args(), sel) }
	if *missing {
		run = func() error { return printMissing(flag.Args()) }
	}
	if err := run(); err != nil {
		fmt.Fprintln(os.Stderr, "emulate:", err)
		os.Exit(1)
	}
}

// systems returns the systems of these names.
func systems(names []string) ([]system, error) {
	var found []system
	for _, name := range names {
		i := slices.IndexFunc(known(), func(s system) bool { return s.name == name })
		if i < 0 {
			return nil, fmt.Errorf("%q is not a system that can be emulated; windows and arm64 are", name)
		}
		found = append(found, known()[i])
	}
	if len(found) == 0 {
		return nil, errors.New("name a system: windows or arm64")
	}
	return found, nil
}

// printMissing prints, on one line, the Debian packages that these systems need and that are not installed.
func printMissing(names []string) error {
	found, err := systems(names)
	if err != nil {
		return err
	}
	var packages []string
	for _, s := range found {
		packages = append(packages, s.missing()...)
	}
	slices.Sort(packages)
	fmt.Println(strings.Join(slices.Compact(packages), " "))
	return nil
}

// emulate runs the tests on these systems in turn.
func emulate(ctx context.Context, dir string, names []string, sel selection) error {
	found, err := systems(names)
	if err != nil {
		return err
	}
	for _, s := range found {
		if packages := s.missing(); len(packages) > 0 {
			return fmt.Errorf("%s needs %s: apt-get install -y --no-install-recommends %s", s.name, s.with,
				strings.Join(packages, " "))
		}
	}
	if dir, err = filepath.Abs(dir); err != nil {
		return err
	}
	for _, s := range found {
		if err := s.test(ctx, filepath.Join(dir, s.name), sel); err != nil {
			return fmt.Errorf("%s: %w", s.name, err)
		}
	}
	return nil
}
