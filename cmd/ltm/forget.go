package main

import (
	"github.com/spf13/cobra"

	"ltm/memory"
)

func (a *app) forgetCommand() *cobra.Command {
	var hard, yes bool
	c := &cobra.Command{
		Use:   "forget ID",
		Short: "Set a memory aside; its text stays in the archives",
		Long: `Set a memory aside. Its text stays in the archives, and "ltm restore" brings it back.

A pinned memory (ltm pin) is set aside after a question, or with --yes. With --hard the text is removed from the store for good, with all archived versions. Git's history keeps what was
committed, and so does every clone that has it.`,
		Args: args(cobra.ExactArgs(1)),
	}
	c.Flags().BoolVar(&hard, "hard", false, "remove the text from the store for good; cannot be undone")
	c.Flags().BoolVar(&yes, "yes", false, "do not ask; needed with --hard and for pinned memories without a terminal")
	asJSON := jsonFlag(c)
	c.RunE = func(c *cobra.Command, given []string) error {
		e := a.engine(lockWait)
		forget := e.Forget
		if err := a.confirmPinned(c.Context(), e, given, hard || yes); err != nil {
			return err
		}
		if hard {
			if !yes && !a.confirm("Remove "+given[0]+" and all its archived versions for good? Git's history keeps what was committed.") {
				return memory.Errorf(memory.CodeInvalid, "--yes does it without asking; nothing was changed", "--hard removes the last copy in the store")
			}
			forget = e.Erase
		}
		r, err := forget(c.Context(), given[0])
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
