package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"ltm/internal/plural"
	"ltm/server/threads"
)

func (a *app) applicationCommand() *cobra.Command {
	c := &cobra.Command{Use: "app"}
	c.AddCommand(a.applicationCreateCommand(), a.applicationListCommand(), a.applicationShowCommand(),
		a.applicationSetCommand(), a.applicationRemoveCommand(), a.applicationEraseCommand())
	return c
}

// findApplication returns an application by its name or id.
func findApplication(ctx context.Context, s threads.Storage, given string) (threads.App, error) {
	found, err := s.AppOf(ctx, given)
	if errors.Is(err, threads.ErrNotFound) {
		return found, &fault{status: exitNotFound, message: fmt.Sprintf("there is no application %q", given),
			next: `"ltm-server app ls" lists them, and "ltm-server app create" makes one`}
	}
	if err != nil {
		return found, failed("cannot read applications", err)
	}
	return found, nil
}

func (a *app) applicationCreateCommand() *cobra.Command {
	var f settingFlags
	c := &cobra.Command{Use: "create NAME", Args: arguments(1, "a name")}
	f.register(c)
	c.RunE = func(c *cobra.Command, given []string) error {
		if err := checkName(given[0]); err != nil {
			return err
		}
		made := threads.App{Name: given[0], CreatedAt: a.now().UTC().Truncate(time.Microsecond)}
		if err := f.apply(a, c, &made.Settings); err != nil {
			return err
		}
		var err error
		if made.ID, err = a.newID(made.CreatedAt); err != nil {
			return err
		}
		return a.withThreads(c.Context(), func(ctx context.Context, s threads.Storage) error {
			err := s.CreateApp(ctx, made)
			if errors.Is(err, threads.ErrTaken) {
				return &fault{status: exitConflict, message: fmt.Sprintf("there is an application %q", made.Name),
					next: `"ltm-server app set" changes it`}
			}
			if err != nil {
				return failed("cannot create the application", err)
			}
			if err := a.println(made.ID); err != nil {
				return err
			}
			a.notice("application %s has no key yet: ltm-server key issue --app %[1]s", made.Name)
			return nil
		})
	}
	return c
}

// checkName refuses names of users and applications that could not be told from other arguments.
func checkName(name string) error {
	if !regexp.MustCompile(`^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$`).MatchString(name) {
		return invalid("it takes 1 to 64 letters, digits, dots, hyphens and underscores", "the name %.80q is wrong",
			name)
	}
	return nil
}

// applicationReport is an application as commands print it for programs.
type applicationReport struct {
	ID           string            `json:"id"`
	Name         string            `json:"name"`
	Created      string            `json:"created_at"`
	Retention    string            `json:"retention,omitempty"`
	TokensPerDay int64             `json:"tokens_per_day,omitempty"`
	Active       bool              `json:"active_extraction,omitempty"`
	ActiveRules  bool              `json:"active_suggestions,omitempty"`
	Turns        int               `json:"extraction_turns"`
	Fields       map[string]string `json:"fields,omitempty"`
	Issuer       *threads.Issuer   `json:"issuer,omitempty"`
	Stores       map[string]string `json:"stores,omitempty"` // the directory of each
	Keys         *int              `json:"keys,omitempty"`   // that let the application in now; show alone tells
	Used         *usedReport       `json:"used_today,omitempty"`
}

func reportApplication(x threads.App) applicationReport {
	r := applicationReport{ID: x.ID, Name: x.Name, Created: when(x.CreatedAt), TokensPerDay: x.Settings.TokensPerDay,
		Active: x.Settings.ActiveExtraction, ActiveRules: x.Settings.ActiveSuggestions,
		Turns:  cmp.Or(x.Settings.ExtractionTurns, threads.ExtractionTurns),
		Fields: x.Settings.Fields, Issuer: x.Settings.Issuer,
		Stores: x.Settings.Stores}
	if x.Settings.Retention > 0 {
		r.Retention = age(x.Settings.Retention)
	}
	return r
}

// age shows a length of time as [parseAge] reads it.
func age(d time.Duration) string {
	if d%(24*time.Hour) == 0 {
		return strconv.Itoa(int(d/(24*time.Hour))) + "d"
	}
	return d.String()
}

// tokensPerDay shows a limit.
func tokensPerDay(n int64) string {
	if n == 0 {
		return "-"
	}
	return strconv.FormatInt(n, 10)
}

