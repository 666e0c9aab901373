package main

import (
	"time"

	"github.com/spf13/cobra"

	"ltm/memory/api"
)

// includeFlags adds --archives and --all to a command, and returns what says which
// of them was given.
func includeFlags(c *cobra.Command) func() (api.Include, error) {
	archives := c.Flags().Bool("archives", false, "memories that are out of sight, forgotten or superseded")
	all := c.Flags().Bool("all", false, "those in sight, and those too")
	return func() (api.Include, error) {
		switch {
		case *archives && *all:
			return "", invalid("give one of them", "--archives and --all were both given")
		case *archives:
			return api.IncludeArchives, nil
		case *all:
			return api.IncludeAll, nil
		}
		return api.IncludeActive, nil
	}
}

// archivesListCommand is list --archives under another name.
func (a *app) archivesListCommand() *cobra.Command {
	c := a.listCommand()
	c.Short = `List memories that are out of sight, forgotten or superseded: "ltm list --archives"`
	archives := c.Flags().Lookup("archives")
	archives.Hidden = true
	c.PreRunE = func(*cobra.Command, []string) error {
		if c.Flags().Changed("all") {
			return nil // as list --all, which has the archives too
		}
		return archives.Value.Set("true")
	}
	return c
}

// since says since when a memory is in the archives, as far as that is known.
func since(at *time.Time) string {
	if at == nil {
		return ""
	}
	return day(*at)
}
