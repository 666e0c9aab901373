// Command demo plays two sessions, or with -full a week of work, in a scratch project with the real
// ltm binary over its real interfaces: hook payloads on stdin, as Claude Code writes them, and MCP
// over stdio. It prints what a person would see, and fails if something expected does not appear.
//
//	go run ./internal/demo [-full] [BINARY]
//
// Without BINARY it builds the binary of this repository.
package main

import (
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
)

func main() {
	full := flag.Bool("full", false, "play the whole week")
	flag.Parse()
	if err := run(flag.Arg(0), *full, os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, "demo:", err)
		os.Exit(1)
	}
}

// run makes the scratch project, plays the scenario and removes the project.
func run(binary string, full bool, out io.Writer) error {
	scratch, err := os.MkdirTemp("", "ltm-demo-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(scratch)
	if binary == "" {
		binary = filepath.Join(scratch, "ltm")
		if out, err := exec.Command("go", "build", "-o", binary, "ltm/cmd/ltm").CombinedOutput(); err != nil {
			return fmt.Errorf("building ltm: %w\n%s", err, out)
		}
	}
	if binary, err = filepath.Abs(binary); err != nil {
		return err
	}
	d := &demo{binary: binary, project: filepath.Join(scratch, "shop"), home: filepath.Join(scratch, "home"), out: out}
	d.prepare()
	if full {
		d.play()
	} else {
		d.tell()
	}
	return d.err
}
