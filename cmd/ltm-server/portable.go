package main

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/spf13/cobra"

	"ltm/internal/plural"
	"ltm/server/threads"
	"ltm/text/safe"
)

// exportCommand writes what an application remembers as one file for other servers and programs.
func (a *app) exportCommand() *cobra.Command {
	var application, user string
	c := &cobra.Command{Use: "export FILE", Args: arguments(1, "a file")}
	applicationFlag(c, &application)
	c.Flags().StringVar(&user, "user", "", "only what it remembers of this user")
	c.RunE = a.onThreads(func(ctx context.Context, s threads.Storage, given []string) error {
		of, err := namedApplication(ctx, s, application)
		who := threads.Subject{App: of.ID}
		if user != "" {
			who, err = subject(ctx, s, application, user)
		}
		if err != nil {
			return err
		}
		memory, err := a.memory(s)
		if err != nil {
			return err
		}
		return a.output(given[0], "export", "export", func(w io.Writer) error { return memory.Export(ctx, who, w) })
	})
	return c
}

// memory returns the memory of applications. No jobs run in it.
func (a *app) memory(s threads.Storage) (*threads.Service, error) {
	m, err := threads.New(threads.Options{Storage: s, Now: a.now, Random: rand.Reader})
	if err != nil {
		return nil, failed("cannot open the memory of applications", err)
	}
	return m, nil
}

// importFlags are the flags of import.
type importFlags struct {
	application, user, from string
	dryRun, skipBad         bool
}

func (a *app) importCommand() *cobra.Command {
	var f importFlags
	c := &cobra.Command{Use: "import FILE", Args: arguments(1, "a file")}
	applicationFlag(c, &f.application)
	c.Flags().StringVar(&f.user, "user", "", "the user whose memory it becomes")
	c.Flags().StringVar(&f.from, "from", "",
		"the `SYSTEM` whose dump it is: "+strings.Join(threads.ForeignForms(), ", "))
	c.Flags().BoolVar(&f.dryRun, "dry-run", false, "show what would be imported, and change nothing")
	c.Flags().BoolVar(&f.skipBad, "skip-bad", false,
		"leave out memories of mem0 that cannot be read, and name them, instead of refusing the file")
	asJSON := jsonFlag(c)
	c.RunE = a.onThreads(func(ctx context.Context, s threads.Storage, given []string) error {
		return a.importInto(ctx, s, given[0], f, *asJSON)
	})
	return c
}

// importReport is what import did, or would do.
type importReport struct {
	DryRun  bool             `json:"dry_run"`
	Rows    map[string]int64 `json:"rows"` // by kind: in the file if it is a dry run, and else added
	Remarks []string         `json:"remarks"`
}

func (a *app) importInto(ctx context.Context, s threads.Storage, name string, f importFlags, asJSON bool) error {
	of, err := namedApplication(ctx, s, f.application)
	if err != nil {
		return err
	}
	in, err := a.input(name, "file")
	if err != nil {
		return err
	}
	defer in.Close()
	source, who := io.Reader(in), threads.Subject{App: of.ID, User: f.user}
	report := importReport{DryRun: f.dryRun, Remarks: []string{}}
	if f.from != "" {
		who.User = "" // it was given to the rows
		converted, err := scratch()
		if err != nil {
			return failed("cannot make a temporary file", err)
		}
		defer converted.remove()
		dump := threads.Foreign{Form: f.from, User: f.user, Now: a.now(), SkipBad: f.skipBad}
		if report.Remarks, err = threads.Convert(dump, in, converted.f); err != nil {
			if f.from == "mem0" && !f.skipBad {
				err = fmt.Errorf("%w (--skip-bad leaves out bad memories)", err)
			}
			return refusedFile(name, err, false)
		}
		if _, err := converted.f.Seek(0, io.SeekStart); err != nil {
			return failed("cannot read a temporary file", err)
		}
		source = converted.f
	}
	if f.dryRun {
		if report.Rows, err = threads.CheckImport(who, source); err != nil {
			return refusedFile(name, err, false)
		}
		return a.printImport(report, asJSON)
	}
	memory, err := a.memory(s)
	if err != nil {
		return err
	}
	if report.Rows, err = memory.Import(ctx, who, source); err != nil {
		return refusedFile(name, err, len(report.Rows) > 0)
	}
	return a.printImport(report, asJSON)
}

// refusedFile is the error about a file that was not imported.
func refusedFile(name string, err error, partly bool) error {
	next := "nothing was changed"
	if partly {
		next = "what was read before is there, and the same import goes on from it"
	}
	status := statusOf(err)
	if errors.Is(err, threads.ErrInvalid) {
		status = exitInvalid
	}
	return &fault{status: status, message: "cannot import " + name, cause: err, next: next}
}

// temporary is a file that has no name where the system allows it, so that nothing is left of it after a crash.
type temporary struct {
	f     *os.File
	named bool
}

func scratch() (temporary, error) {
	f, err := os.CreateTemp("", "ltm-server-") // with mode 0600
	if err != nil {
		return temporary{}, err
	}
	return temporary{f, os.Remove(f.Name()) != nil}, nil // Windows removes no open file
}

func (t temporary) remove() {
	_ = t.f.Close() // it is gone either way
	if t.named {
		_ = os.Remove(t.f.Name())
	}
}

func (a *app) printImport(r importReport, asJSON bool) error {
	if asJSON {
		return a.printJSON(r)
	}
	for _, remark := range r.Remarks {
		a.notice("%s", safe.Line(remark))
	}
	done := "imported "
	if r.DryRun {
		done = "would import "
	}
	var parts []string
	for _, kind := range []struct{ name, one, many string }{{"user", "user", "users"}, {"thread", "thread", "threads"},
		{"event", "event", "events"}, {"summary", "summary", "summaries"}, {"act", "act", "acts"},
		{"claim", "claim", "claims"}, {"reaction", "reaction", "reactions"}} {
		if n := r.Rows[kind.name]; n > 0 {
			parts = append(parts, plural.Of(int(n), kind.one, kind.many))
		}
	}
	if len(parts) == 0 {
		return a.println(done + "nothing")
	}
	return a.println(fmt.Sprint(done, strings.Join(parts, ", ")))
}
