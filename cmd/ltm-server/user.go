package main

import (
	"bufio"
	"cmp"
	"context"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/spf13/cobra"

	"ltm/server"
)

// rootName is the name of the first user.
const rootName = "root"

func (a *app) userCommand() *cobra.Command {
	c := &cobra.Command{Use: "user"}
	c.AddCommand(a.userAddCommand(), a.userListCommand(),
		a.userAccessCommand("disable", true),
		a.userAccessCommand("enable", false), a.userRemoveCommand())
	return c
}

// nameOf returns what the operator calls a user.
func nameOf(u server.User) string { return cmp.Or(u.Name, u.Display, u.ID) }

// findUser returns a user by name, email address or id.
func findUser(ctx context.Context, s server.Storage, given string) (server.User, error) {
	u, err := s.FindUser(ctx, given)
	if errors.Is(err, server.ErrNotFound) {
		return u, &fault{status: exitNotFound, message: "there is no user \"" + given + "\"",
			next: `"ltm-server user ls" lists them, and "ltm-server user add" adds one`}
	}
	if err != nil {
		return u, failed("cannot read users", err)
	}
	return u, nil
}

// tokenOf returns a token by its id or the beginning of it.
func (a *app) tokenOf(ctx context.Context, s server.Storage, given string) (server.Token, error) {
	tokens, err := s.ListTokens(ctx, "")
	if err != nil {
		return server.Token{}, failed("cannot list tokens", err)
	}
	return byID(tokens, "token", given, func(t server.Token) string { return t.ID })
}

// newUser makes a user and checks what the operator chose.
func (a *app) newUser(name, email, display string) (server.User, error) {
	var none server.User
	if err := checkName(name); err != nil {
		return none, err
	}
	if email != "" && (!strings.Contains(email, "@") || len(email) > 254 || strings.ContainsAny(email, " \t\r\n<>")) {
		return none, invalid("it takes one such as mira@example.org", "the email address %.80q is wrong", email)
	}
	display = cmp.Or(display, name)
	if utf8.RuneCountInString(display) > 64 || !utf8.ValidString(display) || strings.ContainsFunc(display,
		func(r rune) bool { return r < ' ' || r == 0x7f }) {
		return none, invalid("it takes up to 64 characters, without control characters", "the displayed name is wrong")
	}
	now := a.now().UTC().Truncate(time.Microsecond)
	id, err := a.newID(now)
	if err != nil {
		return none, err
	}
	return server.User{ID: id, Name: name, Email: email, Display: display, CreatedAt: now}, nil
}

func (a *app) userAddCommand() *cobra.Command {
	var email, display, file string
	c := &cobra.Command{Use: "add NAME"}
	c.Args = func(c *cobra.Command, given []string) error {
		if c.Flags().Changed("csv") {
			return arguments(0)(c, given)
		}
		return arguments(1, "a name")(c, given)
	}
	c.Flags().StringVar(&file, "csv", "", "add a user for each row of this `FILE`")
	c.Flags().StringVar(&email, "email", "", "an email address, which only the user and the operator see")
	c.Flags().StringVar(&display, "display", "", "what others see; without it, the name")
	c.MarkFlagsMutuallyExclusive("csv", "email")
	c.MarkFlagsMutuallyExclusive("csv", "display")
	c.RunE = func(c *cobra.Command, given []string) error {
		rows := []newcomer{{}}
		var err error
		if c.Flags().Changed("csv") {
			rows, err = a.newcomers(file)
		} else {
			rows[0].user, err = a.newUser(given[0], email, display)
		}
		if err != nil {
			return err
		}
		return a.withStorage(c.Context(), func(ctx context.Context, s database) error {
			return a.addUsers(ctx, s, rows)
		})
	}
	return c
}

// newcomer is a user to be added, and the row that they are in, such as "people.csv, line 2: "; "" for one by flags.
type newcomer struct {
	user server.User
	row  string
}

// addUsers adds users, all or none, and prints their ids.
func (a *app) addUsers(ctx context.Context, s database, rows []newcomer) error {
	users := each(rows, func(r newcomer) server.User { return r.user })
	at, err := s.CreateUsers(ctx, users)
	if errors.Is(err, server.ErrTaken) {
		return &fault{status: exitConflict, message: rows[at].row + "another user has this name or email address",
			next: `"ltm-server user ls" lists them`}
	}
	if err != nil {
		return failed("cannot add the user", err)
	}
	for _, u := range users {
		a.notice("user %s has no token yet: ltm-server token issue --user %[1]s", u.Name)
		if err := a.println(u.ID); err != nil {
			return err
		}
	}
	return nil
}

