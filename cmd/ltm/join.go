package main

import (
	"context"
	"fmt"
	"time"

	"github.com/spf13/cobra"

	"ltm/memory"
	"ltm/memory/advice"
	packets "ltm/packet/client"
)

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
