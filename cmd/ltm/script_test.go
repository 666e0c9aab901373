package main

import (
	"context"
	"fmt"
	"os"
	"os/signal"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"

	"ltm/cmd/internal/companion"
	"ltm/internal/emulated"
)

func TestMain(m *testing.M) {
	programs := map[string]func(){
		"watch":          watch,
		companion.Server: standInCompanion,
		"ltm": func() {
			hurry(os.Args[1:])
			ctx := context.Background()
			// Signals end these as they end the program.
			if len(os.Args) > 1 && slices.Contains([]string{"review", "tidy"}, os.Args[1]) {
				ctx, _ = signal.NotifyContext(ctx, endings(os.Args[1:])...)
			}
			status := run(ctx, os.Args[1:], os.Stdin, os.Stdout, os.Stderr, os.Getenv)
			notePeak(os.Getenv("LTM_TEST_PEAK"))
			os.Exit(status)
		},
	}
	// what has that name must never run the tests
	if emulated.Wine() || strings.TrimSuffix(filepath.Base(os.Args[0]), ".exe") == "git" {
		programs["git"] = standInGit
	}
	testscript.Main(suite{m}, programs)
}

// TestScript runs the scripts that specify the command line, the hooks and the
// server, with the real program in processes of its own.
func TestScript(t *testing.T) {
	testscript.Run(t, testscript.Params{
		Files:               runnable(t, filepath.Join("..", "..", "testdata", "script")),
		RequireExplicitExec: false,
		RequireUniqueNames:  true,
		Setup: func(env *testscript.Env) error {
			env.Setenv("HOME", filepath.Join(env.WorkDir, "home"))
			samples, err := filepath.Abs(filepath.Join("..", "..", "engine", "transfer", "forms", "testdata"))
			if err != nil {
				return err
			}
			env.Setenv("SAMPLES", samples) // memories of other programs
			env.Values[standInKey{}] = new(*standIn)
			return os.MkdirAll(filepath.Join(env.WorkDir, "home"), 0o755)
		},
		Cmds: map[string]func(*testscript.TestScript, bool, []string){
			"setid":   setID,
			"setulid": setULID,
			"nbytes":  nBytes,
			"context": decodeContext,
			"binary":  writeBinary,
			"call":    callTool,
			"expand":  expand,

			"packetserver": packetServer,
			"join":         joinLink,
			"setinvite":    setInvite,
			"setpacket":    setPacket,
			"atonce":       atOnce,
		},
	})
}

// setid VAR sets VAR to the first memory id in the last command's output.
func setID(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 1 {
		ts.Fatalf("usage: setid VAR")
	}
	id := regexp.MustCompile(`mem_[0-9a-f]{8}`).FindString(ts.ReadFile("stdout"))
	if id == "" {
		ts.Fatalf("no memory id in stdout")
	}
	ts.Setenv(args[0], id)
}

// setulid VAR sets VAR to the first id of a packet in the last command's output.
func setULID(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 1 {
		ts.Fatalf("usage: setulid VAR")
	}
	id := regexp.MustCompile(`\b[0-7][0-9A-HJKMNP-TV-Z]{25}\b`).FindString(ts.ReadFile("stdout"))
	if id == "" {
		ts.Fatalf("no id of a packet in stdout")
	}
	ts.Setenv(args[0], id)
}

// nbytes FILE N writes N letters to FILE.
func nBytes(ts *testscript.TestScript, neg bool, args []string) {
	var n int
	if _, err := fmt.Sscan(args[1], &n); neg || err != nil {
		ts.Fatalf("usage: nbytes FILE N")
	}
	ts.Check(os.WriteFile(ts.MkAbs(args[0]), []byte(strings.Repeat("x", n)), 0o644))
}

// binary FILE TEXT writes TEXT to FILE, with Go's escapes for bytes.
func writeBinary(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 2 {
		ts.Fatalf("usage: binary FILE TEXT")
	}
	text := strings.NewReplacer(`\n`, "\n", `\0`, "\x00", `\xff`, "\xff").Replace(args[1])
	ts.Check(os.WriteFile(ts.MkAbs(args[0]), []byte(text), 0o644))
}

// expand FILE replaces $WORK in a file by that directory, with slashes.
func expand(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 1 {
		ts.Fatalf("usage: expand FILE")
	}
	text := strings.ReplaceAll(ts.ReadFile(args[0]), "$WORK", filepath.ToSlash(ts.Getenv("WORK")))
	ts.Check(os.WriteFile(ts.MkAbs(args[0]), []byte(text), 0o644))
}

// context FILE decodes the text that a hook's output in stdout puts into the
// model's context, and writes it to FILE.
func decodeContext(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 1 {
		ts.Fatalf("usage: context FILE")
	}
	text, err := contextOf(ts.ReadFile("stdout"))
	ts.Check(err)
	ts.Check(os.WriteFile(ts.MkAbs(args[0]), []byte(text), 0o644))
}

// notePeak leaves the most memory that this process took, as Linux has it. What
// the parent is told of it counts the parent's own.
func notePeak(path string) {
	if status, err := os.ReadFile("/proc/self/status"); err == nil && path != "" {
		_ = os.WriteFile(path, status, 0o644)
	}
}
