package main

import (
	"fmt"
	"runtime"

	"github.com/spf13/cobra"
)

// versionReport is what version prints for programs.
type versionReport struct {
	Version  string `json:"version"`
	Go       string `json:"go"`
	Platform string `json:"platform"`
}

func (a *app) versionCommand() *cobra.Command {
	c := &cobra.Command{
		Use:   "version",
		Short: "Print the version",
		Args:  args(cobra.NoArgs),
	}
	asJSON := jsonFlag(c)
	c.RunE = func(*cobra.Command, []string) error {
		if *asJSON {
			return a.printJSON(versionReport{version, runtime.Version(), runtime.GOOS + "/" + runtime.GOARCH})
		}
		_, err := fmt.Fprintf(a.stdout, "ltm %s\n", version)
		return err
	}
	return c
}
