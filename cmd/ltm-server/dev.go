package main

import (
	"context"
	_ "embed"
	"errors"
	"fmt"
	"net"
	"os"
	"path/filepath"
	"time"

	"github.com/spf13/cobra"

	"ltm/internal/loopback"
	"ltm/server"
	"ltm/server/threads"
)

// devApplication is the application that dev makes.
const devApplication = "dev"

// devExample is what dev prints: the address, a key, where the data is, and the shortest programs.
//
//go:embed dev.txt
var devExample string

// devCommand is the server for trying out the memory of applications.
func (a *app) devCommand() *cobra.Command {
	var dir string
	c := &cobra.Command{Use: "dev", Args: arguments(0)}
	a.options.registerAddress(c.Flags())
	c.Flags().StringVar(&dir, "dir", "", "keep the data in this `DIR`, and go on with it the next time")
	c.RunE = func(c *cobra.Command, _ []string) error {
		if c.Flags().Changed("db") || c.Flags().Changed("erasures") {
			return invalid("--dir names where it keeps both; \"ltm-server serve\" takes others",
				"this server has a database and a list of erasures of its own")
		}
		return a.dev(c.Context(), dir)
	}
	return c
}

func (a *app) dev(ctx context.Context, dir string) (err error) {
	host, _, err := net.SplitHostPort(a.options.addr)
	if err != nil || !loopback.Is(host) {
		return invalid("use an address such as 127.0.0.1:5860; \"ltm-server serve\" takes others",
			"%.100q is not of this machine alone", a.options.addr)
	}
	kept := "in " + dir
	if dir == "" {
		if dir, err = os.MkdirTemp("", "ltm-dev-"); err != nil {
			return failed("cannot make a directory", err)
		}
		defer func() { err = errors.Join(err, os.RemoveAll(dir)) }()
		kept = "in " + dir + ", which is removed at the end"
	} else if err := os.MkdirAll(dir, 0o700); err != nil {
		return failed("cannot make the directory", err)
	}
	a.options.db, a.options.erasures = filepath.Join(dir, "ltm.db"), ""
	if _, err := a.onDev(ctx, a.devUser); err != nil {
		return err
	}
	a.listening = func(url string) error { // this server has the database now, and no other's key ends
		key, err := a.onDev(ctx, a.devKey)
		if err == nil {
			_, err = fmt.Fprintf(a.stdout, devExample, url, key, kept)
		}
		return err
	}
	return a.serve(ctx)
}

// onDev opens the database for a step.
func (a *app) onDev(ctx context.Context, step func(context.Context, database) (string, error)) (
	made string, err error) {
	s, err := a.open(ctx, true)
	if err != nil {
		return "", err
	}
	defer func() { err = errors.Join(err, s.Close()) }()
	return step(server.ByOperator(ctx), s)
}

// devUser makes the first user, whom every server has.
func (a *app) devUser(ctx context.Context, s database) (string, error) {
	users, err := s.ListUsers(ctx)
	if err == nil && len(users) == 0 {
		var u server.User
		if u, err = a.newUser(rootName, "", ""); err == nil {
			err = s.CreateUser(ctx, u)
		}
	}
	if err != nil {
		return "", failed("cannot prepare the database", err)
	}
	return "", nil
}

// devKey makes the application, if it is not there, and a key. A key of an earlier time, which nobody can be shown
// again, ends.
func (a *app) devKey(ctx context.Context, s database) (string, error) {
	now, apps := a.now().UTC().Truncate(time.Microsecond), s.Threads()
	of, err := findApplication(ctx, apps, devApplication)
	if statusOf(err) == exitNotFound {
		of = threads.App{Name: devApplication, CreatedAt: now}
		if of.ID, err = a.newID(now); err == nil {
			err = apps.CreateApp(ctx, of)
		}
	}
	if err != nil {
		return "", failed("cannot make the application", err)
	}
	old, err := apps.ListKeys(ctx, of.ID)
	for _, k := range old {
		if k.Name == devApplication && k.RevokedAt.IsZero() {
			err = errors.Join(err, apps.RevokeKey(ctx, k.ID, now))
		}
	}
	if err != nil {
		return "", failed("cannot end the key of the last time", err)
	}
	secret, _, err := a.makeKey(ctx, apps, of.ID, devApplication, time.Time{})
	return secret, err
}
