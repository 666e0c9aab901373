package main

import (
	"github.com/spf13/cobra"

	"ltm/engine"
	"ltm/memory/api"
)

func (a *app) restoreCommand() *cobra.Command {
	var importance string
	c := &cobra.Command{Use: "restore ID...", Args: arguments(anyNumber, anID)}
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
