package main

import (
	"github.com/spf13/cobra"

	"ltm/memory"
	"ltm/memory/api"
)

// receiptList is what changes of several memories print for programs.
type receiptList struct {
	Receipts []api.Receipt `json:"receipts"`
}

func (a *app) pinCommand() *cobra.Command {
	var as string
	c := &cobra.Command{
		Use:   "pin ID...",
		Short: "Pin memories, so that they never fade and come first",
		Long: `Pin memories: mark them as critical, so that they never fade and come first. With --as, mark them as
important or as low instead. Either all of the memories are changed or, if one of them cannot be,
none.`,
		Args: arguments(anyNumber, anID),
	}
	c.Flags().StringVar(&as, "as", string(memory.Critical), "importance to set: critical, important or low")
	asJSON := jsonFlag(c)
	c.RunE = func(c *cobra.Command, given []string) error {
		level, err := memory.ParseImportance(as)
		if err != nil {
			return err
		}
		return a.pin(c, given, level, *asJSON)
	}
	return c
}

func (a *app) unpinCommand() *cobra.Command {
	c := &cobra.Command{
		Use:   "unpin ID...",
		Short: "Reset memories to normal importance, so that they fade again",
		Args:  arguments(anyNumber, anID),
	}
	asJSON := jsonFlag(c)
	c.RunE = func(c *cobra.Command, given []string) error {
		return a.pin(c, given, memory.Normal, *asJSON)
	}
	return c
}

func (a *app) pin(c *cobra.Command, ids []string, level memory.Importance, asJSON bool) error {
	e, s, err := a.selectIDs(c.Context(), ids)
	if err != nil {
		return err
	}
	if len(s.ids) == 0 {
		return a.noIDs(asJSON, receiptList{[]api.Receipt{}})
	}
	receipts, err := e.Pin(c.Context(), s.ids, level)
	if err != nil {
		return err
	}
	return a.printReceipts(receipts, asJSON)
}
