package gitcmd

import (
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"
)

// command is one that may be run.
type command struct {
	paths   bool     // takes path patterns, which are to be plain names
	before  []string // options that go before the caller's
	refused []string // options that could start a program, write or leave the work tree
}

// commands lists what may be run. Only config can write, and only the clone's own
// configuration.
func commands() map[string]command {
	return map[string]command{
		"cat-file":     {refused: []string{"--textconv", "--filters"}},
		"check-ignore": {},
		"config":       {refused: []string{"-e", "--edit", "-f", "--file", "--global", "--system"}},
		"log": {
			paths:   true,
			before:  []string{"--no-ext-diff", "--no-textconv", "--no-show-signature", "--submodule=short", "--ignore-submodules=all", "--no-color"},
			refused: []string{"--ext-diff", "--textconv", "--show-signature", "--submodule", "--output"},
		},
		"ls-files":  {paths: true, refused: []string{"-m", "--modified", "--recurse-submodules"}}, // what is modified is told by filters
		"rev-list":  {paths: true, refused: []string{"--show-signature"}},
		"rev-parse": {},
	}
}

// overrides are settings that a repository's own configuration could use to start
// something. The command line wins over every file.
func overrides() []string {
	return []string{
		"core.fsmonitor=false",
		"core.hooksPath=" + os.DevNull,
		"safe.bareRepository=explicit",
		"core.pager=cat",
		"core.editor=:",
		"core.askPass=",
		"core.sshCommand=:",
		"core.gitProxy=",
		"core.alternateRefsCommand=:",
		"credential.helper=",
		"protocol.allow=never",
		"diff.external=",
		"diff.submodule=short",
		"diff.ignoreSubmodules=all",
		"format.pretty=medium", // another could ask for signatures to be verified
		"log.showSignature=false",
		"gpg.program=:",
		"gpg.openpgp.program=:",
		"gpg.x509.program=:",
		"gpg.ssh.program=:",
		"submodule.recurse=false",
		"gc.auto=0",
		"maintenance.auto=false",
	}
}

// allow reports an error for a command that is not in the table, or an option
// that is refused. What comes after "--" is a name, not an option. A format
// with %G has signatures verified, by a program.
func allow(args []string) error {
	if len(args) == 0 {
		return errors.New("git needs a command")
	}
	c, ok := commands()[args[0]]
	if !ok {
		return fmt.Errorf("git %s is not a command that ltm runs", args[0])
	}
	for _, arg := range args[1:] {
		if arg == "--" {
			return nil
		}
		option, _, _ := strings.Cut(arg, "=")
		if slices.Contains(c.refused, option) || strings.HasPrefix(arg, "-") && strings.Contains(arg, "%G") {
			return fmt.Errorf("git %s with %q is not a command that ltm runs", args[0], arg)
		}
	}
	return nil
}

// arguments completes a command line.
func (t *Tree) arguments(args []string) []string {
	c := commands()[args[0]]
	full := []string{"-C", t.top, "--no-pager"}
	if c.paths {
		full = append(full, "--literal-pathspecs")
	}
	for _, setting := range overrides() {
		full = append(full, "-c", setting)
	}
	full = append(append(full, args[0]), c.before...)
	return append(full, args[1:]...)
}
