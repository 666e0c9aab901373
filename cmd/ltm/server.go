package main

import (
	"cmp"
	"fmt"
	"os"

	"github.com/spf13/cobra"

	"ltm/cmd/internal/companion"
)

// companionCommand runs ltm-server, as git runs git-foo, or one of its commands. It has what is too heavy for a program
// that starts at every tool call, such as drivers of databases.
func (a *app) companionCommand(use string, own ...string) *cobra.Command {
	return &cobra.Command{Use: use, DisableFlagParsing: true, ValidArgsFunction: cobra.NoFileCompletions,
		RunE: func(c *cobra.Command, given []string) error { return a.runCompanion(c, given, own...) }}
}

// runCompanion runs the companion with the arguments that a command was given, behind those of its own.
func (a *app) runCompanion(c *cobra.Command, given []string, own ...string) error {
	given, err := a.directoryOf(given)
	if err != nil {
		return err
	}
	path := cmp.Or(companion.Beside(companion.Server), a.trustedProgram(companion.Server))
	if path == "" {
		if len(given) == 0 && len(own) == 0 || len(given) > 0 && (given[0] == "--help" || given[0] == "-h") {
			return c.Help()
		}
		return notFound(fmt.Sprintf("put %s beside ltm or on the PATH; the release archives have it, and "+
			"so does \"make install\" in a clone", companion.Server), "there is no %s", companion.Server)
	}
	a.pager.Close()
	return a.become(path, append(own, given...))
}

// directoryOf obeys a -C that was given to ltm itself, which precedes the arguments of a
// command that parses its own flags.
func (a *app) directoryOf(given []string) ([]string, error) {
	if len(given) < 2 || given[0] != "-C" && given[0] != "--directory" {
		return given, nil
	}
	a.dir = given[1]
	return given[2:], a.enter()
}

// companionStatus is the exit status of a companion that failed and has said why.
type companionStatus int

// Error implements error.
func (s companionStatus) Error() string {
	return fmt.Sprintf("%s exited with %d", companion.Server, int(s))
}

// Is makes it an error that has been reported.
func (s companionStatus) Is(target error) bool { return target == errQuiet }

// enter changes to the directory given with -C. From then on, paths are relative to it.
func (a *app) enter() error {
	if a.dir == "" {
		return nil
	}
	a.from, _ = os.Getwd()
	if err := os.Chdir(a.dir); err != nil {
		return unusable("-C takes a directory", "cannot go to that directory", err)
	}
	return nil
}
