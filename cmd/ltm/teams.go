package main

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"ltm/memory"
	"ltm/memory/advice"
	packets "ltm/packet/client"
)

// The names of arguments in messages about missing ones.
const (
	aTeam   = "the name of a team"
	aMember = "the name or the id of a member"
)

func (a *app) teamsCommand() *cobra.Command {
	c := a.teamsListCommand(&cobra.Command{Use: "teams", Args: onlyCommands})
	c.AddCommand(a.teamsListCommand(&cobra.Command{Use: "ls", Aliases: []string{"list"}, Args: noArguments()}),
		a.teamsMembersCommand())
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
			return a.tableOr(strings.ReplaceAll(none, "{host}", host), header, each(list, row))
		})
	})
}

// teamsListCommand makes a command list the teams.
func (a *app) teamsListCommand(c *cobra.Command) *cobra.Command {
	f := remoteFlagsOf(c)
	c.RunE = func(c *cobra.Command, _ []string) error {
		names := map[string]string{}
		return listServer(a, f,
			func(client *packets.Client) ([]packets.Team, error) {
				teams, err := client.Teams(c.Context())
				for _, t := range teams {
					a.learnNames(c.Context(), client, t.Name, names)
				}
				return teams, err
			},
			func(host string, list []packets.Team) any { return teamList{host, list} },
			`you are in no team on {host}; "ltm teams create NAME" makes one`, "NAME|CREATED|OWNER|DISPLAY",
			func(t packets.Team) []string {
				return []string{field(t.Name), day(t.CreatedAt), field(t.OwnerID), field(names[t.OwnerID])}
			})
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

// learnNames adds the names of a team's members to those that are known, by their ids. Programs get only what the
// server lists, and what it does not tell stays unknown.
func (a *app) learnNames(ctx context.Context, c *packets.Client, team string, names map[string]string) {
	if a.asJSON {
		return
	}
	members, err := c.Members(ctx, team)
	if err != nil {
		return
	}
	for _, m := range members {
		names[m.UserID] = m.Display
	}
}

// memberNamed returns the member of a team with an id or, if none has it, with a name that no other has.
func memberNamed(ctx context.Context, c *packets.Client, team, given string) (packets.Member, error) {
	members, err := c.Members(ctx, team)
	if err != nil {
		return packets.Member{}, err
	}
	for _, is := range []func(m packets.Member) bool{
		func(m packets.Member) bool { return m.UserID == given },
		func(m packets.Member) bool { return m.Display == given },
	} {
		var found []string
		member := packets.Member{}
		for _, m := range members {
			if is(m) {
				member, found = m, append(found, cell(m.UserID))
			}
		}
		switch {
		case len(found) == 1:
			return member, nil
		case len(found) > 1:
			return member, invalid("give the id of one", "%d members of %s have the name %q: %s", len(found), team,
				given, strings.Join(found, ", "))
		}
	}
	return packets.Member{UserID: given}, nil // the server says that there is none
}

// teamChange is what a command does to a team, and perhaps one of its members. {team} and {user} in texts are those.
type teamChange struct {
	did           string
	question, why string // ask before, and why; "": do not ask
	do            func(ctx context.Context, c *packets.Client, team, user string) error
}

// addTeamChanges adds the commands that change a team.
func (a *app) addTeamChanges(parent *cobra.Command) {
	add := func(use string, args cobra.PositionalArgs, change teamChange) {
		c := &cobra.Command{Use: use, Args: args}
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
	add("rm NAME", arguments(1, aTeam), teamChange{"deleted team {team}",
		"Permanently delete the team {team} with all its packets?", "a team is deleted for good",
		func(ctx context.Context, c *packets.Client, team, _ string) error { return c.DeleteTeam(ctx, team) }})
	add("leave NAME", arguments(1, aTeam), teamChange{did: "left team {team}",
		do: func(ctx context.Context, c *packets.Client, team, _ string) error { return c.LeaveTeam(ctx, team) }})
	add("remove NAME USER", arguments(2, aTeam, aMember), teamChange{did: "removed {user} from team {team}",
		do: func(ctx context.Context, c *packets.Client, team, user string) error {
			return c.RemoveMember(ctx, team, user)
		}})
	add("transfer NAME USER", arguments(2, aTeam, aMember), teamChange{"handed team {team} over to {user}",
		"Make {user} the owner of {team}?", "only the new owner can undo it",
		func(ctx context.Context, c *packets.Client, team, user string) error {
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
		if user != "" {
			member, err := memberNamed(ctx, client, team, user)
			if err != nil {
				return err
			}
			user = member.UserID
			if member.Display != "" {
				named = strings.NewReplacer("{team}", team, "{user}", fmt.Sprintf("%s (%s)", member.Display, user))
			}
		}
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
		names := map[string]string{}
		return listServer(a, f,
			func(client *packets.Client) ([]packets.OpenInvite, error) {
				a.learnNames(c.Context(), client, *team, names)
				return client.Invites(c.Context(), *team)
			},
			func(host string, list []packets.OpenInvite) any { return inviteList{host, *team, list} },
			cell(*team)+" has no open invites", "ID|CREATED|EXPIRES|BY|DISPLAY",
			func(i packets.OpenInvite) []string {
				return []string{field(i.ID), day(i.CreatedAt), until(i.ExpiresAt), field(i.CreatedBy),
					field(names[i.CreatedBy])}
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

func (a *app) joinCommand() *cobra.Command {
	c := &cobra.Command{Use: "join LINK|CODE", Args: arguments(1, "the link or the code of an invite")}
	f := remoteFlagsOf(c)
	name := c.Flags().String("name", "", "the `NAME` that others see, if the server makes a user for you")
	yes := c.Flags().Bool("yes", false, "do not ask")
	c.RunE = func(c *cobra.Command, given []string) error {
		link, err := packets.ParseInvite(given[0])
		if err != nil {
			return err
		}
		j := joining{app: a, flags: f, link: link, name: *name, yes: *yes}
		receipt, err := j.run(c.Context())
		return answer(a, receipt, err, func(r joinReceipt) error {
			text := fmt.Sprintf("joined team %s on %s", r.Team, r.Host)
			if r.Display != "" {
				text += " as " + r.Display
			}
			return a.println(cell(text))
		})
	}
	return c
}

// joinReceipt answers ltm join.
type joinReceipt struct {
	Host     string `json:"host"`
	Team     string `json:"team"`
	User     string `json:"user_id"`
	Display  string `json:"display"`
	SignedIn bool   `json:"signed_in"` // the server made a user, whose token is kept now
}

// joining is one run of ltm join.
type joining struct {
	app   *app
	flags *remoteFlags
	link  packets.InviteLink
	name  string
	yes   bool
}

// at returns the server of the invite, and what the person has for it. It may be nothing.
func (j *joining) at() (remote, error) {
	a := j.app
	if _, err := a.credentials().List(); err != nil {
		return remote{}, err
	}
	host := j.link.Host
	if host.IsZero() {
		var err error
		if host, err = a.remoteHost(j.flags); err != nil {
			return remote{}, err
		}
	} else if j.flags.host != "" {
		if other, err := packets.ParseHost(j.flags.host); err != nil || other != host {
			return remote{}, invalid("leave out --host", "the link is one of %s", host)
		}
	}
	r, err := a.remoteAt(host)
	if memory.KindOf(err) == memory.KindTokenNone {
		return remote{host: host}, nil
	}
	return r, err
}

func (j *joining) run(ctx context.Context) (joinReceipt, error) {
	a := j.app
	r, err := j.at()
	if err != nil {
		return joinReceipt{}, err
	}
	c, err := a.clientOf(r, j.flags)
	if err != nil {
		return joinReceipt{}, err
	}
	defer c.Close()
	invitation, known, err := c.Invitation(ctx, j.link.Code)
	if err != nil {
		return joinReceipt{}, err
	}
	if !j.yes && !a.confirm(j.question(r, invitation, known)) {
		return joinReceipt{}, invalid("--yes joins without asking", "joining a team on %s was not confirmed", r.host)
	}
	if r.token == "" {
		if err := a.credentials().Ready(); err != nil { // the invite would be used up, and its token lost
			return joinReceipt{}, err
		}
	}
	joined, err := c.Accept(ctx, j.link.Code, j.name)
	if err != nil {
		return joinReceipt{}, err
	}
	receipt := joinReceipt{Host: r.host.String(), Team: joined.Team.Name, User: joined.User.ID,
		Display: joined.User.Display}
	if r.token != "" || joined.Token == "" {
		return receipt, nil // what the person has stays, whatever the server sends
	}
	receipt.SignedIn = true
	err = a.credentials().Add(packets.Credential{Host: r.host, Token: joined.Token, User: joined.User.ID,
		Display: joined.User.Display, AddedAt: time.Now()})
	if err != nil {
		err = advice.Partial(advice.With(err, fmt.Sprintf("the invite is used up, and the token of user %s is lost: "+
			"ask for another invite", joined.User.ID)))
	}
	return receipt, err
}

// question names the server and the team.
func (j *joining) question(r remote, i packets.Invitation, known bool) string {
	team := "a team that the server names only to members"
	if known {
		team = "the team " + memory.Quote(i.Team.Name, 60)
	}
	as := "as a new user"
	if r.token != "" {
		as = "with your token for it"
		if r.user != "" {
			as = "as " + cell(r.user)
		}
	}
	return fmt.Sprintf("Join %s on %s, %s?", team, r.host, as)
}
