package main

import (
	"fmt"

	"github.com/spf13/cobra"

	packets "ltm/packet/client"
)

// anInvite is the argument that names an open invite.
const anInvite = "the id of an invite"

func (a *app) inviteCommand() *cobra.Command {
	c := &cobra.Command{
		Use:   "invite",
		Short: "Make a link with which one person can join a team",
		Long: `Make a link with which one person can join a team: "ltm join LINK". Whoever has the link can use it, once
and for a few days, so send it to that person alone. The link is printed on standard output.`,
		Args: onlyCommands,
	}
	f := remoteFlagsOf(c)
	team := teamFlag(c, "the `TEAM` to invite to")
	asJSON := jsonFlag(c)
	c.RunE = func(c *cobra.Command, _ []string) error {
		client, r, err := a.dialTeam(f, *team)
		if err != nil {
			return err
		}
		defer client.Close()
		made, err := client.Invite(c.Context(), *team)
		if err != nil {
			return err
		}
		if *asJSON {
			return a.printJSON(madeInvite{r.host.String(), *team, made})
		}
		fmt.Fprintf(a.stderr, "expires: %s; whoever has the link can join %s\n", until(made.ExpiresAt), cell(*team))
		return a.println(clean(made.URL))
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

// dialTeam is dial for commands that need a team.
func (a *app) dialTeam(f *remoteFlags, team string) (*packets.Client, remote, error) {
	if team == "" {
		return nil, remote{}, invalid("-t TEAM names it; ltm teams ls lists yours", "no team is named")
	}
	return a.dial(f)
}

func (a *app) inviteListCommand() *cobra.Command {
	c := &cobra.Command{Use: "ls", Aliases: []string{"list"}, Short: "List the open invites of a team",
		Long: `List the open invites of a team. Their codes are not shown: the server does not know them.`,
		Args: noArguments()}
	f := remoteFlagsOf(c)
	team := teamFlag(c, "the `TEAM`")
	asJSON := jsonFlag(c)
	c.RunE = func(c *cobra.Command, _ []string) error {
		client, r, err := a.dialTeam(f, *team)
		if err != nil {
			return err
		}
		defer client.Close()
		list, err := client.Invites(c.Context(), *team)
		switch {
		case err != nil:
			return err
		case *asJSON:
			return a.printJSON(inviteList{r.host.String(), *team, append([]packets.OpenInvite{}, list...)})
		case len(list) == 0:
			fmt.Fprintf(a.stderr, "%s has no open invites\n", cell(*team))
			return nil
		}
		var rows [][]string
		for _, i := range list {
			rows = append(rows, []string{field(i.ID), day(i.CreatedAt), until(i.ExpiresAt), field(i.CreatedBy)})
		}
		return a.table([]string{"ID", "CREATED", "EXPIRES", "BY"}, rows)
	}
	return c
}

func (a *app) inviteRevokeCommand() *cobra.Command {
	c := &cobra.Command{
		Use:   "revoke ID",
		Short: "End an open invite",
		Args:  arguments(1, anInvite),
	}
	f := remoteFlagsOf(c)
	team := teamFlag(c, "the `TEAM`")
	asJSON := jsonFlag(c)
	c.RunE = func(c *cobra.Command, given []string) error {
		if *team == "" {
			return invalid("-t TEAM names it; ltm teams ls lists yours", "no team is named")
		}
		return a.changeTeam(f, *asJSON, &teamReceipt{Team: *team, Message: "revoked the invite " + given[0]},
			func(client *packets.Client) error { return client.RevokeInvite(c.Context(), *team, given[0]) })
	}
	return c
}
