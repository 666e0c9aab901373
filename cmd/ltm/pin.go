package main

import (
	"context"

	"github.com/spf13/cobra"

	"ltm/engine"
	"ltm/memory"
	"ltm/memory/api"
)

// receiptList is what changes of several memories print for programs.
type receiptList struct {
	Receipts []api.Receipt `json:"receipts"`
}

func (a *app) pinCommand() *cobra.Command {
	var as string
	c := &cobra.Command{Use: "pin ID...", Args: arguments(anyNumber, anID)}
	c.Flags().StringVar(&as, "as", string(memory.Critical), "importance to set: critical, important or low")
	c.RunE = func(c *cobra.Command, given []string) error {
		level, err := memory.ParseImportance(as)
		if err != nil {
			return err
		}
		return a.pin(c.Context(), given, level)
	}
	return c
}

func (a *app) unpinCommand() *cobra.Command {
	c := &cobra.Command{Use: "unpin ID...", Args: arguments(anyNumber, anID)}
	c.RunE = func(c *cobra.Command, given []string) error {
		return a.pin(c.Context(), given, memory.Normal)
	}
	return c
}

func (a *app) pin(ctx context.Context, given []string, level memory.Importance) error {
	return a.changeIDs(ctx, given, func(e *engine.Engine, ids []string) ([]api.Receipt, error) {
		return e.Pin(ctx, ids, level)
	})
}