// newcomers reads the users of a file.
func (a *app) newcomers(file string) ([]newcomer, error) {
	in, err := a.input(file, "list of users")
	if err != nil {
		return nil, err
	}
	defer in.Close()
	text := bufio.NewReader(in)
	if mark, err := text.Peek(len("\ufeff")); err == nil && string(mark) == "\ufeff" { // as spreadsheets write it
		_, _ = text.Discard(len(mark))
	}
	r := csv.NewReader(text)
	r.FieldsPerRecord, r.TrimLeadingSpace = -1, true
	var rows []newcomer
	for {
		fields, err := r.Read()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return nil, &fault{status: exitInvalid, message: "cannot read " + file, cause: err,
				next: "no user was added"}
		}
		line, _ := r.FieldPos(0)
		if len(rows) == 0 && strings.EqualFold(fields[0], "name") {
			continue
		}
		row := fmt.Sprintf("%s, line %d: ", file, line)
		if len(fields) > 3 {
			return nil, invalid("it takes a name, an email address and what others see; no user was added",
				"%sa row of %d fields", row, len(fields))
		}
		fields = append(fields, "", "")
		u, err := a.newUser(fields[0], fields[1], fields[2])
		if err != nil {
			if wrong, ok := errors.AsType[*fault](err); ok {
				wrong.message, wrong.next = row+wrong.message, wrong.next+"; no user was added"
			}
			return nil, err
		}
		rows = append(rows, newcomer{u, row})
	}
	if len(rows) == 0 {
		return nil, invalid("a row is a name, an email address and what others see", "%s has no users", file)
	}
	return rows, nil
}

// userAccessCommand is the command that disables or enables a user.
func (a *app) userAccessCommand(name string, disabled bool) *cobra.Command {
	return &cobra.Command{
		Use:  name + " NAME",
		Args: arguments(1, "a name, an email address or an id"),
		RunE: a.onStorage(func(ctx context.Context, s database, given []string) error {
			u, err := findUser(ctx, s, given[0])
			if err != nil {
				return err
			}
			if err := s.DisableUser(ctx, u.ID, disabled, a.now()); err != nil {
				return failed("cannot "+name+" the user", err)
			}
			return a.println(name + "d " + nameOf(u))
		}),
	}
}

// userReport is a user as ls prints it for programs.
type userReport struct {
	ID      string `json:"id"`
	Name    string `json:"name,omitempty"`
	Display string `json:"display"`
	Email   string `json:"email,omitempty"`
	Created string `json:"created_at"`

	Disabled string `json:"disabled_at,omitempty"`
}

func (a *app) userListCommand() *cobra.Command {
	c := &cobra.Command{Use: "ls", Args: arguments(0)}
	asJSON := jsonFlag(c)
	c.RunE = a.onStorage(func(ctx context.Context, s database, _ []string) error {
		users, err := s.ListUsers(ctx)
		if err != nil {
			return failed("cannot list users", err)
		}
		all := each(users, func(u server.User) userReport {
			return userReport{ID: u.ID, Name: u.Name, Display: u.Display, Email: u.Email, Created: when(u.CreatedAt),
				Disabled: orEmpty(u.DisabledAt)}
		})
		return list(a, *asJSON, all, []string{"ID", "NAME", "DISPLAY", "EMAIL", "CREATED", "DISABLED"},
			func(u userReport) []string {
				return []string{u.ID, cmp.Or(u.Name, "-"), cmp.Or(u.Display, "-"), cmp.Or(u.Email, "-"), u.Created,
					cmp.Or(u.Disabled, "-")}
			})
	})
	return c
}

func (a *app) userRemoveCommand() *cobra.Command {
	var yes bool
	c := &cobra.Command{Use: "rm NAME", Args: arguments(1, "a name, an email address or an id")}
	c.Flags().BoolVar(&yes, "yes", false, "do it: the user's tokens stop, and their personal packets are deleted")
	c.RunE = a.onStorage(func(ctx context.Context, s database, given []string) error {
		u, err := findUser(ctx, s, given[0])
		if err != nil {
			return err
		}
		if !yes {
			return invalid("--yes does it; \"ltm-server backup FILE\" before makes it possible to go back",
				"removing %s ends their tokens and deletes their personal packets", nameOf(u))
		}
		err = s.DeleteUser(ctx, u.ID, a.now())
		if errors.Is(err, server.ErrOwner) {
			return &fault{status: exitConflict, message: nameOf(u) + " owns a team",
				next: "\"ltm-server team ls\" lists teams, and \"ltm-server team transfer\" hands one over"}
		}
		if err != nil {
			return failed("cannot remove the user", err)
		}
		return a.println("removed " + nameOf(u))
	})
	return c
}
