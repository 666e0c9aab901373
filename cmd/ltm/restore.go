package main

import (
	"github.com/spf13/cobra"

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
	asJSON := jsonFlag(c)
	c.RunE = func(c *cobra.Command, given []string) error {
		e, s, err := a.selectIDs(c.Context(), given)
		if err != nil {
			return err
		}
		if len(s.ids) == 0 {
			return a.noIDs(*asJSON, receiptList{[]api.Receipt{}})
		}
		receipts, err := e.RestoreAll(c.Context(), s.ids, importance)
		if err != nil {
			return err
		}
		return printAnswers(a, s, receipts, *asJSON, receiptList{receipts},
			func(r api.Receipt) string { return say(r.Message) })
	}
	return c
}
