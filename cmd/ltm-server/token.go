package main

import (
	"cmp"
	"context"
	"crypto/rand"
	"fmt"
	"time"

	"github.com/spf13/cobra"

	"ltm/server"
)

// maxName is how long a token's name may be, in bytes.
const maxName = 128

func (a *app) tokenCommand() *cobra.Command {
	c := &cobra.Command{Use: "token"}
	c.AddCommand(a.tokenIssueCommand(), a.tokenListCommand(), a.tokenRevokeCommand(), a.tokenRotateCommand())
	return c
}

// newToken makes a token for a user. The secret is what its program shows; nothing else knows it.
func (a *app) newToken(user, name, expires string) (secret string, t server.Token, err error) {
	now := a.now().UTC().Truncate(time.Microsecond)
	ends, err := lifeOf("token", name, expires, now)
	if err != nil {
		return "", t, err
	}
	secret, err = server.NewToken(rand.Reader)
	if err != nil {
		return "", t, err
	}
	id, err := a.newID(now)
	if err != nil {
		return "", t, err
	}
	return secret, server.Token{ID: id, UserID: user, Name: name, Hash: server.Hash(secret), CreatedAt: now,
		ExpiresAt: ends}, nil
}

// hand prints a token or a key alone on standard output, so that it can be piped, and tells the rest beside it: which
// one it is, and what to do next if it cannot be shown.
func (a *app) hand(secret, which, next string, ends time.Time) error {
	if err := a.println(secret); err != nil {
		return &fault{status: statusOf(err), message: which + " was made, but not shown", next: next, cause: err}
	}
	life := "which does not expire"
	if !ends.IsZero() {
		life = "until " + when(ends)
	}
	a.notice("%s, %s; it is shown this once", which, life)
	return nil
}

func (a *app) handToken(secret string, t server.Token, user string) error {
	return a.hand(secret, "token "+t.ID+" of "+user,
		fmt.Sprintf(`"ltm-server token rotate %s" makes another in its place`, t.ID), t.ExpiresAt)
}

func (a *app) tokenIssueCommand() *cobra.Command {
	var user, name, expires string
	c := &cobra.Command{Use: "issue", Args: arguments(0)}
	c.Flags().StringVar(&user, "user", rootName, "whose token it is: a name, an email address or an id")
	c.Flags().StringVar(&name, "name", "", "the machine or purpose that it is for")
	c.Flags().StringVar(&expires, "expires", "", "when it ends, such as 12h or 90d; without it, never")
	c.RunE = a.onStorage(func(ctx context.Context, s database, _ []string) error {
		u, err := findUser(ctx, s, user)
		if err != nil {
			return err
		}
		secret, t, err := a.newToken(u.ID, name, expires)
		if err != nil {
			return err
		}
		if err := s.CreateToken(ctx, t, manyTokens); err != nil {
			return failed("cannot issue a token", err)
		}
		return a.handToken(secret, t, u.Name)
	})
	return c
}

// manyTokens is how many tokens the operator may give a user. The server's own limit is lower.
const manyTokens = 10_000

// tokenReport is a token or a key as ls prints it for programs.
type tokenReport struct {
	ID          string `json:"id"`
	User        string `json:"user,omitempty"` // of a token
	Application string `json:"app,omitempty"`  // of a key
	Name        string `json:"name"`
	State       string `json:"state"` // valid, expired or revoked
	Created     string `json:"created_at"`
	Expires     string `json:"expires_at,omitempty"`
	Revoked     string `json:"revoked_at,omitempty"`
	Used        string `json:"used_at,omitempty"`
}

// listTokens prints tokens or keys.
func listTokens(a *app, asJSON bool, all []tokenReport, whose string) error {
	return list(a, asJSON, all, []string{"ID", whose, "NAME", "STATE", "CREATED", "EXPIRES", "USED"},
		func(t tokenReport) []string {
			return []string{t.ID, t.User + t.Application, t.Name, t.State, t.Created, cmp.Or(t.Expires, "-"),
				cmp.Or(t.Used, "-")}
		})
}

func (a *app) tokenListCommand() *cobra.Command {
	var user string
	c := &cobra.Command{Use: "ls", Args: arguments(0)}
	c.Flags().StringVar(&user, "user", "", "only this user's")
	asJSON := jsonFlag(c)
	c.RunE = a.onStorage(func(ctx context.Context, s database, _ []string) error {
		all, err := a.tokens(ctx, s, user)
		if err != nil {
			return err
		}
		return listTokens(a, *asJSON, all, "USER")
	})
	return c
}

