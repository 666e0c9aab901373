package main

import (
	"os"
	"path/filepath"

	"github.com/spf13/cobra"

	"ltm/cmd/internal/manual"
	"ltm/memory/advice"
)

// manCommand writes the manual pages.
func (a *app) manCommand() *cobra.Command {
	return &cobra.Command{
		Use:    "man DIR",
		Short:  "Write the manual pages of all commands to a directory",
		Hidden: true,
		Args:   arguments(1, "a directory"),
		RunE: func(c *cobra.Command, given []string) error {
			pages := manual.Pages(c.Root(), "ltm "+version, manual.Date(a.getenv("SOURCE_DATE_EPOCH")))
			for name, text := range pages {
				if err := os.WriteFile(filepath.Join(given[0], name), []byte(text), 0o644); err != nil {
					return advice.With(copyFailed("cannot write the manual", err), "the directory must exist")
				}
			}
			return nil
		},
	}
}
