package main

import (
	"context"

	"github.com/spf13/cobra"

	"ltm/server"
)

// auditReport is a line of the audit log as audit prints it for programs.
type auditReport struct {
	At     string `json:"at"`
	Actor  string `json:"actor,omitempty"`
	Act    string `json:"act"`
	ID     string `json:"id"`
	Within string `json:"within,omitempty"`
}

func (a *app) auditCommand() *cobra.Command {
	c := &cobra.Command{
		Use:   "audit",
		Short: "Show who changed tokens, members and keys, and who deleted and erased what, the oldest first",
		Long: "Show who issued and revoked tokens, keys and invites, joined and left teams, and deleted and erased " +
			"what. Lines have ids and no texts. ACTOR is user:ID, key:ID of an application's key, key:ID:USER if " +
			"it was for one of its users, operator for commands on this machine, or - for the server itself; " +
			"WITHIN is the team, user or application that the id belongs to.",
		Example: "  ltm-server audit | tail\n  ltm-server audit --json",
		Args:    arguments(0),
	}
	asJSON := jsonFlag(c)
	c.RunE = a.onStorage(func(ctx context.Context, s database, _ []string) error {
		all := []auditReport{}
		err := s.Audit(ctx, func(e server.AuditEntry) error {
			all = append(all, auditReport{when(e.At), e.Actor, e.Act, e.ID, e.Within})
			return nil
		})
		if err != nil {
			return failed("cannot read the audit log", err)
		}
		return list(a, *asJSON, all, []string{"TIME", "ACTOR", "ACT", "ID", "WITHIN"}, func(e auditReport) []string {
			return []string{e.At, dash(e.Actor), e.Act, e.ID, dash(e.Within)}
		})
	})
	return c
}
