package main

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"time"

	"github.com/spf13/cobra"

	"ltm/cmd/internal/terminal"
	"ltm/cmd/internal/wiring"
	"ltm/engine"
	"ltm/engine/change"
	"ltm/engine/transfer"
	"ltm/engine/transfer/forms"
	"ltm/engine/transfer/sources"
	"ltm/internal/plural"
	"ltm/memory"
	"ltm/memory/api"
	"ltm/text/safe"
)

func (a *app) exportCommand() *cobra.Command {
	var include, format, agent string
	var force bool
	c := &cobra.Command{Use: "export FILE|-", Args: arguments(1, "FILE")}
	c.Flags().StringVar(&include, "include", string(api.IncludeAll), "which memories: active, archives or all")
	c.Flags().StringVar(&format, "format", transfer.SystemLTM, "the form of the document: ltm or claude-ltm")
	agentFlag(c, &agent, onlyOfAgent)
	c.Flags().BoolVar(&force, "force", false, "replace FILE if it exists")
	c.RunE = func(c *cobra.Command, given []string) error {
		if a.asJSON && given[0] == "-" {
			return invalid("name a file", "--json and the document would both be on standard output")
		}
		if !slices.Contains([]string{transfer.SystemLTM, forms.SystemClaudeLTM}, format) {
			return invalid("", "%q is not a form that can be written; allowed: %s, %s", format, transfer.SystemLTM,
				forms.SystemClaudeLTM)
		}
		data, done, err := a.document(c.Context(), api.Include(include), agent, format)
		if err != nil {
			return err
		}
		if given[0] == "-" {
			if terminal.Is(a.stdout) {
				data = safe.JSON(data)
			}
			_, err := a.stdout.Write(data)
			return err
		}
		existing := sources.Keep
		if force {
			existing = sources.Overwrite
		}
		if err := sources.Write(given[0], data, existing); err != nil {
			return err
		}
		return answer(a, done, nil, func(done change.Exported) error {
			text := "exported " + plural.Of(done.Memories, "memory", "memories")
			if done.Archived > 0 {
				text += fmt.Sprintf(" and %d archived", done.Archived)
			}
			return a.println(clean(fmt.Sprintf("%s to %s", text, given[0])))
		})
	}
	return c
}

// document returns the document of the memories of the scope.
func (a *app) document(ctx context.Context, include api.Include, agent, format string) ([]byte, change.Exported,
	error) {
	var records []transfer.OwnRecord
	var done change.Exported
	var empty error
	first := transfer.ScopeProject
	if a.place().Own {
		first = transfer.ScopeUser
	}
	stores := map[transfer.Scope]*engine.Engine{first: a.engine(lockWait)}
	if a.scope == api.ScopeAll {
		stores[transfer.ScopeUser] = a.person(lockWait)
	}
	for _, of := range slices.Sorted(maps.Keys(stores)) { // the project first
		found, n, err := stores[of].Records(ctx, include, agent, of)
		if memory.KindOf(err) == memory.KindExportEmpty {
			err, empty = nil, err
		}
		if err != nil {
			return nil, done, err
		}
		records = append(records, found...)
		done.Memories, done.Archived, done.LeftOut = done.Memories+n.Memories, done.Archived+n.Archived,
			done.LeftOut+n.LeftOut
	}
	if done.LeftOut > 0 {
		a.notice(plural.Of(done.LeftOut, "file", "files") + " that cannot be read left out")
	}
	if len(records) == 0 {
		return nil, done, empty
	}
	if format == transfer.SystemLTM {
		data, err := transfer.WriteOwn(records)
		return data, done, err
	}
	data, left, err := forms.WriteClaudeLTM(records, a.here(time.Now()))
	if left > 0 {
		a.notice(plural.Of(left, "memory", "memories") + " left out: the form has no place for archived ones")
	}
	return data, done, err
}

// here describes this machine and project to forms.
func (a *app) here(now time.Time) transfer.Here {
	return transfer.Here{Now: now, Zone: time.Local, Project: a.projectName()}
}

// projectName returns the name of the project's directory.
func (a *app) projectName() string { return wiring.ProjectName(a.projectsPlace()) }
