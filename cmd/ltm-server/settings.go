package main

import (
	"context"
	"errors"
	"log/slog"
	"maps"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"ltm/internal/plural"
	"ltm/memory"
	"ltm/server"
	"ltm/server/shelf"
	"ltm/server/threads"
)

// settingFlags are an application's settings on the command line.
type settingFlags struct {
	retention              string
	tokensPerDay           int64
	active, activeRules    bool
	extractionTurns        int
	fields, dropped        []string
	issuer, jwks, audience string
	stores, droppedStores  []string
}

const (
	maxFields = 64
	// maxTokensPerDay is far beyond what any provider serves.
	maxTokensPerDay = 1 << 50
	// minRetention keeps a slip, such as 90m for 90d, from deleting a day's events.
	minRetention = 24 * time.Hour
)

func (f *settingFlags) register(c *cobra.Command) {
	c.Flags().StringVar(&f.retention, "retention", "",
		"delete events so long after they were recorded, with what follows from them alone, such as 365d; 0s is never")
	c.Flags().Int64Var(&f.tokensPerDay, "tokens-per-day", 0,
		"how many `TOKENS` models may use for it on a day of UTC; 0 is the server's default")
	c.Flags().BoolVar(&f.active, "active-extraction", false,
		"let claims that a model finds count at once; without it they are suggested, until they are confirmed")
	c.Flags().BoolVar(&f.activeRules, "active-suggestions", false,
		"let claims that the word rules are sure of count at once; without it they are suggested, until confirmed")
	c.Flags().IntVar(&f.extractionTurns, "extraction-turns", 0,
		"how many messages of a user a model for extraction is asked about at once; 0 is 5, 1 waits for no others")
	c.Flags().StringSliceVar(&f.fields, "field", nil,
		"a `KEY:TYPE` of meta that filters may name; the types are text, number, bool and time")
	c.Flags().StringArrayVar(&f.stores, "store", nil,
		"a `NAME=DIR`: contexts of all of its users draw from the memories in this directory of the server's machine")
	c.Flags().StringVar(&f.issuer, "issuer", "",
		"the `URL` of the issuer of tokens (JWT) that name the user; with --jwks and --audience. Empty means none")
	c.Flags().StringVar(&f.jwks, "jwks", "", "the `URL` of the issuer's keys")
	c.Flags().StringVar(&f.audience, "audience", "", "what the issuer's tokens must be for")
}

// any reports whether a setting was given.
func (f *settingFlags) any(c *cobra.Command) bool {
	return slices.ContainsFunc([]string{"retention", "tokens-per-day", "active-extraction",
		"active-suggestions", "extraction-turns", "field", "drop-field",
		"store", "drop-store", "issuer", "jwks", "audience"}, c.Flags().Changed)
}

// apply changes the settings that were given, and checks them.
func (f *settingFlags) apply(a *app, c *cobra.Command, s *threads.Settings) error {
	if c.Flags().Changed("retention") {
		kept, err := parseAge(f.retention)
		if err != nil {
			return err
		}
		if kept != 0 && kept < minRetention {
			return invalid("it takes 1d or more, or 0s for no end", "--retention cannot be %s", f.retention)
		}
		s.Retention = kept
	}
	if f.tokensPerDay < 0 || f.tokensPerDay > maxTokensPerDay {
		return invalid("it takes 0 or more", "--tokens-per-day cannot be %d", f.tokensPerDay)
	}
	if c.Flags().Changed("tokens-per-day") {
		s.TokensPerDay = f.tokensPerDay
	}
	if c.Flags().Changed("active-extraction") {
		s.ActiveExtraction = f.active
	}
	if c.Flags().Changed("active-suggestions") {
		s.ActiveSuggestions = f.activeRules
	}
	if f.extractionTurns < 0 || f.extractionTurns > threads.MaxExtractionTurns {
		return invalid("it takes 0 to 20", "--extraction-turns cannot be %d", f.extractionTurns)
	}
	if c.Flags().Changed("extraction-turns") {
		s.ExtractionTurns = f.extractionTurns
	}
	if err := f.applyFields(s); err != nil {
		return err
	}
	if err := f.applyStores(a, s); err != nil {
		return err
	}
	return f.applyIssuer(c, s)
}

// without returns a copy of what an application has less what a flag --drop-WHAT names, all of which must be there.
func without(has map[string]string, dropped []string, what string) (map[string]string, error) {
	left := map[string]string{}
	maps.Copy(left, has)
	for _, name := range dropped {
		if _, ok := left[name]; !ok {
			return nil, invalid(`"ltm-server app show" lists them`, "--drop-%[1]s: there is no %[1]s %[2]q", what, name)
		}
		delete(left, name)
	}
	return left, nil
}

