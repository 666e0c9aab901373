package main

import (
	"cmp"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// optionReport is an option as config prints it for programs.
type optionReport struct {
	Name     string `json:"name"`
	Value    string `json:"value"`
	Source   string `json:"source"`
	Variable string `json:"variable"`
	Usage    string `json:"usage"`
}

// configCommand shows the options that a server would run with, without passwords.
func (a *app) configCommand() *cobra.Command {
	c := &cobra.Command{Use: "config", Args: arguments(0)}
	a.options.registerServer(c.Flags())
	asJSON := jsonFlag(c)
	c.RunE = func(c *cobra.Command, _ []string) error {
		var all []optionReport
		known, names := origins(), optionNames()
		c.Flags().VisitAll(func(f *pflag.Flag) {
			from, ok := known[f.Name]
			if !ok {
				return
			}
			value, source := f.Value.String(), a.sources[f.Name]
			switch {
			case f.Name == "db":
				value = a.options.shownDatabase()
			case isKey(f.Name) && value != "":
				value = "***"
			}
			if list, ok := f.Value.(pflag.SliceValue); ok {
				value = strings.Join(list.GetSlice(), ",")
			}
			_, usage := pflag.UnquoteUsage(f)
			all = append(all, optionReport{f.Name, value, cmp.Or(source, "default"), from.variable, usage})
		})
		slices.SortFunc(all, func(x, y optionReport) int {
			return slices.Index(names, x.Name) - slices.Index(names, y.Name)
		})
		return list(a, *asJSON, all, []string{"OPTION", "VALUE", "SOURCE", "VARIABLE"}, func(o optionReport) []string {
			return []string{o.Name, o.Value, o.Source, o.Variable}
		})
	}
	return c
}

// list prints all of something: for programs, or as a table with these columns.
func list[T any](a *app, asJSON bool, all []T, header []string, row func(T) []string) error {
	if asJSON {
		return a.printJSON(all)
	}
	return a.table(header, each(all, row))
}

// each returns what a function makes of each entry of a list.
func each[T, R any](list []T, of func(T) R) []R {
	all := make([]R, 0, len(list))
	for _, entry := range list {
		all = append(all, of(entry))
	}
	return all
}

// table prints rows: aligned for people, separated by tabs for pipes.
func (a *app) table(header []string, rows [][]string) error {
	return a.println(lines(a.screen(), header, rows)...)
}
