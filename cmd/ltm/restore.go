package main

import "github.com/spf13/cobra"

func (a *app) restoreCommand() *cobra.Command {
	var importance string
	c := &cobra.Command{
		Use:   "restore ID",
		Short: "Bring a memory back in full that was forgotten or has faded",
		Args:  args(cobra.ExactArgs(1)),
	}
	c.Flags().StringVar(&importance, "importance", "", "critical, important, normal or low")
	asJSON := jsonFlag(c)
	c.RunE = func(c *cobra.Command, given []string) error {
		r, err := a.engine(lockWait).Restore(c.Context(), given[0], importance)
		if err != nil {
			return err
		}
		return a.printReceipt(r, *asJSON)
	}
	return c
}
