package main

import (
	"context"
	"errors"

	"github.com/spf13/cobra"

	"ltm/server"
)

func (a *app) teamCommand() *cobra.Command {
	c := &cobra.Command{Use: "team"}
	c.AddCommand(a.teamListCommand(), a.teamShowCommand(), a.teamTransferCommand(), a.teamRemoveCommand())
	return c
}

// teamReport is a team as ls prints it for programs.
type teamReport struct {
	ID      string `json:"id"`
	Name    string `json:"name"`
	Owner   string `json:"owner"`
	Created string `json:"created_at"`

	team server.Team
}

// teams lists all teams, by their owners, the oldest of them first.
func teams(ctx context.Context, s server.Storage) ([]teamReport, error) {
	users, err := s.ListUsers(ctx)
	all := []teamReport{}
	for _, u := range users {
		theirs, failing := s.ListTeams(ctx, u.ID)
		err = errors.Join(err, failing)
		for _, t := range theirs {
			if t.OwnerID == u.ID {
				all = append(all, teamReport{t.ID, t.Name, nameOf(u), when(t.CreatedAt), t})
			}
		}
	}
	if err != nil {
		return nil, failed("cannot list teams", err)
	}
	return all, nil
}

// findTeam returns a team by its name or id.
func findTeam(ctx context.Context, s server.Storage, given string) (server.Team, error) {
	all, err := teams(ctx, s)
	if err != nil {
		return server.Team{}, err
	}
	for _, t := range all {
		if t.Name == given || t.ID == given {
			return t.team, nil
		}
	}
	return server.Team{}, &fault{status: exitNotFound, message: "there is no team \"" + given + "\"",
		next: `"ltm-server team ls" lists them`}
}

func (a *app) teamListCommand() *cobra.Command {
	c := &cobra.Command{Use: "ls", Args: arguments(0)}
	asJSON := jsonFlag(c)
	c.RunE = a.onStorage(func(ctx context.Context, s database, _ []string) error {
		all, err := teams(ctx, s)
		if err != nil {
			return err
		}
		return list(a, *asJSON, all, []string{"ID", "NAME", "OWNER", "CREATED"}, func(t teamReport) []string {
			return []string{t.ID, t.Name, t.Owner, t.Created}
		})
	})
	return c
}

// memberReport is a member of a team as show prints it for programs.
type memberReport struct {
	ID     string `json:"id"`
	Name   string `json:"name"`
	Role   string `json:"role"` // owner or member
	Joined string `json:"joined_at"`
}

func (a *app) teamShowCommand() *cobra.Command {
	c := &cobra.Command{Use: "show TEAM", Args: arguments(1, "a team")}
	asJSON := jsonFlag(c)
	c.RunE = a.onStorage(func(ctx context.Context, s database, given []string) error {
		t, err := findTeam(ctx, s, given[0])
		if err != nil {
			return err
		}
		members, err := s.ListMembers(ctx, t.OwnerID, t.Name)
		if err != nil {
			return failed("cannot list members", err)
		}
		all := each(members, func(m server.Member) memberReport {
			role := "member"
			if m.Owner {
				role = "owner"
			}
			return memberReport{m.User.ID, nameOf(m.User), role, when(m.JoinedAt)}
		})
		return list(a, *asJSON, all, []string{"ID", "NAME", "ROLE", "JOINED"}, func(m memberReport) []string {
			return []string{m.ID, m.Name, m.Role, m.Joined}
		})
	})
	return c
}

func (a *app) teamTransferCommand() *cobra.Command {
	return &cobra.Command{
		Use:  "transfer TEAM USER",
		Args: arguments(2, "a team", "a member"),
		RunE: a.onStorage(func(ctx context.Context, s database, given []string) error {
			t, err := findTeam(ctx, s, given[0])
			if err != nil {
				return err
			}
			u, err := findUser(ctx, s, given[1])
			if err != nil {
				return err
			}
			err = s.TransferTeam(ctx, t.OwnerID, t.Name, u.ID, a.now())
			if errors.Is(err, server.ErrNoMember) {
				return &fault{status: exitNotFound, message: nameOf(u) + " is not a member of " + t.Name,
					next: "they join it first, by an invite of a member; nothing was changed"}
			}
			if err != nil {
				return failed("cannot hand the team over", err)
			}
			return a.println("the owner of " + t.Name + " is " + nameOf(u))
		}),
	}
}

func (a *app) teamRemoveCommand() *cobra.Command {
	c := &cobra.Command{Use: "rm TEAM", Args: arguments(1, "a team")}
	yes := c.Flags().Bool("yes", false, "do it: the team's packets are deleted")
	c.RunE = a.onStorage(func(ctx context.Context, s database, given []string) error {
		t, err := findTeam(ctx, s, given[0])
		if err != nil {
			return err
		}
		if !*yes {
			return invalid("--yes does it; \"ltm-server backup FILE\" before makes it possible to go back",
				"removing %s deletes its packets", t.Name)
		}
		if err := s.DeleteTeam(ctx, t.OwnerID, t.Name, a.now()); err != nil {
			return failed("cannot remove the team", err)
		}
		return a.println("removed " + t.Name)
	})
	return c
}
