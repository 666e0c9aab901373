package main

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"ltm/internal/plural"
	"ltm/server"
)

// purgeCommand permanently removes what was deleted. Until then, the packets of deleted users and teams
// are still in the database, and so are traces of the texts of other deleted packets.
func (a *app) purgeCommand() *cobra.Command {
	var older string
	var rewrite bool
	c := &cobra.Command{Use: "purge", Args: arguments(0)}
	c.Flags().StringVar(&older, "older-than", "",
		"only what was deleted at least so long ago, such as 30d; 0s is everything")
	c.Flags().BoolVar(&rewrite, "rewrite", false,
		"also write the tables of Postgres anew, so that their files keep nothing; requests wait meanwhile")
	asJSON := jsonFlag(c)
	c.RunE = func(c *cobra.Command, _ []string) error {
		if older == "" {
			return invalid("--older-than 30d keeps what was deleted in the last 30 days, and 0s keeps nothing",
				"--older-than is missing")
		}
		age, err := parseAge(older)
		if err != nil {
			return err
		}
		return a.withStorage(c.Context(), func(ctx context.Context, s database) error {
			gone, err := s.Purge(ctx, a.now().Add(-age))
			if err != nil {
				return failed("cannot purge everything", err)
			}
			if rewrite {
				if err := s.Rewrite(ctx); err != nil {
					return failed("everything was purged, but not all tables are written anew", err)
				}
			}
			if *asJSON {
				return a.printJSON(purgeReport(gone))
			}
			return a.println("removed " + strings.Join([]string{
				plural.Of(int(gone.Packets), "packet", "packets"), plural.Of(int(gone.Teams), "team", "teams"),
				plural.Of(int(gone.Users), "user", "users"), plural.Of(int(gone.Tokens), "token", "tokens"),
				plural.Of(int(gone.Invites), "invite", "invites"),
				plural.Of(int(gone.Devices), "device code", "device codes"),
				plural.Of(int(gone.Keys), "stored answer", "stored answers"),
				plural.Of(int(gone.AppKeys), "application key", "application keys"),
				plural.Of(int(gone.Jobs), "finished job", "finished jobs"),
				plural.Of(int(gone.Changes), "line of the feed", "lines of the feed")}, ", "))
		})
	}
	return c
}

// purgeReport is [server.Purged] for programs.
type purgeReport struct {
	Packets int64 `json:"packets"`
	Teams   int64 `json:"teams"`
	Invites int64 `json:"invites"`
	Tokens  int64 `json:"tokens"`
	Users   int64 `json:"users"`
	Devices int64 `json:"devices"`
	Keys    int64 `json:"keys"`
	AppKeys int64 `json:"app_keys"`
	Jobs    int64 `json:"jobs"`
	Changes int64 `json:"changes"`
}

// approveCommand lets a program in that asked by the device flow, and shows its code.
func (a *app) approveCommand() *cobra.Command {
	var user string
	var deny bool
	c := &cobra.Command{Use: "approve CODE", Args: arguments(1, "the code that the program shows")}
	c.Flags().StringVar(&user, "user", rootName, "who the program is let in as: a name, an email address or an id")
	c.Flags().BoolVar(&deny, "deny", false, "refuse it instead")
	c.RunE = func(c *cobra.Command, given []string) error {
		code, ok := server.UserCode(given[0])
		if !ok {
			return invalid("it has eight letters, such as WDJB-MJHT", "%q is not a code", given[0])
		}
		return a.withStorage(c.Context(), func(ctx context.Context, s database) error {
			id, as := "", ""
			if !deny {
				u, err := findUser(ctx, s, user)
				if err != nil {
					return err
				}
				id, as = u.ID, nameOf(u)
			}
			device, err := s.PendingDevice(ctx, code, a.now())
			if err == nil {
				err = s.ApproveDevice(ctx, code, id, a.now())
			}
			if errors.Is(err, server.ErrNotFound) || errors.Is(err, server.ErrGone) {
				return &fault{status: exitNotFound,
					message: "no program waits with the code " + server.ShowUserCode(code),
					next:    "codes are short-lived: have the program show another"}
			}
			if err != nil {
				return failed("cannot answer the program", err)
			}
			if deny {
				return a.println("denied " + server.ShowUserCode(code))
			}
			return a.println(fmt.Sprintf("approved %s (%s) as %s", server.ShowUserCode(code), device.Name, as))
		})
	}
	return c
}
