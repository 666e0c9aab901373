package main

import (
	"github.com/spf13/cobra"

	"ltm/engine"
	"ltm/memory/api"
)

func (a *app) restoreCommand() *cobra.Command {
	var importance string
	c := &cobra.Command{
		Use:   "restore ID...",
		Short: "Make memories whole again that are fading, out of sight, forgotten or superseded",
		Long: `Make memories whole again that are fading, out of sight, forgotten or superseded: all of them or, if
one of them cannot be restored, none. "-" reads ids from standard input, the first word of each line.`,
		Args: arguments(anyNumber, anID),
	}
	c.Flags().StringVar(&importance, "importance", "", "importance to set: critical, important, normal or low")
	c.RunE = func(c *cobra.Command, given []string) error {
		return a.withIDs(c.Context(), given, receiptList{[]api.Receipt{}}, func(e *engine.Engine, s selection) error {
			receipts, err := e.RestoreAll(c.Context(), s.ids, importance)
			if err != nil {
				return err
			}
			return printReceipts(a, s, receipts)
		})
	}
	return c
}
