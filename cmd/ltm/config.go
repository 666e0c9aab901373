package main

import (
	"fmt"

	"github.com/spf13/cobra"

	"ltm/engine/settings"
	"ltm/memory/api"
)

// settingList is what config prints for programs.
type settingList struct {
	Settings []api.Setting `json:"settings"`
}

func (a *app) configCommand() *cobra.Command {
	var reset, team bool
	c := &cobra.Command{Use: "config [KEY [VALUE]]", Args: arguments(2)}
	c.Flags().BoolVar(&reset, "reset", false, "reset KEY to its default")
	c.Flags().BoolVar(&team, "shared", false, "change the setting for the team, in config.json, which git tracks")
	c.RunE = func(c *cobra.Command, given []string) error {
		chosen, err := a.configure(c, given, reset, team)
		return answer(a, settingList{chosen}, err, func(settingList) error {
			return a.table("KEY|VALUE|SOURCE|DESCRIPTION", rowsOf(chosen, func(s api.Setting) []string {
				return []string{s.Key, fmt.Sprint(s.Value), s.Source, s.Help}
			}))
		})
	}
	return c
}

func (a *app) configure(c *cobra.Command, given []string, reset, team bool) ([]api.Setting, error) {
	e := a.engine(lockWait)
	layer := settings.Clone
	if team {
		layer = settings.Team
	}
	switch {
	case reset && len(given) != 1:
		return nil, invalid("ltm config --reset KEY", "--reset takes one key")
	case reset:
		s, err := e.ResetConfig(c.Context(), given[0], layer)
		return []api.Setting{s}, err
	case len(given) == 2:
		s, err := e.SetConfig(c.Context(), given[0], given[1], layer)
		return []api.Setting{s}, err
	case len(given) == 1:
		s, err := e.Setting(c.Context(), given[0])
		return []api.Setting{s}, err
	}
	return e.Config(c.Context())
}
