package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"runtime"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/spf13/cobra"

	"ltm/cmd/internal/gitstore"
	"ltm/cmd/internal/terminal"
	"ltm/cmd/internal/wiring"
	"ltm/engine"
	"ltm/engine/locate"
	"ltm/hooks"
	"ltm/memory"
	"ltm/memory/advice"
	"ltm/memory/api"
	"ltm/setup"
	"ltm/text/safe"
)

// version is the released version; the plugin's manifest says the same.
const version = "0.1.0"

// The exit statuses. Hooks only ever exit with 0 or 1: 2 would block the client.
const (
	exitOK       = 0
	exitFailure  = 1
	exitInvalid  = 2
	exitNotFound = 3
	exitConflict = 4
	exitStorage  = 5
)

const (
	// lockWait is how long a command or a tool waits for other processes.
	lockWait = 2 * time.Second

	// hookLockWait is how long a hook does: the client waits for it.
	hookLockWait = 500 * time.Millisecond
)

// app is one run of the program. It holds all that the run was given; nothing is global.
type app struct {
	stdin          io.Reader
	stdout, stderr io.Writer
	getenv         func(string) string
	ended          <-chan struct{} // closed when a signal asks the program to end
	color          colorMode
	dir            string        // -C: the directory to run in
	from           string        // where it was started, before -C
	found          *locate.Place // nil: not located yet
	whose          scopeFlags
	scope          api.Scope     // empty: not given
	foundShelf     *locate.Shelf // nil: not located yet
	noPager        bool
	asJSON         bool            // --json: answers are JSON
	pager          *terminal.Pager // nil: output is not paged
}

// errQuiet ends the program with a failure that has already been reported.
var errQuiet = errors.New("")

// run is the program without main's access to the process. It returns the exit status.
func run(ctx context.Context, args []string, stdin io.Reader, stdout, stderr io.Writer,
	getenv func(string) string) int {
	a := &app{stdin: stdin, stdout: stdout, stderr: stderr, getenv: getenv, ended: ctx.Done(), color: colorAuto}
	if len(args) > 0 && args[0] == hookCommand && !(len(args) == 2 && (args[1] == "--help" || args[1] == "-h")) {
		return a.runHook(ctx, args[1:])
	}
	if isStatusLine(args) {
		if err := a.statusLine(ctx); err != nil {
			a.fail(err, advice.Reading, args)
			return exitStatus(err)
		}
		return exitOK
	}
	if len(args) == 0 && !terminal.Is(stdin) {
		if call, ok := a.bareCall(); ok {
			return a.guarded(func() error { return a.handle(ctx, call) })
		}
		a.stdout = stderr // a client may take what is on standard output for a context
	}
	root := a.rootCommand()
	root.SetArgs(questionWords(root, args))
	c, err := root.ExecuteContextC(ctx)
	a.pager.Close()
	a.stdout, a.stderr = stdout, stderr
	if err == nil {
		return exitOK
	}
	if !errors.Is(err, errQuiet) {
		a.fail(err, operation(c), args)
	}
	if c.Name() == hookCommand { // after a flag such as -C
		return exitFailure
	}
	return exitStatus(err)
}

// exitStatus maps the codes of errors to exit statuses.
func exitStatus(err error) int {
	if other, ok := errors.AsType[companionStatus](err); ok {
		return int(other)
	}
	switch memory.CodeOf(err) {
	case memory.CodeInvalid, memory.CodeSecret:
		return exitInvalid
	case memory.CodeNotFound:
		return exitNotFound
	case memory.CodeConflict, memory.CodeBusy:
		return exitConflict
	case memory.CodeStorage:
		return exitStorage
	}
	return exitFailure
}

func (a *app) rootCommand() *cobra.Command {
	root := &cobra.Command{Use: "ltm", SilenceUsage: true, SilenceErrors: true}
	root.SetIn(a.stdin)
	root.SetOut(a.stdout)
	root.SetErr(a.stderr)
	root.PersistentFlags().Var(parsed{a.color.set, "when", string(a.color)}, "color",
		"when to use color and tables: auto (on a terminal), always or never")
	root.PersistentFlags().StringVarP(&a.dir, "directory", "C", "", "run as if ltm had been started in `DIR`")
	root.PersistentFlags().BoolVar(&a.noPager, "no-pager", false, "do not use a pager")
	root.PersistentFlags().BoolVar(&a.whose.user, "user", false, "your own memories, which are for every project")
	root.PersistentFlags().BoolVar(&a.whose.project, "project", false, "the project's memories")
	root.PersistentFlags().StringVar(&a.whose.scope, "scope", "", "project, user or all, as --project and --user")
	root.SetFlagErrorFunc(usageError)
	root.SetGlobalNormalizationFunc(alsoNamed)
	root.AddCommand(a.mcpCommand(), a.hookUsage(), a.rememberCommand(), a.recallCommand(), a.listCommand(),
		a.showCommand(), a.updateCommand(), a.forgetCommand(), a.restoreCommand(), a.archivesCommand(),
		a.statusCommand(), a.checkCommand(), a.fixCommand(), a.evictCommand(), a.achievementsCommand(),
		a.reviewCommand(), a.tidyCommand(), a.configCommand(), a.versionCommand(),
		a.undoCommand(), a.correctCommand(), a.fadeCommand())
	root.AddCommand(a.editCommand(), a.whyCommand(), a.logCommand(), a.trustCommand())
	root.AddCommand(a.initCommand(), a.resolveCommand(), a.historyCommand(), a.diffCommand(), a.doctorCommand(),
		a.pinCommand(), a.unpinCommand(), a.userCommand(), a.keyCommand(), a.signCommand(), a.verifyCommand(),
		a.staleCommand(), a.verifyRefsCommand())
	strict(root)
	root.Args = onlyCommands
	showVersion := root.Flags().Bool("version", false, "print the version")
	root.RunE = func(c *cobra.Command, _ []string) error {
		if *showVersion {
			return a.printVersion()
		}
		return dailyScreen(c)
	}
	root.PersistentPreRunE = func(c *cobra.Command, _ []string) error {
		if err := a.enter(); err != nil {
			return err
		}
		if err := a.setScope(c); err != nil {
			return err
		}
		a.tellUnhooked(c)
		a.page(c)
		return nil
	}
	root.AddCommand(a.tagCommand(), a.aliasCommand(), a.pickCommand(), a.contextCommand(),
		a.graphCommand(), a.statsCommand(), a.exportCommand(), a.importCommand(),
		a.companionCommand("server [COMMAND]..."), a.companionCommand("ui [FLAG]...", "ui"))
	root.AddCommand(a.authCommand(), a.teamsCommand(), a.inviteCommand(), a.joinCommand(),
		a.pushCommand(), a.pullCommand(), a.saveCommand())
	root.AddCommand(a.writeCommand(), a.resumeCommand(), a.packetCommand())
	a.arrange(root)
	a.completeAll(root)
	return root
}