func (a *app) applicationListCommand() *cobra.Command {
	c := &cobra.Command{Use: "ls", Args: arguments(0)}
	asJSON := jsonFlag(c)
	c.RunE = a.onThreads(func(ctx context.Context, s threads.Storage, _ []string) error {
		found, err := s.ListApps(ctx)
		if err != nil {
			return failed("cannot list applications", err)
		}
		header := []string{"ID", "NAME", "RETENTION", "TOKENS/DAY", "CREATED"}
		return list(a, *asJSON, each(found, reportApplication), header,
			func(r applicationReport) []string {
				return []string{r.ID, r.Name, cmp.Or(r.Retention, "-"), tokensPerDay(r.TokensPerDay), r.Created}
			})
	})
	return c
}

func (a *app) applicationShowCommand() *cobra.Command {
	c := &cobra.Command{Use: "show NAME", Args: arguments(1, "the name or id of an application")}
	asJSON := jsonFlag(c)
	c.RunE = a.onThreads(func(ctx context.Context, s threads.Storage, given []string) error {
		found, err := findApplication(ctx, s, given[0])
		if err != nil {
			return err
		}
		keys, err := s.ListKeys(ctx, found.ID)
		if err != nil {
			return failed("cannot list keys", err)
		}
		valid := 0
		for _, k := range keys {
			if stateOf(k.ExpiresAt, k.RevokedAt, a.now()) == "valid" {
				valid++
			}
		}
		used, err := usedToday(ctx, s, found.ID, a.now())
		if err != nil {
			return failed("cannot read what models used", err)
		}
		return a.printApplication(found, valid, used, *asJSON)
	})
	return c
}

func (a *app) printApplication(x threads.App, keys int, used *usedReport, asJSON bool) error {
	r := reportApplication(x)
	r.Keys, r.Used = &keys, used
	if asJSON {
		return a.printJSON(r)
	}
	rows := [][]string{{"id", r.ID}, {"name", r.Name}, {"created", r.Created}, {"retention", cmp.Or(r.Retention, "-")},
		{"tokens-per-day", tokensPerDay(r.TokensPerDay)}, {"active-extraction", strconv.FormatBool(r.Active)},
		{"active-suggestions", strconv.FormatBool(r.ActiveRules)}, {"extraction-turns", strconv.Itoa(r.Turns)}}
	for _, key := range slices.Sorted(maps.Keys(r.Fields)) {
		rows = append(rows, []string{"field", key + ":" + r.Fields[key]})
	}
	for _, name := range slices.Sorted(maps.Keys(r.Stores)) {
		rows = append(rows, []string{"store", name + "=" + r.Stores[name]})
	}
	if r.Issuer != nil {
		rows = append(rows, []string{"issuer", r.Issuer.URL}, []string{"jwks", r.Issuer.JWKS},
			[]string{"audience", r.Issuer.Audience})
	}
	rows = append(rows, []string{"keys", strconv.Itoa(keys)})
	if used != nil {
		rows = append(rows, []string{"used today", used.String()})
	}
	return a.table([]string{"SETTING", "VALUE"}, rows)
}

func (a *app) applicationSetCommand() *cobra.Command {
	var f settingFlags
	c := &cobra.Command{Use: "set NAME", Args: arguments(1, "the name or id of an application")}
	f.register(c)
	c.Flags().StringSliceVar(&f.dropped, "drop-field", nil, "a `KEY` of meta that filters may no longer name")
	c.Flags().StringSliceVar(&f.droppedStores, "drop-store", nil,
		"the `NAME` of a store that contexts may no longer draw from")
	asJSON := jsonFlag(c)
	c.RunE = func(c *cobra.Command, given []string) error {
		if !f.any(c) {
			return invalid(`"ltm-server app set --help" lists them`, "no setting is given")
		}
		return a.withThreads(c.Context(), func(ctx context.Context, s threads.Storage) error {
			found, err := findApplication(ctx, s, given[0])
			if err != nil {
				return err
			}
			if err := f.apply(a, c, &found.Settings); err != nil {
				return err
			}
			if err := s.UpdateApp(ctx, found); err != nil {
				return failed("cannot change the application", err)
			}
			if *asJSON {
				return a.printJSON(reportApplication(found))
			}
			return a.println("changed " + found.Name)
		})
	}
	return c
}

