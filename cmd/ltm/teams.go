package main

import (
	"context"
	"fmt"
	"time"

	"github.com/spf13/cobra"

	packets "ltm/packet/client"
)

// What arguments are called in messages about missing ones.
const (
	aTeam   = "the name of a team"
	aMember = "the id of a member"
)

func (a *app) teamsCommand() *cobra.Command {
	c := &cobra.Command{
		Use:   "teams",
		Short: "Make, list and change teams, whose members read each other's packets",
		Long: `Make, list and change teams on a server of packets. The members of a team read all packets that were
pushed to it.`,
		Args: onlyCommands,
	}
	f := remoteFlagsOf(c)
	asJSON := jsonFlag(c)
	c.RunE = func(c *cobra.Command, _ []string) error { return a.listTeams(c.Context(), f, *asJSON) }
	c.AddCommand(a.teamsCreateCommand(), a.teamsListCommand(), a.teamsRemoveCommand(), a.teamsLeaveCommand(),
		a.teamsMembersCommand(), a.teamsRemoveMemberCommand(), a.teamsTransferCommand())
	return c
}

type teamList struct {
	Host  string         `json:"host"`
	Teams []packets.Team `json:"teams"`
}

// teamReceipt answers a change of a team.
type teamReceipt struct {
	Host    string `json:"host"`
	Team    string `json:"team"`
	ID      string `json:"team_id,omitempty"`
	User    string `json:"user_id,omitempty"` // whom it is about
	Message string `json:"message"`
}

type memberList struct {
	Host    string           `json:"host"`
	Team    string           `json:"team"`
	Members []packets.Member `json:"members"`
}

func (a *app) listTeams(ctx context.Context, f *remoteFlags, asJSON bool) error {
	c, r, err := a.dial(f)
	if err != nil {
		return err
	}
	defer c.Close()
	list, err := c.Teams(ctx)
	if err != nil {
		return err
	}
	shown := teamList{r.host.String(), append([]packets.Team{}, list...)}
	if asJSON {
		return a.printJSON(shown)
	}
	if len(list) == 0 {
		fmt.Fprintf(a.stderr, "you are in no team on %s; \"ltm teams create NAME\" makes one\n", r.host)
		return nil
	}
	var rows [][]string
	for _, t := range list {
		rows = append(rows, []string{field(t.Name), day(t.CreatedAt), field(t.OwnerID)})
	}
	return a.table([]string{"NAME", "CREATED", "OWNER"}, rows)
}

func (a *app) teamsListCommand() *cobra.Command {
	c := &cobra.Command{
		Use:     "ls",
		Aliases: []string{"list"},
		Short:   "List the teams that you are in",
		Args:    noArguments(),
	}
	f := remoteFlagsOf(c)
	asJSON := jsonFlag(c)
	c.RunE = func(c *cobra.Command, _ []string) error { return a.listTeams(c.Context(), f, *asJSON) }
	return c
}

// changeTeam runs a change of a team, which may complete the receipt, and prints what it did.
func (a *app) changeTeam(f *remoteFlags, asJSON bool, receipt *teamReceipt, change func(*packets.Client) error) error {
	c, r, err := a.dial(f)
	if err != nil {
		return err
	}
	defer c.Close()
	if err := change(c); err != nil {
		return err
	}
	if receipt.Host = r.host.String(); asJSON {
		return a.printJSON(receipt)
	}
	return a.println(cell(receipt.Message))
}

func (a *app) teamsCreateCommand() *cobra.Command {
	c := &cobra.Command{
		Use:   "create NAME",
		Short: "Make a team, with you as its owner",
		Long: `Make a team, with you as its owner. A name has 1 to 40 of a to z, 0 to 9, _ and -, and is taken for
the whole server. "ltm invite -t NAME" invites others.`,
		Args: arguments(1, aTeam),
	}
	f := remoteFlagsOf(c)
	asJSON := jsonFlag(c)
	c.RunE = func(c *cobra.Command, given []string) error {
		receipt := &teamReceipt{Team: given[0], Message: "created team " + given[0]}
		return a.changeTeam(f, *asJSON, receipt, func(client *packets.Client) error {
			made, err := client.CreateTeam(c.Context(), given[0])
			receipt.ID = made.ID
			return err
		})
	}
	return c
}

