package main

import (
	"bufio"
	"context"
	"crypto/rand"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"ltm/cmd/internal/terminal"
	"ltm/server"
	"ltm/server/threads"
	"ltm/text/safe"
)

func (a *app) keyCommand() *cobra.Command {
	c := &cobra.Command{Use: "key"}
	c.AddCommand(a.keyIssueCommand(), a.keyListCommand(), a.keyRevokeCommand())
	return c
}

func (a *app) keyIssueCommand() *cobra.Command {
	var application, name, expires string
	c := &cobra.Command{Use: "issue", Args: arguments(0)}
	applicationFlag(c, &application)
	c.Flags().StringVar(&name, "name", "", "the machine or purpose that it is for")
	c.Flags().StringVar(&expires, "expires", "", "when it ends, such as 12h or 90d; without it, never")
	c.RunE = a.onThreads(func(ctx context.Context, s threads.Storage, _ []string) error {
		of, err := namedApplication(ctx, s, application)
		if err != nil {
			return err
		}
		now := a.now().UTC().Truncate(time.Microsecond)
		if safe.Line(name) != name {
			return invalid("it takes one line without control characters", "the key's name is wrong")
		}
		ends, err := lifeOf("key", name, expires, now)
		if err != nil {
			return err
		}
		secret, k, err := a.makeKey(ctx, s, of.ID, name, ends)
		if err != nil {
			return err
		}
		next := fmt.Sprintf(`"ltm-server key revoke %s" ends it, and "key issue" makes another`, k.ID)
		return a.hand(secret, "key "+k.ID+" of "+of.Name, next, k.ExpiresAt)
	})
	return c
}

// makeKey stores a new key, and returns it with its secret.
func (a *app) makeKey(ctx context.Context, s threads.Storage, of, name string, ends time.Time) (
	secret string, k threads.Key, err error) {
	k = threads.Key{App: of, Name: name, CreatedAt: a.now().UTC().Truncate(time.Microsecond), ExpiresAt: ends}
	if secret, err = server.NewKey(rand.Reader); err != nil {
		return "", k, err
	}
	if k.ID, err = a.newID(k.CreatedAt); err != nil {
		return "", k, err
	}
	k.Hash = server.Hash(secret)
	if err := s.CreateKey(ctx, k); err != nil {
		return "", k, failed("cannot issue a key", err)
	}
	return secret, k, nil
}

func (a *app) keyListCommand() *cobra.Command {
	var application string
	c := &cobra.Command{Use: "ls", Args: arguments(0)}
	c.Flags().StringVar(&application, "app", "", "only those of the application with this `NAME` or id")
	asJSON := jsonFlag(c)
	c.RunE = a.onThreads(func(ctx context.Context, s threads.Storage, _ []string) error {
		all, err := a.keys(ctx, s, application)
		if err != nil {
			return err
		}
		return listTokens(a, *asJSON, all, "APP")
	})
	return c
}

// keys lists the keys of an application, or of all.
func (a *app) keys(ctx context.Context, s threads.Storage, application string) ([]tokenReport, error) {
	names, id := map[string]string{}, ""
	if application != "" {
		of, err := findApplication(ctx, s, application)
		if err != nil {
			return nil, err
		}
		id, names[of.ID] = of.ID, of.Name
	} else {
		all, err := s.ListApps(ctx)
		if err != nil {
			return nil, failed("cannot list applications", err)
		}
		for _, of := range all {
			names[of.ID] = of.Name
		}
	}
	found, err := s.ListKeys(ctx, id)
	if err != nil {
		return nil, failed("cannot list keys", err)
	}
	all := make([]tokenReport, 0, len(found))
	for _, k := range found {
		all = append(all, tokenReport{ID: k.ID, Application: names[k.App], Name: k.Name,
			State: stateOf(k.ExpiresAt, k.RevokedAt, a.now()), Created: when(k.CreatedAt),
			Expires: orEmpty(k.ExpiresAt), Revoked: orEmpty(k.RevokedAt), Used: orEmpty(k.UsedAt)})
	}
	return all, nil
}

func (a *app) keyRevokeCommand() *cobra.Command {
	return &cobra.Command{
		Use:  "revoke ID",
		Args: arguments(1, "the id of a key, or the beginning of one"),
		RunE: a.onThreads(func(ctx context.Context, s threads.Storage, given []string) error {
			keys, err := s.ListKeys(ctx, "")
			if err != nil {
				return failed("cannot list keys", err)
			}
			k, err := byID(keys, "key", given[0], func(k threads.Key) string { return k.ID })
			if err != nil {
				return err
			}
			if err := s.RevokeKey(ctx, k.ID, a.now()); err != nil {
				return failed("cannot revoke the key", err)
			}
			return a.println("revoked " + k.ID)
		}),
	}
}

// byID returns the only one of some keys or tokens whose id begins so.
func byID[T any](all []T, what, given string, id func(T) string) (one T, err error) {
	found := slices.DeleteFunc(all, func(t T) bool {
		return given == "" || !strings.HasPrefix(id(t), strings.ToUpper(given))
	})
	switch {
	case len(found) == 0:
		return one, &fault{status: exitNotFound, message: fmt.Sprintf("there is no %s %q", what, given),
			next: fmt.Sprintf(`"ltm-server %s ls" lists them; a %[1]s is given by its id`, what)}
	case len(found) > 1:
		return one, invalid("give more of the id", "%q is the beginning of %d ids", given, len(found))
	}
	return found[0], nil
}

// confirm asks a person to type a name before what cannot be undone. Without a terminal, only --yes does it.
func (a *app) confirm(yes bool, name, what string) error {
	if yes {
		return nil
	}
	if !terminal.Is(a.stdin) || !terminal.Is(a.stderr) {
		return invalid("--yes does it", "%s", what)
	}
	fmt.Fprintf(a.stderr, "%s. Type %s to do it: ", safe.Line(what), safe.Line(name))
	typed, err := bufio.NewReader(a.stdin).ReadString('\n')
	if err != nil && typed == "" {
		return failed("cannot read the answer", err)
	}
	if strings.TrimSpace(typed) != name {
		return &fault{status: exitFailure, message: "nothing was changed"}
	}
	return nil
}