func (a *app) applicationRemoveCommand() *cobra.Command {
	var yes bool
	c := &cobra.Command{Use: "rm NAME", Args: arguments(1, "the name or id of an application")}
	c.Flags().BoolVar(&yes, "yes", false, "do it without a question")
	asJSON := jsonFlag(c)
	c.RunE = a.onThreads(func(ctx context.Context, s threads.Storage, given []string) error {
		found, err := findApplication(ctx, s, given[0])
		if err != nil {
			return err
		}
		if err := a.confirm(yes, found.Name, fmt.Sprintf("removing %s ends its keys and deletes the memories of "+
			"all its users", found.Name)); err != nil {
			return err
		}
		gone, err := s.DeleteApp(ctx, found.ID, a.now())
		if err != nil {
			return failed("cannot remove the application", err)
		}
		if err := a.printGone("removed "+found.Name, gone, *asJSON); err != nil {
			return err
		}
		return a.journaled(ctx, s)
	})
	return c
}

func (a *app) applicationEraseCommand() *cobra.Command {
	var application string
	var yes, now bool
	c := &cobra.Command{Use: "erase-user USER", Args: arguments(1, "a user of the application")}
	applicationFlag(c, &application)
	c.Flags().BoolVar(&yes, "yes", false, "do it without a question")
	c.Flags().BoolVar(&now, "now", false, "also remove the bytes of everything erased from the database's files")
	asJSON := jsonFlag(c)
	c.RunE = a.onStorage(func(ctx context.Context, d database, given []string) error {
		s := d.Threads()
		who, err := subject(ctx, s, application, given[0])
		if err != nil {
			return err
		}
		if err := a.confirm(yes, who.User, fmt.Sprintf("erasing %q deletes everything that %s remembers of them",
			who.User, application)); err != nil {
			return err
		}
		gone, err := s.Erase(ctx, who, a.now())
		if err != nil {
			return failed("cannot erase the user", err)
		}
		if err := a.printGone("erased "+who.User, gone, *asJSON); err != nil {
			return err
		}
		if err := a.journaled(ctx, s); err != nil {
			return err
		}
		if !now {
			a.notice("the bytes leave the files at the next purge, or at once with --now")
			return nil
		}
		if _, err := d.Purge(ctx, time.Time{}); err != nil { // of what nothing is old enough for, only the bytes go
			return failed("it was erased, but its bytes may still be in the files", err)
		}
		if err := d.Rewrite(ctx); err != nil {
			return failed("it was erased, but its bytes may still be in the tables", err)
		}
		return nil
	})
	return c
}

// applicationFlag adds --app to a command that needs it.
func applicationFlag(c *cobra.Command, into *string) {
	c.Flags().StringVar(into, "app", "", "the `NAME` or id of the application")
}

// subject returns a user of an application, who has rows in it.
func subject(ctx context.Context, s threads.Storage, application, user string) (threads.Subject, error) {
	found, err := namedApplication(ctx, s, application)
	if err != nil {
		return threads.Subject{}, err
	}
	who := threads.Subject{App: found.ID, User: user}
	if user == "" {
		return who, invalid("give the user as the application names them", "the user is empty")
	}
	version := int64(0)
	err = s.View(ctx, who, func(v threads.View) (err error) {
		version, err = v.Version()
		return err
	})
	if err != nil {
		return who, failed("cannot read what is known of the user", err)
	}
	if version == 0 {
		return who, &fault{status: exitNotFound, message: fmt.Sprintf("%s remembers nothing of a user %q", found.Name,
			user)}
	}
	return who, nil
}

// namedApplication returns the application of --app.
func namedApplication(ctx context.Context, s threads.Storage, given string) (threads.App, error) {
	if given == "" {
		return threads.App{}, invalid(`"ltm-server app ls" lists them`, "--app is missing")
	}
	return findApplication(ctx, s, given)
}

// printGone prints how many rows of which table are gone.
func (a *app) printGone(done string, gone map[string]int64, asJSON bool) error {
	if asJSON {
		return a.printJSON(struct {
			Rows map[string]int64 `json:"rows"`
		}{gone})
	}
	var parts []string
	for _, table := range slices.Sorted(maps.Keys(gone)) {
		if gone[table] > 0 {
			parts = append(parts, fmt.Sprintf("%d of %s", gone[table], table))
		}
	}
	if len(parts) == 0 {
		return a.println(done + ": no rows")
	}
	total := int64(0)
	for _, n := range gone {
		total += n
	}
	return a.println(done + ": " + plural.Of(int(total), "row", "rows") + " (" + strings.Join(parts, ", ") + ")")
}
