package main

import (
	"cmp"
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
	c := &cobra.Command{Use: "audit", Args: arguments(0)}
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
			return []string{e.At, cmp.Or(e.Actor, "-"), e.Act, e.ID, cmp.Or(e.Within, "-")}
		})
	})
	return c
}
