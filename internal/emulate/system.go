package main

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"ltm/internal/hookguard"
)

// system is a system to emulate.
type system struct {
	name, with string // what it is called, and what emulates it
	tools      []tool
	env        []string // for the Go command
	flags      string   // for the linker, for programs that are entered before Go's runtime
	exe        string   // how the names of programs end
	parts      []part
	demo       bool // play the demo with the program: its tests cannot start it

	// prepare makes what the emulator needs below dir: a way to start programs and
	// flags for the Go command. Its done ends what it started.
	prepare func(ctx context.Context, dir string) (e emulator, done func(), err error)
}

// tool is a program that an emulator needs, in one of several places, and the
// Debian package that brings it.
type tool struct {
	paths   []string
	debian  string
	program string // how it is called in a message
}

// emulator starts programs of another system.
type emulator struct {
	start []string // comes before the program
	env   []string // its environment, beside this process's own
	build []string // flags for the Go command
	drive string   // what comes before a path of this system; "": paths are the same
}

// pathOf returns a path of this system as the emulated one writes it.
func (e emulator) pathOf(path string) string {
	if e.drive == "" {
		return path
	}
	return e.drive + strings.ReplaceAll(path, "/", `\\`)
}

// part is the tests of one package.
type part struct {
	pkg  string
	rare bool   // the package runs with -all alone
	long string // tests that run with -all alone, a regular expression

	// helper is a program that the tests start, by its path below the package; it is
	// built without and with the system's linker flags.
	helper string
}

func (t tool) find() string {
	for _, path := range t.paths {
		if found, err := exec.LookPath(path); err == nil {
			return found
		}
	}
	return ""
}

// missing returns the Debian packages that are not there.
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
			parts: windowsParts(), prepare: prepareWine, env: []string{"GOOS=windows", "GOARCH=amd64", "CGO_ENABLED=0"},
			flags: hookguard.LinkFlags("windows", "amd64"),
		},
		{
			name: "arm64", with: "QEMU", tools: []tool{qemu()}, parts: arm64Parts(), demo: true, prepare: prepareQEMU,
			env: []string{"GOOS=linux", "GOARCH=arm64", "CGO_ENABLED=0"},
		},
	}
}

// windowsParts lists the packages that make sense on Windows, the slowest first.
// The others run the Go command or trace system calls of Linux.
func windowsParts() []part {
	return []part{
		{pkg: "engine",
			long: "^(TestCriticalMemoriesAreNeverLeftOutForOthers|TestADamagedSearchCacheIsIgnored|" +
				"TestTheContextFitsTheClient)$"},
		{pkg: "cmd/ltm", long: "^(TestProcessesLoseNothing|TestProcessesShareTheLog)$"},
		{pkg: "store"},
		{pkg: "setup"},
		{pkg: "mcp"},
		{pkg: "search"},
		{pkg: "memory"},
		{pkg: "memfile"},
		{pkg: "api"},
		{pkg: "hooks"},
		{pkg: "eviction"},
		{pkg: "abridge"},
		{pkg: "priority"},
		{pkg: "secrets"},
		{pkg: "transcript"},
		{pkg: "internal/busyfile"},
		{pkg: "internal/hookguard", helper: "testdata/faults"},
	}
}

// arm64Parts lists the packages that run on ARM64: those with files first.
// cmd/ltm is not among them, for its tests start programs, and the kernel starts
// none for another processor; the demo plays the binary instead.
func arm64Parts() []part {
	return []part{
		{pkg: "engine",
			long: "^(TestCriticalMemoriesAreNeverLeftOutForOthers|TestADamagedSearchCacheIsIgnored|" +
				"TestTheContextFitsTheClient|TestNoTextIsLostThatWasWrittenOnAReducedMemory|TestARecallReplyIsLean|" +
				"TestPromptPrecision|Fuzz.*)$"},
		{pkg: "store"},
		{pkg: "setup"},
		{pkg: "hooks", long: "^FuzzLongPayload$"},
		{pkg: "memory"},
		{pkg: "memfile"},
		{pkg: "api"},
		{pkg: "internal/busyfile"},
		{pkg: "mcp", long: "^TestTheServerGoesOnAfterRubbish$"},
		{pkg: "eviction", rare: true},
		{pkg: "abridge", rare: true},
		{pkg: "priority", rare: true},
		{pkg: "search", rare: true},
		{pkg: "secrets", rare: true},
		{pkg: "transcript", rare: true},
	}
}

// prepareQEMU needs nothing but QEMU itself.
func prepareQEMU(context.Context, string) (emulator, func(), error) {
	return emulator{start: []string{qemu().find()}}, func() {}, nil
}

// test builds the program and the tests of a system below dir, and runs them.
func (s system) test(ctx context.Context, dir string, all bool) error {
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
	parts := s.chosen(all)
	ltm, err := s.build(ctx, e, bin, parts)
	if err != nil {
		return err
	}
	r := &runner{with: e, exe: s.exe, bin: bin, ltm: ltm, all: all}
	if failed := r.run(ctx, parts); failed > 0 {
		return fmt.Errorf("%d of %d packages failed", failed, len(parts))
	}
	if s.demo {
		return playDemo(ctx, e, ltm)
	}
	return nil
}

// chosen returns the packages to test.
func (s system) chosen(all bool) []part {
	var parts []part
	for _, p := range s.parts {
		if all || !p.rare {
			parts = append(parts, p)
		}
	}
	return parts
}
