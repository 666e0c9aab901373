package main

import (
	"github.com/spf13/cobra"

	"ltm/memory/api"
)

func (a *app) fadeCommand() *cobra.Command {
	var write, dryRun bool
	c := &cobra.Command{
		Use:   "fade --write | --dry-run",
		Short: "Write the phases of this clone's memories to their files",
		Long: `Memories fade in the view of each clone, and their files keep the full text. This command writes the
phases of this clone's view to the files once, as a change to review and commit. The full texts go
to the archives first.`,
		Args: noArguments(),
	}
	c.Flags().BoolVar(&write, "write", false, "write to the files")
	c.Flags().BoolVar(&dryRun, "dry-run", false, "show what would be done, but do not do it")
	c.RunE = func(c *cobra.Command, _ []string) error {
		if write == dryRun {
			return invalid("--dry-run shows what would change, and --write does it",
				"give one of --write and --dry-run")
		}
		r, err := a.engine(lockWait).WriteFading(c.Context(), api.EvictOptions{DryRun: dryRun})
		return answer(a, r, err, a.printEviction)
	}
	return c
}
