// Command demo plays two sessions, or with -full a week of work, in a scratch project with the real ltm binary over its
// real interfaces: hook payloads on stdin, as Claude Code writes them, and MCP over stdio. It prints what a person
// would see, and fails if something expected does not appear. With -server, it plays two people who hand work over by a
// server, and an application that keeps its users' memory there.
//
//	go run ./tools/demo [-full | -server] [BINARY]
//
// Without BINARY it builds the programs of this repository. For -server, ltm-server is beside BINARY.
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
	server := flag.Bool("server", false, "play two people, an application and a server")
	flag.Parse()
	play := (*demo).tell
	switch {
	case *full:
		play = (*demo).play
	case *server:
		play = (*demo).playServer
	}
	if err := run(flag.Arg(0), play, os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, "demo:", err)
		os.Exit(1)
	}
}

// playServer plays what the server is for.
func (d *demo) playServer() {
	d.handOver()
	d.converse()
}

// run makes the scratch project, plays the scenario and removes the project.
func run(binary string, play func(*demo), out io.Writer) error {
	scratch, err := os.MkdirTemp("", "ltm-demo-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(scratch)
	if binary == "" {
		binary = filepath.Join(scratch, "ltm")
		cmd := exec.Command("go", "build", "-o", scratch, "ltm/cmd/ltm", "ltm/cmd/ltm-server")
		if out, err := cmd.CombinedOutput(); err != nil {
			return fmt.Errorf("building ltm: %w\n%s", err, out)
		}
	}
	if binary, err = filepath.Abs(binary); err != nil {
		return err
	}
	d := &demo{binary: binary, project: filepath.Join(scratch, "shop"), home: filepath.Join(scratch, "home"), out: out}
	d.prepare()
	play(d)
	return d.err
}
