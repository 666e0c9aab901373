package gitcmd

import (
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"
)

// command is a git command that may be run.
type command struct {
	paths   bool     // it takes path patterns, which git is told to take literally
	before  []string // options before the caller's
	refused []string // options that could start a program, write or leave the work tree
}

// commands lists the commands that may be run. Only config can write, and only the clone's own configuration.
func commands() map[string]command {
	return map[string]command{
		"cat-file":     {refused: []string{"--textconv", "--filters"}},
		"check-attr":   {refused: []string{"--source"}},
		"check-ignore": {},
		"config":       {refused: []string{"-e", "--edit", "-f", "--file", "--global", "--system"}},
		// Without --cached it would look at files, and filters, which are programs, decide what is modified.
		"diff-index": {
			paths:   true,
			before:  append([]string{"--cached"}, noPrograms()...),
			refused: []string{"--no-cached", "--ext-diff", "--textconv", "--submodule", "--output"},
		},
		"diff-tree": {
			paths:   true,
			before:  noPrograms(),
			refused: []string{"--ext-diff", "--textconv", "--show-signature", "--submodule", "--output"},
		},
		"log": {
			paths: true,
			before: []string{"--no-ext-diff", "--no-textconv", "--no-show-signature", "--submodule=short",
				"--ignore-submodules=all", "--no-color"},
			refused: []string{"--ext-diff", "--textconv", "--show-signature", "--submodule", "--output"},
		},
		// Filters, which are programs, decide what is modified.
		"ls-files":  {paths: true, refused: []string{"-m", "--modified", "--recurse-submodules"}},
		"patch-id":  {}, // reads standard input alone
		"rev-list":  {paths: true, refused: []string{"--show-signature"}},
		"rev-parse": {},
	}
}

// noPrograms are options of commands that compare: no program does it for git, and submodules, which
// are repositories of their own, are not looked at.
func noPrograms() []string {
	return []string{"--no-ext-diff", "--no-textconv", "--no-renames", "--ignore-submodules=all", "--no-color"}
}

// overrides lists settings with which a repository's own configuration could start a
// program. The command line takes precedence over every file.
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
		"format.pretty=medium", // another one could verify signatures
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

// allow returns an error for a command that is not in the table, or an option that is refused. Arguments after "--" are
// names, not options. A format with %G runs a program that verifies signatures.
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

func (t *Tree) arguments(args []string) []string {
	c := commands()[args[0]]
	full := t.options()
	if c.paths {
		full = append(full, "--literal-pathspecs")
	}
	full = append(append(full, args[0]), c.before...)
	return append(full, args[1:]...)
}

func (t *Tree) options() []string {
	full := []string{"-C", t.top, "--no-pager"}
	for _, setting := range overrides() {
		full = append(full, "-c", setting)
	}
	return full
}