// tokens lists the tokens of a user, or of all.
func (a *app) tokens(ctx context.Context, s server.Storage, user string) ([]tokenReport, error) {
	names := map[string]string{}
	id := ""
	if user != "" {
		u, err := findUser(ctx, s, user)
		if err != nil {
			return nil, err
		}
		id, names[u.ID] = u.ID, nameOf(u)
	} else {
		users, err := s.ListUsers(ctx)
		if err != nil {
			return nil, failed("cannot list users", err)
		}
		for _, u := range users {
			names[u.ID] = nameOf(u)
		}
	}
	tokens, err := s.ListTokens(ctx, id)
	if err != nil {
		return nil, failed("cannot list tokens", err)
	}
	all, now := make([]tokenReport, 0, len(tokens)), a.now()
	for _, t := range tokens {
		all = append(all, tokenReport{ID: t.ID, User: cmp.Or(names[t.UserID], t.UserID), Name: t.Name,
			State: stateOf(t.ExpiresAt, t.RevokedAt, now), Created: when(t.CreatedAt), Expires: orEmpty(t.ExpiresAt),
			Revoked: orEmpty(t.RevokedAt), Used: orEmpty(t.UsedAt)})
	}
	return all, nil
}

func orEmpty(t time.Time) string {
	if t.IsZero() {
		return ""
	}
	return when(t)
}

func (a *app) tokenRevokeCommand() *cobra.Command {
	return &cobra.Command{
		Use:  "revoke ID",
		Args: arguments(1, "the id of a token, or the beginning of one"),
		RunE: a.onStorage(func(ctx context.Context, s database, given []string) error {
			t, err := a.tokenOf(ctx, s, given[0])
			if err != nil {
				return err
			}
			if err := s.RevokeToken(ctx, t.ID, a.now()); err != nil {
				return failed("cannot revoke the token", err)
			}
			return a.println("revoked " + t.ID)
		}),
	}
}

func (a *app) tokenRotateCommand() *cobra.Command {
	var expires, grace string
	c := &cobra.Command{Use: "rotate ID", Args: arguments(1, "the id of a token, or the beginning of one")}
	c.Flags().StringVar(&expires, "expires", "", "when the new one ends, such as 12h or 90d; without it, never")
	c.Flags().StringVar(&grace, "grace", "0s", "how long the old one is still valid")
	c.RunE = func(c *cobra.Command, given []string) error {
		left, err := parseAge(grace)
		if err != nil {
			return err
		}
		return a.withStorage(c.Context(), func(ctx context.Context, s database) error {
			old, err := a.tokenOf(ctx, s, given[0])
			if err != nil {
				return err
			}
			secret, t, err := a.newToken(old.UserID, old.Name, expires)
			if err != nil {
				return err
			}
			if err := s.RotateToken(ctx, old.ID, t, a.now().Add(left)); err != nil {
				return failed("cannot rotate the token", err)
			}
			u, err := s.User(ctx, old.UserID)
			if err != nil {
				return failed("cannot read the token's user", err)
			}
			return a.handToken(secret, t, nameOf(u))
		})
	}
	return c
}

// lifeOf checks what the operator chose for a token or a key, and returns when it ends; the zero time is never.
func lifeOf(what, name, expires string, now time.Time) (ends time.Time, err error) {
	if len(name) > maxName {
		return ends, invalid(fmt.Sprintf("at most %d bytes are allowed", maxName), "the %s's name has %d bytes", what,
			len(name))
	}
	if expires == "" {
		return ends, nil
	}
	life, err := parseAge(expires)
	if err != nil {
		return ends, err
	}
	if life == 0 {
		return ends, invalid("leave it out for a "+what+" that does not expire", "--expires cannot be %s", expires)
	}
	return now.Add(life), nil
}

// stateOf returns the state of a token or a key: valid, expired or revoked.
func stateOf(expires, revoked, now time.Time) string {
	switch {
	case !revoked.IsZero() && !revoked.After(now):
		return "revoked"
	case !expires.IsZero() && !expires.After(now):
		return "expired"
	}
	return "valid"
}
