package main

import (
	"context"
	"errors"
	"os/exec"
	"strings"

	"ltm/memory"
	"ltm/setup"
)

const driverKey = "merge.ltm-index"

// mergeDriver reads how git merges the store's indexes in a project's clone, or
// returns nil when there is no git or no clone.
func mergeDriver(ctx context.Context, project string) *setup.Driver {
	if onPath("git") == "" {
		return nil
	}
	if inside, err := git(ctx, project, "rev-parse", "--is-inside-work-tree"); err != nil || strings.TrimSpace(inside) != "true" {
		return nil
	}
	command, err := git(ctx, project, "config", "--get", driverKey+".driver")
	var exit *exec.ExitError
	if err != nil && (!errors.As(err, &exit) || exit.ExitCode() != 1) {
		return nil // 1: it is not set
	}
	return &setup.Driver{Command: strings.TrimSpace(command), Set: func(ctx context.Context, command string) error {
		return setDriver(ctx, project, command)
	}}
}

// setDriver registers a driver in the clone's own configuration.
func setDriver(ctx context.Context, project, command string) error {
	steps := [][]string{{"config", "--local", driverKey + ".driver", command}, {"config", "--local", driverKey + ".name", "the index of ltm"}} // a driver without a command is an error to git
	if command == "" {
		steps = [][]string{{"config", "--local", "--remove-section", driverKey}}
	}
	for _, args := range steps {
		if _, err := git(ctx, project, args...); err != nil {
			return &memory.Error{Code: memory.CodeStorage, Message: "git does not take its merge driver", Hint: "look at .git/config and try again", Err: err}
		}
	}
	return nil
}
