package main

import (
	"context"
	"errors"

	"github.com/spf13/cobra"

	"ltm/server"
)

// initCommand makes a database with its first user and prints their token.
func (a *app) initCommand() *cobra.Command {
	var name string
	c := &cobra.Command{Use: "init", Args: arguments(0)}
	c.Flags().StringVar(&name, "name", "init", "the machine or purpose that the token is for")
	c.RunE = func(c *cobra.Command, _ []string) (err error) {
		s, err := a.open(c.Context(), true)
		if err != nil {
			return err
		}
		defer func() { err = errors.Join(err, s.Close()) }()
		return a.initialize(server.ByOperator(c.Context()), s, name)
	}
	return c
}

func (a *app) initialize(ctx context.Context, s server.Storage, name string) error {
	there := &fault{status: exitConflict, message: a.options.shownDatabase() + " exists and has users",
		next: "\"ltm-server token issue\" makes another token"}
	users, err := s.ListUsers(ctx)
	if err != nil {
		return failed("cannot read the database", err)
	}
	if len(users) > 0 {
		return there
	}
	u, err := a.newUser(rootName, "", "")
	if err != nil {
		return err
	}
	secret, t, err := a.newToken(u.ID, name, "")
	if err != nil {
		return err
	}
	err = s.CreateUser(ctx, u)
	if errors.Is(err, server.ErrTaken) { // by another process, at the same time
		return there
	}
	if err != nil {
		return failed("cannot add the first user", err)
	}
	if err := s.CreateToken(ctx, t, manyTokens); err != nil {
		return &fault{status: statusOf(err), message: "the user root was made, but no token", cause: err,
			next: "\"ltm-server token issue\" makes one"}
	}
	a.notice("made %s with the user %s", a.options.shownDatabase(), u.Name)
	return a.handToken(secret, t, u.Name)
}