func (a *app) teamsRemoveCommand() *cobra.Command {
	c := &cobra.Command{
		Use:   "rm NAME",
		Short: "Delete a team with its packets and invites",
		Long:  `Delete a team that you own, after confirmation. Its packets, invites and members go with it.`,
		Args:  arguments(1, aTeam),
	}
	f := remoteFlagsOf(c)
	yes := c.Flags().Bool("yes", false, "do not ask")
	asJSON := jsonFlag(c)
	c.RunE = func(c *cobra.Command, given []string) error {
		if !*yes && !a.confirm("Permanently delete the team "+given[0]+" with all its packets?") {
			return invalid("--yes does it without asking", "a team is deleted for good")
		}
		return a.changeTeam(f, *asJSON, &teamReceipt{Team: given[0], Message: "deleted team " + given[0]},
			func(client *packets.Client) error { return client.DeleteTeam(c.Context(), given[0]) })
	}
	return c
}

func (a *app) teamsLeaveCommand() *cobra.Command {
	c := &cobra.Command{
		Use:   "leave NAME",
		Short: "Leave a team",
		Long: `Leave a team. You no longer read its packets, and those that you pushed stay there. An owner hands the
team over first ("ltm teams transfer").`,
		Args: arguments(1, aTeam),
	}
	f := remoteFlagsOf(c)
	asJSON := jsonFlag(c)
	c.RunE = func(c *cobra.Command, given []string) error {
		return a.changeTeam(f, *asJSON, &teamReceipt{Team: given[0], Message: "left team " + given[0]},
			func(client *packets.Client) error { return client.LeaveTeam(c.Context(), given[0]) })
	}
	return c
}

func (a *app) teamsMembersCommand() *cobra.Command {
	c := &cobra.Command{Use: "members NAME", Short: "List who is in a team", Args: arguments(1, aTeam)}
	f := remoteFlagsOf(c)
	asJSON := jsonFlag(c)
	c.RunE = func(c *cobra.Command, given []string) error {
		client, r, err := a.dial(f)
		if err != nil {
			return err
		}
		defer client.Close()
		list, err := client.Members(c.Context(), given[0])
		if err != nil {
			return err
		}
		if *asJSON {
			return a.printJSON(memberList{r.host.String(), given[0], append([]packets.Member{}, list...)})
		}
		var rows [][]string
		for _, m := range list {
			rows = append(rows, []string{field(m.UserID), field(m.Display), field(m.Role), day(m.JoinedAt)})
		}
		return a.table([]string{"ID", "DISPLAY", "ROLE", "JOINED"}, rows)
	}
	return c
}

func (a *app) teamsRemoveMemberCommand() *cobra.Command {
	c := &cobra.Command{
		Use:   "remove NAME USER",
		Short: "Remove a member from a team that you own",
		Long: `Remove a member from a team that you own. USER is an id ("ltm teams members NAME"). Make sure that no
open invite is left that they know ("ltm invite ls"): ltm-server revokes all of them.`,
		Args: arguments(2, aTeam, aMember),
	}
	f := remoteFlagsOf(c)
	asJSON := jsonFlag(c)
	c.RunE = func(c *cobra.Command, given []string) error {
		return a.changeTeam(f, *asJSON, &teamReceipt{Team: given[0], User: given[1],
			Message: fmt.Sprintf("removed %s from team %s", given[1], given[0])},
			func(client *packets.Client) error { return client.RemoveMember(c.Context(), given[0], given[1]) })
	}
	return c
}

func (a *app) teamsTransferCommand() *cobra.Command {
	c := &cobra.Command{
		Use:   "transfer NAME USER",
		Short: "Make another member the owner of a team",
		Long: `Make another member the owner of a team that you own, after confirmation: only they can undo it. USER is
an id ("ltm teams members NAME").`,
		Args: arguments(2, aTeam, aMember),
	}
	f := remoteFlagsOf(c)
	yes := c.Flags().Bool("yes", false, "do not ask")
	asJSON := jsonFlag(c)
	c.RunE = func(c *cobra.Command, given []string) error {
		if !*yes && !a.confirm(fmt.Sprintf("Make %s the owner of %s?", given[1], given[0])) {
			return invalid("--yes does it without asking", "only the new owner can undo it")
		}
		return a.changeTeam(f, *asJSON, &teamReceipt{Team: given[0], User: given[1],
			Message: fmt.Sprintf("handed team %s over to %s", given[0], given[1])},
			func(client *packets.Client) error { return client.TransferTeam(c.Context(), given[0], given[1]) })
	}
	return c
}

// until is how a time limit is shown.
func until(t time.Time) string {
	if t.IsZero() {
		return "unknown"
	}
	return t.UTC().Format(time.RFC3339)
}
