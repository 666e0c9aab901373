package main

import (
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
	c := &cobra.Command{Use: "version", Args: noArguments()}
	c.RunE = func(*cobra.Command, []string) error {
		r := versionReport{version, runtime.Version(), runtime.GOOS + "/" + runtime.GOARCH}
		return answer(a, r, nil, func(versionReport) error { return a.printVersion() })
	}
	return c
}

func (a *app) printVersion() error { return a.println("ltm " + version) }