// applyFields adds and drops declared keys of meta.
func (f *settingFlags) applyFields(s *threads.Settings) error {
	fields, err := without(s.Fields, f.dropped, "field")
	if err != nil {
		return err
	}
	for _, field := range f.fields {
		key, kind, _ := strings.Cut(field, ":")
		if !regexp.MustCompile(`^[A-Za-z_][A-Za-z0-9_-]{0,63}$`).MatchString(key) {
			return invalid("it takes KEY:TYPE, and a key of up to 64 letters, digits, hyphens and underscores",
				"--field cannot be %q", field)
		}
		if !slices.Contains([]string{"text", "number", "bool", "time"}, kind) {
			return invalid("the types are text, number, bool and time", "--field cannot be %q", field)
		}
		fields[key] = kind
	}
	if len(fields) > maxFields {
		return invalid("--drop-field removes some", "%d fields are more than %d", len(fields), maxFields)
	}
	s.Fields = fields
	if len(fields) == 0 {
		s.Fields = nil
	}
	return nil
}

// maxAudience is in bytes.
const maxAudience = 256

// applyIssuer changes who signs the tokens of users. An empty issuer means none.
func (f *settingFlags) applyIssuer(c *cobra.Command, s *threads.Settings) error {
	now := threads.Issuer{}
	if s.Issuer != nil {
		now = *s.Issuer
	}
	for name, part := range map[string]struct {
		given string
		into  *string
	}{"issuer": {f.issuer, &now.URL}, "jwks": {f.jwks, &now.JWKS}, "audience": {f.audience, &now.Audience}} {
		if c.Flags().Changed(name) {
			*part.into = part.given
		}
	}
	if c.Flags().Changed("issuer") && f.issuer == "" {
		if f.jwks != "" || f.audience != "" {
			return invalid("give all three or an empty --issuer alone", "--jwks and --audience are of an issuer")
		}
		s.Issuer = nil
		return nil
	}
	if now == (threads.Issuer{}) {
		return nil
	}
	if now.URL == "" || now.JWKS == "" || now.Audience == "" {
		return invalid("without an audience, tokens for any other application would be let in",
			"--issuer, --jwks and --audience belong together, and one is missing")
	}
	if len(now.Audience) > maxAudience || strings.ContainsFunc(now.Audience, func(r rune) bool { return r <= ' ' }) {
		return invalid("it takes up to 256 characters without blanks", "--audience cannot be %q", now.Audience)
	}
	for _, given := range []struct{ name, value string }{{"issuer", now.URL}, {"jwks", now.JWKS}} {
		if server.CheckKeysURL(given.value) != nil {
			return invalid("it takes https:// and a host, or http:// to this machine", "--%s cannot be %q", given.name,
				given.value)
		}
	}
	s.Issuer = &now
	return nil
}

// maxStores bounds what a question of an application has to search.
const maxStores = 8

// applyStores gives an application directories of memories, and takes some away.
func (f *settingFlags) applyStores(a *app, s *threads.Settings) error {
	stores, err := without(s.Stores, f.droppedStores, "store")
	if err != nil {
		return err
	}
	for _, given := range f.stores {
		name, dir, ok := strings.Cut(given, "=")
		if !ok || dir == "" || !regexp.MustCompile(`^[A-Za-z0-9][A-Za-z0-9_-]{0,63}$`).MatchString(name) {
			return invalid("it takes NAME=DIR, and a name of up to 64 letters, digits, hyphens and underscores",
				"--store cannot be %q", given)
		}
		dir, err := filepath.Abs(dir)
		if err != nil {
			return failed("cannot find the directory", err)
		}
		found, n, err := shelf.Find(dir, a.personDir(), a.now)
		if err != nil {
			known, ok := errors.AsType[*memory.Error](err)
			if ok && known.Code == memory.CodeStorage {
				return &fault{status: exitStorage, message: "cannot use --store", cause: err}
			}
			return &fault{status: exitInvalid, message: "cannot use --store", cause: err,
				next: "it takes a project with .claude/ltm, that directory, or a person's own directory of memories"}
		}
		stores[name] = found
		a.notice("the store %s has %s, which all users of the application can see", name,
			plural.Of(n, "memory", "memories"))
	}
	if len(stores) > maxStores {
		return invalid("--drop-store removes some", "%d stores are more than %d", len(stores), maxStores)
	}
	s.Stores = stores
	if len(stores) == 0 {
		s.Stores = nil
	}
	return nil
}

// library returns what reads the stores of applications. It says which of them cannot be read now; the server starts
// without them, because they are not all applications'.
func (a *app) library(ctx context.Context, s threads.Storage, log *slog.Logger) (*shelf.Shelves, error) {
	apps, err := s.ListApps(ctx)
	if err != nil {
		return nil, failed("cannot list applications", err)
	}
	for _, app := range apps {
		for _, name := range slices.Sorted(maps.Keys(app.Settings.Stores)) {
			dir := app.Settings.Stores[name]
			if _, _, err := shelf.Find(dir, a.personDir(), a.now); err != nil {
				log.Error("a store of an application cannot be read; contexts are without it", "app", app.Name,
					"store", name, "directory", dir, "error", err)
			}
		}
	}
	return shelf.New(shelf.Options{Person: a.personDir(), Now: a.now, Log: log}), nil
}
