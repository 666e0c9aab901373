package main

import (
	"context"
	"strings"
	"time"

	"github.com/spf13/cobra"

	packets "ltm/packet/client"
)

// The names of arguments in messages about missing ones.
const (
	aTeam   = "the name of a team"
	aMember = "the id of a member"
)

func (a *app) teamsCommand() *cobra.Command {
	c := a.teamsListCommand(&cobra.Command{Use: "teams", Args: onlyCommands})
	c.AddCommand(a.teamsListCommand(&cobra.Command{
		Use:     "ls",
		Aliases: []string{"list"},
		Args:    noArguments(),
	}), a.teamsMembersCommand())
	a.addTeamChanges(c)
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

// listServer answers with a list that a server has. shown is the list for programs, and none is what to tell a person
// if it is empty; {host} in it is the server.
func listServer[T any](a *app, f *remoteFlags, get func(*packets.Client) ([]T, error),
	shown func(host string, list []T) any, none, header string, row func(T) []string) error {
	return a.asking(f, func(client *packets.Client, r remote) error {
		list, err := get(client)
		list = append([]T{}, list...)
		host := r.host.String()
		return answer(a, shown(host, list), err, func(any) error {
			return a.tableOr(strings.ReplaceAll(none, "{host}", host), header, rowsOf(list, row))
		})
	})
}

// teamsListCommand makes a command list the teams.
func (a *app) teamsListCommand(c *cobra.Command) *cobra.Command {
	f := remoteFlagsOf(c)
	c.RunE = func(c *cobra.Command, _ []string) error {
		return listServer(a, f,
			func(client *packets.Client) ([]packets.Team, error) { return client.Teams(c.Context()) },
			func(host string, list []packets.Team) any { return teamList{host, list} },
			`you are in no team on {host}; "ltm teams create NAME" makes one`, "NAME|CREATED|OWNER",
			func(t packets.Team) []string { return []string{field(t.Name), day(t.CreatedAt), field(t.OwnerID)} })
	}
	return c
}

func (a *app) teamsMembersCommand() *cobra.Command {
	c := &cobra.Command{Use: "members NAME", Args: arguments(1, aTeam)}
	f := remoteFlagsOf(c)
	c.RunE = func(c *cobra.Command, given []string) error {
		return listServer(a, f,
			func(client *packets.Client) ([]packets.Member, error) { return client.Members(c.Context(), given[0]) },
			func(host string, list []packets.Member) any { return memberList{host, given[0], list} },
			"no members", "ID|DISPLAY|ROLE|JOINED", func(m packets.Member) []string {
				return []string{field(m.UserID), field(m.Display), field(m.Role), day(m.JoinedAt)}
			})
	}
	return c
}

// teamChange is what a command does to a team, and perhaps one of its members. {team} and {user} in texts are those.
type teamChange struct {
	did           string
	question, why string // ask before, and why; "": do not ask
	do            func(ctx context.Context, c *packets.Client, team, user string) error
}

// addTeamChanges adds the commands that change a team.
func (a *app) addTeamChanges(parent *cobra.Command) {
	add := func(c *cobra.Command, change teamChange) {
		f := remoteFlagsOf(c)
		yes := new(bool)
		if change.question != "" {
			yes = c.Flags().Bool("yes", false, "do not ask")
		}
		c.RunE = func(c *cobra.Command, given []string) error {
			return a.changeTeam(c.Context(), f, change, given, *yes)
		}
		parent.AddCommand(c)
	}
	create := &cobra.Command{Use: "create NAME", Args: arguments(1, aTeam)}
	f := remoteFlagsOf(create)
	create.RunE = func(c *cobra.Command, given []string) error {
		return a.asking(f, func(client *packets.Client, r remote) error {
			made, err := client.CreateTeam(c.Context(), given[0])
			return answer(a, teamReceipt{Host: r.host.String(), Team: given[0], ID: made.ID,
				Message: "created team " + given[0]}, err, a.printTeamReceipt)
		})
	}
	parent.AddCommand(create)
	add(&cobra.Command{
		Use:  "rm NAME",
		Args: arguments(1, aTeam),
	}, teamChange{"deleted team {team}", "Permanently delete the team {team} with all its packets?",
		"a team is deleted for good",
		func(ctx context.Context, c *packets.Client, team, _ string) error { return c.DeleteTeam(ctx, team) }})
	add(&cobra.Command{Use: "leave NAME", Args: arguments(1, aTeam)}, teamChange{did: "left team {team}",
		do: func(ctx context.Context, c *packets.Client, team, _ string) error { return c.LeaveTeam(ctx, team) }})
	add(&cobra.Command{
		Use:  "remove NAME USER",
		Args: arguments(2, aTeam, aMember),
	}, teamChange{did: "removed {user} from team {team}",
		do: func(ctx context.Context, c *packets.Client, team, user string) error {
			return c.RemoveMember(ctx, team, user)
		}})
	add(&cobra.Command{
		Use:  "transfer NAME USER",
		Args: arguments(2, aTeam, aMember),
	}, teamChange{"handed team {team} over to {user}", "Make {user} the owner of {team}?",
		"only the new owner can undo it", func(ctx context.Context, c *packets.Client, team, user string) error {
			return c.TransferTeam(ctx, team, user)
		}})
}

// changeTeam carries out a change of a team. The arguments are the team and the member, if it is about one.
func (a *app) changeTeam(ctx context.Context, f *remoteFlags, change teamChange, given []string, yes bool) error {
	given = append(given, "")
	team, user := given[0], given[1]
	named := strings.NewReplacer("{team}", team, "{user}", user)
	if change.question != "" {
		if err := a.agree(yes, named.Replace(change.question), change.why); err != nil {
			return err
		}
	}
	return a.asking(f, func(client *packets.Client, r remote) error {
		err := change.do(ctx, client, team, user)
		return answer(a, teamReceipt{Host: r.host.String(), Team: team, User: user, Message: named.Replace(change.did)},
			err, a.printTeamReceipt)
	})
}

func (a *app) printTeamReceipt(r teamReceipt) error { return a.println(cell(r.Message)) }

// until is how a time limit is shown.
func until(t time.Time) string {
	if t.IsZero() {
		return "unknown"
	}
	return t.UTC().Format(time.RFC3339)
}