// usageError returns the error about a wrong flag or argument: invalid input, with a hint that names the help.
func usageError(c *cobra.Command, err error) error {
	hint := fmt.Sprintf("see %q", "ltm help"+strings.TrimPrefix(c.CommandPath(), "ltm"))
	if what, allowed, ok := badValue(err); ok {
		return invalid(advice.Join(allowed, hint), "%s", what)
	}
	if strings.HasPrefix(err.Error(), "unknown shorthand") {
		hint = `a text that begins with "-" goes behind "--"; ` + hint
	}
	hint = nearFlag(c, err) + hint
	return invalid(hint, "%v", err)
}

// place returns where the store is that the command is about: that of the project that the program
// was started in, or the person's own. It is located once.
func (a *app) place() locate.Place {
	if a.found == nil {
		place := locate.Store(a.env().Where())
		if a.scope == api.ScopeUser {
			place = a.shelf().Place
		}
		a.found = &place
	}
	return *a.found
}

// clientProcess returns the number of the process that started this one, or the shell around it, as far as it is known:
// Windows has no shell that tells it in the system's numbers.
func (a *app) clientProcess() int {
	switch text := a.getenv(setup.ClientVariable); {
	case text == "":
		return os.Getppid()
	case runtime.GOOS == "windows":
		return 0
	default:
		pid, _ := strconv.Atoi(text)
		return max(pid, 0)
	}
}

// env is the process as the wiring of engines sees it.
func (a *app) env() wiring.Env {
	steps := sync.OnceValue(hooks.NextSteps)
	return wiring.Env{
		Getenv: a.getenv, Moved: a.dir != "", From: a.from, Version: version, Client: a.clientProcess(),
		Notice: func(n memory.Note) { a.notice(say(n)) },
		// A check measures what a hook shows.
		Next: func(kind memory.Kind, subject string) string { return steps().Line(kind, subject) },
	}
}

// engine opens the store that the command is about.
func (a *app) engine(wait time.Duration) *engine.Engine {
	return engine.New(a.env().Options(wiring.Open(a.place()), wait, a.place()))
}

// git answers questions about a store's files from git.
func (a *app) git(place locate.Place) gitstore.Store { return a.env().Git(place) }

// notice tells a person something that is said once.
func (a *app) notice(text string) { fmt.Fprintf(a.stderr, "ltm: %s\n", clean(text)) }

// printJSON writes v for programs. Characters that a terminal would obey are escaped.
func (a *app) printJSON(v any) error { return a.encodeJSON(a.stdout, v) }

func (a *app) encodeJSON(w io.Writer, v any) error {
	var out bytes.Buffer
	e := json.NewEncoder(&out)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	if err := e.Encode(nextSteps().Spell(v)); err != nil {
		return err
	}
	_, err := w.Write(safe.JSON(out.Bytes()))
	return err
}

// answer ends a command: with its error, or with what it found, as JSON or for people.
func answer[T any](a *app, found T, err error, print func(T) error) error {
	switch {
	case err != nil:
		return err
	case a.asJSON:
		return a.printJSON(found)
	}
	return print(found)
}

// verdict is [answer] for a command that fails, without a message, if what it found is not good.
func verdict[T any](a *app, found T, err error, good bool, print func(T) error) error {
	if err := answer(a, found, err, print); err != nil || good {
		return err
	}
	return errQuiet
}

// versionReport is what version prints for programs.
type versionReport struct {
	Version  string `json:"version"`
	Go       string `json:"go"`
	Platform string `json:"platform"`
}

func (a *app) versionCommand() *cobra.Command {
	return &cobra.Command{Use: "version", Args: noArguments(), RunE: func(*cobra.Command, []string) error {
		r := versionReport{version, runtime.Version(), runtime.GOOS + "/" + runtime.GOARCH}
		return answer(a, r, nil, func(versionReport) error { return a.printVersion() })
	}}
}

func (a *app) printVersion() error { return a.println("ltm " + version) }
