package main

import (
	"github.com/spf13/cobra"

	"ltm/api"
)

func (a *app) restoreCommand() *cobra.Command {
	var importance string
	c := &cobra.Command{
		Use:   "restore ID...",
		Short: "Bring memories back in full that were forgotten or have faded: all of them, or none",
		Args:  args(cobra.MinimumNArgs(1)),
	}
	c.Flags().StringVar(&importance, "importance", "", "critical, important, normal or low")
	asJSON := jsonFlag(c)
	c.RunE = func(c *cobra.Command, given []string) error {
		e := a.engine(lockWait)
		s, err := a.selectIDs(c.Context(), e, given)
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
		return printAnswers(a, s, receipts, *asJSON, receiptList{receipts}, func(r api.Receipt) string { return r.Message })
	}
	return c
}
