package main

import (
	"context"
	"fmt"

	"github.com/spf13/cobra"

	packets "ltm/packet/client"
)

// anInvite is the argument that names an open invite.
const anInvite = "the id of an invite"

func (a *app) inviteCommand() *cobra.Command {
	c := &cobra.Command{Use: "invite", Args: onlyCommands}
	f := remoteFlagsOf(c)
	team := teamFlag(c, "the `TEAM` to invite to")
	c.RunE = func(c *cobra.Command, _ []string) error {
		if err := needsTeam(*team); err != nil {
			return err
		}
		return a.asking(f, func(client *packets.Client, r remote) error {
			made, err := client.Invite(c.Context(), *team)
			return answer(a, madeInvite{r.host.String(), *team, made}, err, func(madeInvite) error {
				fmt.Fprintf(a.stderr, "expires: %s; whoever has the link can join %s\n", until(made.ExpiresAt),
					cell(*team))
				return a.println(clean(made.URL))
			})
		})
	}
	c.AddCommand(a.inviteListCommand(), a.inviteRevokeCommand())
	return c
}

type madeInvite struct {
	Host string `json:"host"`
	Team string `json:"team"`
	packets.Invite
}

type inviteList struct {
	Host    string               `json:"host"`
	Team    string               `json:"team"`
	Invites []packets.OpenInvite `json:"invites"`
}

func teamFlag(c *cobra.Command, usage string) *string {
	return c.Flags().StringP("team", "t", "", usage)
}

func needsTeam(team string) error {
	if team == "" {
		return invalid("-t TEAM names it; ltm teams ls lists yours", "no team is named")
	}
	return nil
}

func (a *app) inviteListCommand() *cobra.Command {
	c := &cobra.Command{Use: "ls", Aliases: []string{"list"}, Args: noArguments()}
	f := remoteFlagsOf(c)
	team := teamFlag(c, "the `TEAM`")
	c.RunE = func(c *cobra.Command, _ []string) error {
		if err := needsTeam(*team); err != nil {
			return err
		}
		return listServer(a, f,
			func(client *packets.Client) ([]packets.OpenInvite, error) { return client.Invites(c.Context(), *team) },
			func(host string, list []packets.OpenInvite) any { return inviteList{host, *team, list} },
			cell(*team)+" has no open invites", "ID|CREATED|EXPIRES|BY", func(i packets.OpenInvite) []string {
				return []string{field(i.ID), day(i.CreatedAt), until(i.ExpiresAt), field(i.CreatedBy)}
			})
	}
	return c
}

func (a *app) inviteRevokeCommand() *cobra.Command {
	c := &cobra.Command{Use: "revoke ID", Args: arguments(1, anInvite)}
	f := remoteFlagsOf(c)
	team := teamFlag(c, "the `TEAM`")
	c.RunE = func(c *cobra.Command, given []string) error {
		if err := needsTeam(*team); err != nil {
			return err
		}
		return a.changeTeam(c.Context(), f, teamChange{did: "revoked the invite " + given[0],
			do: func(ctx context.Context, client *packets.Client, team, _ string) error {
				return client.RevokeInvite(ctx, team, given[0])
			}}, []string{*team}, false)
	}
	return c
}
