package main

import (
	"context"
	_ "embed"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"ltm/cmd/internal/helptext"
	"ltm/text/safe"
)

// version is the released version, the same as ltm's.
const version = "0.1.0"

// The exit statuses are those of ltm.
const (
	exitOK       = 0
	exitFailure  = 1
	exitInvalid  = 2
	exitNotFound = 3
	exitConflict = 4
	exitStorage  = 5
)

// helpText is what the help says of each command, as [helptext.Set] reads it.
//
//go:embed help.txt
var helpText string

// app is one run of the program. It holds all that the run was given; nothing is global.
type app struct {
	stdin          io.Reader
	stdout, stderr io.Writer
	getenv         func(string) string
	environ        []string // NAME=value, for names that are not known
	now            func() time.Time
	options        options
	sources        map[string]string // where each option's value comes from, by its name

	listening func(url string) error // told once where a server listens; nil: nobody
}

// run is the program without main's access to the process. It returns the exit status. When ctx is
// canceled, a server finishes what it does and ends.
func run(ctx context.Context, args []string, stdin io.Reader, stdout, stderr io.Writer,
	getenv func(string) string, environ []string) int {
	a := &app{stdin: stdin, stdout: stdout, stderr: stderr, getenv: getenv, environ: environ, now: time.Now,
		sources: map[string]string{}}
	root := a.rootCommand()
	if servesAlone(root, args) {
		args = append([]string{"serve"}, args...)
	}
	root.SetArgs(args)
	_, err := root.ExecuteContextC(ctx)
	if err == nil {
		return exitOK
	}
	if !errors.Is(err, errQuiet) {
		// One line, whatever a driver says; and there is nowhere to say that it cannot be written.
		fmt.Fprintf(a.stderr, "ltm-server: %s\n", safe.Line(shown(tell(err), args)))
	}
	return statusOf(err)
}

// servesAlone reports whether arguments are flags without a command, which means serve.
func servesAlone(root *cobra.Command, args []string) bool {
	if len(args) == 0 || !strings.HasPrefix(args[0], "-") || args[0] == "-h" || args[0] == "--help" {
		return false
	}
	c, _, err := root.Find(args)
	return err == nil && c == root
}

func (a *app) rootCommand() *cobra.Command {
	root := &cobra.Command{Use: "ltm-server", SilenceUsage: true, SilenceErrors: true}
	root.SetIn(a.stdin)
	root.SetOut(a.stdout)
	root.SetErr(a.stderr)
	root.SetFlagErrorFunc(usageError)
	a.options.registerDatabase(root.PersistentFlags())
	root.PersistentPreRunE = func(c *cobra.Command, _ []string) error { return a.resolve(c) }
	root.AddCommand(a.initCommand(), a.serveCommand(), a.healthcheckCommand(), a.tokenCommand(),
		a.userCommand(), a.teamCommand(), a.applicationCommand(), a.keyCommand(), a.exportCommand(),
		a.importCommand(), a.approveCommand(), a.mcpCommand(), a.purgeCommand(), a.backupCommand(),
		a.restoreCommand(), a.checkCommand(), a.vectorsCommand(), a.auditCommand(), a.configCommand(),
		a.versionCommand(), a.uiCommand(), a.devCommand())
	root.CompletionOptions.HiddenDefaultCmd = true
	strict(root)
	helptext.Set(root, helpText)
	return root
}

func (a *app) versionCommand() *cobra.Command {
	return &cobra.Command{
		Use:  "version",
		Args: arguments(0),
		RunE: func(*cobra.Command, []string) error { return a.println("ltm-server " + version) },
	}
}

func (a *app) println(lines ...string) error {
	for _, line := range lines {
		if _, err := fmt.Fprintln(a.stdout, line); err != nil {
			return failed("cannot write the answer", err)
		}
	}
	return nil
}

// notice tells a person something that is not the answer.
func (a *app) notice(format string, args ...any) {
	fmt.Fprintf(a.stderr, "ltm-server: %s\n", safe.Text(fmt.Sprintf(format, args...)))
}

// printJSON writes v for programs. Characters that a terminal would obey are escaped.
func (a *app) printJSON(v any) error {
	data, err := json.MarshalIndent(v, "", "  ")
	if err != nil {
		return err
	}
	return a.println(string(safe.JSON(data)))
}

// jsonFlag adds --json to a command.
func jsonFlag(c *cobra.Command) *bool { return c.Flags().Bool("json", false, "print JSON") }
