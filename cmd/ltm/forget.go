package main

import (
	"github.com/spf13/cobra"
)

func (a *app) forgetCommand() *cobra.Command {
	c := &cobra.Command{
		Use:   "forget ID",
		Short: "Take a memory out; its text stays in the archives",
		Args:  args(cobra.ExactArgs(1)),
	}
	asJSON := jsonFlag(c)
	c.RunE = func(c *cobra.Command, given []string) error {
		r, err := a.engine(lockWait).Forget(c.Context(), given[0])
		if err != nil {
			return err
		}
		if *asJSON {
			return a.printJSON(r)
		}
		return a.println(clean(r.Message))
	}
	return c
}
